#include "inertia/ldl_block.h"

#include "math/column_block.h"

namespace sinew {

SINEW_DISPATCH void SolveLDLBlock(double* x, const double* ld, const double* diaginv, const RowPattern& pattern) {
  for (int k = pattern.n - 1; k >= pattern.begin; --k) {
    const double* row = ld + pattern.rowadr[k];
    const int* column = pattern.Columns(k);
    for (int a = 0; a < pattern.rownnz[k] - 1; ++a) SubtractRow(BlockRow(x, column[a]), row[a], BlockRow(x, k));
  }
  for (int k = pattern.begin; k < pattern.n; ++k) {
    const double* row = ld + pattern.rowadr[k];
    const int* column = pattern.Columns(k);
    double* const result = BlockRow(x, k);
    ScaleRow(result, diaginv[k]);
    // ancestors in runs of consecutive dofs
    for (int a = 0, end; a < pattern.rownnz[k] - 1; a = end) {
      end = a + 1;
      while (end < pattern.rownnz[k] - 1 && column[end] == column[end - 1] + 1) ++end;
      SubtractRows(result, row + a, BlockRow(x, column[a]), end - a);
    }
  }
}

SINEW_DISPATCH void MulSymmetricBlock(double* y, const double* mat, const double* x, const RowPattern& pattern) {
  for (int i = pattern.begin; i < pattern.n; ++i) {
    const double* row = mat + pattern.rowadr[i];
    const int* column = pattern.Columns(i);
    const int ancestors = pattern.rownnz[i] - 1;
    double* const result = BlockRow(y, i);
    for (int c = 0; c < kBlockColumns; ++c) result[c] = 0;
    SubtractRow(result, -row[ancestors], BlockRow(x, i));
    for (int a = 0; a < ancestors; ++a) {
      SubtractRow(result, -row[a], BlockRow(x, column[a]));
      SubtractRow(BlockRow(y, column[a]), -row[a], BlockRow(x, i));
    }
  }
}

}  // namespace sinew
