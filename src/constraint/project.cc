#include "constraint/project.h"

#include <algorithm>

#include "constraint/arena_fields.h"
#include "constraint/jacobian_product.h"
#include "core/stack.h"
#include "math/dense.h"
#include "simd/pack.h"

namespace sinew {
namespace {

constexpr ArenaRange kDualFields = ArenaFields(offsetof(mjData, efc_AR_rownnz), offsetof(mjData, efc_AR));

// Y = J L^-1 D^-1/2 with M = L'DL, so that Y Y' = J M^-1 J'. Compressed rows; a row reaches from its own dofs to their
// ancestors in the pattern of M.
struct ScaledRows {
  int *rownnz, *rowadr, *colind;
  double* value;
};

// Marks the columns of row `row` in Y and returns their number. `mark` is nv wide and must be zero; so it is cleared by
// the caller.
int MarkRow(const mjModel* m, const JacobianRows& rows, int row, char* mark) {
  const int nv = rows.ncol;
  if (rows.rownnz) {
    for (int c = 0; c < rows.rownnz[row]; ++c) mark[rows.colind[rows.rowadr[row] + c]] = 1;
  } else {
    for (int c = 0; c < nv; ++c) mark[c] = rows.J[static_cast<ptrdiff_t>(row) * nv + c] != 0;
  }
  int count = 0;
  for (int dof = nv - 1; dof >= 0; --dof) {
    if (!mark[dof]) continue;
    ++count;
    for (int k = 0; k < m->M_rownnz[dof]; ++k) mark[m->M_colind[m->M_rowadr[dof] + k]] = 1;
  }
  return count;
}

// work = row of J, dense
void ScatterRow(const JacobianRows& rows, int row, double* work) {
  if (!rows.rownnz) {
    Copy(work, rows.J + static_cast<ptrdiff_t>(row) * rows.ncol, rows.ncol);
    return;
  }
  Zero(work, rows.ncol);
  const int adr = rows.rowadr[row];
  for (int c = 0; c < rows.rownnz[row]; ++c) work[rows.colind[adr + c]] = rows.J[adr + c];
}

// work := D^-1/2 L^-T work on the given columns, which are closed under taking ancestors
void HalfSolve(const mjModel* m, const mjData* d, const int* colind, int count, double* work) {
  for (int c = count - 1; c >= 0; --c) {
    const int dof = colind[c], adr = m->M_rowadr[dof];
    for (int k = 0; k < m->M_rownnz[dof] - 1; ++k) work[m->M_colind[adr + k]] -= d->qLD[adr + k] * work[dof];
  }
  for (int c = 0; c < count; ++c) work[colind[c]] *= Sqrt(d->qLDiagInv[colind[c]]);
}

ScaledRows MakeScaledRows(const mjModel* m, mjData* d, StackFrame& frame) {
  const JacobianRows rows = AllRows(m, d);
  const int nv = rows.ncol;
  ScaledRows Y;
  Y.rownnz = frame.Ints(d->nefc);
  Y.rowadr = frame.Ints(d->nefc);
  char* mark = frame.Alloc<char>(nv);
  double* work = frame.Doubles(nv);

  int total = 0;
  for (int row = 0; row < d->nefc; ++row) {
    std::fill_n(mark, nv, 0);
    Y.rowadr[row] = total;
    total += Y.rownnz[row] = MarkRow(m, rows, row, mark);
  }

  Y.colind = frame.Ints(total);
  Y.value = frame.Doubles(total);
  for (int row = 0; row < d->nefc; ++row) {
    std::fill_n(mark, nv, 0);
    MarkRow(m, rows, row, mark);
    int* colind = Y.colind + Y.rowadr[row];
    for (int dof = 0; dof < nv; ++dof) {
      if (mark[dof]) *colind++ = dof;
    }
    colind = Y.colind + Y.rowadr[row];
    ScatterRow(rows, row, work);
    HalfSolve(m, d, colind, Y.rownnz[row], work);
    for (int c = 0; c < Y.rownnz[row]; ++c) Y.value[Y.rowadr[row] + c] = work[colind[c]];
  }
  return Y;
}

// Calls body(i, j, sum) for all rows j <= i of Y that share a column, with their product, by ascending i, then j.
template <class Body>
void ForEachProduct(const ScaledRows& Y, int nrow, int nv, StackFrame& frame, const Body& body) {
  int* owner = frame.Ints(nv);
  double* work = frame.Doubles(nv);
  std::fill_n(owner, nv, -1);
  for (int i = 0; i < nrow; ++i) {
    for (int c = Y.rowadr[i]; c < Y.rowadr[i] + Y.rownnz[i]; ++c) {
      owner[Y.colind[c]] = i;
      work[Y.colind[c]] = Y.value[c];
    }
    for (int j = 0; j <= i; ++j) {
      bool share = false;
      double sum = 0;
      for (int c = Y.rowadr[j]; c < Y.rowadr[j] + Y.rownnz[j]; ++c) {
        if (owner[Y.colind[c]] != i) continue;
        share = true;
        sum += Y.value[c] * work[Y.colind[c]];
      }
      if (share) body(i, j, sum);
    }
  }
}

void FillDense(const ScaledRows& Y, int nv, mjData* d, StackFrame& frame) {
  Zero(d->efc_AR, d->nA);
  const ptrdiff_t n = d->nefc;
  ForEachProduct(Y, d->nefc, nv, frame,
                 [&](int i, int j, double sum) { d->efc_AR[i * n + j] = d->efc_AR[j * n + i] = sum; });
  for (int i = 0; i < n; ++i) d->efc_AR[i * n + i] += d->efc_R[i];
}

// Products come by ascending row, so that appending them to both of their rows keeps columns ascending.
void FillSparse(const ScaledRows& Y, int nv, const int* rownnz, mjData* d, StackFrame& frame) {
  int address = 0;
  for (int i = 0; i < d->nefc; ++i) {
    d->efc_AR_rowadr[i] = address;
    d->efc_AR_rownnz[i] = 0;
    address += rownnz[i];
  }
  const auto append = [&](int row, int col, double value) {
    const int place = d->efc_AR_rowadr[row] + d->efc_AR_rownnz[row]++;
    d->efc_AR_colind[place] = col;
    d->efc_AR[place] = value;
  };
  ForEachProduct(Y, d->nefc, nv, frame, [&](int i, int j, double sum) {
    append(i, j, i == j ? sum + d->efc_R[i] : sum);
    if (j < i) append(j, i, sum);
  });
}

}  // namespace

void ProjectConstraint(const mjModel* m, mjData* d) {
  d->nA = 0;
  if (d->nefc == 0 || !IsDual(m)) return;
  StackFrame frame(d);
  const int nv = static_cast<int>(m->nv), nefc = d->nefc;
  const bool sparse = IsSparse(m);
  const ScaledRows Y = MakeScaledRows(m, d, frame);

  // entries of each row
  int* rownnz = frame.Ints(nefc);
  std::fill_n(rownnz, nefc, sparse ? 0 : nefc);
  if (sparse) {
    ForEachProduct(Y, nefc, nv, frame, [&](int i, int j, double) {
      ++rownnz[i];
      if (j < i) ++rownnz[j];
    });
  }
  for (int i = 0; i < nefc; ++i) d->nA += rownnz[i];

  if (!TakeArenaFields(m, d, kDualFields)) {
    GiveUpRows(d);
    return;
  }
  if (sparse) {
    FillSparse(Y, nv, rownnz, d, frame);
  } else {
    FillDense(Y, nv, d, frame);
  }
}

}  // namespace sinew
