// Forward kinematics: from joint positions to the poses of bodies, joints, geoms and sites in the world.
//
//   in:  qpos, mocap_pos, mocap_quat
//   out: xpos, xquat, xmat, xipos, ximat, xanchor, xaxis, geom_xpos, geom_xmat, site_xpos, site_xmat
//
// Bodies are ordered so that a parent precedes its children: one pass from the root suffices (Featherstone 2008, 4.4).
// Quaternions of qpos and mocap_quat are normalized where they are used and never written.
#ifndef SINEW_KINEMATICS_POSE_KERNEL_H_
#define SINEW_KINEMATICS_POSE_KERNEL_H_

#include "kinematics/frame_kernel.h"
#include "math/quat.h"
#include "model/data_view.h"
#include "model/model_view.h"

namespace sinew {
inline namespace SINEW_ISA {

// A body's pose while its joints are being applied.
template <class S>
struct BodyPose {
  Vec3<S> p;
  Quat<S> q;
};

// Pose of body b with its joints at rest: fixed in the parent's frame, or given by the user for a mocap body.
template <class S>
BodyPose<S> RestPose(const ModelView<S>& m, const DataView<S>& d, int b) {
  const int mocap = m.body_mocapid(b), parent = m.body_parentid(b);
  const Vec3<S> pos = mocap >= 0 ? d.mocap_pos(mocap) : m.body_pos(b);
  const Quat<S> quat = mocap >= 0 ? Normalized(d.mocap_quat(mocap)) : m.body_quat(b);
  if (parent == 0) return {pos, quat};
  return {d.xpos(parent) + d.xmat(parent) * pos, d.xquat(parent) * quat};
}

// A free joint sets the pose, whatever the parent; its axis has no meaning and is copied.
template <class S>
BodyPose<S> FreePose(const ModelView<S>& m, const DataView<S>& d, int joint) {
  const S* q = d.qpos_data() + m.jnt_qposadr(joint);
  const BodyPose<S> pose = {LoadVec3(q), Normalized(LoadQuat(q + 3))};
  d.xanchor(joint) = pose.p;
  d.xaxis(joint) = m.jnt_axis(joint);
  return pose;
}

// Moves the body by one of its slide, hinge or ball joints. Anchor and axis are those before the joint's own motion.
template <class S>
void ApplyJoint(const ModelView<S>& m, const DataView<S>& d, int joint, BodyPose<S>& pose) {
  const int adr = m.jnt_qposadr(joint), type = m.jnt_type(joint);
  const Vec3<S> local_anchor = m.jnt_pos(joint), local_axis = m.jnt_axis(joint);
  const bool centered = All(IsZero(local_anchor));  // in the body's origin: most joints
  const Vec3<S> arm = centered ? Zero3<S>() : Rotate(pose.q, local_anchor);
  const Vec3<S> anchor = pose.p + arm, axis = Rotate(pose.q, local_axis);
  d.xanchor(joint) = anchor;
  d.xaxis(joint) = axis;

  if (type == mjJNT_SLIDE) {
    pose.p += axis * (d.qpos(adr) - m.qpos0(adr));
    return;
  }
  // rotations keep the anchor in place, so that an anchor off the body's origin moves the origin
  const Quat<S> turn = type == mjJNT_HINGE ? AxisAngle(local_axis, d.qpos(adr) - m.qpos0(adr))
                                           : Normalized(LoadQuat(d.qpos_data() + adr));
  pose.q = pose.q * turn;
  pose.p = centered ? anchor : anchor - Rotate(pose.q, local_anchor);
}

template <class S>
BodyPose<S> MovedPose(const ModelView<S>& m, const DataView<S>& d, int b) {
  const int first = m.body_jntadr(b), count = m.body_jntnum(b);
  if (count == 1 && m.jnt_type(first) == mjJNT_FREE) return FreePose(m, d, first);
  BodyPose<S> pose = RestPose(m, d, b);
  for (int joint = first; joint < first + count; ++joint) ApplyJoint(m, d, joint, pose);
  return pose;
}

template <class S>
void Kinematics(const ModelView<S>& m, const DataView<S>& d) {
  // the world
  d.xpos(0) = d.xipos(0) = Zero3<S>();
  d.xquat(0) = IdentityQuat<S>();
  d.xmat(0) = d.ximat(0) = Identity3<S>();

  // bodies: the product of quaternions along a chain is brought back to unit norm at each link
  for (int b = 1; b < m.nbody(); ++b) {
    BodyPose<S> pose = MovedPose(m, d, b);
    Normalize(pose.q);
    d.xpos(b) = pose.p;
    d.xquat(b) = pose.q;
    d.xmat(b) = ToMat3(pose.q);
  }

  // frames attached to them
  for (int b = 1; b < m.nbody(); ++b) {
    PlaceFrame(d, b, m.body_sameframe(b), m.body_ipos(b), m.body_iquat(b), d.xipos(b), d.ximat(b));
  }
  for (int g = 0; g < m.ngeom(); ++g) {
    PlaceFrame(d, m.geom_bodyid(g), m.geom_sameframe(g), m.geom_pos(g), m.geom_quat(g), d.geom_xpos(g), d.geom_xmat(g));
  }
  for (int s = 0; s < m.nsite(); ++s) {
    PlaceFrame(d, m.site_bodyid(s), m.site_sameframe(s), m.site_pos(s), m.site_quat(s), d.site_xpos(s), d.site_xmat(s));
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_KINEMATICS_POSE_KERNEL_H_
