// Free bodies under implicit integrators: the implicit midpoint rule, which conserves energy and, up to the error of
// the rotation, angular momentum of a body that turns freely, at any time step.
//
// In the principal axes of inertia, with spin w at the beginning, w' = 2 w_m - w at the end of the step:
//   (2/h) I (w_m - w) + w_m x I w_m = t
// and, when the centre of mass is off the body's origin by r, with u its velocity and u' = 2 u_m - u:
//   (2/h) (u_m - u) + w_m x u_m = F/m + g
// F and t are all forces but gravity and gyroscopic ones: those are part of qfrc_bias, which is added back.
#ifndef SINEW_INTEGRATE_MIDPOINT_KERNEL_H_
#define SINEW_INTEGRATE_MIDPOINT_KERNEL_H_

#include "math/quat.h"
#include "model/data_view.h"
#include "model/model_view.h"

namespace sinew {
inline namespace SINEW_ISA {

// Solves A x = b by Cramer's rule.
template <class S>
Vec3<S> Solve3(const Mat3<S>& A, const Vec3<S>& b) {
  const Vec3<S> x = A.Column(0), y = A.Column(1), z = A.Column(2), yz = Cross(y, z);
  const S inverse = S(1) / Dot(x, yz);
  return Vec3<S>{Dot(b, yz), Dot(b, Cross(z, x)), Dot(b, Cross(x, y))} * inverse;
}

template <class S>
Vec3<S> Times(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

// w_m by Newton's method from w, with steps halved until the residual shrinks. `rate` is 2/h.
template <class S>
Vec3<S> MidpointSpin(const Vec3<S>& I, const Vec3<S>& w, const Vec3<S>& torque, S rate) {
  constexpr int kMaxIterations = 100, kMaxHalvings = 20;
  constexpr double kTolerance = 1e-13;
  const auto residual = [&](const Vec3<S>& x) { return Times(I, x - w) * rate + Cross(x, Times(I, x)) - torque; };

  Vec3<S> x = w;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const Vec3<S> f = residual(x), L = Times(I, x);
    const S size = Norm(f);
    const MaskOf<S> active = size >= S(kTolerance) * (S(1) + rate * Norm(L));
    if (!Any(active)) break;

    // Jacobian: (2/h) I + [x] I - [I x], with [a] b = a x b
    const Mat3<S> J = {{rate * I.x, L.z - x.z * I.y, x.y * I.z - L.y,  //
                        x.z * I.x - L.z, rate * I.y, L.x - x.x * I.z,  //
                        L.y - x.y * I.x, x.x * I.y - L.x, rate * I.z}};
    const Vec3<S> newton = Solve3(J, f);
    S length(1);
    for (int k = 0; k < kMaxHalvings; ++k) {
      const MaskOf<S> worse = active & !(Norm(residual(x - newton * length)) < size);
      if (!Any(worse)) break;
      length = Select(worse, length * S(0.5), length);
    }
    x = Select<S>(active, x - newton * length, x);
  }
  return x;
}

// (rate 1 + [w])^-1 b
template <class S>
Vec3<S> SolveSpinning(const Vec3<S>& w, S rate, const Vec3<S>& b) {
  const S scale = S(1) / (rate * (rate * rate + Dot(w, w)));
  return (b * (rate * rate) + w * Dot(w, b) - Cross(w, b) * rate) * scale;
}

// A body whose only joint is free, and that has no descendants with mass.
template <class S>
bool IsLoneFreeBody(const ModelView<S>& m, int joint) {
  if (m.jnt_type(joint) != mjJNT_FREE) return false;
  const int body = m.jnt_bodyid(joint), tree = m.body_treeid(body);
  return m.tree_dofnum(tree) == 6 && All(m.body_subtreemass(body) == m.body_mass(body));
}

// New velocities of a lone free body. `force` are all its generalized forces but the bias force. The first three dofs
// are left alone when the centre of mass is the body's origin; returns the first dof that is set.
template <class S>
int MidpointFreeBody(const ModelView<S>& m, const DataView<S>& d, int joint, const S* force, S* new_qvel) {
  const int body = m.jnt_bodyid(joint), dof = m.jnt_dofadr(joint);
  const S h = m.opt_timestep(), rate = S(2) / h;
  const Quat<S> to_body = m.body_iquat(body), q = Normalized(LoadQuat(d.qpos_data() + m.jnt_qposadr(joint) + 3));
  const auto to_principal = [&](const Vec3<S>& v) { return Rotate(Conjugate(to_body), v); };
  const Vec3<S> offset = m.body_ipos(body);
  const bool centered = All((offset.x == S(0)) & (offset.y == S(0)) & (offset.z == S(0)));

  // everything in principal axes
  const Vec3<S> w = to_principal(LoadVec3(d.qvel_data() + dof + 3)), r = to_principal(offset);
  const Vec3<S> F = to_principal(Rotate(Conjugate(q), LoadVec3(force + dof)));
  const Vec3<S> torque = to_principal(LoadVec3(force + dof + 3)) - Cross(r, F);
  const Vec3<S> w_m = MidpointSpin(m.body_inertia(body), w, torque, rate);
  StoreVec3(Rotate(to_body, w_m * S(2) - w), new_qvel + dof + 3);
  if (centered) return dof + 3;

  // velocity of the centre of mass, and back to the origin in the axes of the new orientation
  const bool weightless = (m.opt_disableflags() & mjDSBL_GRAVITY) != 0;
  const Vec3<S> gravity = weightless ? Zero3<S>() : to_principal(Rotate(Conjugate(q), m.opt_gravity()));
  const Vec3<S> v = to_principal(Rotate(Conjugate(q), LoadVec3(d.qvel_data() + dof)));
  const Vec3<S> u = v + Cross(w, r);
  const Vec3<S> u_m = SolveSpinning(w_m, rate, F * (S(1) / m.body_mass(body)) + u * rate + gravity);
  const Vec3<S> v_m = u_m - Cross(w_m, r);
  const Quat<S> new_q = q * ExpRotation(Rotate(to_body, w_m), h);
  StoreVec3(Rotate(new_q, Rotate(to_body, v_m * S(2) - v)), new_qvel + dof);
  return dof;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_INTEGRATE_MIDPOINT_KERNEL_H_
