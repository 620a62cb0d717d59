// LU factorization of a matrix with the sparsity of a kinematic tree: row i holds the ancestors and the descendants of
// dof i. Eliminated from the leaves to the root, such a matrix has no fill-in (Featherstone 2008, 6.5):
//
//   A = U L,    U unit upper triangular, L lower triangular
//
// Both replace A in place; the ones on U's diagonal are not stored.
#ifndef SINEW_MATH_SPARSE_LU_H_
#define SINEW_MATH_SPARSE_LU_H_

#include "math/sparse.h"
#include "simd/isa.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

// Compressed rows with ascending columns; diag is the place of the diagonal entry within its row.
struct SquarePattern {
  int n;
  const int *rownnz, *rowadr, *diag, *colind;

  // Where entry (i, j), which must be part of the pattern, is stored; the search starts at place `from` of the row.
  int Find(int i, int j, int from = 0) const {
    int k = rowadr[i] + from;
    while (colind[k] != j) ++k;
    return k;
  }
};

// mat's row i -= factor * the part of row r left of its diagonal, for an ancestor i of r: its columns are all in row i.
template <class S>
void EliminateRow(const SquarePattern& pattern, S* mat, int i, int r, S factor) {
  int k = pattern.rowadr[i];
  const int first = pattern.rowadr[r], end = first + pattern.diag[r];
  for (int entry = first; entry < end; ++entry, ++k) {
    while (pattern.colind[k] != pattern.colind[entry]) ++k;
    mat[k] -= factor * mat[entry];
  }
}

template <class S>
void FactorLU(const SquarePattern& pattern, S* mat) {
  for (int r = pattern.n - 1; r >= 0; --r) {
    const int first = pattern.rowadr[r], diagonal = first + pattern.diag[r];
    const S inverse = S(1) / mat[diagonal];
    for (int entry = first; entry < diagonal; ++entry) {
      const int i = pattern.colind[entry];
      S& u = mat[pattern.Find(i, r, pattern.diag[i] + 1)];
      u *= inverse;
      EliminateRow(pattern, mat, i, r, u);
    }
  }
}

// x = A^-1 x
template <class S>
void SolveLU(const SquarePattern& pattern, const S* lu, S* x) {
  for (int i = pattern.n - 1; i >= 0; --i) {
    const int upper = pattern.rowadr[i] + pattern.diag[i] + 1, count = pattern.rownnz[i] - pattern.diag[i] - 1;
    x[i] -= SparseDot(lu + upper, pattern.colind + upper, count, x);
  }
  for (int i = 0; i < pattern.n; ++i) {
    const int adr = pattern.rowadr[i], diag = pattern.diag[i];
    x[i] = (x[i] - SparseDot(lu + adr, pattern.colind + adr, diag, x)) / lu[adr + diag];
  }
}

// x = A^-T x
template <class S>
void SolveLUTransposed(const SquarePattern& pattern, const S* lu, S* x) {
  for (int i = pattern.n - 1; i >= 0; --i) {
    const int adr = pattern.rowadr[i], diagonal = adr + pattern.diag[i];
    x[i] = x[i] / lu[diagonal];
    for (int k = adr; k < diagonal; ++k) x[pattern.colind[k]] -= lu[k] * x[i];
  }
  for (int i = 0; i < pattern.n; ++i) {
    const int upper = pattern.rowadr[i] + pattern.diag[i] + 1, end = pattern.rowadr[i] + pattern.rownnz[i];
    for (int k = upper; k < end; ++k) x[pattern.colind[k]] -= lu[k] * x[i];
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_SPARSE_LU_H_
