// The point of many that is farthest in a direction.
#ifndef SINEW_SIMD_ARGMAX_H_
#define SINEW_SIMD_ARGMAX_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "simd/four.h"
#include "simd/functions.h"

namespace sinew::inline simd {
inline namespace SINEW_ISA {

inline constexpr int kArgMaxStride = 8;     // points that are looked at together
inline constexpr int kArgMaxCapacity = 32;  // the most points: a multiple of that

// Index of the first of the points (x[i], y[i], z[i]) with the largest projection on (ux, uy, uz); 0 when none is a
// number. `count` is a multiple of the stride. Two passes without branches: the largest value, then where it is.
inline int FarthestPoint(const double* x, const double* y, const double* z, int count, double ux, double uy,
                         double uz) {
  using Value = Register<double, 4>::Value;
  const auto load = [](const double* p) {
    Value value;
    std::memcpy(&value, p, sizeof(value));
    return value;
  };
  double projection[kArgMaxCapacity];
  Value most = Value{} - kInfinity, most_of_others = most;
  const auto project = [&](int i, Value& largest) {
    const Value along = load(x + i) * ux + load(y + i) * uy + load(z + i) * uz;
    std::memcpy(projection + i, &along, sizeof(along));
    largest = along > largest ? along : largest;
  };
  for (int i = 0; i < count; i += kArgMaxStride) {
    project(i, most);
    project(i + 4, most_of_others);
  }
  most = most > most_of_others ? most : most_of_others;
  const double largest = std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
  // bit i for point i, gathered in lanes first
  using Bits = Register<double, 4>::Bits;
  Bits lanes = Bits{}, bit = {1, 2, 4, 8};
  for (int i = 0; i < count; i += kArgMaxStride) {
    lanes |= (load(projection + i) == largest) & bit;
    lanes |= (load(projection + i + 4) == largest) & (bit << 4);
    bit <<= kArgMaxStride;
  }
  const auto is_largest = static_cast<uint64_t>((lanes[0] | lanes[1]) | (lanes[2] | lanes[3]));
  return is_largest ? std::countr_zero(is_largest) : 0;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_ARGMAX_H_
