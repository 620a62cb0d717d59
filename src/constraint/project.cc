#include "constraint/project.h"

#include <algorithm>
#include <cstdint>

#include "constraint/arena_fields.h"
#include "constraint/jacobian_product.h"
#include "constraint/project_dense.h"
#include "core/stack.h"
#include "inertia/inertia.h"
#include "math/dense.h"
#include "simd/pack.h"

namespace sinew::inline constraint {
namespace {

constexpr ArenaRange kDualFields = ArenaFields(offsetof(mjData, efc_AR_rownnz), offsetof(mjData, efc_AR));

// ---- columns

// Ascending list of the columns of a row of J and their ancestors in the pattern of M. `mark` (nv) is zero before and
// after.
int ClosedColumns(const mjModel* m, const JacobianRows& J, int row, char* mark, int* list) {
  int count = 0;
  const auto visit = [&](int dof) {
    if (mark[dof]) return;
    const int* ancestors = m->M_colind + m->M_rowadr[dof];
    for (int k = m->M_rownnz[dof] - 1; k >= 0 && !mark[ancestors[k]]; --k) {
      mark[ancestors[k]] = 1;
      list[count++] = ancestors[k];
    }
  };
  for (int c = 0; c < J.rownnz[row]; ++c) visit(J.colind[J.rowadr[row] + c]);
  for (int c = 0; c < count; ++c) mark[list[c]] = 0;
  std::sort(list, list + count);
  return count;
}

// ---- Y = J L^-1 D^-1/2 with M = L'D L, so that Y Y' = J M^-1 J'

// Compressed rows with closed columns; rowsuper as in mjData.
struct ScaledRows {
  int nrow;
  int *rownnz, *rowadr, *rowsuper, *colind;
  double* value;
  uint64_t*
      trees;  // a bit for each tree of the row's columns, modulo 64: rows without a common bit have no common column
};

bool SameColumns(const ScaledRows& Y, int row, const int* list, int count) {
  return Y.rownnz[row] == count && std::equal(list, list + count, Y.colind + Y.rowadr[row]);
}

ScaledRows AllocateRows(const mjModel* m, const JacobianRows& J, StackFrame& frame, char* mark, int* list) {
  ScaledRows Y;
  Y.nrow = J.nrow;
  Y.rownnz = frame.Ints(J.nrow);
  Y.rowadr = frame.Ints(J.nrow);
  Y.rowsuper = frame.Ints(J.nrow);
  Y.trees = frame.Alloc<uint64_t>(J.nrow);
  if (frame.full()) return Y;
  int total = 0;
  for (int row = 0; row < J.nrow; ++row) {
    const bool same = row > 0 && J.rowsuper[row - 1] > 0;
    Y.rownnz[row] = same ? Y.rownnz[row - 1] : ClosedColumns(m, J, row, mark, list);
    Y.rowadr[row] = total;
    total += Y.rownnz[row];
  }
  Y.colind = frame.Ints(total);
  Y.value = frame.Doubles(total);
  return Y;
}

void WriteColumns(const mjModel* m, const JacobianRows& J, char* mark, int* list, const ScaledRows& Y) {
  for (int row = 0; row < J.nrow; ++row) {
    const bool same = row > 0 && J.rowsuper[row - 1] > 0;
    const int count = same ? Y.rownnz[row] : ClosedColumns(m, J, row, mark, list);
    std::copy_n(list, count, Y.colind + Y.rowadr[row]);
    Y.trees[row] = 0;
    for (int c = 0; c < count; ++c) Y.trees[row] |= uint64_t{1} << (m->dof_treeid[list[c]] % 64);
  }
  for (int row = J.nrow - 1; row >= 0; --row) {
    const bool same = row + 1 < J.nrow && SameColumns(Y, row, Y.colind + Y.rowadr[row + 1], Y.rownnz[row + 1]);
    Y.rowsuper[row] = same ? Y.rowsuper[row + 1] + 1 : 0;
  }
}

// value = D^-1/2 L^-T j for one row j of J. `work` is nv wide; what it holds outside the row's columns does not matter.
void SolveRow(const mjModel* m, const mjData* d, const JacobianRows& J, int row, const ScaledRows& Y, double* work) {
  const int* colind = Y.colind + Y.rowadr[row];
  const int count = Y.rownnz[row], begin = J.rowadr[row];
  const Metric metric = MetricOf(m, d);
  for (int c = 0; c < count; ++c) work[colind[c]] = 0;
  for (int c = 0; c < J.rownnz[row]; ++c) work[J.colind[begin + c]] = J.J[begin + c];
  for (int c = count - 1; c >= 0; --c) {
    const int dof = colind[c], adr = m->M_rowadr[dof];
    for (int k = 0; k < m->M_rownnz[dof] - 1; ++k) work[m->M_colind[adr + k]] -= metric.LD[adr + k] * work[dof];
  }
  double* value = Y.value + Y.rowadr[row];
  for (int c = 0; c < count; ++c) value[c] = work[colind[c]] * Sqrt(metric.LDiagInv[colind[c]]);
}

// Unusable when the frame is full.
ScaledRows MakeScaledRows(const mjModel* m, mjData* d, StackFrame& frame) {
  const JacobianRows J = AllRows(m, d);
  char* mark = frame.Alloc<char>(J.ncol);
  int* list = frame.Ints(J.ncol);
  double* work = frame.Doubles(J.ncol);
  if (frame.full()) return {};
  std::fill_n(mark, J.ncol, 0);
  const ScaledRows Y = AllocateRows(m, J, frame, mark, list);
  if (frame.full()) return {};
  WriteColumns(m, J, mark, list, Y);
  for (int row = 0; row < J.nrow; ++row) SolveRow(m, d, J, row, Y, work);
  return Y;
}

// ---- A = Y Y' + diag(R)

// Calls body(j) for every j < i whose row may share a column with row i, ascending.
template <class Body>
void ForEachNeighbor(const ScaledRows& Y, int i, const Body& body) {
  for (int j = 0; j < i; ++j) {
    if (Y.trees[j] & Y.trees[i]) body(j);
  }
}

// Product of row j with the row that is scattered in `work`, zero elsewhere.
double DotScattered(const ScaledRows& Y, int j, const double* work) {
  const double* value = Y.value + Y.rowadr[j];
  const int* colind = Y.colind + Y.rowadr[j];
  const int count = Y.rownnz[j];
  double even = 0, odd = 0;
  int c = 0;
  for (; c + 2 <= count; c += 2) {
    even += value[c] * work[colind[c]];
    odd += value[c + 1] * work[colind[c + 1]];
  }
  if (c < count) even += value[c] * work[colind[c]];
  return even + odd;
}

// Calls body(i, j, A_ij) for the lower triangle with the diagonal, by ascending i, then j. `work`: scratch of nv
// numbers.
template <class Body>
void ForEachEntry(const ScaledRows& Y, int nv, const double* R, double* work, const Body& body) {
  Zero(work, nv);
  for (int i = 0; i < Y.nrow; ++i) {
    const double* value = Y.value + Y.rowadr[i];
    const int* colind = Y.colind + Y.rowadr[i];
    const int count = Y.rownnz[i];
    for (int c = 0; c < count; ++c) work[colind[c]] = value[c];
    ForEachNeighbor(Y, i, [&](int j) { body(i, j, DotScattered(Y, j, work)); });
    body(i, i, Dot(value, value, count) + R[i]);
    for (int c = 0; c < count; ++c) work[colind[c]] = 0;
  }
}

// Entries of each row of sparse A, both triangles.
void CountEntries(const ScaledRows& Y, int* rownnz) {
  for (int i = 0; i < Y.nrow; ++i) {
    rownnz[i] = 1;
    ForEachNeighbor(Y, i, [&](int j) {
      ++rownnz[i];
      ++rownnz[j];
    });
  }
}

// Entries come by ascending row, so that appending them to both of their rows keeps columns ascending.
void FillSparse(const ScaledRows& Y, int nv, const int* rownnz, double* work, mjData* d) {
  int address = 0;
  for (int i = 0; i < d->nefc; ++i) {
    d->efc_AR_rowadr[i] = address;
    d->efc_AR_rownnz[i] = 0;
    address += rownnz[i];
  }
  const auto append = [&](int row, int col, double value) {
    const int entry = d->efc_AR_rowadr[row] + d->efc_AR_rownnz[row]++;
    d->efc_AR_colind[entry] = col;
    d->efc_AR[entry] = value;
  };
  ForEachEntry(Y, nv, d->efc_R, work, [&](int i, int j, double value) {
    append(i, j, value);
    if (j < i) append(j, i, value);
  });
}

// These return false where memory is short.
bool ProjectSparse(const mjModel* m, mjData* d) {
  StackFrame frame(d, WhenFull::kReport);
  const ScaledRows Y = MakeScaledRows(m, d, frame);
  int* rownnz = frame.Ints(d->nefc);
  double* work = frame.Doubles(m->nv);
  if (frame.full()) return false;
  CountEntries(Y, rownnz);
  for (int i = 0; i < d->nefc; ++i) d->nA += rownnz[i];
  if (!TakeArenaFields<kDualFields>(m, d)) return false;
  FillSparse(Y, static_cast<int>(m->nv), rownnz, work, d);
  return true;
}

bool Project(const mjModel* m, mjData* d) {
  if (IsSparse(m)) return ProjectSparse(m, d);
  d->nA = d->nefc * d->nefc;
  return TakeArenaFields<kDualFields>(m, d) && ProjectDense(m, d, d->efc_AR);
}

}  // namespace

void ProjectConstraint(const mjModel* m, mjData* d) {
  d->nA = 0;
  if (d->nefc > 0 && IsDual(m) && !Project(m, d)) DropConstraints(d);
}

}  // namespace sinew::inline constraint
