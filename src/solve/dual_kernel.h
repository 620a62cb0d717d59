// The dual problem of rows whose forces have bounds (solve/pgs_kernel.h), made in lanes from their Jacobian: the same
// sums in the same order as constraint/project_dense.cc and DualProblem (solve/dual_problem.h) have for one world.
//
//   A = Y Y' + R,   Y = J L^-1 D^-1/2,   M = L'D L
#ifndef SINEW_SOLVE_DUAL_KERNEL_H_
#define SINEW_SOLVE_DUAL_KERNEL_H_

#include "inertia/ldl_kernel.h"
#include "simd/functions.h"
#include "simd/unroll.h"
#include "solve/pgs_kernel.h"

namespace sinew::inline solve {
inline namespace SINEW_ISA {

// Each lane has rows of its own, the first of `count`; others are zero.
template <class S>
struct DualRows {
  int count, nv;
  S* Y;                  // count x nv; at first J
  const S* R;            // count
  const S* b;            // count
  S* columns;            // nv: scratch
  S* in_fours;           // count: scratch
  const S* whole_fours;  // one: how many rows a lane has, down to a multiple of four
  const S* island;       // count: of each row, below islands (dual_rows.h)
  int islands;
  S *A, *diagonal, *inverse, *force, *residual;
};

inline constexpr int kMaxDualRows = 64, kMaxDualDofs = 64;

inline constexpr int kDualGroup = 4;  // rows of Y that are made together

// Columns of a group of rows that are not zero in every lane.
struct RowRange {
  int begin, end;
};

// Of each dof those below it in the tree, the last one first, and where L has them: row by row, L^-T then needs no
// stores but the results.
class DofsBelow {
 public:
  explicit DofsBelow(const RowPattern& pattern) {
    const int n = pattern.n;
    for (int i = 0; i <= n; ++i) first_[i] = 0;
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < pattern.rownnz[i] - 1; ++k) ++first_[pattern.Columns(i)[k] + 1];
    }
    for (int i = 0; i < n; ++i) first_[i + 1] += first_[i];
    int next[kMaxDualDofs];
    for (int i = 0; i < n; ++i) next[i] = first_[i];
    for (int i = n - 1; i >= 0; --i) {
      for (int k = 0; k < pattern.rownnz[i] - 1; ++k) {
        entry_[next[pattern.Columns(i)[k]]++] = {i, pattern.rowadr[i] + k};
      }
    }
  }

  // Calls use(dof, address in L).
  template <class Use>
  void ForEach(int dof, const Use& use) const {
    for (int k = first_[dof]; k < first_[dof + 1]; ++k) use(entry_[k].dof, entry_[k].address);
  }

 private:
  struct Entry {
    int dof, address;
  };
  int first_[kMaxDualDofs + 1];
  Entry entry_[kMaxDualDofs * (kMaxDualDofs - 1) / 2];
};

// y <- D^-1/2 L^-T y for a group of rows
template <class S>
RowRange ScaleDualRows(const DofsBelow& below, const S* LD, const S* scale, int nv, S* y) {
  RowRange range = {nv, 0};
  S* row[kDualGroup];
  for (int r = 0; r < kDualGroup; ++r) row[r] = y + r * nv;
  for (int dof = nv - 1; dof >= 0; --dof) {
    S sum[kDualGroup];
    Unroll<0, kDualGroup>([&](auto r) { sum[r] = row[r][dof]; });
    below.ForEach(dof, [&](int other, int address) {
      const S factor = LD[address];
      Unroll<0, kDualGroup>([&](auto r) { sum[r] -= factor * row[r][other]; });
    });
    MaskOf<S> any = sum[0] != S(0);
    Unroll<1, kDualGroup>([&](auto r) { any = any | (sum[r] != S(0)); });
    Unroll<0, kDualGroup>([&](auto r) { row[r][dof] = sum[r]; });
    if (!Any(any)) continue;
    range.begin = dof;
    if (range.end == 0) range.end = dof + 1;
  }
  for (int c = range.begin; c < range.end; ++c) {
    Unroll<0, kDualGroup>([&](auto r) { row[r][c] = row[r][c] * scale[c]; });
  }
  return range;
}

