// Parameters of the steps of a path that wrap around geoms.
#ifndef SINEW_KINEMATICS_TENDON_PATH_H_
#define SINEW_KINEMATICS_TENDON_PATH_H_

#include <mujoco/mujoco.h>

#include "kinematics/wrap.h"
#include "model/view/model_view.h"

namespace sinew::inline kinematics {

// The side site of a step that wraps around a geom: -1 without one, and where a program has written what is no site.
inline int SideSite(const ModelView<mjtNum>& m, int step) {
  const mjtNum site = m.wrap_prm(step);
  return site >= 0 && site < static_cast<mjtNum>(m.nsite()) ? static_cast<int>(site) : -1;
}

// The shape that a step around one sphere or cylinder wraps around.
inline WrapShape ShapeOf(const ModelView<mjtNum>& m, int step) {
  return m.wrap_type(step) == mjWRAP_SPHERE ? WrapShape::kSphere : WrapShape::kCylinder;
}

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_TENDON_PATH_H_
