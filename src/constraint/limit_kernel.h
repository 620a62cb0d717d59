// Limits of ball joints: the distance of the angle of rotation from the end of its range, for one world and for lanes.
#ifndef SINEW_CONSTRAINT_LIMIT_KERNEL_H_
#define SINEW_CONSTRAINT_LIMIT_KERNEL_H_

#include "math/quat.h"
#include "math/vec3.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline constraint {
inline namespace SINEW_ISA {

template <class S>
struct BallLimit {
  Vec3<S> jacobian;  // over the joint's three dofs
  S distance;
};

// Velocities are in body axes, so that the angle changes by axis . velocity.
template <class S>
BallLimit<S> LimitOfBall(const ModelView<S>& m, const DataView<S>& d, int joint) {
  Quat<S> quat = LoadQuat(d.qpos_data() + m.raw()->jnt_qposadr[joint]);
  Normalize(quat);
  Vec3<S> axis = RotationVector(quat);
  const S angle = Normalize(axis);
  const RowOf<S> range = m.jnt_range(joint);
  return {-axis, Max(S(range[0]), S(range[1])) - angle};
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_LIMIT_KERNEL_H_
