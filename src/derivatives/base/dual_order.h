// Comparisons, signs and sines of dual numbers that kernels of muscles, motors, sensors and pairs of geoms need beside
// those of math/dual.h.
#ifndef SINEW_DERIVATIVES_BASE_DUAL_ORDER_H_
#define SINEW_DERIVATIVES_BASE_DUAL_ORDER_H_

#include "math/dual.h"
#include "simd/functions.h"

namespace sinew::inline derivatives {
inline namespace SINEW_ISA {

using simd::Acos, simd::CopySign, simd::Exp, simd::Sin;  // of numbers, beside those of duals below

template <class S, int N>
MaskOf<S> operator<=(const Dual<S, N>& a, const Dual<S, N>& b) {
  return a.value <= b.value;
}
template <class S, int N>
MaskOf<S> operator>=(const Dual<S, N>& a, const Dual<S, N>& b) {
  return a.value >= b.value;
}

template <class S, int N>
MaskOf<S> operator==(const Dual<S, N>& a, const Dual<S, N>& b) {
  return a.value == b.value;
}

template <class S, int N>
Dual<S, N> Sin(const Dual<S, N>& x) {
  return Dual<S, N>::Chain(Sin(x.value), x, Cos(x.value));
}

template <class S, int N>
Dual<S, N> Exp(const Dual<S, N>& x) {
  const S result = Exp(x.value);
  return Dual<S, N>::Chain(result, x, result);
}

// Of one, which a number reaches and stays at, the slope counts as zero.
template <class S, int N>
Dual<S, N> Acos(const Dual<S, N>& x) {
  const S sine = Sqrt(S(1) - x.value * x.value);
  const auto stays = !(sine > S(0));
  return Dual<S, N>::Chain(Acos(x.value), x, Select(stays, S(0), S(-1) / Select(stays, S(1), sine)));
}

// The sign's own number has no part in the slope: it jumps or stays.
template <class S, int N>
Dual<S, N> CopySign(const Dual<S, N>& x, const Dual<S, N>& sign) {
  const S result = CopySign(x.value, sign.value);
  return Dual<S, N>::Chain(result, x, CopySign(S(1), x.value) * CopySign(S(1), result));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_DUAL_ORDER_H_
