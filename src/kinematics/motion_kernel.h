// Joints whose body moves by functions of one coordinate q (docs/how/function-joints.md).
//
// F is the frame of the body in front of the joint, with its origin at the anchor. Behind the joint the body is shifted
// by t(q) and turned by R1(f1) R2(f2) R3(f3), all in F.
#ifndef SINEW_KINEMATICS_MOTION_KERNEL_H_
#define SINEW_KINEMATICS_MOTION_KERNEL_H_

#include "math/quat.h"
#include "math/spatial.h"
#include "math/wide.h"
#include "model/kinds/motion.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline kinematics {
inline namespace SINEW_ISA {

// Displacement of a hinge or slide from its reference.
template <class S>
S JointCoordinate(const ModelView<S>& m, const DataView<S>& d, int joint) {
  const int adr = m.jnt_qposadr(joint);
  return d.qpos(adr) - m.qpos0(adr);
}

template <class S>
Vec3<S> TermAxis(const FunctionMotion& motion, int term) {
  const mjtNum* axis = motion.Axis(term);
  return {Uniform<S>(axis[0]), Uniform<S>(axis[1]), Uniform<S>(axis[2])};
}

// X(q), in F.
template <class S>
struct MotionPose {
  Quat<S> turn;
  Vec3<S> shift;
};

template <class S>
MotionPose<S> PoseOfMotion(const FunctionMotion& motion, const S& q) {
  MotionPose<S> pose = {IdentityQuat<S>(), Zero3<S>()};
  for (int k = 0; k < motion.count(); ++k) {
    const S value = Evaluate(motion.Function(k), q).value;
    const Vec3<S> axis = TermAxis<S>(motion, k);
    if (k < motion.rotations) {
      pose.turn = pose.turn * AxisAngle(axis, Half(value));
    } else {
      pose.shift += axis * value;
    }
  }
  return pose;
}

// S = dX/dq and dS/dq, about the point of the body that is at the anchor.
template <class S>
struct MotionAxis {
  Spatial<S> axis, rate;
};

// In F. A rotation turns the axes of those behind it: with w_k the sum of the first k terms f' a, where a is the axis
// as these have turned it,
//   rate = sum f'' a + w_{k-1} x f' a
// and the velocity t' + t x w of the origin of F changes by t'' + t' x w + t x w', whose last part is none at the
// point.
template <class S>
MotionAxis<S> AxisOfMotion(const FunctionMotion& motion, const S& q) {
  MotionAxis<S> result = {ZeroSpatial<S>(), ZeroSpatial<S>()};
  Spatial<S>&axis = result.axis, &rate = result.rate;
  Quat<S> turn = IdentityQuat<S>();
  for (int k = 0; k < motion.count(); ++k) {
    const Jet<S> f = Evaluate(motion.Function(k), q);
    const Vec3<S> local = TermAxis<S>(motion, k);
    if (k < motion.rotations) {
      const Vec3<S> turned = Rotate(turn, local);
      rate.rot += turned * f.curvature + Cross(axis.rot, turned * f.slope);
      axis.rot += turned * f.slope;
      turn = turn * AxisAngle(local, Half(f.value));
    } else {
      axis.lin += local * f.slope;
      rate.lin += local * f.curvature;
    }
  }
  rate.lin += Cross(axis.lin, axis.rot);
  return result;
}

// The orientation of F in the world: that of the body at rest in its parent, turned by the joints in front of this one.
template <class S, class Motions>
Quat<S> OrientationBefore(const ModelView<S>& m, const DataView<S>& d, const Motions& motions, int joint) {
  const int body = m.jnt_bodyid(joint), parent = m.body_parentid(body);
  Quat<S> q = parent == 0 ? m.body_quat(body) : d.xquat(parent) * m.body_quat(body);
  for (int k = m.body_jntadr(body); k < joint; ++k) {
    if (const FunctionMotion motion = motions.Of(k)) {
      q = q * PoseOfMotion<S>(motion, d.qpos(m.jnt_qposadr(k))).turn;
    } else if (m.jnt_type(k) == mjJNT_HINGE) {
      q = q * AxisAngle(m.jnt_axis(k), Half(JointCoordinate(m, d, k)));
    } else if (m.jnt_type(k) == mjJNT_BALL) {
      q = q * Normalized(LoadQuat(d.qpos_data() + m.jnt_qposadr(k)));
    }
  }
  return q;
}

// S and dS/dq in the axes of the world; `offset` leads from the point, where xanchor is, to the origin that they are
// about.
template <class S, class Motions>
MotionAxis<S> WorldAxisOfMotion(const ModelView<S>& m, const DataView<S>& d, const Motions& motions,
                                const FunctionMotion& motion, int joint, const Vec3<S>& offset) {
  const MotionAxis<S> local = AxisOfMotion<S>(motion, d.qpos(m.jnt_qposadr(joint)));
  const Quat<S> q = OrientationBefore(m, d, motions, joint);
  const auto in_world = [&](const Spatial<S>& s) {
    return ShiftMotion(Spatial<S>{Rotate(q, s.rot), Rotate(q, s.lin)}, offset);
  };
  return {in_world(local.axis), in_world(local.rate)};
}

// The coordinate that a term of a motion follows, and its dof.
template <class S>
S CoordinateOf(const ModelView<S>& m, const DataView<S>& d, const FunctionMotion& motion, int term) {
  return d.qpos(m.jnt_qposadr(motion.Joint(term)));
}
template <class S>
int DofOf(const ModelView<S>& m, const FunctionMotion& motion, int term) {
  return m.jnt_dofadr(motion.Joint(term));
}

// Calls visit(dof, u, rate) for the terms of a site that moves in its body: it moves by u, in the world, for unit rate
// of the coordinate of this dof, and `rate` is the derivative of that by the coordinate.
template <class S, class Visit>
void ForPointRates(const ModelView<S>& m, const DataView<S>& d, const PointMotions& points, int site, Visit&& visit) {
  if (!points || site < 0) return;
  const FunctionMotion motion = points.Of(site);
  for (int k = 0; k < motion.count(); ++k) {
    const Jet<S> f = Evaluate(motion.Function(k), CoordinateOf(m, d, motion, k));
    const Vec3<S> axis = d.xmat(m.site_bodyid(site)) * TermAxis<S>(motion, k);
    visit(DofOf(m, motion, k), axis * f.slope, axis * f.curvature);
  }
}

// Puts the sites that move in their bodies in their places.
//   in: qpos, xpos, xmat          out: site_xpos
template <class S>
void MovePoints(const ModelView<S>& m, const DataView<S>& d) {
  const PointMotions points(m.raw());
  if (!points) return;
  for (int site = 0; site < m.nsite(); ++site) {
    const FunctionMotion motion = points.Of(site);
    if (!motion) continue;
    Vec3<S> place = m.site_pos(site);
    for (int k = 0; k < motion.count(); ++k) {
      place += TermAxis<S>(motion, k) * Evaluate(motion.Function(k), CoordinateOf(m, d, motion, k)).value;
    }
    const int body = m.site_bodyid(site);
    d.site_xpos(site) = d.xpos(body) + d.xmat(body) * place;
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_MOTION_KERNEL_H_
