// Numbers of a table, a place of its own for each lane.
#ifndef SINEW_SIMD_GATHER_H_
#define SINEW_SIMD_GATHER_H_

#include <type_traits>
#include <utility>

#include "simd/pack.h"

namespace sinew::inline simd {
inline namespace SINEW_ISA {

// Whole numbers in lanes. GCC 12 ignores a vector_size that depends on a template parameter.
template <int W>
struct WholeNumbers;
template <>
struct WholeNumbers<1> {
  typedef int Value __attribute__((vector_size(4)));
};
template <>
struct WholeNumbers<2> {
  typedef int Value __attribute__((vector_size(8)));
};
template <>
struct WholeNumbers<4> {
  typedef int Value __attribute__((vector_size(16)));
};
template <>
struct WholeNumbers<8> {
  typedef int Value __attribute__((vector_size(32)));
};
template <>
struct WholeNumbers<16> {
  typedef int Value __attribute__((vector_size(64)));
};

// number(lane) in each lane, without a way through memory.
template <class S, class Number>
S GatherLanes(Number number) {
  return [&]<int... kLane>(std::integer_sequence<int, kLane...>) {
    return S(typename S::Value{static_cast<typename LaneTraits<S>::Lane>(number(kLane))...});
  }
  (std::make_integer_sequence<int, LaneTraits<S>::kWidth>());
}

// table[place] of each lane. The processor's own instruction is faster for eight lanes, and is not for four.
template <class S>
S GatherFrom(const double* table, typename WholeNumbers<LaneTraits<S>::kWidth>::Value place) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<S, Pack<double, 8>>) {
    return S((typename S::Value)_mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xff, (__m256i)place, table, 8));
  }
#endif
  return GatherLanes<S>([&](int lane) { return table[place[lane]]; });
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_GATHER_H_
