// Matrices over dofs on the model's D pattern: row i holds the ancestors and descendants of dof i, in both triangles.
#ifndef SINEW_DERIVATIVE_SPARSITY_KERNEL_H_
#define SINEW_DERIVATIVE_SPARSITY_KERNEL_H_

#include "math/sparse_lu.h"
#include "model/model_view.h"

namespace sinew {
inline namespace SINEW_ISA {

inline SquarePattern DofPattern(const mjModel* m) {
  return {static_cast<int>(m->nv), m->D_rownnz, m->D_rowadr, m->D_diag, m->D_colind};
}

// mat += scale J' J for a sparse row J. Products of dofs of different branches are not part of the pattern and are
// dropped.
template <class S>
void AddOuterProduct(const SquarePattern& pattern, const S* row, const int* column, int count, S scale, S* mat) {
  for (int a = 0; a < count; ++a) {
    const S left = row[a] * scale;
    int k = pattern.rowadr[column[a]];
    const int end = k + pattern.rownnz[column[a]];
    for (int b = 0; b < count; ++b) {
      while (k < end && pattern.colind[k] < column[b]) ++k;
      if (k == end) break;
      if (pattern.colind[k] == column[b]) mat[k] += left * row[b];
    }
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_DERIVATIVE_SPARSITY_KERNEL_H_
