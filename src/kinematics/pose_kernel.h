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
#include "math/block.h"
#include "math/quat.h"
#include "model/data_view.h"
#include "model/model_view.h"

namespace sinew {
inline namespace SINEW_ISA {

// What the motion of a joint needs in between.
template <class S>
struct JointPose {
  Quat<S> turn;                   // the joint's own rotation
  Quat<S> before, after;          // orientation of the body before and after it
  Vec3<S> arm_before, arm_after;  // from the body's origin to the anchor, before and after it
};

// Neighbouring bodies, small enough in number that what their passes hand on stays in the first-level cache.
template <class S>
struct BodyRange {
  int begin, end;
  int first_joint, end_joint;
  JointPose<S>* joints;  // scratch

  // unless a single body has more joints
  static constexpr int kBodies = 32, kJoints = 48;

  JointPose<S>& operator[](int joint) const { return joints[joint - first_joint]; }
};

// The pose of a free joint is its body's, whatever the parent.
template <class S>
bool MovesFreely(const ModelView<S>& m, int b) {
  return m.body_jntnum(b) == 1 && m.jnt_type(m.body_jntadr(b)) == mjJNT_FREE;
}

template <class S>
S JointCoordinate(const ModelView<S>& m, const DataView<S>& d, int joint) {
  const int adr = m.jnt_qposadr(joint);
  return d.qpos(adr) - m.qpos0(adr);
}

// Rotations of balls and hinges by their coordinates. Slides do not turn.
template <class S>
void TurnJoints(const ModelView<S>& m, const DataView<S>& d, const BodyRange<S>& range) {
  const auto is_hinge = [&](int j) {
    const int type = m.jnt_type(j);
    if (type == mjJNT_BALL) range[j].turn = Normalized(LoadQuat(d.qpos_data() + m.jnt_qposadr(j)));
    return type == mjJNT_HINGE;
  };
  ForBlocks<S>(range.first_joint, range.end_joint, is_hinge, [&](const Items<S>& hinges) {
    const Block<S> angle = Gather(hinges, [&](int j) { return JointCoordinate(m, d, j); });
    const Vec3<Block<S>> axis = Gather(hinges, [&](int j) -> decltype(auto) { return m.jnt_axis(j); });
    Scatter(hinges, AxisAngle(axis, angle), [&](int j) -> Quat<S>& { return range[j].turn; });
  });
}

// Orientation of a body that does not move freely, from its parent's.
template <class S>
Quat<S> TurnBody(const ModelView<S>& m, const DataView<S>& d, const BodyRange<S>& range, int b) {
  const int mocap = m.body_mocapid(b), parent = m.body_parentid(b);
  Quat<S> q = mocap >= 0 ? Normalized(d.mocap_quat(mocap)) : m.body_quat(b);
  if (parent > 0) q = d.xquat(parent) * q;
  const int first = m.body_jntadr(b), end = first + m.body_jntnum(b);
  for (int j = first; j < end; ++j) {
    StoreRow(q, range[j].before);
    if (m.jnt_type(j) != mjJNT_SLIDE) q = q * range[j].turn;
    StoreRow(q, range[j].after);
  }
  return q;
}

template <class S>
void Orientations(const ModelView<S>& m, const DataView<S>& d, const BodyRange<S>& range) {
  // from the root: the product of quaternions along a chain is brought back to unit norm at each link
  for (int b = range.begin; b < range.end; ++b) {
    Quat<S> q = MovesFreely(m, b) ? Normalized(LoadQuat(d.qpos_data() + m.jnt_qposadr(m.body_jntadr(b)) + 3))
                                  : TurnBody(m, d, range, b);
    Normalize(q);
    StoreRow(q, d.xquat(b));
  }
  ForBlocks<S>(range.begin, range.end, [&](const Items<S>& bodies) {
    const Quat<Block<S>> q = Gather(bodies, [&](int b) -> decltype(auto) { return d.xquat(b); });
    Scatter(bodies, ToMat3(q), [&](int b) -> Mat3<S>& { return d.xmat(b); });
  });
}

// Axes of joints, and the arms of their anchors: zero for most, whose anchor is the body's origin.
template <class S>
void PlaceAxes(const ModelView<S>& m, const DataView<S>& d, const BodyRange<S>& range) {
  using P = Block<S>;
  const auto is_not_free = [&](int j) { return m.jnt_type(j) != mjJNT_FREE; };
  ForBlocks<S>(range.first_joint, range.end_joint, is_not_free, [&](const Items<S>& joints) {
    const Quat<P> before = Gather(joints, [&](int j) -> decltype(auto) { return (range[j].before); });
    const Vec3<P> axis = Gather(joints, [&](int j) -> decltype(auto) { return m.jnt_axis(j); });
    Scatter(joints, Rotate(before, axis), [&](int j) -> Vec3<S>& { return d.xaxis(j); });

    const Quat<P> after = Gather(joints, [&](int j) -> decltype(auto) { return (range[j].after); });
    const Vec3<P> anchor = Gather(joints, [&](int j) -> decltype(auto) { return m.jnt_pos(j); });
    const MaskOf<P> centered = IsZero(anchor);
    const Vec3<P> arm_before = Select<P>(centered, Zero3<P>(), Rotate(before, anchor));
    const Vec3<P> arm_after = Select<P>(centered, Zero3<P>(), Rotate(after, anchor));
    Scatter(joints, arm_before, [&](int j) -> Vec3<S>& { return range[j].arm_before; });
    Scatter(joints, arm_after, [&](int j) -> Vec3<S>& { return range[j].arm_after; });
  });
}

// Origin of a body that does not move freely, from its parent's, and the anchors of its joints: where they are before
// the joint's own motion.
template <class S>
Vec3<S> MoveBody(const ModelView<S>& m, const DataView<S>& d, const BodyRange<S>& range, int b) {
  const int mocap = m.body_mocapid(b), parent = m.body_parentid(b);
  Vec3<S> p = mocap >= 0 ? d.mocap_pos(mocap) : m.body_pos(b);
  if (parent > 0) p = d.xpos(parent) + d.xmat(parent) * p;
  const int first = m.body_jntadr(b), end = first + m.body_jntnum(b);
  for (int j = first; j < end; ++j) {
    const Vec3<S> anchor = p + range[j].arm_before;
    d.xanchor(j) = anchor;
    if (m.jnt_type(j) == mjJNT_SLIDE) {
      p += d.xaxis(j) * JointCoordinate(m, d, j);
    } else {
      p = anchor - range[j].arm_after;  // rotations keep the anchor in place
    }
  }
  return p;
}

template <class S>
void Positions(const ModelView<S>& m, const DataView<S>& d, const BodyRange<S>& range) {
  for (int b = range.begin; b < range.end; ++b) {
    if (MovesFreely(m, b)) {
      const int joint = m.body_jntadr(b);
      const Vec3<S> p = LoadVec3(d.qpos_data() + m.jnt_qposadr(joint));
      StoreRow(p, d.xpos(b));
      d.xanchor(joint) = p;
      d.xaxis(joint) = m.jnt_axis(joint);  // has no meaning
    } else {
      StoreRow(MoveBody(m, d, range, b), d.xpos(b));
    }
  }
}

// Frames attached to bodies; see PlaceFrame. Those of the general kind are placed in blocks.
template <class S, class Frames>
void PlaceFrames(const DataView<S>& d, int begin, int end, const Frames& frames) {
  using P = Block<S>;
  const auto is_general = [&](int i) {
    if (frames.sameframe(i) == mjSAMEFRAME_NONE) return true;
    PlaceFrame(d, frames.body(i), frames.sameframe(i), frames.pos(i), frames.quat(i), frames.p(i), frames.R(i));
    return false;
  };
  ForBlocks<S>(begin, end, is_general, [&](const Items<S>& block) {
    const Quat<P> q_body = Gather(block, [&](int i) -> decltype(auto) { return d.xquat(frames.body(i)); });
    const Vec3<P> p_body = Gather(block, [&](int i) -> decltype(auto) { return d.xpos(frames.body(i)); });
    const Vec3<P> pos = Gather(block, [&](int i) -> decltype(auto) { return frames.pos(i); });
    const Quat<P> quat = Gather(block, [&](int i) -> decltype(auto) { return frames.quat(i); });
    Scatter(block, p_body + ToMat3(q_body) * pos, [&](int i) -> Vec3<S>& { return frames.p(i); });
    Scatter(block, ToMat3(q_body * quat), [&](int i) -> Mat3<S>& { return frames.R(i); });
  });
}

template <class S>
struct InertialFrames {
  const ModelView<S>& m;
  const DataView<S>& d;
  int body(int b) const { return b; }
  int sameframe(int b) const { return m.body_sameframe(b); }
  decltype(auto) pos(int b) const { return m.body_ipos(b); }
  decltype(auto) quat(int b) const { return m.body_iquat(b); }
  Vec3<S>& p(int b) const { return d.xipos(b); }
  Mat3<S>& R(int b) const { return d.ximat(b); }
};

template <class S>
struct GeomFrames {
  const ModelView<S>& m;
  const DataView<S>& d;
  int body(int g) const { return m.geom_bodyid(g); }
  int sameframe(int g) const { return m.geom_sameframe(g); }
  decltype(auto) pos(int g) const { return m.geom_pos(g); }
  decltype(auto) quat(int g) const { return m.geom_quat(g); }
  Vec3<S>& p(int g) const { return d.geom_xpos(g); }
  Mat3<S>& R(int g) const { return d.geom_xmat(g); }
};

template <class S>
struct SiteFrames {
  const ModelView<S>& m;
  const DataView<S>& d;
  int body(int s) const { return m.site_bodyid(s); }
  int sameframe(int s) const { return m.site_sameframe(s); }
  decltype(auto) pos(int s) const { return m.site_pos(s); }
  decltype(auto) quat(int s) const { return m.site_quat(s); }
  Vec3<S>& p(int s) const { return d.site_xpos(s); }
  Mat3<S>& R(int s) const { return d.site_xmat(s); }
};

// Scratch that a model needs: as many joints.
inline int KinematicsScratchSize(const mjModel* m) {
  const int njnt = static_cast<int>(m->njnt);
  int joints = BodyRange<mjtNum>::kJoints;
  if (njnt <= joints) return njnt;
  for (int b = 1; b < m->nbody; ++b) joints = m->body_jntnum[b] > joints ? m->body_jntnum[b] : joints;
  return joints;
}

// The bodies from `begin` on that are placed together.
template <class S>
BodyRange<S> NextBodies(const ModelView<S>& m, int begin, JointPose<S>* joints) {
  using Range = BodyRange<S>;
  Range range = {begin, begin, 0, 0, joints};
  for (; range.end < m.nbody() && range.end < begin + Range::kBodies; ++range.end) {
    const int count = m.body_jntnum(range.end);
    if (count == 0) continue;
    const int first = m.body_jntadr(range.end);
    if (range.end_joint == 0) range.first_joint = first;
    if (range.end > begin && first + count - range.first_joint > Range::kJoints) break;
    range.end_joint = first + count;
  }
  return range;
}

// `joints`: scratch, KinematicsScratchSize.
template <class S>
void Kinematics(const ModelView<S>& m, const DataView<S>& d, JointPose<S>* joints) {
  // the world
  d.xpos(0) = Zero3<S>();
  d.xipos(0) = Zero3<S>();
  d.xquat(0) = IdentityQuat<S>();
  d.xmat(0) = Identity3<S>();
  d.ximat(0) = Identity3<S>();

  // bodies and joints: only products of orientations and sums of positions run along chains
  for (int b = 1; b < m.nbody();) {
    const BodyRange<S> range = NextBodies(m, b, joints);
    TurnJoints(m, d, range);
    Orientations(m, d, range);
    PlaceAxes(m, d, range);
    Positions(m, d, range);
    PlaceFrames(d, range.begin, range.end, InertialFrames<S>{m, d});
    b = range.end;
  }

  // frames attached to bodies
  PlaceFrames(d, 0, m.ngeom(), GeomFrames<S>{m, d});
  PlaceFrames(d, 0, m.nsite(), SiteFrames<S>{m, d});
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_KINEMATICS_POSE_KERNEL_H_
