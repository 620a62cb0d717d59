// Sparse factorization A = L'D L of matrices with the pattern of a kinematic tree (Featherstone 2008, 6.3 and 8.5).
//
// Lower rows, columns ascending, diagonal last: row i holds the ancestors of i and i. Eliminating from the leaves to
// the roots creates no new entries, since the row of an ancestor is the beginning of the row of each of its
// descendants: both have the same columns up to the ancestor. Rows are therefore added to each other as dense vectors,
// without indices.
//
// Afterwards the matrix holds L (unit diagonal, not stored) and D on the diagonal.
#ifndef SINEW_INERTIA_LDL_KERNEL_H_
#define SINEW_INERTIA_LDL_KERNEL_H_

#include <type_traits>

#include "math/block.h"
#include "math/sparse.h"

namespace sinew {
inline namespace SINEW_ISA {

// Where the rows of a matrix stand.
struct RowPattern {
  int n;
  const int *rownnz, *rowadr, *colind;
  int begin = 0;  // of the rows [begin, n), which have no columns before, the matrix consists

  int Diagonal(int i) const { return rowadr[i] + rownnz[i] - 1; }
  int FirstEntry() const { return rowadr[begin]; }
  int EndOfEntries() const { return Diagonal(n - 1) + 1; }
  const int* Columns(int i) const { return colind + rowadr[i]; }
};

// y_j -= s_0 x_0j, then s_1 x_1j, ... for j < n. Rows of a tree are short: blocks of four numbers, two, and one.
template <int N, class S>
void SubtractScaled(S* __restrict y, const S* const (&x)[N], const S (&s)[N], int n) {
  const auto one = [&](int j) {
    S entry = y[j];
    for (int r = 0; r < N; ++r) entry -= s[r] * x[r][j];
    y[j] = entry;
  };
  if constexpr (!std::is_same_v<S, double>) {
    for (int j = 0; j < n; ++j) one(j);
  } else {
    Four scale[N];
    for (int r = 0; r < N; ++r) scale[r] = InAllLanes(s[r]);
    int j = 0;
    for (; j + 4 <= n; j += 4) {
      Four entries = LoadFour(y + j);
      for (int r = 0; r < N; ++r) entries -= scale[r] * LoadFour(x[r] + j);
      StoreFour(entries, y + j);
    }
    if (j + 2 <= n) {
      block::Two entries = block::LoadTwo(y + j);
      for (int r = 0; r < N; ++r) entries -= block::Low(scale[r]) * block::LoadTwo(x[r] + j);
      block::StoreTwo(entries, y + j);
      j += 2;
    }
    if (j < n) one(j);
  }
}

// Eliminates dofs k, k - 1, ... k - N + 1, each the parent of the one before, from the rows of their common ancestors:
//   A_ij -= A_ki A_kj / D_k,   L_kj = A_kj / D_k      for ancestors i >= j of k
// Several at once read and write the rows of ancestors once only. The order of subtractions does not depend on N.
template <int N, class S>
void EliminateChain(S* __restrict mat, const RowPattern& pattern, int k, const S* inverse) {
  S* row[N];
  const S* read[N];
  for (int r = 0; r < N; ++r) read[r] = row[r] = mat + pattern.rowadr[k - r];
  const int* column = pattern.Columns(k);
  for (int a = pattern.rownnz[k - N + 1] - 2; a >= 0; --a) {
    S scale[N];
    for (int r = 0; r < N; ++r) scale[r] = row[r][a] * inverse[r];
    SubtractScaled<N>(mat + pattern.rowadr[column[a]], read, scale, a + 1);
    for (int r = 0; r < N; ++r) row[r][a] = scale[r];
  }
}

// Eliminates dof k from the row of its parent alone.
template <class S>
void EliminateFromParent(S* __restrict mat, const RowPattern& pattern, int k, int parent, S inverse) {
  S* row = mat + pattern.rowadr[k];
  const int a = pattern.rownnz[parent] - 1;
  const S* const read[1] = {row};
  const S scale[1] = {row[a] * inverse};
  SubtractScaled<1>(mat + pattern.rowadr[parent], read, scale, a + 1);
  row[a] = scale[0];
}

// Number of dofs, at most 4, from k upwards of which each is the parent of the one before and directly before it.
inline int ChainLength(const RowPattern& pattern, int k) {
  int length = 1;
  while (length < 4 && pattern.rownnz[k - length + 1] > 1 &&
         pattern.Columns(k)[pattern.rownnz[k] - 1 - length] == k - length) {
    ++length;
  }
  return length;
}

// Dof k and those before it that have no ancestors and whose entries are neighbours, all at once. Returns the dof
// before them.
template <class S>
int InvertDiagonals(const S* mat, S* __restrict diaginv, const RowPattern& pattern, int k) {
  int first = k;
  while (first > pattern.begin && pattern.rownnz[first - 1] == 1 &&
         pattern.rowadr[first - 1] == pattern.rowadr[first] - 1)
    --first;
  const S* diagonal = mat + pattern.rowadr[first];
  for (int i = 0; i <= k - first; ++i) diaginv[first + i] = S(1) / diagonal[i];
  return first - 1;
}

template <class S>
void FactorLDL(S* mat, S* diaginv, const RowPattern& pattern) {
  for (int k = pattern.n - 1; k >= pattern.begin;) {
    if (pattern.rownnz[k] == 1) {
      k = InvertDiagonals(mat, diaginv, pattern, k);
      continue;
    }

    // a chain of dofs: each from those above it in the chain
    const int length = ChainLength(pattern, k);
    S inverse[4];
    for (int r = 0; r < length; ++r) {
      inverse[r] = S(1) / mat[pattern.Diagonal(k - r)];
      diaginv[k - r] = inverse[r];
      for (int above = r + 1; above < length; ++above) EliminateFromParent(mat, pattern, k - r, k - above, inverse[r]);
    }

    // then all of them from their common ancestors
    switch (length) {
      case 1:
        EliminateChain<1>(mat, pattern, k, inverse);
        break;
      case 2:
        EliminateChain<2>(mat, pattern, k, inverse);
        break;
      case 3:
        EliminateChain<3>(mat, pattern, k, inverse);
        break;
      default:
        EliminateChain<4>(mat, pattern, k, inverse);
        break;
    }
    k -= length;
  }
}

// The same for one world, compiled for several instruction sets (ldl.cc).
void FactorLDL(double* mat, double* diaginv, const RowPattern& pattern);

// Hands the shares of dofs k, k - 1, ... k - N + 1, each the parent of the one before, to their common ancestors:
//   x_j -= L_kj x_k
// Several at once read and write x_j once only. The order of subtractions does not depend on N.
template <int N, class S>
void HandUp(S* x, const S* ld, const RowPattern& pattern, int k) {
  // within the chain
  const S* row[N];
  S share[N];
  for (int r = 0; r < N; ++r) {
    row[r] = ld + pattern.rowadr[k - r];
    share[r] = x[k - r];
    for (int above = r + 1; above < N; ++above) x[k - above] -= row[r][pattern.rownnz[k - above] - 1] * share[r];
  }

  const int* column = pattern.Columns(k);
  const int ancestors = pattern.rownnz[k - N + 1] - 1;
  if (ancestors > 3 && column[ancestors - 1] - column[0] == ancestors - 1) {
    return SubtractScaled<N>(x + column[0], row, share, ancestors);
  }
  for (int a = 0; a < ancestors; ++a) {
    S entry = x[column[a]];
    for (int r = 0; r < N; ++r) entry -= row[r][a] * share[r];
    x[column[a]] = entry;
  }
}

// x <- L^-T x: from the leaves, each dof hands its share to its ancestors
template <class S>
void SolveTransposed(S* x, const S* ld, const RowPattern& pattern) {
  for (int k = pattern.n - 1; k >= pattern.begin;) {
    if (pattern.rownnz[k] == 1) {
      --k;
      continue;
    }
    const int length = ChainLength(pattern, k);
    switch (length) {
      case 1:
        HandUp<1>(x, ld, pattern, k);
        break;
      case 2:
        HandUp<2>(x, ld, pattern, k);
        break;
      case 3:
        HandUp<3>(x, ld, pattern, k);
        break;
      default:
        HandUp<4>(x, ld, pattern, k);
        break;
    }
    k -= length;
  }
}

// x <- L^-1 x: from the roots
template <class S>
void SolveLower(S* x, const S* ld, const RowPattern& pattern) {
  for (int k = pattern.begin; k < pattern.n; ++k) {
    const S* row = ld + pattern.rowadr[k];
    const int* column = pattern.Columns(k);
    const int ancestors = pattern.rownnz[k] - 1;
    if (ancestors > 0) x[k] -= SparseDot(row, column, ancestors, x);
  }
}

// x <- A^-1 x = L^-1 D^-1 L^-T x
template <class S>
void SolveLDL(S* x, const S* ld, const S* diaginv, const RowPattern& pattern) {
  SolveTransposed(x, ld, pattern);
  for (int k = pattern.begin; k < pattern.n; ++k) x[k] *= diaginv[k];
  SolveLower(x, ld, pattern);
}

// result = A vector, for the symmetric matrix of which these are the lower rows
template <class S>
void MulSymmetric(S* result, const S* mat, const S* vector, const RowPattern& pattern) {
  for (int i = 0; i < pattern.n; ++i) {
    const S* row = mat + pattern.rowadr[i];
    const int* column = pattern.Columns(i);
    const int ancestors = pattern.rownnz[i] - 1;
    const S own = vector[i];
    S sum = row[ancestors] * own;
    for (int a = 0; a < ancestors; ++a) {
      sum += row[a] * vector[column[a]];
      result[column[a]] += row[a] * own;
    }
    result[i] = sum;
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_INERTIA_LDL_KERNEL_H_