// Every fourth column is summed by itself, then (s0 + s1) + (s2 + s3).
template <class S>
S ProductOfDualRows(const S* a, const S* b, int begin, int end) {
  S sum[4] = {S(0), S(0), S(0), S(0)};
  int c = begin / 4 * 4;
  for (; c + 4 <= end; c += 4) {
    for (int k = 0; k < 4; ++k) sum[k] += a[c + k] * b[c + k];
  }
  for (int k = 0; c + k < end; ++k) sum[k] += a[c + k] * b[c + k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// `LD`, `diaginv`: of M.
template <class S>
void MakeDualMatrix(const DualRows<S>& p, const RowPattern& pattern, const S* LD, const S* diaginv) {
  const DofsBelow below(pattern);
  RowRange range[(kMaxDualRows + kDualGroup - 1) / kDualGroup];
  for (int i = 0; i < p.nv; ++i) p.columns[i] = Sqrt(diaginv[i]);
  for (int i = 0; i < p.count; i += kDualGroup) {
    range[i / kDualGroup] = ScaleDualRows(below, LD, p.columns, p.nv, p.Y + i * p.nv);
  }
  for (int i = 0; i < p.count; ++i) {
    const RowRange& a = range[i / kDualGroup];
    for (int j = 0; j <= i; ++j) {
      const RowRange& b = range[j / kDualGroup];
      const int begin = a.begin > b.begin ? a.begin : b.begin, end = a.end < b.end ? a.end : b.end;
      const S product = ProductOfDualRows(p.Y + i * p.nv, p.Y + j * p.nv, begin, end);
      p.A[i * p.count + j] = p.A[j * p.count + i] = product;
    }
    p.A[i * p.count + i] += p.R[i];
  }
}

// residual = b + A f. Of the rows of a lane, each of four neighbours is summed by itself, then (s0 + s2) + (s1 + s3),
// and those that are no four behind that (math/dense.h).
template <class S>
void MakeDualResidual(const DualRows<S>& p) {
  using Number = typename LaneTraits<S>::Lane;
  const auto is_in_fours = [&](int j) { return S(static_cast<Number>(j)) < *p.whole_fours; };
  bool pushes[kMaxDualRows], has_tail[kMaxDualRows];
  for (int j = 0; j < p.count; ++j) {
    p.in_fours[j] = Select(is_in_fours(j), p.force[j], S(0));
    pushes[j] = Any(p.force[j] != S(0));
    has_tail[j] = !All(is_in_fours(j));
  }
  for (int i = 0; i < p.count; ++i) {
    const S* row = p.A + i * p.count;
    S sum[4] = {S(0), S(0), S(0), S(0)}, tail(0);
    for (int j = 0; j < p.count; ++j) {
      if (!pushes[j]) continue;
      sum[j % 4] += row[j] * p.in_fours[j];
      if (has_tail[j]) tail += row[j] * Select(is_in_fours(j), S(0), p.force[j]);
    }
    p.residual[i] = p.b[i] + (((sum[0] + sum[2]) + (sum[1] + sum[3])) + tail);
  }
}

// No forces at all in islands where these cost less.
template <class S>
void StartDual(const DualRows<S>& p) {
  using Number = typename LaneTraits<S>::Lane;
  for (int island = 0; island < p.islands; ++island) {
    const S number(static_cast<Number>(island));
    S cost(0);
    for (int i = 0; i < p.count; ++i) {
      cost += Select(p.island[i] == number, S(0.5) * p.force[i] * (p.residual[i] + p.b[i]), S(0));
    }
    const MaskOf<S> dear = !(cost <= S(0));
    if (!Any(dear)) continue;
    for (int i = 0; i < p.count; ++i) {
      const MaskOf<S> clears = dear & (p.island[i] == number);
      p.force[i] = Select(clears, S(0), p.force[i]);
      p.residual[i] = Select(clears, p.b[i], p.residual[i]);
    }
  }
  for (int i = 0; i < p.count; ++i) {
    p.diagonal[i] = p.A[i * p.count + i];
    p.inverse[i] = Select(p.diagonal[i] != S(0), S(1) / p.diagonal[i], S(0));
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_DUAL_KERNEL_H_
