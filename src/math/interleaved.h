// Sums over long vectors of packs, in the order of those over numbers (math/dense.h).
#ifndef SINEW_MATH_INTERLEAVED_H_
#define SINEW_MATH_INTERLEAVED_H_

#include <type_traits>

#include "math/dense.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

// sum_i a_i b_i
template <class S>
S InterleavedDot(const S* a, const S* b, int n) {
  if constexpr (std::is_same_v<S, double>) {
    return Dot(a, b, n);
  } else {
    S s0(0), s1(0), s2(0), s3(0), tail(0);
    int i = 0;
    for (; i + 4 <= n; i += 4) {
      s0 += a[i] * b[i];
      s1 += a[i + 1] * b[i + 1];
      s2 += a[i + 2] * b[i + 2];
      s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; ++i) tail += a[i] * b[i];
    return ((s0 + s2) + (s1 + s3)) + tail;
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_INTERLEAVED_H_
