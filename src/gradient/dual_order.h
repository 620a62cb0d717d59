// Comparisons of dual numbers that kernels of muscles need beside those of math/dual.h.
#ifndef SINEW_GRADIENT_DUAL_ORDER_H_
#define SINEW_GRADIENT_DUAL_ORDER_H_

#include "math/dual.h"

namespace sinew {
inline namespace SINEW_ISA {

template <class S, int N>
MaskOf<S> operator<=(const Dual<S, N>& a, const Dual<S, N>& b) {
  return a.value <= b.value;
}
template <class S, int N>
MaskOf<S> operator>=(const Dual<S, N>& a, const Dual<S, N>& b) {
  return a.value >= b.value;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_GRADIENT_DUAL_ORDER_H_
