// Contact of two surfaces that give way: K. H. Hunt, F. R. E. Crossley 1975, with friction that depends on slip.
//
//   depth x, its rate x' (approaching: positive), slip v, stiffness k, damping lambda (1.5 c of the Hertz law)
//
//   elastic force  f0 = k x^p, p = 1.5 (Hertz) or 1        normal force  fn = f0 max(0, 1 + lambda x')
//   friction       ft = mu(|v|) fn against v               energy        k x^(p+1) / (p+1)
//
// or, of the damped law, fn = max(0, f0 + lambda x'), and of the viscous law of friction, ft = min(eta |v|, mu fn).
//
// docs/how/compliant-contact.md has the laws of friction and how surfaces combine.
#ifndef SINEW_FORCE_COMPLIANT_CONTACT_KERNEL_H_
#define SINEW_FORCE_COMPLIANT_CONTACT_KERNEL_H_

#include "math/mat3.h"
#include "math/scalar.h"
#include "math/vec3.h"
#include "model/kinds/contact_law.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// ---- one surface, two surfaces

// The parameters of one side. A rigid one has no stiffness of its own, and friction alone.
template <class S>
struct ContactSide {
  bool rigid;
  S stiffness;  // E^(2/3) of a modulus, or k
  S dissipation;
  S mu_static, mu_dynamic, mu_viscous;
};

template <class S>
struct CompliantLaw {
  ContactModel model;
  FrictionLaw friction;
  S k, lambda;
  S mu_static, mu_dynamic, mu_viscous;
  S inverse_slip;  // 1 / transition speed
  S share;         // of the deformation that the first surface takes
};

// Harmonic and geometric means of coefficients of friction.
template <class S>
S MixedFriction(ContactMixing mixing, S a, S b) {
  if (mixing == ContactMixing::kHyfydy) return Sqrt(Max(S(0), a * b));
  return Select(a + b > S(0), S(2) * a * b / (a + b), S(0));
}

// Fills stiffness, damping, friction and share of a law whose kinds are set. `radius`: of relative curvature.
template <class S>
void MixSides(const ContactSide<S>& a, const ContactSide<S>& b, ContactMixing mixing, S radius, CompliantLaw<S>* law) {
  const S ka = a.stiffness, kb = b.stiffness;
  // springs in series: the share of the first side is that of the second one's stiffness
  law->share = b.rigid ? S(1) : a.rigid ? S(0) : kb / (ka + kb);
  const S rest = S(1) - law->share, series = b.rigid ? ka : a.rigid ? kb : law->share * ka;
  S dissipation = law->share * a.dissipation + rest * b.dissipation;
  if (law->model == ContactModel::kLinear) {
    law->k = series;
    law->lambda = dissipation;
  } else if (law->model == ContactModel::kDamped) {
    const bool mean = mixing == ContactMixing::kHyfydy && !a.rigid && !b.rigid;
    law->k = series;
    law->lambda = mean ? S(0.5) * (a.dissipation + b.dissipation) : dissipation;
  } else if (mixing == ContactMixing::kHyfydy) {
    if (!a.rigid && !b.rigid) dissipation = S(0.5) * (a.dissipation + b.dissipation);
    law->k = series * Sqrt(series);
    law->lambda = S(1.5) * dissipation;
  } else {
    law->k = S(4.0 / 3) * Sqrt(radius) * (series * Sqrt(series));
    law->lambda = S(1.5) * dissipation;
  }
  law->mu_static = MixedFriction(mixing, a.mu_static, b.mu_static);
  law->mu_dynamic = MixedFriction(mixing, a.mu_dynamic, b.mu_dynamic);
  law->mu_viscous = MixedFriction(mixing, a.mu_viscous, b.mu_viscous);
}

// ---- friction

// mu / v, which is finite at rest, and dmu/dv.
template <class S>
struct SlipFriction {
  S ratio, slope;
};

// Hollars: mu = min(s, 1) (mu_d + 2 (mu_s - mu_d) / (1 + s^2)) + mu_v v,  s = v / v_t
template <class S>
SlipFriction<S> HollarsFriction(const CompliantLaw<S>& law, S speed) {
  const S s = speed * law.inverse_slip, inverse = S(1) / (S(1) + s * s),
          excess = S(2) * (law.mu_static - law.mu_dynamic);
  const S h = law.mu_dynamic + excess * inverse, h_slope = -S(2) * excess * s * inverse * inverse;
  const auto slow = s < S(1);
  const S ratio = Select(slow, h, h / Max(s, S(1))), slope = Select(slow, h + s * h_slope, h_slope);
  return {ratio * law.inverse_slip + law.mu_viscous, slope * law.inverse_slip + law.mu_viscous};
}

