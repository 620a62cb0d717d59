// Packs of four or eight items of one world, for functions that do not go over all items in order (math/block.h).
#ifndef SINEW_MATH_LANES_H_
#define SINEW_MATH_LANES_H_

#include "math/block.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

// ---- memory

// Lanes anywhere in memory, next to each other.
template <int W>
Pack<double, W> LoadLanes(const double* p) {
  if constexpr (W == 4) {
    return LoadFour(p);
  } else {
    typedef double Unaligned __attribute__((vector_size(64), aligned(8), may_alias));
    return *reinterpret_cast<const Unaligned*>(p);
  }
}
inline void StoreLanes(const Pack<double, 4>& x, double* p) { StoreFour(x, p); }
inline void StoreLanes(const Pack<double, 8>& x, double* p) {
  typedef double Unaligned __attribute__((vector_size(64), aligned(8), may_alias));
  *reinterpret_cast<Unaligned*>(p) = x.v;
}

// ---- rows

namespace block {

using Eight = Pack<double, 8>;

inline Eight JoinHalves(Four low, Four high) {
  return Eight(__builtin_shufflevector(low.v, high.v, 0, 1, 2, 3, 4, 5, 6, 7));
}
template <template <class> class T>
T<Eight> JoinHalves(const T<Four>& low, const T<Four>& high) {
  T<Eight> joined;
  Eight* number = reinterpret_cast<Eight*>(&joined);
  const Four *a = reinterpret_cast<const Four*>(&low), *b = reinterpret_cast<const Four*>(&high);
  for (size_t i = 0; i < sizeof(joined) / sizeof(Eight); ++i) number[i] = JoinHalves(a[i], b[i]);
  return joined;
}

}  // namespace block

// row(lane) is a reference to a number or a struct of numbers of one world.
template <int W, class Row>
auto GatherLanes(Row row) {
  const auto low = block::JoinRows(row(0), row(1), row(2), row(3));
  if constexpr (W == 4) {
    return low;
  } else {
    return block::JoinHalves(low, block::JoinRows(row(4), row(5), row(6), row(7)));
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_LANES_H_
