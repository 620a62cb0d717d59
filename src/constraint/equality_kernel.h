// Equalities between bodies, joints and tendons: what they compare, and what their rows follow from, for one world and
// for lanes.
//
//   connect, weld   two points, and for a weld two orientations. Residuals: p1 - p2 in world axes, and s Im(q2* q1),
//                   the sine of half the angle times the axis, in the frame of body 2
//   joint, tendon   r = y1 - y1_0 - P(y2 - y2_0),  P(x) = c0 + c1 x + .. + c4 x^4; joints that a function couples:
//                   r = y1 - f(y2)
#ifndef SINEW_CONSTRAINT_EQUALITY_KERNEL_H_
#define SINEW_CONSTRAINT_EQUALITY_KERNEL_H_

#include <mujoco/mujoco.h>

#include "constraint/wrench.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "math/vec3.h"
#include "model/kinds/chain.h"
#include "model/kinds/motion.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline constraint {
inline namespace SINEW_ISA {

// ---- poses of connect and weld

template <class S>
struct EqualityPoseOf {
  int body[2];
  Vec3<S> point[2];  // world
  Quat<S> quat[2];   // q1 includes the relative pose that the weld holds; identity for connect
  S torquescale;     // s
};

inline bool IsBetweenSites(const mjModel* m, int id) { return m->eq_objtype[id] == mjOBJ_SITE; }

template <class S, class Row>
Vec3<S> Vec3At(const Row& row, int first) {
  return {row[first], row[first + 1], row[first + 2]};
}

// Bodies and points of an equality between sites.
template <class S>
EqualityPoseOf<S> SitePoints(const ModelView<S>& m, const DataView<S>& d, int id) {
  const int site[2] = {m.raw()->eq_obj1id[id], m.raw()->eq_obj2id[id]};
  EqualityPoseOf<S> pose;
  for (int i = 0; i < 2; ++i) {
    pose.body[i] = m.raw()->site_bodyid[site[i]];
    pose.point[i] = d.site_xpos(site[i]);
    pose.quat[i] = IdentityQuat<S>();
  }
  pose.torquescale = S(0);
  return pose;
}

template <class S>
EqualityPoseOf<S> ConnectPose(const ModelView<S>& m, const DataView<S>& d, int id) {
  if (IsBetweenSites(m.raw(), id)) return SitePoints(m, d, id);
  const RowOf<S> parameters = m.eq_data(id);
  EqualityPoseOf<S> pose;
  pose.body[0] = m.raw()->eq_obj1id[id];
  pose.body[1] = m.raw()->eq_obj2id[id];
  for (int i = 0; i < 2; ++i) {
    pose.point[i] = d.xpos(pose.body[i]) + d.xmat(pose.body[i]) * Vec3At<S>(parameters, 3 * i);
    pose.quat[i] = IdentityQuat<S>();
  }
  pose.torquescale = S(0);
  return pose;
}

// Parameters: anchor in body 2, anchor in body 1, relative orientation, torque scale. Sites carry their own poses.
template <class S>
EqualityPoseOf<S> WeldPose(const ModelView<S>& m, const DataView<S>& d, int id) {
  const RowOf<S> parameters = m.eq_data(id);
  EqualityPoseOf<S> pose;
  if (IsBetweenSites(m.raw(), id)) {
    pose = SitePoints(m, d, id);
    const int site[2] = {m.raw()->eq_obj1id[id], m.raw()->eq_obj2id[id]};
    for (int i = 0; i < 2; ++i) pose.quat[i] = d.xquat(pose.body[i]) * m.site_quat(site[i]);
  } else {
    const int body1 = m.raw()->eq_obj1id[id], body2 = m.raw()->eq_obj2id[id];
    const Quat<S> relative = {parameters[6], parameters[7], parameters[8], parameters[9]};
    pose.body[0] = body1;
    pose.body[1] = body2;
    pose.point[0] = d.xpos(body1) + d.xmat(body1) * Vec3At<S>(parameters, 3);
    pose.point[1] = d.xpos(body2) + d.xmat(body2) * Vec3At<S>(parameters, 0);
    pose.quat[0] = d.xquat(body1) * relative;
    pose.quat[1] = d.xquat(body2);
  }
  pose.torquescale = parameters[10];
  return pose;
}

// Residuals of all rows, of which a connect has three and a weld six.
template <class S>
void PoseResiduals(const EqualityPoseOf<S>& pose, int rows, S* residual) {
  StoreVec3(pose.point[0] - pose.point[1], residual);
  if (rows == 6) StoreVec3((Conjugate(pose.quat[1]) * pose.quat[0]).Im() * pose.torquescale, residual + 3);
}

// ---- Jacobians of connect and weld: wrenches of the rows on both bodies

// Torques of the rotation rows of a weld on its first body, in the world: row k is that of row k. With w the angular
// velocity of body 1 relative to body 2,
//   d/dt s Im(q2* q1) = s/2 Im(q2* w q1),
// linear in w: column j of that matrix is its value for w = e_j.
template <class S>
Mat3<S> WeldTorques(const EqualityPoseOf<S>& pose) {
  using Number = typename LaneTraits<S>::Lane;
  Vec3<S> column[3];
  for (int j = 0; j < 3; ++j) {
    Quat<S> axis = {S(0), S(0), S(0), S(0)};
    axis[1 + j] = S(1);
    column[j] = (Conjugate(pose.quat[1]) * axis * pose.quat[0]).Im() * (S(Number(0.5)) * pose.torquescale);
  }
  return FromColumns(column[0], column[1], column[2]);
}

// Row k of a point is a unit force along axis k at p1 on body 1, and its opposite at p2 on body 2; the rows of rotation
// follow.
template <int kRows, class S>
void PoseWrenches(const ModelView<S>& m, const DataView<S>& d, const EqualityPoseOf<S>& pose,
                  Spatial<S> (&wrench)[2][kRows]) {
  using Number = typename LaneTraits<S>::Lane;
  for (int i = 0; i < 2; ++i) {
    const Vec3<S> arm = pose.point[i] - d.subtree_com(m.raw()->body_rootid[pose.body[i]]);
    for (int k = 0; k < 3; ++k) {
      Vec3<S> force = Zero3<S>();
      force[k] = S(Number(i == 0 ? 1 : -1));
      wrench[i][k] = ForceAt(arm, force);
    }
  }
  if constexpr (kRows == 6) {
    const Mat3<S> torque = WeldTorques(pose);
    for (int k = 0; k < 3; ++k) {
      wrench[0][3 + k] = Torque(torque.Row(k));
      wrench[1][3 + k] = Torque(-torque.Row(k));
    }
  }
}

// ---- accelerations of connect and weld that velocities cause

// Angular velocity of a body, and the accelerations that its velocity causes while all joint accelerations are zero.
template <class S>
struct BodyMotionOf {
  Vec3<S> w;        // angular velocity
  Vec3<S> angular;  // acceleration of the body
  Vec3<S> linear;   // acceleration of a point fixed to it
};

// With V = (w, v) and A the body's velocity and acceleration about o, a point at r from o accelerates by
//   a = A.lin + A.rot x r + w x (v + w x r).
// A adds up cdof_dot qvel over the dofs that move the body.
template <class S>
BodyMotionOf<S> MotionOf(const ModelView<S>& m, const DataView<S>& d, int body, const Vec3<S>& point) {
  Spatial<S> A = ZeroSpatial<S>();
  for (int dof = LastDof(m.raw(), body); dof >= 0; dof = m.raw()->dof_parentid[dof]) {
    A += d.cdof_dot(dof) * d.qvel_data()[dof];
  }
  const Spatial<S>& V = d.cvel(body);
  const Vec3<S> r = point - d.subtree_com(m.raw()->body_rootid[body]);
  return {V.rot, A.rot, A.lin + Cross(A.rot, r) + Cross(V.rot, V.lin + Cross(V.rot, r))};
}

// Second derivative of s Im(q2* q1) at zero joint acceleration. With w = w1 - w2 and quaternion products,
//   d/dt   = s/2 Im(q2* w q1)
//   d2/dt2 = s/2 Im(q2* [dw + (w w1 - w2 w)/2] q1),     w w1 - w2 w = (-w.w, 2 w1 x w2)
template <class S>
Vec3<S> WeldRotationBias(const EqualityPoseOf<S>& pose, const BodyMotionOf<S>& body1, const BodyMotionOf<S>& body2) {
  using Number = typename LaneTraits<S>::Lane;
  const Vec3<S> w = body1.w - body2.w;
  const Vec3<S> im = body1.angular - body2.angular + Cross(body1.w, body2.w);
  const Quat<S> middle = {S(Number(-0.5)) * Dot(w, w), im.x, im.y, im.z};
  return (Conjugate(pose.quat[1]) * middle * pose.quat[0]).Im() * (S(Number(0.5)) * pose.torquescale);
}

// Jdot v of the rows of a connect (3) or a weld (6).
template <class S>
void PoseBias(const ModelView<S>& m, const DataView<S>& d, const EqualityPoseOf<S>& pose, int rows, S* bias) {
  const BodyMotionOf<S> body1 = MotionOf(m, d, pose.body[0], pose.point[0]);
  const BodyMotionOf<S> body2 = MotionOf(m, d, pose.body[1], pose.point[1]);
  StoreVec3(body1.linear - body2.linear, bias);
  if (rows == 6) StoreVec3(WeldRotationBias(pose, body1, body2), bias + 3);
}

// ---- joint and tendon

template <class S>
struct QuarticAt {
  S value, slope;
};
template <class S, class Row>
QuarticAt<S> EvaluateQuartic(const Row& c, S x) {
  QuarticAt<S> p = {c[4], S(0)};
  for (int k = 3; k >= 0; --k) {
    p.slope = p.slope * x + p.value;
    p.value = p.value * x + c[k];
  }
  return p;
}

// Residual of y1 against y2, both from their reference, and the derivative with respect to y2. `has_second`: there is
// a y2; otherwise the polynomial is its constant.
template <class S>
struct ScalarEquality {
  S residual, slope;

  template <class Row>
  ScalarEquality(const Row& c, S y1, bool has_second, S y2) {
    const QuarticAt<S> p = has_second ? EvaluateQuartic(c, y2) : QuarticAt<S>{c[0], S(0)};
    residual = y1 - p.value;
    slope = -p.slope;
  }

  // Of coordinates themselves, by a function in the place of the polynomial.
  ScalarEquality(const Piecewise& function, S q1, S q2) {
    const Jet<S> f = Evaluate(function, q2);
    residual = q1 - f.value;
    slope = -f.slope;
  }
};

// The equality of two joints, or of one and its reference. `couplings`: of the model.   in: qpos
template <class S>
ScalarEquality<S> JointEquality(const ModelView<S>& m, const JointCouplings& couplings, const S* qpos, int id) {
  const int joint1 = m.raw()->eq_obj1id[id], joint2 = m.raw()->eq_obj2id[id];
  const auto address = [&](int joint) { return m.raw()->jnt_qposadr[joint]; };
  const auto displacement = [&](int joint) { return qpos[address(joint)] - m.qpos0(address(joint)); };
  const bool has_second = joint2 >= 0;
  if (const Piecewise function = couplings.Of(id); function.pieces > 0) {
    return ScalarEquality<S>(function, qpos[address(joint1)], has_second ? qpos[address(joint2)] : S(0));
  }
  return ScalarEquality<S>(m.eq_data(id), displacement(joint1), has_second, has_second ? displacement(joint2) : S(0));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_EQUALITY_KERNEL_H_
