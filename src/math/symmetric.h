// Sparse symmetric matrices that store lower rows: columns ascending, diagonal last. The inertia matrix has this form.
#ifndef SINEW_MATH_SYMMETRIC_H_
#define SINEW_MATH_SYMMETRIC_H_

#include "simd/isa.h"

namespace sinew {
inline namespace SINEW_ISA {

// res = A v; S is a scalar or a pack
template <class S>
void MulSymmetric(S* res, const S* v, const S* A, int n, const int* rownnz, const int* rowadr, const int* colind) {
  for (int i = 0; i < n; ++i) {
    const int last = rowadr[i] + rownnz[i] - 1;
    const S vi = v[i];
    S sum = A[last] * vi;
    for (int k = rowadr[i]; k < last; ++k) {
      sum += A[k] * v[colind[k]];
      res[colind[k]] += A[k] * vi;
    }
    res[i] = sum;
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_MATH_SYMMETRIC_H_
