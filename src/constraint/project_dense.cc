// With M = L'D L:   Y = J L^-1 D^-1/2,   J M^-1 J' = Y Y'.
//
// Rows of Y are made four at a time, one in each lane, and multiplied one with four. They have zeros outside the trees
// that their constraint touches: only the columns between the first and the last nonzero are used.
#include "constraint/project_dense.h"

#include <algorithm>

#include "core/stack.h"
#include "inertia/inertia.h"
#include "math/dense.h"
#include "simd/isa.h"
#include "simd/pack.h"

namespace sinew::inline constraint {
namespace {

constexpr int kRows = 4;
using Four = Pack<double, kRows>;

// Rows of Y, kRows after another as one group. Rows behind the last one are zero.
struct ScaledRows {
  int nrow, ncol;
  ptrdiff_t stride;  // a multiple of kRows, padded with zeros
  double* value;
  int *begin, *end;  // columns of each group that may be nonzero, multiples of kRows

  double* Row(int i) const { return value + i * stride; }
};

int RoundUp(int n) { return (n + kRows - 1) / kRows * kRows; }

ScaledRows AllocateRows(int nrow, int ncol, StackFrame& frame) {
  ScaledRows Y{nrow, ncol, RoundUp(ncol), nullptr, nullptr, nullptr};
  Y.value = frame.Doubles(RoundUp(nrow) * Y.stride);
  Y.begin = frame.Ints(RoundUp(nrow) / kRows);
  Y.end = frame.Ints(RoundUp(nrow) / kRows);
  return Y;
}

// w <- L^-T w for the columns before `end`, whose ancestors stand before them; returns the first that is not zero. Each
// column of w has kRows numbers.
int SolveTransposedRows(const mjModel* m, const double* qLD, int end, double* w) {
  int first = end;
  for (int dof = end - 1; dof >= 0; --dof) {
    const Four own = LoadFour(w + kRows * dof);
    if (!Any(own != Four(0.0))) continue;
    first = dof;
    const int* ancestor = m->M_colind + m->M_rowadr[dof];
    const double* row = qLD + m->M_rowadr[dof];
    for (int k = 0; k < m->M_rownnz[dof] - 1; ++k) {
      double* above = w + kRows * ancestor[k];
      StoreFour(LoadFour(above) - Four(row[k]) * own, above);
    }
  }
  return first;
}

// One group of rows of Y. `w`: scratch, kRows numbers for each dof.
SINEW_DISPATCH void FillGroup(const mjModel* m, const mjData* d, const double* scale, int group, const ScaledRows& Y,
                              double* w) {
  const int first_row = group * kRows, count = std::min(kRows, Y.nrow - first_row);
  const double* J = d->efc_J + static_cast<ptrdiff_t>(first_row) * Y.ncol;
  int end = 0;
  for (int c = 0; c < Y.ncol; ++c) {
    bool any = false;
    for (int r = 0; r < kRows; ++r) {
      w[kRows * c + r] = r < count ? J[r * Y.ncol + c] : 0;
      any |= w[kRows * c + r] != 0;
    }
    if (any) end = c + 1;
  }
  const int begin = SolveTransposedRows(m, MetricOf(m, d).LD, end, w);

  Y.begin[group] = begin / kRows * kRows;
  Y.end[group] = RoundUp(end);
  for (int r = 0; r < kRows; ++r) {
    double* row = Y.Row(first_row + r);
    for (int c = Y.begin[group]; c < Y.end[group]; ++c) row[c] = c < end ? w[kRows * c + r] * scale[c] : 0;
  }
}

// Products of a row with the rows of a group, over the columns that both may have.
SINEW_DISPATCH void MultiplyGroup(const ScaledRows& Y, int row, int group, double* product) {
  const int begin = std::max(Y.begin[row / kRows], Y.begin[group]), end = std::min(Y.end[row / kRows], Y.end[group]);
  const double* a = Y.Row(row);
  const double* b = Y.Row(group * kRows);
  Four sum[kRows] = {Four(0.0), Four(0.0), Four(0.0), Four(0.0)};
  for (int c = begin; c < end; c += kRows) {
    const Four x = LoadFour(a + c);
    for (int r = 0; r < kRows; ++r) sum[r] += x * LoadFour(b + r * Y.stride + c);
  }
  for (int r = 0; r < kRows; ++r) product[r] = (sum[r][0] + sum[r][1]) + (sum[r][2] + sum[r][3]);
}

}  // namespace

bool ProjectDense(const mjModel* m, mjData* d, double* AR) {
  StackFrame frame(d, WhenFull::kReport);
  const int n = d->nefc, nv = static_cast<int>(m->nv);
  const ScaledRows Y = AllocateRows(n, nv, frame);
  double* scale = frame.Doubles(nv);
  double* work = frame.Doubles(kRows * static_cast<ptrdiff_t>(nv));
  if (frame.full()) return false;
  const mjtNum* inverse = MetricOf(m, d).LDiagInv;
  for (int i = 0; i < nv; ++i) scale[i] = Sqrt(inverse[i]);
  for (int group = 0; group < RoundUp(n) / kRows; ++group) FillGroup(m, d, scale, group, Y, work);

  for (int i = 0; i < n; ++i) {
    for (int group = 0; group <= i / kRows; ++group) {
      double product[kRows];
      MultiplyGroup(Y, i, group, product);
      for (int r = 0; r < kRows && group * kRows + r <= i; ++r) {
        const ptrdiff_t j = group * kRows + r;
        AR[i * static_cast<ptrdiff_t>(n) + j] = AR[j * n + i] = product[r];
      }
    }
    AR[i * static_cast<ptrdiff_t>(n) + i] += d->efc_R[i];
  }
  return true;
}

}  // namespace sinew::inline constraint
