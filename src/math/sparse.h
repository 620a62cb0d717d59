// Compressed rows: `count` values and the columns where they stand, ascending.
#ifndef SINEW_MATH_SPARSE_H_
#define SINEW_MATH_SPARSE_H_

#include <type_traits>

#include "math/dense.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

// Whether a row is a long run of columns without gaps, which is worth treating as a dense vector.
inline bool IsLongRun(const int* column, int count) {
  constexpr int kLong = 12;
  return count >= kLong && column[count - 1] - column[0] == count - 1;
}

// Product of one row with a dense vector, in four interleaved sums as math/dense.h, to whose total what is left of the
// row is added one by one: a chain of additions would wait for each of them.
template <class S>
S SparseDot(const S* row, const int* column, int count, const S* vector) {
  S total(0);
  int k = 0;
  if constexpr (std::is_same_v<S, double>) {
    if (IsLongRun(column, count)) {
      FourSums sum;
      for (; k + 4 <= count; k += 4) sum.Add(row + k, vector + column[0] + k);
      total = sum.Total();
    }
  }
  if (k + 4 <= count) {
    S s0(0), s1(0), s2(0), s3(0);
    for (; k + 4 <= count; k += 4) {
      s0 += row[k] * vector[column[k]];
      s1 += row[k + 1] * vector[column[k + 1]];
      s2 += row[k + 2] * vector[column[k + 2]];
      s3 += row[k + 3] * vector[column[k + 3]];
    }
    total = (s0 + s2) + (s1 + s3);
  }
  for (; k < count; ++k) total += row[k] * vector[column[k]];
  return total;
}

// vector += scale * row
template <class S>
void AddSparse(S* __restrict vector, const S* __restrict row, const int* column, int count, S scale) {
  if (count == 1) {
    vector[column[0]] += row[0] * scale;
    return;
  }
  if (IsLongRun(column, count)) {
    S* __restrict dense = vector + column[0];
    for (int k = 0; k < count; ++k) dense[k] += row[k] * scale;
    return;
  }
  for (int k = 0; k < count; ++k) vector[column[k]] += row[k] * scale;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_SPARSE_H_
