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

// The equation for w_m: what it leaves, and a step of Newton's method. `rate` is 2/h.
template <class S>
struct SpinEquation {
  Vec3<S> I, w, torque;
  S rate;

  Vec3<S> Residual(const Vec3<S>& x) const { return Times(I, x - w) * rate + Cross(x, Times(I, x)) - torque; }

  // From x, where the residual is f.
  Vec3<S> Newton(const Vec3<S>& x, const Vec3<S>& f) const {
    const Vec3<S> L = Times(I, x);
    // Jacobian: (2/h) I + [x] I - [I x], with [a] b = a x b
    const Mat3<S> J = {{rate * I.x, L.z - x.z * I.y, x.y * I.z - L.y,  //
                        x.z * I.x - L.z, rate * I.y, L.x - x.x * I.z,  //
                        L.y - x.y * I.x, x.x * I.y - L.x, rate * I.z}};
    return Solve3(J, f);
  }

  // By Newton's method from w, with steps halved until the residual shrinks.
  Vec3<S> Solve() const {
    constexpr int kMaxIterations = 100, kMaxHalvings = 20;
    constexpr double kTolerance = 1e-13;
    Vec3<S> x = w;
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
      const Vec3<S> f = Residual(x);
      const S size = Norm(f);
      const MaskOf<S> active = size >= S(kTolerance) * (S(1) + rate * Norm(Times(I, x)));
      if (!Any(active)) break;
      const Vec3<S> newton = Newton(x, f);
      S length(1);
      for (int k = 0; k < kMaxHalvings; ++k) {
        const MaskOf<S> worse = active & !(Norm(Residual(x - newton * length)) < size);
        if (!Any(worse)) break;
        length = Select(worse, length * S(0.5), length);
      }
      x = Select<S>(active, x - newton * length, x);
    }
    return x;
  }
};

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

// A free body at the beginning of a step: velocity and force along the world's axes, spin and torque along its own.
template <class S>
struct FreeBody {
  S mass, h;
  Vec3<S> inertia, offset, gravity;  // offset: of the centre of mass, along the body's axes
  Quat<S> principal, orientation;    // of the principal axes in the body, and of the body
  Vec3<S> velocity, spin, force, torque;
};

template <class S>
struct FreeMotion {
  Vec3<S> velocity, spin;
};

// How numbers solve the equation of the spin, and turn by it; dual ones have ways of their own
// (gradient/free_bodies.cc).
template <class S>
struct PlainSpin {
  static Vec3<S> Midpoint(const SpinEquation<S>& equation) { return equation.Solve(); }
  static Quat<S> Turn(const Vec3<S>& spin, S h) { return ExpRotation(spin, h); }
};

// The motion at the end of the step. The velocity is only set with `moves_centre`.
template <class S, class Spin = PlainSpin<S>>
FreeMotion<S> EndOfFreeBody(const FreeBody<S>& body, bool moves_centre) {
  const S rate = S(2) / body.h;
  const Quat<S>&to_body = body.principal, &q = body.orientation;
  const auto to_principal = [&](const Vec3<S>& v) { return Rotate(Conjugate(to_body), v); };

  // everything in principal axes
  const Vec3<S> w = to_principal(body.spin), r = to_principal(body.offset);
  const Vec3<S> F = to_principal(Rotate(Conjugate(q), body.force));
  const Vec3<S> torque = to_principal(body.torque) - Cross(r, F);
  const Vec3<S> w_m = Spin::Midpoint({body.inertia, w, torque, rate});
  FreeMotion<S> end = {Zero3<S>(), Rotate(to_body, w_m * S(2) - w)};
  if (!moves_centre) return end;

  // velocity of the centre of mass, and back to the origin in the axes of the new orientation
  const Vec3<S> gravity = to_principal(Rotate(Conjugate(q), body.gravity));
  const Vec3<S> v = to_principal(Rotate(Conjugate(q), body.velocity));
  const Vec3<S> u = v + Cross(w, r);
  const Vec3<S> u_m = SolveSpinning(w_m, rate, F * (S(1) / body.mass) + u * rate + gravity);
  const Vec3<S> v_m = u_m - Cross(w_m, r);
  const Quat<S> new_q = q * Spin::Turn(Rotate(to_body, w_m), body.h);
  end.velocity = Rotate(new_q, Rotate(to_body, v_m * S(2) - v));
  return end;
}

template <class S>
FreeBody<S> LoadFreeBody(const ModelView<S>& m, const DataView<S>& d, int joint, const S* force) {
  const int body = m.jnt_bodyid(joint), dof = m.jnt_dofadr(joint);
  const bool weightless = (m.opt_disableflags() & mjDSBL_GRAVITY) != 0;
  return {m.body_mass(body),
          m.opt_timestep(),
          m.body_inertia(body),
          m.body_ipos(body),
          weightless ? Zero3<S>() : m.opt_gravity(),
          m.body_iquat(body),
          Normalized(LoadQuat(d.qpos_data() + m.jnt_qposadr(joint) + 3)),
          LoadVec3(d.qvel_data() + dof),
          LoadVec3(d.qvel_data() + dof + 3),
          LoadVec3(force + dof),
          LoadVec3(force + dof + 3)};
}

// Whether the centre of mass of a body is off its origin.
template <class S>
bool IsOffCentre(const Vec3<S>& offset) {
  return !All((offset.x == S(0)) & (offset.y == S(0)) & (offset.z == S(0)));
}

// New velocities of a lone free body. `force` are all its generalized forces but the bias force. The first three dofs
// are left alone when the centre of mass is the body's origin; returns the first dof that is set.
template <class S>
int MidpointFreeBody(const ModelView<S>& m, const DataView<S>& d, int joint, const S* force, S* new_qvel) {
  const int dof = m.jnt_dofadr(joint);
  const FreeBody<S> body = LoadFreeBody(m, d, joint, force);
  const bool moves_centre = IsOffCentre(body.offset);
  const FreeMotion<S> end = EndOfFreeBody(body, moves_centre);
  StoreVec3(end.spin, new_qvel + dof + 3);
  if (!moves_centre) return dof + 3;
  StoreVec3(end.velocity, new_qvel + dof);
  return dof;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_INTEGRATE_MIDPOINT_KERNEL_H_
