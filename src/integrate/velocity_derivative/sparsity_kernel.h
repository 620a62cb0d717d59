// Matrices over dofs on the model's D pattern: row i holds the ancestors and descendants of dof i, in both triangles.
#ifndef SINEW_INTEGRATE_VELOCITY_DERIVATIVE_SPARSITY_KERNEL_H_
#define SINEW_INTEGRATE_VELOCITY_DERIVATIVE_SPARSITY_KERNEL_H_

#include "math/columns.h"
#include "math/sparse_lu.h"
#include "model/view/model_view.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

inline SquarePattern DofPattern(const mjModel* m) {
  return {static_cast<int>(m->nv), m->D_rownnz, m->D_rowadr, m->D_diag, m->D_colind};
}

// mat += scale J' J for a sparse row J. Products of dofs of different branches are not part of the pattern and are
// dropped. Where the row holds all dofs of a small tree, their entries stand side by side in both.
template <class S>
void AddOuterProduct(const SquarePattern& pattern, const S* row, const int* column, int count, S scale, S* mat) {
  int tree = 0;  // where the columns of the dof's tree begin in the row
  for (int a = 0; a < count; ++a) {
    const S left = row[a] * scale;
    int k = pattern.rowadr[column[a]];
    const int nnz = pattern.rownnz[column[a]], end = k + nnz, first = pattern.colind[k];
    while (column[tree] < first) ++tree;
    const bool holds_all = tree + nnz <= count && column[tree] == first && pattern.colind[end - 1] == first + nnz - 1 &&
                           column[tree + nnz - 1] == first + nnz - 1;
    if (holds_all) {
      const S* const source = row + tree;
      S* const target = mat + k;
      ForColumns<S>(nnz, [&](const auto& at) { at.Store(at.Load(target) + at.InAll(left) * at.Load(source), target); });
      continue;
    }
    for (int b = 0; b < count; ++b) {
      while (k < end && pattern.colind[k] < column[b]) ++k;
      if (k == end) break;
      if (pattern.colind[k] == column[b]) mat[k] += left * row[b];
    }
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_VELOCITY_DERIVATIVE_SPARSITY_KERNEL_H_
