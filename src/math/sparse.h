// Compressed rows: `count` values and the columns where they stand, ascending.
#ifndef SINEW_MATH_SPARSE_H_
#define SINEW_MATH_SPARSE_H_

#include "simd/isa.h"

namespace sinew {
inline namespace SINEW_ISA {

// Product of one row with a dense vector.
template <class S>
S SparseDot(const S* row, const int* column, int count, const S* vector) {
  S sum(0);
  for (int k = 0; k < count; ++k) sum += row[k] * vector[column[k]];
  return sum;
}

// vector += scale * row
template <class S>
void AddSparse(S* vector, const S* row, const int* column, int count, S scale) {
  for (int k = 0; k < count; ++k) vector[column[k]] += row[k] * scale;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_MATH_SPARSE_H_
