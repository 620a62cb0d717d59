// Solutions and products with matrices in the pattern of a tree (ldl_kernel.h), for blocks of columns
// (math/column_block.h).
#ifndef SINEW_INERTIA_LDL_BLOCK_KERNEL_H_
#define SINEW_INERTIA_LDL_BLOCK_KERNEL_H_

#include "inertia/ldl_kernel.h"
#include "math/column_block.h"

namespace sinew::inline inertia {
inline namespace SINEW_ISA {

// x <- (L' D L)^-1 x, for the rows of the pattern.
template <class S>
void SolveLDLBlock(S* x, const S* ld, const S* diaginv, const RowPattern& pattern) {
  for (int k = pattern.n - 1; k >= pattern.begin; --k) {
    const S* row = ld + pattern.rowadr[k];
    const int* column = pattern.Columns(k);
    for (int a = 0; a < pattern.rownnz[k] - 1; ++a) SubtractRow(BlockRow(x, column[a]), row[a], BlockRow(x, k));
  }
  for (int k = pattern.begin; k < pattern.n; ++k) {
    const S* row = ld + pattern.rowadr[k];
    const int* column = pattern.Columns(k);
    S* const result = BlockRow(x, k);
    ScaleRow(result, diaginv[k]);
    // ancestors in runs of consecutive dofs
    for (int a = 0, end; a < pattern.rownnz[k] - 1; a = end) {
      end = a + 1;
      while (end < pattern.rownnz[k] - 1 && column[end] == column[end - 1] + 1) ++end;
      SubtractRows(result, row + a, static_cast<const S*>(BlockRow(x, column[a])), end - a);
    }
  }
}

// y = A x, for the symmetric matrix of which these are the lower rows.
template <class S>
void MulSymmetricBlock(S* y, const S* mat, const S* x, const RowPattern& pattern) {
  for (int i = pattern.begin; i < pattern.n; ++i) {
    const S* row = mat + pattern.rowadr[i];
    const int* column = pattern.Columns(i);
    const int ancestors = pattern.rownnz[i] - 1;
    S* const result = BlockRow(y, i);
    for (int c = 0; c < kBlockColumnsOf<S>; ++c) result[c] = S(0);
    SubtractRow(result, -row[ancestors], BlockRow(x, i));
    for (int a = 0; a < ancestors; ++a) {
      SubtractRow(result, -row[a], BlockRow(x, column[a]));
      SubtractRow(BlockRow(y, column[a]), -row[a], BlockRow(x, i));
    }
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline inertia

#endif  // SINEW_INERTIA_LDL_BLOCK_KERNEL_H_
