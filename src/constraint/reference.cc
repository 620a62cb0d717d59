#include "constraint/reference.h"

#include "constraint/equality_pose.h"
#include "constraint/impedance_kernel.h"
#include "constraint/jacobian_product.h"
#include "kinematics/jacobian.h"
#include "math/spatial.h"
#include "model/data_view.h"

namespace sinew {
namespace {

// Angular velocity of a body, and the accelerations that its velocity causes while all joint accelerations are zero.
struct BodyMotion {
  Vec3<double> w;        // angular velocity
  Vec3<double> angular;  // acceleration of the body
  Vec3<double> linear;   // acceleration of a point fixed to it
};

// With V = (w, v) and A the body's velocity and acceleration about o, a point at r from o accelerates by
//   a = A.lin + A.rot x r + w x (v + w x r).
// A adds up cdof_dot qvel over the dofs that move the body.
BodyMotion MotionOf(const mjModel* m, const mjData* d, int body, const Vec3<double>& point) {
  const DataView<double> data(const_cast<mjData*>(d));
  Spatial<double> A = ZeroSpatial<double>();
  for (int dof = LastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) A += data.cdof_dot(dof) * d->qvel[dof];
  const Spatial<double>& V = data.cvel(body);
  const Vec3<double> r = point - data.subtree_com(m->body_rootid[body]);
  return {V.rot, A.rot, A.lin + Cross(A.rot, r) + Cross(V.rot, V.lin + Cross(V.rot, r))};
}

// Second derivative of s Im(q2* q1) at zero joint acceleration. With w = w1 - w2 and quaternion products,
//   d/dt   = s/2 Im(q2* w q1)
//   d2/dt2 = s/2 Im(q2* [dw + (w w1 - w2 w)/2] q1),     w w1 - w2 w = (-w.w, 2 w1 x w2)
Vec3<double> WeldRotationBias(const EqualityPose& pose, const BodyMotion& body1, const BodyMotion& body2) {
  const Vec3<double> w = body1.w - body2.w;
  const Vec3<double> im = body1.angular - body2.angular + Cross(body1.w, body2.w);
  const Quat<double> middle = {-0.5 * Dot(w, w), im.x, im.y, im.z};
  return (Conjugate(pose.quat[1]) * middle * pose.quat[0]).Im() * (0.5 * pose.torquescale);
}

// Subtracts Jdot v from the reference of a connect or weld, whose rows start at `row`. Returns the number of its rows.
int SubtractBias(const mjModel* m, mjData* d, int row) {
  const int id = d->efc_id[row];
  const bool weld = m->eq_type[id] == mjEQ_WELD;
  if (!weld && m->eq_type[id] != mjEQ_CONNECT) return 1;
  const EqualityPose pose = weld ? WeldPose(m, d, id) : ConnectPose(m, d, id);
  const BodyMotion body1 = MotionOf(m, d, pose.body[0], pose.point[0]);
  const BodyMotion body2 = MotionOf(m, d, pose.body[1], pose.point[1]);
  const Vec3<double> linear = body1.linear - body2.linear;
  for (int k = 0; k < 3; ++k) d->efc_aref[row + k] -= linear[k];
  if (!weld) return 3;
  const Vec3<double> angular = WeldRotationBias(pose, body1, body2);
  for (int k = 0; k < 3; ++k) d->efc_aref[row + 3 + k] -= angular[k];
  return 6;
}

}  // namespace

void ReferenceConstraint(const mjModel* m, mjData* d) {
  MulJacVec(m, d, d->efc_vel, d->qvel);
  for (int row = 0; row < d->nefc; ++row) {
    const double* KBIP = d->efc_KBIP + 4 * row;
    const double K = KBIP[0], B = KBIP[1], impedance = KBIP[2];
    d->efc_aref[row] = ReferenceOfRow(K, B, impedance, d->efc_vel[row], d->efc_pos[row] - d->efc_margin[row]);
  }
  for (int row = 0; row < d->ne;) row += SubtractBias(m, d, row);
}

}  // namespace sinew
