// Loops, and counts, that are known to the compiler: what their bodies keep in small arrays stays in registers. GCC
// would sooner vectorize a short loop than unroll it.
//
//   Unroll<0, N>([&](auto i) { x[i] = Load(row[i]); });
#ifndef SINEW_SIMD_UNROLL_H_
#define SINEW_SIMD_UNROLL_H_

#include "simd/isa.h"

namespace sinew::inline simd {
inline namespace SINEW_ISA {

// An int as a type. (That of the standard library would be one function for all instruction sets.)
template <int kValue>
struct Constant {
  constexpr operator int() const { return kValue; }
};

template <int kBegin, int kEnd, class Body>
inline void Unroll(const Body& body) {
  if constexpr (kBegin < kEnd) {
    body(Constant<kBegin>());
    Unroll<kBegin + 1, kEnd>(body);
  }
}

// Calls body(Constant<n>()) for a number n from 1 to kMax that is known when the program runs.
template <int kMax, class Body>
inline void WithCount(int n, const Body& body) {
  if constexpr (kMax == 1) {
    body(Constant<1>());
  } else if (n == kMax) {
    body(Constant<kMax>());
  } else {
    WithCount<kMax - 1>(n, body);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_UNROLL_H_
