// The point of many that is farthest in a direction.
#ifndef SINEW_SIMD_ARGMAX_H_
#define SINEW_SIMD_ARGMAX_H_

#include <algorithm>
#include <cstring>

#include "simd/functions.h"

namespace sinew {
inline namespace SINEW_ISA {

inline constexpr int kArgMaxStride = 4;     // points that are looked at together
inline constexpr int kArgMaxCapacity = 32;  // the most points: a multiple of that

// Index of the first of the points (x[i], y[i], z[i]) with the largest projection on (ux, uy, uz); 0 when none is a
// number. `count` is a multiple of the stride. Two passes without branches: the largest value, then where it is.
inline int FarthestPoint(const double* x, const double* y, const double* z, int count, double ux, double uy,
                         double uz) {
  using Four = Register<double, kArgMaxStride>::Value;
  double projection[kArgMaxCapacity];
  Four most = Four{} - kInfinity;
  for (int i = 0; i < count; i += kArgMaxStride) {
    Four px, py, pz;
    std::memcpy(&px, x + i, sizeof(px));
    std::memcpy(&py, y + i, sizeof(py));
    std::memcpy(&pz, z + i, sizeof(pz));
    const Four along = px * ux + py * uy + pz * uz;
    std::memcpy(projection + i, &along, sizeof(along));
    most = along > most ? along : most;
  }
  const double largest = std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
  Four first = Four{} + kArgMaxCapacity, index = {0, 1, 2, 3};
  for (int i = 0; i < count; i += kArgMaxStride, index += kArgMaxStride) {
    Four along;
    std::memcpy(&along, projection + i, sizeof(along));
    const Four candidate = along == largest ? index : Four{} + kArgMaxCapacity;
    first = candidate < first ? candidate : first;
  }
  const double least = std::min(std::min(first[0], first[1]), std::min(first[2], first[3]));
  return least < count ? static_cast<int>(least) : 0;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_SIMD_ARGMAX_H_
