// Rows of matrices, some neighbouring columns at a time: one text for registers of four numbers, two, and one. Rows of
// trees are short, and a loop that the compiler vectorizes spends more time around its body than in it.
//
//   ForColumns<S>(n, [&](const auto& at) { at.Store(at.Load(y) + at.InAll(s) * at.Load(x), y); });   // y += s x
#ifndef SINEW_MATH_COLUMNS_H_
#define SINEW_MATH_COLUMNS_H_

#include <type_traits>

#include "math/block.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

struct FourColumns {
  int first;
  Four Load(const double* row) const { return LoadFour(row + first); }
  void Store(Four x, double* row) const { StoreFour(x, row + first); }
  static Four InAll(double x) { return InAllLanes(x); }
};
struct TwoColumns {
  int first;
  block::Two Load(const double* row) const { return block::LoadTwo(row + first); }
  void Store(block::Two x, double* row) const { block::StoreTwo(x, row + first); }
  static block::Two InAll(double x) { return block::Two{x, x}; }
};
template <class S>
struct OneColumn {
  int first;
  S Load(const S* row) const { return row[first]; }
  void Store(S x, S* row) const { row[first] = x; }
  static S InAll(S x) { return x; }
};

// compute(columns) for columns [0, n) in ascending order.
template <class S, class Compute>
void ForColumns(int n, const Compute& compute) {
  int j = 0;
  if constexpr (std::is_same_v<S, double>) {
    for (; j + 4 <= n; j += 4) compute(FourColumns{j});
    if (j + 2 <= n) {
      compute(TwoColumns{j});
      j += 2;
    }
    if (j < n) compute(OneColumn<S>{j});
  } else {
    for (; j < n; ++j) compute(OneColumn<S>{j});
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_COLUMNS_H_