// Simbody's and Drake's smooth step: up to mu_s over one transition speed, down to mu_d over two more.
template <class S>
SlipFriction<S> StepFriction(const CompliantLaw<S>& law, S speed) {
  const S s = speed * law.inverse_slip, fall = law.mu_static - law.mu_dynamic;
  const auto rises = s < S(1);
  const S t = Clamp(Select(rises, s, S(0.5) * (s - S(1))), S(0), S(1)), flat = S(1) - t;
  const S slope_of_step = S(30) * t * t * flat * flat;
  // S(s) / s without a division
  const S rise_ratio = law.mu_static * s * s * (S(10) + s * (S(6) * s - S(15)));
  const S fall_ratio = (law.mu_static - fall * SmoothStep(t)) / Max(s, S(1));
  const S ratio = Select(rises, rise_ratio, fall_ratio);
  const S slope = Select(rises, law.mu_static * slope_of_step, -S(0.5) * fall * slope_of_step);
  return {ratio * law.inverse_slip + law.mu_viscous, slope * law.inverse_slip + law.mu_viscous};
}

template <class S>
SlipFriction<S> FrictionAt(const CompliantLaw<S>& law, S speed) {
  return law.friction == FrictionLaw::kStep ? StepFriction(law, speed) : HollarsFriction(law, speed);
}

// Friction over the slip velocity, how fast the friction grows with slip where it does, and how fast that quotient
// grows with the normal force.
template <class S>
struct SlipDrag {
  S drag, slope, by_normal;
};

// Of Hyfydy's manual: a damper up to the force of sliding.
template <class S>
SlipDrag<S> ViscousDrag(const CompliantLaw<S>& law, S speed, S normal) {
  const S sliding = law.mu_static / Max(speed, S(kMinVal));
  const auto slow = law.mu_viscous <= sliding * normal;
  return {Select(slow, law.mu_viscous, sliding * normal), Select(slow, law.mu_viscous, S(0)),
          Select(slow, S(0), sliding)};
}

template <class S>
SlipDrag<S> DragAt(const CompliantLaw<S>& law, S speed, S normal) {
  if (law.friction == FrictionLaw::kViscous) return ViscousDrag(law, speed, normal);
  const SlipFriction<S> friction = FrictionAt(law, speed);
  return {friction.ratio * normal, Max(S(0), friction.slope) * normal, friction.ratio};
}

// ---- force

template <class S>
S ElasticForce(const CompliantLaw<S>& law, S depth) {
  const S x = Max(depth, S(0));
  return law.k * x * (law.model == ContactModel::kHertz ? Sqrt(x) : S(1));
}

template <class S>
S StoredEnergy(const CompliantLaw<S>& law, S depth) {
  const S x = Max(depth, S(0));
  return ElasticForce(law, x) * x * S(law.model == ContactModel::kHertz ? 0.4 : 0.5);
}

// The normal force, and how fast it grows with the speed at which the bodies part.
template <class S>
struct NormalForce {
  S force, slope;
};
template <class S>
NormalForce<S> NormalForceAt(const CompliantLaw<S>& law, S depth, S parting) {
  const S elastic = ElasticForce(law, depth);
  if (law.model == ContactModel::kDamped) {
    const S force = elastic - law.lambda * parting;
    return {Max(S(0), force), Select((force > S(0)) & (depth > S(0)), -law.lambda, S(0))};
  }
  const S factor = S(1) - law.lambda * parting;
  return {elastic * Max(S(0), factor), Select(factor > S(0), -law.lambda * elastic, S(0))};
}

// Force on the second body, in the frame of the contact. `velocity`: of the second body relative to the first, there;
// along the normal it is positive when they part.
template <class S>
Vec3<S> CompliantForce(const CompliantLaw<S>& law, S depth, const Vec3<S>& velocity) {
  const S normal = NormalForceAt(law, depth, velocity.x).force;
  const S speed = Sqrt(velocity.y * velocity.y + velocity.z * velocity.z);
  const S drag = DragAt(law, speed, normal).drag;
  return {normal, -drag * velocity.y, -drag * velocity.z};
}

// Derivative of that force by the velocity, row by row, for an implicit integrator: where friction falls with slip its
// slope counts as zero, since a matrix with negative damping need not have a solution. `symmetric` leaves out how
// friction follows the damping of the normal force.
template <class S>
Mat3<S> CompliantDamping(const CompliantLaw<S>& law, S depth, const Vec3<S>& velocity, bool symmetric) {
  const auto [normal, normal_slope] = NormalForceAt(law, depth, velocity.x);
  const S speed = Sqrt(velocity.y * velocity.y + velocity.z * velocity.z), inverse = S(1) / Max(speed, S(kMinVal));
  const S ty = velocity.y * inverse, tz = velocity.z * inverse;
  const SlipDrag<S> friction = DragAt(law, speed, normal);
  const S across = friction.drag, bend = friction.slope - across;
  const S follow = symmetric ? S(0) : -friction.by_normal * normal_slope;
  const S mixed = -bend * ty * tz;
  return {{normal_slope, S(0), S(0),                              //
           follow * velocity.y, -across - bend * ty * ty, mixed,  //
           follow * velocity.z, mixed, -across - bend * tz * tz}};
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_COMPLIANT_CONTACT_KERNEL_H_
