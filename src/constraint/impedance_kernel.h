// The formulas of impedance.h, for one world and for lanes: of a contact in lanes only the distance differs.
#ifndef SINEW_CONSTRAINT_IMPEDANCE_KERNEL_H_
#define SINEW_CONSTRAINT_IMPEDANCE_KERNEL_H_

#include <mujoco/mujoco.h>

#include <type_traits>

#include "math/vec3.h"
#include "simd/pack.h"

namespace sinew::inline constraint {

// x^p of one number (impedance.cc).
double AnyPower(double x, double p);

inline namespace SINEW_ISA {

template <class S>
struct ImpedanceAt {
  S value;        // d
  S slope;        // dd/dr
  double dwidth;  // value at full width
};

// x^p, with the exponents that models use evaluated without logarithms, and others one lane at a time.
template <class S>
S PowerOf(S x, double p) {
  if (p == 1) return x;
  if (p == 2) return x * x;
  if constexpr (std::is_same_v<S, double>) {
    return AnyPower(x, p);
  } else {
    S result(0);
    for (int lane = 0; lane < LaneTraits<S>::kWidth; ++lane) {
      result.Set(lane, static_cast<typename LaneTraits<S>::Lane>(AnyPower(x[lane], p)));
    }
    return result;
  }
}

// The curve y(x) from (0, 0) to (1, 1), and its slope: x^p / mid^(p-1) up to the midpoint, its mirror image beyond.
template <class S>
void Sigmoid(S x, double mid, double p, S* y, S* slope) {
  using Number = typename LaneTraits<S>::Lane;
  const auto number = [](double a) { return S(static_cast<Number>(a)); };
  if (p == 1) {
    *y = x;
    *slope = S(1);
    return;
  }
  const MaskOf<S> first = x <= number(mid);
  const S from = Select(first, x, S(1) - x);  // the nearer end
  const S scale = Select(first, number(1 / PowerOf(mid, p - 1)), number(1 / PowerOf(1 - mid, p - 1)));
  const S rise = PowerOf(from, p - 1) * scale;
  *y = Select(first, rise * from, S(1) - rise * from);
  *slope = number(p) * rise;
}

// S is named by the caller: numbers alone mean the function of impedance.h.
template <class S>
ImpedanceAt<S> EvaluateImpedance(const double* solimp, std::type_identity_t<S> pos, double margin) {
  using Number = typename LaneTraits<S>::Lane;
  const auto number = [](double a) { return S(static_cast<Number>(a)); };
  const double d0 = Min(Max(solimp[0], mjMINIMP), mjMAXIMP), dwidth = Min(Max(solimp[1], mjMINIMP), mjMAXIMP);
  const double width = Max(0.0, solimp[2]), mid = Min(Max(solimp[3], mjMINIMP), mjMAXIMP);
  const double power = Max(1.0, solimp[4]);
  if (d0 == dwidth || width <= kMinVal) return {number(0.5 * (d0 + dwidth)), S(0), dwidth};

  const S x = Abs(pos - number(margin)) / number(width);
  const MaskOf<S> is_full = x >= S(1), is_none = x == S(0);
  if (All(is_full)) return {number(dwidth), S(0), dwidth};
  S y, slope;
  Sigmoid(x, mid, power, &y, &slope);
  const S sign = Select(pos < number(margin), S(-1), S(1));
  const S value = number(d0) + y * number(dwidth - d0);
  const S per_length = slope * sign * number(dwidth - d0) / number(width);
  return {Select(is_full, number(dwidth), Select(is_none, number(d0), value)),
          Select(is_full | is_none, S(0), per_length), dwidth};
}

// Regularization R of a row, from the estimate of the diagonal of J M^-1 J'.
template <class S>
S RegularizationOfRow(S impedance, S weight) {
  return Max(S(static_cast<typename LaneTraits<S>::Lane>(kMinVal)), (S(1) - impedance) * weight / impedance);
}

// Regularization of the rows of a contact. impratio divides the normal's for the first tangent, and
// clang-format off
//   elliptic   R_j friction_j^2 is the same for all tangents, so that the regularized cone is a scaled friction cone
//   pyramid    one R for all edges, 2 mu^2 R_0
// clang-format on
// with mu = friction_1 sqrt(R_1 / R_0).
template <class S>
class ContactRegularization {
 public:
  // `weight`: the estimate of the diagonal of J M^-1 J' for the first row.
  ContactRegularization(S impedance, S weight, const S* friction, double impratio) : friction_(friction) {
    normal_ = RegularizationOfRow(impedance, weight);
    const bool is_one = impratio == 1;  // as in most models: nothing to divide
    tangent_ = is_one ? normal_ : normal_ / Uniform<S>(Max(kMinVal, impratio));
    mu_ = is_one ? friction[0] : friction[0] * Sqrt(tangent_ / normal_);
  }

  S mu() const { return mu_; }
  S Edge() const { return S(2) * mu_ * mu_ * normal_; }
  // Returns R of row j of an elliptic contact.
  S Row(int j) const {
    if (j < 2) return j == 0 ? normal_ : tangent_;
    return tangent_ * friction_[0] * friction_[0] / (friction_[j - 1] * friction_[j - 1]);
  }

 private:
  const S* friction_;
  S normal_, tangent_, mu_;
};

// Stiffness Dm of an elliptic contact in the middle zone of its cone, from the D of its normal.
template <class S>
S MiddleStiffness(S D, S mu) {
  return D / Max(S(static_cast<typename LaneTraits<S>::Lane>(kMinVal)), mu * mu * (S(1) + mu * mu));
}

// The reference acceleration of a row: -B v - K d (r - margin)
template <class S>
S ReferenceOfRow(double K, double B, S impedance, S velocity, S distance) {
  using Number = typename LaneTraits<S>::Lane;
  return S(static_cast<Number>(-B)) * velocity - S(static_cast<Number>(K)) * impedance * distance;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_IMPEDANCE_KERNEL_H_
