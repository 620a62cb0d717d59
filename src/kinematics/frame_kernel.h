// Frames that are attached to bodies: geoms, sites, cameras, inertial frames.
#ifndef SINEW_KINEMATICS_FRAME_KERNEL_H_
#define SINEW_KINEMATICS_FRAME_KERNEL_H_

#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/data_view.h"

namespace sinew {
inline namespace SINEW_ISA {

// Pose of a frame in the world: origin p, and rotation R whose columns are its axes.
template <class S>
struct Pose {
  Vec3<S> p;
  Mat3<S> R;
};

// World pose of a frame with constant pose (pos, quat) in the frame of body b. `sameframe` (mjtSameFrame) says which parts
// of it coincide with the body's frame or with its inertial frame, and are copied.
template <class S>
Pose<S> AttachedPose(const DataView<S>& d, int b, int sameframe, const Vec3<S>& pos, const Quat<S>& quat) {
  switch (sameframe) {
    case mjSAMEFRAME_BODY:
      return {d.xpos(b), d.xmat(b)};
    case mjSAMEFRAME_INERTIA:
      return {d.xipos(b), d.ximat(b)};
    case mjSAMEFRAME_BODYROT:
      return {d.xpos(b) + d.xmat(b) * pos, d.xmat(b)};
    case mjSAMEFRAME_INERTIAROT:
      return {d.xpos(b) + d.xmat(b) * pos, d.ximat(b)};
    default:
      return {d.xpos(b) + d.xmat(b) * pos, ToMat3(d.xquat(b) * quat)};
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_KINEMATICS_FRAME_KERNEL_H_
