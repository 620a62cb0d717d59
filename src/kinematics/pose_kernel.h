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
#include "kinematics/motion_kernel.h"
#include "math/block.h"
#include "math/wide.h"
#include "model/state/awake_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline kinematics {
inline namespace SINEW_ISA {

// The pose of a free joint is its body's, whatever the parent.
template <class S>
bool MovesFreely(const ModelView<S>& m, int b) {
  return m.body_jntnum(b) == 1 && m.jnt_type(m.body_jntadr(b)) == mjJNT_FREE;
}

// Half the angles of the hinges of bodies [begin, end), one for each joint; of other joints nothing.
template <class S>
void HalfAngles(const ModelView<S>& m, const DataView<S>& d, int begin, int end, HalfAngle<S>* half) {
  const auto is_hinge = [&](int j) { return m.jnt_type(j) == mjJNT_HINGE; };
  const ElementRange joints = ElementsOf(begin, end, m.njnt(), [&](int j) { return m.jnt_bodyid(j); });
  ForBlocks<S>(joints.begin, joints.end, is_hinge, [&](const auto& hinges) {
    const Block<S> angle = Gather(hinges, [&](int j) { return JointCoordinate(m, d, j); });
    Scatter(hinges, Half(angle), [&](int j) -> HalfAngle<S>& { return half[j]; });
  });
}

// Orientation and origin of a body in the world.
template <class S>
struct BodyPose {
  Wide<Quat<S>> q;
  Wide<Vec3<S>> p;
};

// A pose in the frame of body b, in the world.
template <class S>
BodyPose<S> PoseIn(const DataView<S>& d, int b, const Wide<Quat<S>>& quat, const Vec3<S>& pos) {
  if (b == 0) return {quat, Widened(pos)};
  const Wide<Quat<S>> q = Widened(d.xquat(b));
  return {q * quat, Widened(d.xpos(b)) + ToMat3(q) * pos};
}

// The pose of a body before the motion of its joints, at rest in its parent.
template <class S>
BodyPose<S> RestPose(const ModelView<S>& m, const DataView<S>& d, int b) {
  const int mocap = m.body_mocapid(b), parent = m.body_parentid(b);
  if (mocap < 0) return PoseIn<S>(d, parent, Widened(m.body_quat(b)), m.body_pos(b));
  return PoseIn<S>(d, parent, Normalized(Widened(d.mocap_quat(mocap))), d.mocap_pos(mocap));
}

// The vector from the body's origin to the anchor of a joint is zero for most, whose anchor is the origin.
template <class S>
Wide<Vec3<S>> Arm(const Wide<Quat<S>>& q, const Vec3<S>& anchor, MaskOf<S> centered) {
  const Wide<Vec3<S>> zero = Widened(Zero3<S>());
  if (All(centered)) return zero;
  return Select(centered, zero, Rotate(q, Widened(anchor)));
}

// Moves the body by a joint; its axis and anchor are those before the joint's own motion.
template <class S>
void MoveByJoint(const ModelView<S>& m, const DataView<S>& d, const HalfAngle<S>& half, int joint, BodyPose<S>& pose) {
  const Wide<Vec3<S>> local_axis = Widened(m.jnt_axis(joint)), axis = Rotate(pose.q, local_axis);
  const Vec3<S>& local_anchor = m.jnt_pos(joint);
  const MaskOf<S> centered = AllZero(local_anchor);
  const Wide<Vec3<S>> anchor = pose.p + Arm<S>(pose.q, local_anchor, centered);
  StoreRow(axis, d.xaxis(joint));
  StoreRow(anchor, d.xanchor(joint));

  switch (m.jnt_type(joint)) {
    case mjJNT_SLIDE:
      pose.p += axis * JointCoordinate(m, d, joint);
      return;
    case mjJNT_HINGE:
      pose.q = pose.q * AxisAngle(local_axis, half);
      break;
    default:
      pose.q = pose.q * Normalized(LoadWideQuat(d.qpos_data() + m.jnt_qposadr(joint)));
  }
  pose.p = anchor - Arm<S>(pose.q, local_anchor, centered);  // rotations keep the anchor in place
}

// The same by a joint of functions: first the shift, then the rotations about the anchor, which is then behind the
// joint.
template <class S>
void MoveByFunctions(const ModelView<S>& m, const DataView<S>& d, const FunctionMotion& motion, int joint,
                     BodyPose<S>& pose) {
  const MotionPose<S> own = PoseOfMotion<S>(motion, d.qpos(m.jnt_qposadr(joint)));
  const Wide<Vec3<S>> local_anchor = Widened(m.jnt_pos(joint));
  StoreRow(Rotate(pose.q, Widened(m.jnt_axis(joint))), d.xaxis(joint));
  const Wide<Vec3<S>> anchor = pose.p + Rotate(pose.q, Widened(m.jnt_pos(joint) + own.shift));
  StoreRow(anchor, d.xanchor(joint));
  pose.q = pose.q * Widened(own.turn);
  pose.p = anchor - Rotate(pose.q, local_anchor);
}

template <class S>
BodyPose<S> FreePose(const ModelView<S>& m, const DataView<S>& d, int joint) {
  const S* qpos = d.qpos_data() + m.jnt_qposadr(joint);
  d.xanchor(joint) = LoadVec3(qpos);
  d.xaxis(joint) = m.jnt_axis(joint);  // has no meaning
  return {Normalized(LoadWideQuat(qpos + 3)), LoadWideVec3(qpos)};
}

// xquat, xpos, xaxis and xanchor of bodies, from the root. The product of quaternions along a chain is brought back to
// unit norm at each link.
template <class S, class Motions>
void ComputeBodyPoses(const ModelView<S>& m, const DataView<S>& d, const Motions& motions, const HalfAngle<S>* half,
                      int begin, int end) {
  for (int b = begin; b < end; ++b) {
    const int first = m.body_jntadr(b), end_joint = first + m.body_jntnum(b);
    BodyPose<S> pose;
    if (MovesFreely(m, b)) {
      pose = FreePose(m, d, first);
    } else {
      pose = RestPose(m, d, b);
      for (int j = first; j < end_joint; ++j) {
        if (const FunctionMotion motion = motions.Of(j)) {
          MoveByFunctions(m, d, motion, j, pose);
        } else {
          MoveByJoint(m, d, half[j], j, pose);
        }
      }
    }
    Normalize(pose.q);
    StoreRow(pose.q, d.xquat(b));
    StoreRow(pose.p, d.xpos(b));
  }
}

// xmat, xipos and ximat of bodies. In blocks all inertial frames are of the general kind; those that coincide with the
// body's frame are then copied.
template <class S>
void ComputeInertialFrames(const ModelView<S>& m, const DataView<S>& d, int begin, int end) {
  ForBlocks<S>(begin, end, [&](const auto& bodies) {
    const auto q = Gather(bodies, [&](int b) -> decltype(auto) { return d.xquat(b); });
    const auto R = ToMat3(q);
    Scatter(bodies, R, [&](int b) -> Mat3<S>& { return d.xmat(b); });
    bool general = false;
    for (int lane = 0; lane < bodies.kSize; ++lane) general |= m.body_sameframe(bodies[lane]) == mjSAMEFRAME_NONE;
    if (!general) return;
    const auto p = Gather(bodies, [&](int b) -> decltype(auto) { return d.xpos(b); });
    const auto pos = Gather(bodies, [&](int b) -> decltype(auto) { return m.body_ipos(b); });
    const auto quat = Gather(bodies, [&](int b) -> decltype(auto) { return m.body_iquat(b); });
    Scatter(bodies, p + R * pos, [&](int b) -> Vec3<S>& { return d.xipos(b); });
    Scatter(bodies, ToMat3(q * quat), [&](int b) -> Mat3<S>& { return d.ximat(b); });
  });
  for (int b = begin; b < end; ++b) {
    if (m.body_sameframe(b) == mjSAMEFRAME_NONE) continue;
    ComputeFrame(d, b, m.body_sameframe(b), m.body_ipos(b), m.body_iquat(b), d.xipos(b), d.ximat(b));
  }
}

// Frames attached to bodies, of those that are wanted; see ComputeFrame. Those of the general kind are placed in
// blocks.
template <class S, class Frames>
void ComputeFrames(const DataView<S>& d, int begin, int end, const Frames& frames) {
  using P = Block<S>;
  const auto is_general = [&](int i) {
    if (!frames.is_wanted(i)) return false;
    if (frames.sameframe(i) == mjSAMEFRAME_NONE) return true;
    ComputeFrame(d, frames.body(i), frames.sameframe(i), frames.pos(i), frames.quat(i), frames.p(i), frames.R(i));
    return false;
  };
  ForBlocks<S>(begin, end, is_general, [&](const auto& block) {
    const Quat<P> q_body = Gather(block, [&](int i) -> decltype(auto) { return d.xquat(frames.body(i)); });
    const Vec3<P> p_body = Gather(block, [&](int i) -> decltype(auto) { return d.xpos(frames.body(i)); });
    const Vec3<P> pos = Gather(block, [&](int i) -> decltype(auto) { return frames.pos(i); });
    const Quat<P> quat = Gather(block, [&](int i) -> decltype(auto) { return frames.quat(i); });
    Scatter(block, p_body + ToMat3(q_body) * pos, [&](int i) -> Vec3<S>& { return frames.p(i); });
    Scatter(block, ToMat3(q_body * quat), [&](int i) -> Mat3<S>& { return frames.R(i); });
  });
}

struct AllGeoms {
  bool operator()(int) const { return true; }
};
template <class S, class Wanted>
struct GeomFrames {
  const ModelView<S>& m;
  const DataView<S>& d;
  const Wanted& is_wanted;
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
  bool is_wanted(int) const { return true; }
  int body(int s) const { return m.site_bodyid(s); }
  int sameframe(int s) const { return m.site_sameframe(s); }
  decltype(auto) pos(int s) const { return m.site_pos(s); }
  decltype(auto) quat(int s) const { return m.site_quat(s); }
  Vec3<S>& p(int s) const { return d.site_xpos(s); }
  Mat3<S>& R(int s) const { return d.site_xmat(s); }
};

// Poses of the geoms for which is_wanted(id) is true, from those of bodies.
template <class S, class Wanted>
void ComputeGeoms(const ModelView<S>& m, const DataView<S>& d, const Wanted& is_wanted) {
  ComputeFrames(d, 0, m.ngeom(), GeomFrames<S, Wanted>{m, d, is_wanted});
}

// `half`: scratch, one for each joint. Of geoms, poses of those that are wanted.
template <class S, class Wanted>
void Kinematics(const ModelView<S>& m, const DataView<S>& d, HalfAngle<S>* half, const Wanted& is_wanted) {
  // the world
  d.xpos(0) = Zero3<S>();
  d.xipos(0) = Zero3<S>();
  d.xquat(0) = IdentityQuat<S>();
  d.xmat(0) = Identity3<S>();
  d.ximat(0) = Identity3<S>();

  // bodies and joints: few neighbours at a time, so that their poses stay in the first-level cache
  constexpr int kBodies = 32;
  WithJointMotions(m.raw(), [&](const auto& motions) {
    for (IdRuns bodies = AwakeBodies(m, d); !bodies.Done(); bodies.Next()) {
      HalfAngles(m, d, bodies.begin(), bodies.end(), half);
      for (int b = bodies.begin(); b < bodies.end(); b += kBodies) {
        const int end = b + kBodies < bodies.end() ? b + kBodies : bodies.end();
        ComputeBodyPoses(m, d, motions, half, b, end);
        ComputeInertialFrames(m, d, b, end);
      }
    }
  });

  // frames attached to bodies, and to the world
  for (IdRuns bodies = AwakeBodies(m, d, 0); !bodies.Done(); bodies.Next()) {
    const auto compute = [&](const auto& frames, int count) {
      const ElementRange range = ElementsOf(bodies.begin(), bodies.end(), count, [&](int i) { return frames.body(i); });
      ComputeFrames(d, range.begin, range.end, frames);
    };
    compute(GeomFrames<S, Wanted>{m, d, is_wanted}, m.ngeom());
    compute(SiteFrames<S>{m, d}, m.nsite());
  }
  MovePoints(m, d);
}

// Poses of the bodies that sleep, by which it is detected whether they were moved.
template <class S>
void ComputeSleepingPoses(const ModelView<S>& m, const DataView<S>& d, HalfAngle<S>* half) {
  const JointMotions motions(m.raw());
  const auto compute = [&](int begin, int end) {
    HalfAngles(m, d, begin, end, half);
    ComputeBodyPoses(m, d, motions, half, begin, end);
  };
  int begin = 1;  // of the gap in front of a run of awake bodies
  for (IdRuns bodies = AwakeBodies(m, d); !bodies.Done(); bodies.Next()) {
    compute(begin, bodies.begin());
    begin = bodies.end();
  }
  compute(begin, m.nbody());
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_POSE_KERNEL_H_
