// Loops whose index is known to the compiler: what their bodies keep in small arrays stays in registers. GCC would
// sooner vectorize a short loop than unroll it.
//
//   Unroll<0, N>([&](auto i) { x[i] = Load(row[i]); });
#ifndef SINEW_SIMD_UNROLL_H_
#define SINEW_SIMD_UNROLL_H_

#include <type_traits>

#include "simd/isa.h"

namespace sinew {
inline namespace SINEW_ISA {

template <int kBegin, int kEnd, class Body>
inline void Unroll(const Body& body) {
  if constexpr (kBegin < kEnd) {
    body(std::integral_constant<int, kBegin>());
    Unroll<kBegin + 1, kEnd>(body);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_SIMD_UNROLL_H_
