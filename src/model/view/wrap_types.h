// What a spatial tendon may run around: values of wrap_type of MuJoCo 3.8.0, and one of our own.
#ifndef SINEW_MODEL_VIEW_WRAP_TYPES_H_
#define SINEW_MODEL_VIEW_WRAP_TYPES_H_

#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

namespace sinew::inline model {

inline constexpr int kWrapEllipsoid = sinewFIRST_EXTENSION;

// No more geoms follow one another on a path without a site in between.
inline constexpr int kMostGeomsInRow = 4;

inline bool IsWrapGeom(int type) { return type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER || type == kWrapEllipsoid; }

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_VIEW_WRAP_TYPES_H_
