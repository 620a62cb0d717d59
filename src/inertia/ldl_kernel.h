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

#include "math/columns.h"
#include "math/sparse.h"
#include "simd/unroll.h"

namespace sinew::inline inertia {
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
  // Whether the matrix, which is symmetric, couples two rows.
  bool Couples(int i, int k) const {
    const int row = i > k ? i : k, column = i > k ? k : i;
    bool any = false;
    for (int a = 0; a < rownnz[row]; ++a) any |= Columns(row)[a] == column;
    return any;
  }
  bool IsDiagonal() const { return n > begin && EndOfEntries() - FirstEntry() == n - begin; }
};

// y_j -= s_0 x_0j, then s_1 x_1j, ... for j < n
template <int N, class S>
void SubtractScaled(S* __restrict y, const S* const (&x)[N], const S (&s)[N], int n) {
  ForColumns<S>(n, [&](const auto& at) {
    auto entries = at.Load(y);
    for (int r = 0; r < N; ++r) entries -= at.InAll(s[r]) * at.Load(x[r]);
    at.Store(entries, y);
  });
}

// Dofs k, k - 1, ... k - N + 1, each the parent of the one before, and their common ancestors. Row r is that of dof
// k - r. Its last N - r entries, of a triangle, belong to the chain itself: entry (r, s) to dof k - s.
template <int N, class Entries>
struct Chain {
  Entries* row[N];
  const int* ancestor;
  int ancestors;

  Chain(Entries* mat, const RowPattern& pattern, int k)
      : ancestor(pattern.Columns(k)), ancestors(pattern.rownnz[k - N + 1] - 1) {
    for (int r = 0; r < N; ++r) row[r] = mat + pattern.rowadr[k - r];
  }
  Entries& At(int r, int s) const { return row[r][ancestors + N - 1 - s]; }
};

// 1 / D_k of a matrix A, given that of a matrix B that is smaller: A - B has no negative eigenvalue. So no pivot of A
// is smaller than that of B in the same order, but for rounding: where entries of A are 1e15 times as large,
// differences of them leave anything, and the pivot of B is all that is known.
template <class S>
S BoundedInverse(S inverse, S of_smaller) {
  return Select((inverse > S(0)) & (inverse <= S(2) * of_smaller), inverse, of_smaller);
}

// Eliminates the dofs of a chain:  L_kj = A_kj / D_k,   A_ij -= L_ki A_kj   for ancestors i >= j of k. All at once read
// and write the rows of ancestors once only; the order of subtractions does not depend on N. `of_smaller`: as FactorLDL
// has it.
template <int N, class S>
void EliminateChain(S* __restrict mat, S* __restrict diaginv, const RowPattern& pattern, int k, const S* of_smaller) {
  const Chain<N, S> chain(mat, pattern, k);

  // the triangle: each pivot waits for the one before
  S entry[N][N], factor[N][N], inverse[N];
  Unroll<0, N>([&](auto r) { Unroll<r, N>([&](auto s) { entry[r][s] = chain.At(r, s); }); });
  Unroll<0, N>([&](auto r) {
    inverse[r] = S(1) / entry[r][r];
    if (of_smaller) inverse[r] = BoundedInverse(inverse[r], of_smaller[k - r]);
    diaginv[k - r] = inverse[r];
    Unroll<r + 1, N>([&](auto s) {
      factor[r][s] = entry[r][s] * inverse[r];
      Unroll<s, N>([&](auto t) { entry[s][t] -= factor[r][s] * entry[r][t]; });
      chain.At(r, s) = factor[r][s];
    });
    chain.At(r, r) = entry[r][r];
  });

  // the rest of the chain's own rows
  if constexpr (N > 1) {
    ForColumns<S>(chain.ancestors, [&](const auto& at) {
      decltype(at.Load(mat)) entries[N];
      Unroll<0, N>([&](auto s) {
        entries[s] = at.Load(chain.row[s]);
        Unroll<0, s>([&](auto r) { entries[s] -= at.InAll(factor[r][s]) * entries[r]; });
        if constexpr (s > 0) at.Store(entries[s], chain.row[s]);
      });
    });
  }

  // and those of its ancestors
  const S* read[N];
  for (int r = 0; r < N; ++r) read[r] = chain.row[r];
  for (int a = chain.ancestors - 1; a >= 0; --a) {
    S scale[N];
    for (int r = 0; r < N; ++r) scale[r] = read[r][a] * inverse[r];
    SubtractScaled<N>(mat + pattern.rowadr[chain.ancestor[a]], read, scale, a + 1);
    for (int r = 0; r < N; ++r) chain.row[r][a] = scale[r];
  }
}

inline constexpr int kMaxChain = 4;  // dofs that are treated together

