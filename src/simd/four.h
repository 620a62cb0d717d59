// Four numbers in lanes, in files that are compiled for the baseline: copies of their functions for AVX2
// (SINEW_DISPATCH) have registers of four lanes, but the headers' intrinsics know two. Operations that GCC would do
// there in memory, number by number, with a stall after it, are made of halves here.
#ifndef SINEW_SIMD_FOUR_H_
#define SINEW_SIMD_FOUR_H_

#include <cstdint>
#include <cstring>

#include "simd/lane_bits.h"
#include "simd/pack.h"

namespace sinew::inline simd {
inline namespace SINEW_ISA {

using Four = Pack<double, 4>;

// The same number in all lanes.
inline Four InAllLanes(double x) {
  const Pack<double, 2>::Value two = {x, x};
  return Four(__builtin_shufflevector(two, two, 0, 1, 2, 3));
}

inline constexpr unsigned kFourLanes = 0b1111;  // bits of all lanes

// Bits of the lanes that follow one.
inline unsigned LanesAfter(int lane) { return kFourLanes & (kFourLanes << (lane + 1)); }

// Appends first + i for every set bit i, and returns the end of the list. Four numbers are written, whatever the bits.
inline uint32_t* AppendLanes(unsigned bits, uint32_t first, uint32_t* out) {
  typedef uint32_t Lanes __attribute__((vector_size(16)));
  struct Appended {
    uint32_t lane[4], count;
  };
  static constexpr Appended kOf[16] = {{{0, 0, 0, 0}, 0}, {{0, 0, 0, 0}, 1}, {{1, 0, 0, 0}, 1}, {{0, 1, 0, 0}, 2},
                                       {{2, 0, 0, 0}, 1}, {{0, 2, 0, 0}, 2}, {{1, 2, 0, 0}, 2}, {{0, 1, 2, 0}, 3},
                                       {{3, 0, 0, 0}, 1}, {{0, 3, 0, 0}, 2}, {{1, 3, 0, 0}, 2}, {{0, 1, 3, 0}, 3},
                                       {{2, 3, 0, 0}, 2}, {{0, 2, 3, 0}, 3}, {{1, 2, 3, 0}, 3}, {{0, 1, 2, 3}, 4}};
  Lanes lanes;
  std::memcpy(&lanes, kOf[bits].lane, sizeof(lanes));
  lanes += first;
  std::memcpy(out, &lanes, sizeof(lanes));
  return out + kOf[bits].count;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_FOUR_H_
