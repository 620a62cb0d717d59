// Columns of bits of many bytes.
#ifndef SINEW_SIMD_BITS_H_
#define SINEW_SIMD_BITS_H_

#include <cstdint>

#include "simd/four.h"

namespace sinew::inline simd {
inline namespace SINEW_ISA {

// Bit i is set where byte i has the given bit. Bytes are aligned to 16.
inline unsigned ColumnOfBits(const uint8_t (&bytes)[32], int bit) {
#if defined(__SSE2__)
  const auto half = [&bytes, bit](int first) {
    const __m128i rows = _mm_load_si128(reinterpret_cast<const __m128i*>(bytes + first));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_slli_epi16(rows, 7 - bit)));  // bit 7 of each
  };
  return half(0) | half(16) << 16;
#else
  unsigned column = 0;
  for (int i = 0; i < 32; ++i) column |= (bytes[i] >> bit & 1U) << i;
  return column;
#endif
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_BITS_H_
