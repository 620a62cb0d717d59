// Poses of cameras and lights: fixed in their body, tracking it, or turned towards a target.
//
//   in:  poses of bodies, subtree_com           out: cam_xpos, cam_xmat, light_xpos, light_xdir
//
// A camera looks along its -z axis, with y up.
#ifndef SINEW_KINEMATICS_CAMLIGHT_KERNEL_H_
#define SINEW_KINEMATICS_CAMLIGHT_KERNEL_H_

#include "kinematics/frame_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline kinematics {
inline namespace SINEW_ISA {

// Where a camera or light of a targeting mode looks; false for other modes and without a target.
template <class S>
bool TargetPoint(const DataView<S>& d, int mode, int target_body, Vec3<S>& target) {
  if (target_body < 0) return false;
  if (mode == mjCAMLIGHT_TARGETBODY) target = d.xpos(target_body);
  if (mode == mjCAMLIGHT_TARGETBODYCOM) target = d.subtree_com(target_body);
  return mode == mjCAMLIGHT_TARGETBODY || mode == mjCAMLIGHT_TARGETBODYCOM;
}

// Camera axes for a view from p to the target, horizon level. Looking straight up or down, x is the world's x axis.
template <class S>
Mat3<S> LookAt(const Vec3<S>& p, const Vec3<S>& target) {
  const Vec3<S> up = {S(0), S(0), S(1)};
  const Vec3<S> z = Normalized(p - target);
  const Vec3<S> x = Normalized(Cross(up, z));
  const Vec3<S> y = Normalized(Cross(z, x));
  return FromColumns(x, y, z);
}

template <class S>
void ComputeCameraPose(const ModelView<S>& m, const DataView<S>& d, int cam) {
  const int body = m.cam_bodyid(cam), mode = m.cam_mode(cam);
  if (mode == mjCAMLIGHT_TRACK || mode == mjCAMLIGHT_TRACKCOM) {
    d.cam_xpos(cam) =
        mode == mjCAMLIGHT_TRACK ? d.xpos(body) + m.cam_pos0(cam) : d.subtree_com(body) + m.cam_poscom0(cam);
    d.cam_xmat(cam) = m.cam_mat0(cam);
    return;
  }
  ComputeFrame(d, body, mjSAMEFRAME_NONE, m.cam_pos(cam), m.cam_quat(cam), d.cam_xpos(cam), d.cam_xmat(cam));
  Vec3<S> target;
  if (TargetPoint(d, mode, m.cam_targetbodyid(cam), target)) d.cam_xmat(cam) = LookAt(d.cam_xpos(cam), target);
}

template <class S>
void ComputeLightPose(const ModelView<S>& m, const DataView<S>& d, int light) {
  const int body = m.light_bodyid(light), mode = m.light_mode(light);
  Vec3<S> position, direction;
  if (mode == mjCAMLIGHT_TRACK || mode == mjCAMLIGHT_TRACKCOM) {
    position =
        mode == mjCAMLIGHT_TRACK ? d.xpos(body) + m.light_pos0(light) : d.subtree_com(body) + m.light_poscom0(light);
    direction = m.light_dir0(light);
  } else {
    position = d.xpos(body) + d.xmat(body) * m.light_pos(light);
    direction = d.xmat(body) * m.light_dir(light);
    Vec3<S> target;
    if (TargetPoint(d, mode, m.light_targetbodyid(light), target)) direction = target - position;
  }
  d.light_xpos(light) = position;
  d.light_xdir(light) = Normalized(direction);
}

template <class S>
void CamLight(const ModelView<S>& m, const DataView<S>& d) {
  for (int cam = 0; cam < m.ncam(); ++cam) ComputeCameraPose(m, d, cam);
  for (int light = 0; light < m.nlight(); ++light) ComputeLightPose(m, d, light);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_CAMLIGHT_KERNEL_H_
