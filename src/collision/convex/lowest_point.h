// When the point of a shape that is lowest over a flat part of another one gives the depth of both, without a search:
// the bounds that box_face.h and field/height_field.cc derive.
#ifndef SINEW_COLLISION_CONVEX_LOWEST_POINT_H_
#define SINEW_COLLISION_CONVEX_LOWEST_POINT_H_

#include <mujoco/mujoco.h>

namespace sinew::inline collision {

// How far the flat part goes on around the point, and the other shape below it, in depths of the point.
inline constexpr double kSpreadOfDepth = 3, kBelowOfDepth = 8;

// From this distance on no search would answer otherwise: a few of its tolerances, and rounding in a thing of this
// size.
inline double SureDistance(const mjOption& option, double size) { return 4 * option.ccd_tolerance + 1e-9 * size; }

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_LOWEST_POINT_H_
