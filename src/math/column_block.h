// Many right hand sides at once: a block of columns of a matrix, row by row, so that arithmetic on rows runs over
// contiguous numbers. What one column does with a number, the block does with a row of them.
#ifndef SINEW_MATH_COLUMN_BLOCK_H_
#define SINEW_MATH_COLUMN_BLOCK_H_

#include <algorithm>
#include <cstddef>

#include "simd/isa.h"

namespace sinew {
inline namespace SINEW_ISA {

inline constexpr int kBlockColumns = 32;

inline double* BlockRow(double* block, int row) { return block + static_cast<ptrdiff_t>(row) * kBlockColumns; }
inline const double* BlockRow(const double* block, int row) {
  return block + static_cast<ptrdiff_t>(row) * kBlockColumns;
}

inline bool IsZeroRow(const double* row) {
  return std::all_of(row, row + kBlockColumns, [](double x) { return x == 0; });
}

// y -= s x
inline void SubtractRow(double* __restrict y, double s, const double* __restrict x) {
  for (int c = 0; c < kBlockColumns; ++c) y[c] -= s * x[c];
}

// y -= s_0 x_0, then s_1 x_1, ... of consecutive rows x of a block
inline void SubtractRows(double* __restrict y, const double* s, const double* __restrict x, int count) {
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const double *a = BlockRow(x, k), *b = BlockRow(x, k + 1), *e = BlockRow(x, k + 2), *f = BlockRow(x, k + 3);
    for (int c = 0; c < kBlockColumns; ++c) {
      y[c] = y[c] - s[k] * a[c] - s[k + 1] * b[c] - s[k + 2] * e[c] - s[k + 3] * f[c];
    }
  }
  for (; k < count; ++k) SubtractRow(y, s[k], BlockRow(x, k));
}

inline void ScaleRow(double* y, double s) {
  for (int c = 0; c < kBlockColumns; ++c) y[c] *= s;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_MATH_COLUMN_BLOCK_H_
