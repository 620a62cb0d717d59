// Many right hand sides at once: a block of columns of a matrix, row by row, so that arithmetic on rows runs over
// contiguous numbers. An operation on a number of one column is one on a row of the block. For one world and for
// lanes, whose blocks have fewer columns of more numbers.
#ifndef SINEW_MATH_COLUMN_BLOCK_H_
#define SINEW_MATH_COLUMN_BLOCK_H_

#include <cstddef>

#include "simd/pack.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

template <class S>
inline constexpr int kBlockColumnsOf = LaneTraits<S>::kWidth == 1 ? 32 : 8;
inline constexpr int kBlockColumns = kBlockColumnsOf<double>;

template <class S>
S* BlockRow(S* block, int row) {
  return block + static_cast<ptrdiff_t>(row) * kBlockColumnsOf<S>;
}
template <class S>
const S* BlockRow(const S* block, int row) {
  return block + static_cast<ptrdiff_t>(row) * kBlockColumnsOf<S>;
}

inline bool IsZeroRow(const double* row) {
  bool any = false;
  for (int c = 0; c < kBlockColumns; ++c) any |= row[c] != 0;
  return !any;
}

// y -= s x
template <class S>
void SubtractRow(S* __restrict y, S s, const S* __restrict x) {
  for (int c = 0; c < kBlockColumnsOf<S>; ++c) y[c] -= s * x[c];
}

// y -= s_0 x_0, then s_1 x_1, ... of consecutive rows x of a block
template <class S>
void SubtractRows(S* __restrict y, const S* s, const S* __restrict x, int count) {
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const S *a = BlockRow(x, k), *b = BlockRow(x, k + 1), *e = BlockRow(x, k + 2), *f = BlockRow(x, k + 3);
    for (int c = 0; c < kBlockColumnsOf<S>; ++c) {
      y[c] = y[c] - s[k] * a[c] - s[k + 1] * b[c] - s[k + 2] * e[c] - s[k + 3] * f[c];
    }
  }
  for (; k < count; ++k) SubtractRow(y, s[k], BlockRow(x, k));
}

template <class S>
void ScaleRow(S* y, S s) {
  for (int c = 0; c < kBlockColumnsOf<S>; ++c) y[c] *= s;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_COLUMN_BLOCK_H_
