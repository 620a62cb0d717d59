// Lanes of a pack, moved together.
#ifndef SINEW_SIMD_COMPRESS_H_
#define SINEW_SIMD_COMPRESS_H_

#include "simd/pack.h"

namespace sinew::inline simd {
inline namespace SINEW_ISA {

// The lanes that bits name, from the first lane on; what is behind them is of no use.
template <int W>
Pack<double, W> Compressed(const Pack<double, W>& numbers, unsigned bits) {
#if defined(__AVX512F__)
  if constexpr (W == 8) {
    using Value = typename Pack<double, W>::Value;
    return Pack<double, W>((Value)_mm512_maskz_compress_pd(static_cast<__mmask8>(bits), (__m512d)numbers.v));
  }
#endif
  double together[W + 1];
  int count = 0;
  for (int lane = 0; lane < W; ++lane) {
    together[count] = numbers[lane];
    count += static_cast<int>(bits >> lane & 1);
  }
  for (int lane = count; lane < W; ++lane) together[lane] = 0;
  Pack<double, W> packed;
  __builtin_memcpy(&packed.v, together, sizeof(packed.v));
  return packed;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_COMPRESS_H_
