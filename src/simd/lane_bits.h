// The lanes in which a mask is true, as bits of a number.
#ifndef SINEW_SIMD_LANE_BITS_H_
#define SINEW_SIMD_LANE_BITS_H_

#include "simd/pack.h"

namespace sinew::inline simd {
inline namespace SINEW_ISA {

// A bit for each lane, the first lowest. One world alone is lane 0.
inline unsigned LaneBits(bool m) { return m ? 1 : 0; }
template <class T, int W>
unsigned LaneBits(Mask<T, W> m) {
#if defined(__AVX512DQ__)
  if constexpr (std::is_same_v<T, double> && W == 8) return _mm512_movepi64_mask((__m512i)m.v);
  if constexpr (std::is_same_v<T, float> && W == 16) return _mm512_movepi32_mask((__m512i)m.v);
#endif
#if defined(__AVX__)
  if constexpr (std::is_same_v<T, double> && W == 4) return static_cast<unsigned>(_mm256_movemask_pd((__m256d)m.v));
  if constexpr (std::is_same_v<T, float> && W == 8) return static_cast<unsigned>(_mm256_movemask_ps((__m256)m.v));
#endif
  if constexpr (std::is_same_v<T, double> && W == 8) {
    return LaneBits(Mask<double, 4>{__builtin_shufflevector(m.v, m.v, 0, 1, 2, 3)}) |
           LaneBits(Mask<double, 4>{__builtin_shufflevector(m.v, m.v, 4, 5, 6, 7)}) << 4;
  }
#if defined(__SSE2__)
  if constexpr (std::is_same_v<T, double> && W == 4) {
    const auto low = __builtin_shufflevector(m.v, m.v, 0, 1), high = __builtin_shufflevector(m.v, m.v, 2, 3);
    return static_cast<unsigned>(_mm_movemask_pd((__m128d)low) | _mm_movemask_pd((__m128d)high) << 2);
  }
  if constexpr (std::is_same_v<T, double> && W == 2) return static_cast<unsigned>(_mm_movemask_pd((__m128d)m.v));
  if constexpr (std::is_same_v<T, float> && W == 4) return static_cast<unsigned>(_mm_movemask_ps((__m128)m.v));
#endif
  unsigned bits = 0;
  for (int i = 0; i < W; ++i) bits |= m.Lane(i) ? 1u << i : 0u;
  return bits;
}

// The other way round, of packs.
template <class S>
MaskOf<S> MaskOfBits(unsigned bits) {
  S numbers(0);
  for (int i = 0; i < LaneTraits<S>::kWidth; ++i) {
    numbers.Set(i, static_cast<typename LaneTraits<S>::Lane>(bits >> i & 1));
  }
  return numbers > S(0);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_LANE_BITS_H_
