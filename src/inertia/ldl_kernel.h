// Sparse factorization A = L'D L of matrices with the pattern of a kinematic tree (Featherstone 2008, 6.3 and 8.5).
//
// Lower rows, columns ascending, diagonal last: row i holds the ancestors of i and i. Eliminating from the leaves to the
// roots creates no new entries, since the row of an ancestor is the beginning of the row of each of its descendants: both
// have the same columns up to the ancestor. Rows are therefore added to each other as dense vectors, without indices.
//
// Afterwards the matrix holds L (unit diagonal, not stored) and D on the diagonal.
#ifndef SINEW_INERTIA_LDL_KERNEL_H_
#define SINEW_INERTIA_LDL_KERNEL_H_

#include "simd/pack.h"

namespace sinew {
inline namespace SINEW_ISA {

// Where the rows of a matrix stand.
struct RowPattern {
  int n;
  const int *rownnz, *rowadr, *colind;

  int Diagonal(int i) const { return rowadr[i] + rownnz[i] - 1; }
  const int* Columns(int i) const { return colind + rowadr[i]; }
};

// Eliminates dof k from the rows of its ancestors and scales its own row to L:
//   A_ij -= A_ki A_kj / D_k,   L_kj = A_kj / D_k      for ancestors i >= j of k
template <class S>
void EliminateRow(S* __restrict mat, const RowPattern& pattern, int k, S inverse) {
  S* __restrict row = mat + pattern.rowadr[k];
  const int* column = pattern.Columns(k);
  const int ancestors = pattern.rownnz[k] - 1;
  for (int a = ancestors - 1; a >= 0; --a) {
    S* __restrict target = mat + pattern.rowadr[column[a]];
    const S scale = row[a] * inverse;
    for (int j = 0; j <= a; ++j) target[j] -= scale * row[j];
    row[a] = scale;
  }
}

template <class S>
void FactorLDL(S* mat, S* diaginv, const RowPattern& pattern) {
  for (int k = pattern.n - 1; k >= 0; --k) {
    const S inverse = S(1) / mat[pattern.Diagonal(k)];
    diaginv[k] = inverse;
    EliminateRow(mat, pattern, k, inverse);
  }
}

// x <- L^-T x: from the leaves, each dof hands its share to its ancestors
template <class S>
void SolveTransposed(S* x, const S* ld, const RowPattern& pattern) {
  for (int k = pattern.n - 1; k >= 0; --k) {
    const S* row = ld + pattern.rowadr[k];
    const int* column = pattern.Columns(k);
    const int ancestors = pattern.rownnz[k] - 1;
    const S xk = x[k];
    for (int a = 0; a < ancestors; ++a) x[column[a]] -= row[a] * xk;
  }
}

// x <- L^-1 x: from the roots
template <class S>
void SolveLower(S* x, const S* ld, const RowPattern& pattern) {
  for (int k = 0; k < pattern.n; ++k) {
    const S* row = ld + pattern.rowadr[k];
    const int* column = pattern.Columns(k);
    const int ancestors = pattern.rownnz[k] - 1;
    S sum(0);
    for (int a = 0; a < ancestors; ++a) sum += row[a] * x[column[a]];
    x[k] -= sum;
  }
}

// x <- A^-1 x = L^-1 D^-1 L^-T x
template <class S>
void SolveLDL(S* x, const S* ld, const S* diaginv, const RowPattern& pattern) {
  SolveTransposed(x, ld, pattern);
  for (int k = 0; k < pattern.n; ++k) x[k] *= diaginv[k];
  SolveLower(x, ld, pattern);
}

// result = A vector, for the symmetric matrix of which these are the lower rows
template <class S>
void MulSymmetric(S* result, const S* mat, const S* vector, const RowPattern& pattern) {
  for (int i = 0; i < pattern.n; ++i) {
    const S* row = mat + pattern.rowadr[i];
    const int* column = pattern.Columns(i);
    const int ancestors = pattern.rownnz[i] - 1;
    S sum = row[ancestors] * vector[i];
    for (int a = 0; a < ancestors; ++a) {
      sum += row[a] * vector[column[a]];
      result[column[a]] += row[a] * vector[i];
    }
    result[i] = sum;
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_INERTIA_LDL_KERNEL_H_