// Number of dofs, at most kMaxChain, from k upwards of which each is the parent of the one before and directly before
// it.
inline int ChainLength(const RowPattern& pattern, int k) {
  int length = 1;
  while (length < kMaxChain && pattern.rownnz[k - length + 1] > 1 &&
         pattern.Columns(k)[pattern.rownnz[k] - 1 - length] == k - length) {
    ++length;
  }
  return length;
}

// The same from dof k downwards, each the parent of the next.
inline int LengthOfChainFrom(const RowPattern& pattern, int k) {
  int length = 1;
  while (length < kMaxChain && k + length < pattern.n) {
    const int next = k + length, ancestors = pattern.rownnz[next] - 1;
    if (ancestors == 0 || pattern.Columns(next)[ancestors - 1] != next - 1) break;
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

// `of_smaller`: null, or 1 / D of a matrix that is smaller (BoundedInverse).
template <class S>
void FactorLDL(S* mat, S* diaginv, const RowPattern& pattern, const S* of_smaller = nullptr) {
  for (int k = pattern.n - 1; k >= pattern.begin;) {
    if (pattern.rownnz[k] == 1) {
      k = InvertDiagonals(mat, diaginv, pattern, k);
      continue;
    }

    const int length = ChainLength(pattern, k);
    WithCount<kMaxChain>(length, [&](auto count) { EliminateChain<count>(mat, diaginv, pattern, k, of_smaller); });
    k -= length;
  }
}

// The same for one world, compiled for several instruction sets (ldl.cc).
void FactorLDL(double* mat, double* diaginv, const RowPattern& pattern);

// Hands the shares of the dofs of a chain to their ancestors:  x_j -= L_kj x_k. The order of subtractions does not
// depend on N.
template <int N, class S>
void BackSubstitute(S* __restrict x, const S* __restrict ld, const RowPattern& pattern, int k) {
  const Chain<N, const S> chain(ld, pattern, k);
  S share[N];
  Unroll<0, N>([&](auto s) {
    share[s] = x[k - s];
    Unroll<0, s>([&](auto r) { share[s] -= chain.At(r, s) * share[r]; });
    if constexpr (s > 0) x[k - s] = share[s];
  });

  const int* ancestor = chain.ancestor;
  const int count = chain.ancestors;
  if (count > 3 && ancestor[count - 1] - ancestor[0] == count - 1) {
    return SubtractScaled<N>(x + ancestor[0], chain.row, share, count);
  }
  for (int a = 0; a < count; ++a) {
    S entry = x[ancestor[a]];
    for (int r = 0; r < N; ++r) entry -= chain.row[r][a] * share[r];
    x[ancestor[a]] = entry;
  }
}

// x <- L^-T x: from the leaves, each dof hands its share to its ancestors
template <class S>
void SolveTransposed(S* x, const S* ld, const RowPattern& pattern) {
  if (pattern.IsDiagonal()) return;
  for (int k = pattern.n - 1; k >= pattern.begin;) {
    if (pattern.rownnz[k] == 1) {  // no ancestors
      --k;
      continue;
    }
    const int length = ChainLength(pattern, k);
    WithCount<kMaxChain>(length, [&](auto count) { BackSubstitute<count>(x, ld, pattern, k); });
    k -= length;
  }
}

// x <- L^-1 x: from the roots, each dof takes the shares of its ancestors from its own
template <class S>
void SolveLower(S* x, const S* ld, const RowPattern& pattern) {
  if (pattern.IsDiagonal()) return;
  for (int i = pattern.begin; i < pattern.n; ++i) {
    const int ancestors = pattern.rownnz[i] - 1;
    if (ancestors > 0) x[i] -= SparseDot(ld + pattern.rowadr[i], pattern.Columns(i), ancestors, x);
  }
}

// x <- A^-1 x = L^-1 D^-1 L^-T x
template <class S>
void SolveLDL(S* x, const S* ld, const S* diaginv, const RowPattern& pattern) {
  SolveTransposed(x, ld, pattern);
  for (int k = pattern.begin; k < pattern.n; ++k) x[k] *= diaginv[k];
  SolveLower(x, ld, pattern);
}

// result = A vector, for the symmetric matrix of which these are the lower rows, from the diagonal to the left
template <class S>
void MulSymmetric(S* result, const S* mat, const S* vector, const RowPattern& pattern) {
  for (int i = 0; i < pattern.n; ++i) {
    const S* row = mat + pattern.rowadr[i];
    const int* column = pattern.Columns(i);
    const int ancestors = pattern.rownnz[i] - 1;
    const S own = vector[i];
    S sum = row[ancestors] * own;
    for (int a = ancestors - 1; a >= 0; --a) {
      sum += row[a] * vector[column[a]];
      result[column[a]] += row[a] * own;
    }
    result[i] = sum;
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline inertia

#endif  // SINEW_INERTIA_LDL_KERNEL_H_
