// Stiffness and damping that grow with the size of displacement or velocity:
//
//   spring   force = -x (k + p1 x + p2 x^2)        x: signed displacement, so that an odd p1 makes it asymmetric
//   damper   force = -v (b + p1 |v| + p2 v^2)
//
// A spring in three directions uses the length of its displacement x:  force = -x (k + p1 |x| + p2 |x|^2).
#ifndef SINEW_FORCE_POLYNOMIAL_KERNEL_H_
#define SINEW_FORCE_POLYNOMIAL_KERNEL_H_

#include <type_traits>

#include "kinematics/actuator_link_kernel.h"
#include "math/vec3.h"
#include "model/view/model_view.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// P(x) = c0 + c1 x + c2 x^2
template <class S>
struct Polynomial {
  S c0, c1, c2;

  S operator()(S x) const { return c0 + x * (c1 + x * c2); }

  // d/dx (x P(x))
  S Slope(S x) const { return c0 + x * (S(2) * c1 + x * (S(3) * c2)); }

  // Integral of t P(t) from 0 to x: the energy in a spring
  S Energy(S x) const { return x * x * (c0 * S(0.5) + x * (c1 * S(1.0 / 3) + x * (c2 * S(0.25)))); }

  bool IsZero() const {
    if constexpr (std::is_same_v<S, double>) {
      return (ToBits(c0) | ToBits(c1) | ToBits(c2)) << 1 == 0;  // one test instead of three; of any sign
    } else {
      return !Any((c0 != S(0)) | (c1 != S(0)) | (c2 != S(0)));
    }
  }

  void AddScaled(S scale, const Polynomial& p) {
    c0 += scale * p.c0;
    c1 += scale * p.c1;
    c2 += scale * p.c2;
  }
};

// Made from a model's constant term and its array of higher coefficients.
template <class S, class Row>
Polynomial<S> MakePolynomial(S constant, const Row& higher) {
  static_assert(mjNPOLY == 2);
  return {constant, higher[0], higher[1]};
}

template <class S>
S SpringForce(const Polynomial<S>& stiffness, S x) {
  return -x * stiffness(x);
}
template <class S>
Vec3<S> SpringForce(const Polynomial<S>& stiffness, const Vec3<S>& x) {
  return -x * stiffness(Norm(x));
}
template <class S>
S DamperForce(const Polynomial<S>& damping, S v) {
  return -v * damping(Abs(v));
}
// -d force / d v
template <class S>
S DamperSlope(const Polynomial<S>& damping, S v) {
  return damping.Slope(Abs(v));
}

// ---- the model's springs and dampers

template <class S>
Polynomial<S> JointStiffness(const ModelView<S>& m, int joint) {
  return MakePolynomial<S>(m.jnt_stiffness(joint), m.jnt_stiffnesspoly(joint));
}
template <class S>
Polynomial<S> TendonStiffness(const ModelView<S>& m, int tendon) {
  return MakePolynomial<S>(m.tendon_stiffness(tendon), m.tendon_stiffnesspoly(tendon));
}

// Adds the damping of an actuator, seen through its gear.
template <class S>
void AddActuatorDamping(const ModelView<S>& m, int actuator, Polynomial<S>& damping) {
  const S gear = m.actuator_gear(actuator)[0];
  damping.AddScaled(gear * gear, MakePolynomial<S>(m.actuator_damping(actuator), m.actuator_dampingpoly(actuator)));
}

template <class S>
Polynomial<S> DofDamping(const ModelView<S>& m, int dof) {
  auto damping = MakePolynomial<S>(m.dof_damping(dof), m.dof_dampingpoly(dof));
  ForActuatorsOfJoint(m, m.dof_jntid(dof), [&](int actuator) { AddActuatorDamping(m, actuator, damping); });
  return damping;
}

template <class S>
Polynomial<S> TendonDamping(const ModelView<S>& m, int tendon) {
  auto damping = MakePolynomial<S>(m.tendon_damping(tendon), m.tendon_dampingpoly(tendon));
  ForActuatorsOfTendon(m, tendon, [&](int actuator) { AddActuatorDamping(m, actuator, damping); });
  return damping;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_POLYNOMIAL_KERNEL_H_
