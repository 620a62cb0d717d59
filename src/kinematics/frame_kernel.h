// Frames that are attached to bodies: geoms, sites, cameras, inertial frames.
#ifndef SINEW_KINEMATICS_FRAME_KERNEL_H_
#define SINEW_KINEMATICS_FRAME_KERNEL_H_

#include "math/block.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/view/data_view.h"

namespace sinew::inline kinematics {
inline namespace SINEW_ISA {

// Places a frame in the world: origin p, and rotation R whose columns are its axes. In the frame of body b its pose is
// (pos, quat), constant. `sameframe` (mjtSameFrame) says which parts of it coincide with the body's frame or with its
// inertial frame, and are copied.
template <class S>
void ComputeFrame(const DataView<S>& d, int b, int sameframe, const Vec3<S>& pos, const Quat<S>& quat, Vec3<S>& p,
                  Mat3<S>& R) {
  switch (sameframe) {
    case mjSAMEFRAME_BODY:
      StoreRow(d.xpos(b), p);
      StoreRow(d.xmat(b), R);
      return;
    case mjSAMEFRAME_INERTIA:
      StoreRow(d.xipos(b), p);
      StoreRow(d.ximat(b), R);
      return;
    default:
      p = d.xpos(b) + d.xmat(b) * pos;
      if (sameframe == mjSAMEFRAME_BODYROT) {
        R = d.xmat(b);
      } else if (sameframe == mjSAMEFRAME_INERTIAROT) {
        R = d.ximat(b);
      } else {
        R = ToMat3(d.xquat(b) * quat);
      }
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_FRAME_KERNEL_H_
