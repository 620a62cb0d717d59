// The formulas of impedance.h, for one world and for lanes, which share the numbers of a law or have their own.
#ifndef SINEW_CONSTRAINT_IMPEDANCE_KERNEL_H_
#define SINEW_CONSTRAINT_IMPEDANCE_KERNEL_H_

#include <mujoco/mujoco.h>

#include <type_traits>

#include "math/vec3.h"
#include "simd/flatten.h"
#include "simd/functions.h"
#include "simd/pack.h"

namespace sinew::inline constraint {

// x^p of one number, and the warning of a solref that is half in one form and half in the other (impedance.cc).
double AnyPower(double x, double p);
void WarnOfMixedSolref();

inline namespace SINEW_ISA {

// Numbers of a law are of type P: doubles that all lanes share, or S, where each lane has its own.
template <class S, class P>
S InLanes(P a) {
  if constexpr (std::is_same_v<S, P>) return a;
  if constexpr (!std::is_same_v<S, P>) return Uniform<S>(a);
}

// a() where the mask is true, b() elsewhere; what no lane needs is not computed.
template <class P, class A, class B>
P Choose(MaskOf<P> mask, const A& a, const B& b) {
  if (All(mask)) return a();
  if (!Any(mask)) return b();
  return Select(mask, a(), b());
}

template <class S, class P = double>
struct ImpedanceAt {
  S value;   // d
  S slope;   // dd/dr
  P dwidth;  // value at full width
};

// x^p in lanes, for any exponent p. Few models have one besides 1 and 2, so that this stays out of line.
template <class T, int W, class P>
SINEW_STAGE Pack<T, W> AnyPowers(Pack<T, W> x, P p) {
  if constexpr (std::is_same_v<T, double>) return Pow(x, InLanes<Pack<T, W>>(p));
  Pack<T, W> result;
  for (int lane = 0; lane < W; ++lane) {
    double power;
    if constexpr (std::is_same_v<P, double>) power = p;
    if constexpr (!std::is_same_v<P, double>) power = p[lane];
    result.Set(lane, static_cast<T>(AnyPower(static_cast<double>(x[lane]), power)));
  }
  return result;
}

// x^p, with the exponents that models use evaluated without logarithms.
template <class S>
S PowerOf(S x, double p) {
  if (p == 1) return x;
  if (p == 2) return x * x;
  if constexpr (std::is_same_v<S, double>) return AnyPower(x, p);
  if constexpr (!std::is_same_v<S, double>) return AnyPowers(x, p);
}

// The same with exponents of the lanes, which mostly agree.
template <class T, int W>
Pack<T, W> PowerOf(Pack<T, W> x, Pack<T, W> p) {
  using S = Pack<T, W>;
  const MaskOf<S> is_one = p == S(1), is_two = p == S(2);
  if (All(is_one)) return x;
  if (All(is_two)) return x * x;
  return Select(is_one, x, Select(is_two, x * x, AnyPowers(x, p)));
}

// The curve y(x) from (0, 0) to (1, 1), and its slope: x^p / mid^(p-1) up to the midpoint, its mirror image beyond.
template <class S, class P>
void Sigmoid(S x, P mid, P p, S* y, S* slope) {
  const MaskOf<P> is_line = p == P(1);
  if (All(is_line)) {
    *y = x;
    *slope = S(1);
    return;
  }
  const MaskOf<S> first = x <= InLanes<S>(mid);
  const S from = Select(first, x, S(1) - x);  // the nearer end
  const S scale =
      Select(first, InLanes<S>(P(1) / PowerOf(mid, p - P(1))), InLanes<S>(P(1) / PowerOf(P(1) - mid, p - P(1))));
  const S rise = PowerOf(from, p - P(1)) * scale;
  *y = Select(first, rise * from, S(1) - rise * from);
  *slope = InLanes<S>(p) * rise;
  if constexpr (!std::is_same_v<P, double>) {
    *y = Select(is_line, x, *y);
    *slope = Select(is_line, S(1), *slope);
  }
}

// S is named by the caller: numbers alone mean the function of impedance.h.
template <class S, class P>
ImpedanceAt<S, P> EvaluateImpedance(const P* solimp, std::type_identity_t<S> pos, std::type_identity_t<S> margin) {
  const auto legal = [](P a) { return Min(Max(a, Uniform<P>(mjMINIMP)), Uniform<P>(mjMAXIMP)); };
  const P d0 = legal(solimp[0]), dwidth = legal(solimp[1]), width = Max(P(0), solimp[2]), mid = legal(solimp[3]);
  const P power = Max(P(1), solimp[4]), middle = Uniform<P>(0.5) * (d0 + dwidth);
  const MaskOf<P> is_constant = (d0 == dwidth) | (width <= Uniform<P>(kMinVal));
  if (All(is_constant)) return {InLanes<S>(middle), S(0), dwidth};

  const S x = Abs(pos - margin) / InLanes<S>(width);
  const MaskOf<S> is_full = x >= S(1), is_none = x == S(0);
  if (All(is_full) && !Any(is_constant)) return {InLanes<S>(dwidth), S(0), dwidth};
  S y, slope;
  Sigmoid(x, mid, power, &y, &slope);
  const S sign = Select(pos < margin, S(-1), S(1)), first = InLanes<S>(d0), last = InLanes<S>(dwidth);
  const S value = Select(is_full, last, Select(is_none, first, first + y * InLanes<S>(dwidth - d0)));
  const S per_length = Select(is_full | is_none, S(0), slope * sign * InLanes<S>(dwidth - d0) / InLanes<S>(width));
  if constexpr (std::is_same_v<P, double>) return {value, per_length, dwidth};
  if constexpr (!std::is_same_v<P, double>) {
    return {Select(is_constant, middle, value), Select(is_constant, S(0), per_length), dwidth};
  }
}

// ---- solref

// Stiffness K and damping B of a solref that is in legal form.
template <class P>
P StiffnessOf(const P* solref, P dwidth) {
  const P least = Uniform<P>(kMinVal);
  return Choose<P>(
      solref[0] <= P(0), [&] { return -solref[0] / Max(least, dwidth * dwidth); },
      [&] { return P(1) / Max(least, dwidth * dwidth * solref[0] * solref[0] * solref[1] * solref[1]); });
}
template <class P>
P DampingOf(const P* solref, P dwidth) {
  const P least = Uniform<P>(kMinVal);
  return Choose<P>(
      solref[1] <= P(0), [&] { return -solref[1] / Max(least, dwidth); },
      [&] { return P(2) / Max(least, dwidth * solref[0]); });
}

// The limit that `least` sets to time constants; zero sets none.
template <class P>
void MakeLegal(P least, const P* solref, const double* replacement, P* legal) {
  const MaskOf<P> is_time = solref[0] > P(0), is_ratio = solref[1] > P(0), no_time = !is_time, no_ratio = !is_ratio;
  const MaskOf<P> mixed = (is_time & no_ratio) | (no_time & is_ratio);
  if (Any(mixed)) WarnOfMixedSolref();
  for (int i = 0; i < mjNREF; ++i) legal[i] = Select(mixed, Uniform<P>(replacement[i]), solref[i]);
  legal[0] = Select(legal[0] > P(0), Max(legal[0], least), legal[0]);
}

// Stiffness and damping of a row along its distance, and damping of the tangents of an elliptic contact, which have no
// stiffness.
template <class P>
struct ReferenceGainsOf {
  P K, B, tangent_B;
};
// `solreffriction` is null where there are no such tangents.
template <class P>
ReferenceGainsOf<P> GainsOfReference(P least, const P* solref, const P* solreffriction, P dwidth) {
  constexpr double kDefault[mjNREF] = {0.02, 1}, kNone[mjNREF] = {0, 0};
  P legal[mjNREF], tangent[mjNREF] = {P(0), P(0)};
  MakeLegal(least, solref, kDefault, legal);
  const P B = DampingOf(legal, dwidth), K = StiffnessOf(legal, dwidth);
  if (!solreffriction) return {K, B, B};
  MakeLegal(least, solreffriction, kNone, tangent);
  const MaskOf<P> is_own = (tangent[0] != P(0)) | (tangent[1] != P(0));
  return {K, B,
          Choose<P>(
              is_own, [&] { return DampingOf(tangent, dwidth); }, [&] { return B; })};
}

// ---- regularization

// The estimate of the diagonal of J M^-1 J' for an edge of a pyramid, from those of the normal and of the direction of
// friction.
template <class S>
S WeightOfEdge(S normal, S friction, S tangent) {
  return normal + friction * friction * tangent;
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
S ReferenceOfRow(std::type_identity_t<S> K, std::type_identity_t<S> B, S impedance, S velocity, S distance) {
  return -B * velocity - K * impedance * distance;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_IMPEDANCE_KERNEL_H_
