// Velocities along rows of the Jacobian that lanes make.
#ifndef SINEW_BATCH_ROWS_ROW_SUMS_KERNEL_H_
#define SINEW_BATCH_ROWS_ROW_SUMS_KERNEL_H_

#include "simd/pack.h"
#include "simd/unroll.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// Products of rows with a vector, summed in the order of constraint/jacobian_product.cc, in four interleaved sums:
// dense rows over the dofs, with the last ones apart; compressed ones over their columns, with the last ones added one
// by one.
template <int kRows, class S>
class RowSums {
 public:
  RowSums(int nv, int columns, bool compressed)
      : interleaved_((compressed ? columns : nv) / 4 * 4), compressed_(compressed) {
    for (auto& part : sum_) {
      for (S& sum : part) sum = S(0);
    }
  }
  // Columns come in their order.
  void Add(int dof, const S (&row)[kRows], S v) {
    const int place = compressed_ ? next_++ : dof;
    if (compressed_ && place == interleaved_) {
      Unroll<0, kRows>([&](auto r) { sum_[4][r] = OfFour(r); });
    }
    S* sum = sum_[place < interleaved_ ? place % 4 : 4];
    Unroll<0, kRows>([&](auto r) { sum[r] += row[r] * v; });
  }
  S Total(int r) const {
    if (compressed_) return next_ > interleaved_ ? sum_[4][r] : OfFour(r);
    return OfFour(r) + sum_[4][r];
  }

 private:
  S OfFour(int r) const { return (sum_[0][r] + sum_[2][r]) + (sum_[1][r] + sum_[3][r]); }

  int interleaved_, next_ = 0;
  bool compressed_;
  S sum_[5][kRows];
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_ROWS_ROW_SUMS_KERNEL_H_
