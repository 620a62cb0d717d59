// Free rigid assemblies under implicit integrators: the implicit midpoint rule, which conserves energy and, up to the
// error of the rotation, angular momentum of what turns freely, at any time step. An assembly is a body whose only
// joint is free, with all bodies that are fixed to it.
//
// In the axes of that body, with the inertia I of the assembly about its centre of mass, and with the spin w at the
// beginning and w' = 2 w_m - w at the end of the step:
//   (2/h) I (w_m - w) + w_m x I w_m = t
// and, when the centre of mass is off the body's origin by r, with u its velocity and u' = 2 u_m - u:
//   (2/h) (u_m - u) + w_m x u_m = F/m + g
// F and t are all forces but gravity and gyroscopic ones: those are part of qfrc_bias, which is added back.
#ifndef SINEW_INTEGRATE_MIDPOINT_KERNEL_H_
#define SINEW_INTEGRATE_MIDPOINT_KERNEL_H_

#include "math/quat.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

// Solves A x = b by Cramer's rule.
template <class S>
Vec3<S> Solve3(const Mat3<S>& A, const Vec3<S>& b) {
  const Vec3<S> x = A.Column(0), y = A.Column(1), z = A.Column(2), yz = Cross(y, z);
  const S inverse = S(1) / Dot(x, yz);
  return Vec3<S>{Dot(b, yz), Dot(b, Cross(z, x)), Dot(b, Cross(x, y))} * inverse;
}

// The equation for w_m: what it leaves, and a step of Newton's method. `rate` is 2/h.
template <class S>
struct SpinEquation {
  Mat3<S> I;
  Vec3<S> w, torque;
  S rate;

  Vec3<S> Residual(const Vec3<S>& x) const { return (I * (x - w)) * rate + Cross(x, I * x) - torque; }

