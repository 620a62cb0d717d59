// Velocities along rows of the Jacobian that lanes make.
#ifndef SINEW_BATCH_ROW_SUMS_KERNEL_H_
#define SINEW_BATCH_ROW_SUMS_KERNEL_H_

#include "simd/pack.h"
#include "simd/unroll.h"

namespace sinew {
inline namespace SINEW_ISA {

// Products of rows with a vector, summed in the order of constraint/jacobian_product.cc: dense rows in four interleaved
// sums over the dofs, and the last ones apart; compressed ones as they come.
template <int kRows, class S>
class RowSums {
 public:
  RowSums(int nv, bool compressed) : interleaved_(compressed ? 0 : nv / 4 * 4) {
    for (auto& part : sum_) {
      for (S& sum : part) sum = S(0);
    }
  }
  void Add(int dof, const S (&row)[kRows], S v) {
    S* sum = sum_[dof < interleaved_ ? dof % 4 : 4];
    Unroll<0, kRows>([&](auto r) { sum[r] += row[r] * v; });
  }
  S Total(int r) const { return ((sum_[0][r] + sum_[2][r]) + (sum_[1][r] + sum_[3][r])) + sum_[4][r]; }

 private:
  int interleaved_;
  S sum_[5][kRows];
};

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_BATCH_ROW_SUMS_KERNEL_H_