  // From x, where the residual is f. Column k of the Jacobian (2/h) I + [x] I - [I x], with [a] b = a x b.
  Vec3<S> Newton(const Vec3<S>& x, const Vec3<S>& f) const {
    const Vec3<S> L = I * x;
    const auto column = [&](const Vec3<S>& moment, const Vec3<S>& axis) {
      return moment * rate + Cross(x, moment) - Cross(L, axis);
    };
    const Mat3<S> axes = Identity3<S>();
    const Mat3<S> J = FromColumns(column(I.Column(0), axes.Column(0)), column(I.Column(1), axes.Column(1)),
                                  column(I.Column(2), axes.Column(2)));
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
      const MaskOf<S> active = size >= S(kTolerance) * (S(1) + rate * Norm(I * x));
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

// A joint whose tree is a rigid assembly that moves freely: the joint is free, and no other moves a part of the tree.
template <class S>
bool IsFreeAssembly(const ModelView<S>& m, int joint) {
  if (m.jnt_type(joint) != mjJNT_FREE) return false;
  return m.tree_dofnum(m.body_treeid(m.jnt_bodyid(joint))) == 6;
}

// The worlds in which no damped or elastic force acts on a free assembly: with the integrator `discrete`, others have
// their acceleration from its metric.
template <class S>
MaskOf<S> IsFreeOfMetric(const ModelView<S>& m, const DataView<S>& d, int joint) {
  const int first = m.jnt_dofadr(joint), begin = m.raw()->D_rowadr[first];
  const int end = m.raw()->D_rowadr[first + 5] + m.raw()->D_rownnz[first + 5];
  MaskOf<S> free = S(0) == S(0);
  for (int k = begin; k < end; ++k) free = free & (d.qDeriv(k) == S(0));
  return free;
}

// A free assembly at the beginning of a step: velocity and force along the world's axes, all else along the axes of the
// body that the joint moves.
template <class S>
struct FreeBody {
  S mass, h;
  Mat3<S> inertia;          // about the centre of mass
  Vec3<S> offset, gravity;  // offset: of the centre of mass; gravity: along the world's axes
  Quat<S> orientation;
  Vec3<S> velocity, spin, force, torque;
};

template <class S>
struct FreeMotion {
  Vec3<S> velocity, spin;
};

// How numbers solve the equation of the spin, and turn by it; dual ones have ways of their own
// (derivatives/integrators/free_bodies.cc).
template <class S>
struct PlainSpin {
  static Vec3<S> Midpoint(const SpinEquation<S>& equation) { return equation.Solve(); }
  static Quat<S> Turn(const Vec3<S>& spin, S h) { return ExpRotation(spin, h); }
};

// The motion at the end of the step. The velocity is only set with `moves_centre`.
template <class S, class Spin = PlainSpin<S>>
FreeMotion<S> EndOfFreeBody(const FreeBody<S>& body, bool moves_centre) {
  const S rate = S(2) / body.h;
  const Quat<S>& q = body.orientation;
  const auto to_body = [&](const Vec3<S>& v) { return Rotate(Conjugate(q), v); };

  const Vec3<S>&w = body.spin, &r = body.offset;
  const Vec3<S> F = to_body(body.force), torque = body.torque - Cross(r, F);
  const Vec3<S> w_m = Spin::Midpoint({body.inertia, w, torque, rate});
  FreeMotion<S> end = {Zero3<S>(), w_m * S(2) - w};
  if (!moves_centre) return end;

  // velocity of the centre of mass, and back to the origin in the axes of the new orientation
  const Vec3<S> v = to_body(body.velocity), u = v + Cross(w, r);
  const Vec3<S> u_m = SolveSpinning(w_m, rate, F * (S(1) / body.mass) + u * rate + to_body(body.gravity));
  const Vec3<S> v_m = u_m - Cross(w_m, r);
  const Quat<S> new_q = q * Spin::Turn(w_m, body.h);
  end.velocity = Rotate(new_q, v_m * S(2) - v);
  return end;
}

// Mass, inertia and centre of mass of an assembly. Its bodies follow each other, and cinert is about the centre of the
// tree, which is theirs. The centre of a body without others is a constant of the model, and exact.
template <class S>
void SetInertia(const ModelView<S>& m, const DataView<S>& d, int body, FreeBody<S>& out) {
  Inertia10<S> sum = d.cinert(body);
  const int tree = m.body_treeid(body);
  for (int b = body + 1; b < m.nbody() && m.body_treeid(b) == tree; ++b) sum += d.cinert(b);
  const Mat3<S>& R = d.xmat(body);
  const Mat3<S> I = {{sum.xx, sum.xy, sum.xz, sum.xy, sum.yy, sum.yz, sum.xz, sum.yz, sum.zz}};
  const bool alone = All(m.body_subtreemass(body) == m.body_mass(body));
  out.mass = m.body_subtreemass(body);
  out.inertia = Transpose(R) * I * R;
  out.offset = alone ? Vec3<S>(m.body_ipos(body)) : MulTransposed(R, d.subtree_com(body) - d.xpos(body));
}

template <class S>
FreeBody<S> LoadFreeBody(const ModelView<S>& m, const DataView<S>& d, int joint, const S* force) {
  const int dof = m.jnt_dofadr(joint);
  FreeBody<S> body;
  SetInertia(m, d, m.jnt_bodyid(joint), body);
  const bool weightless = (m.opt_disableflags() & mjDSBL_GRAVITY) != 0;
  body.h = m.opt_timestep();
  body.gravity = weightless ? Zero3<S>() : Vec3<S>(m.opt_gravity());
  body.orientation = Normalized(LoadQuat(d.qpos_data() + m.jnt_qposadr(joint) + 3));
  body.velocity = LoadVec3(d.qvel_data() + dof);
  body.spin = LoadVec3(d.qvel_data() + dof + 3);
  body.force = LoadVec3(force + dof);
  body.torque = LoadVec3(force + dof + 3);
  return body;
}

// Whether the centre of mass of an assembly is off its origin.
template <class S>
bool IsOffCentre(const Vec3<S>& offset) {
  return !All((offset.x == S(0)) & (offset.y == S(0)) & (offset.z == S(0)));
}

// New velocities of a free assembly. `force` are all its generalized forces but the bias force. The first three dofs
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
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_MIDPOINT_KERNEL_H_
