// Instantiates the inertia matrix, its factorization, and products and solutions with it, for one world.
#include "inertia/inertia.h"

#include <string>

#include "core/error.h"
#include "core/stack.h"
#include "inertia/acceleration_kernel.h"
#include "inertia/composite_kernel.h"
#include "inertia/deep_tree_kernel.h"
#include "inertia/ldl.h"
#include "inertia/ldl_kernel.h"
#include "math/dense.h"
#include "model/kinds/integrator.h"
#include "simd/flatten.h"

namespace sinew::inline inertia {
namespace {

// Adds one row of M to a sparse row that contains its columns.
void AddRow(mjtNum* dst, const int* dst_column, int dst_count, const mjtNum* row, const int* column, int count) {
  int k = 0;
  for (int a = 0; a < count; ++a) {
    while (k < dst_count && dst_column[k] < column[a]) ++k;
    if (k == dst_count || dst_column[k] != column[a]) {
      throw Error("the sparse matrix has no place for column " + std::to_string(column[a]) + " of the inertia matrix",
                  "its rows must contain the columns of M, in ascending order");
    }
    dst[k] += row[a];
  }
}

}  // namespace

SINEW_DISPATCH void MakeM(const mjModel* m, mjData* d) { MakeM<mjtNum>(m, d); }
void CompositeRigidBody(const mjModel* m, mjData* d) { CompositeRigidBody<mjtNum>(m, d); }

SINEW_DISPATCH void FactorM(const mjModel* m, mjData* d) { FactorM<mjtNum>(m, d); }
void FactorMadeM(const mjModel* m, mjData* d) {
  if (!IsDeep(m)) return FactorM(m, d);
  StackFrame frame(d);
  FactorMadeM<mjtNum>(m, d, frame.Alloc<Spatial<mjtNum>>(m->nv));
}
void SmoothForce(const mjModel* m, mjData* d) { SmoothForce<mjtNum>(m, d); }
SINEW_DISPATCH void SmoothAcceleration(const mjModel* m, mjData* d) { SmoothAcceleration<mjtNum>(m, d); }

Metric MetricOf(const mjModel* m, const mjData* d) {
  if (IsDiscrete(m)) return {d->qLU, d->qH, d->qHDiagInv};
  return {d->M, d->qLD, d->qLDiagInv};
}

void SolveMetric(const mjModel* m, const mjData* d, mjtNum* x) {
  const Metric metric = MetricOf(m, d);
  SolveLDL<mjtNum>(x, metric.LD, metric.LDiagInv, InertiaPattern(m));
}

void MulMetric(const mjModel* m, const mjData* d, mjtNum* result, const mjtNum* vec) {
  MulSymmetric<mjtNum>(result, MetricOf(m, d).M, vec, InertiaPattern(m));
}

bool IsCoupledByInertia(const mjModel* m, const int* dofs, int count) {
  if (count == 0) return true;
  const RowPattern pattern = InertiaPattern(m);
  const int last = dofs[count - 1];
  const int* columns = pattern.Columns(last);
  for (int k = 0, place = 0; k < count; ++k) {
    while (place < pattern.rownnz[last] && columns[place] < dofs[k]) ++place;
    if (place == pattern.rownnz[last] || columns[place] != dofs[k]) return false;
  }
  return true;
}

SINEW_FLATTEN void SolveM(const mjModel* m, const mjData* d, mjtNum* x, const mjtNum* y, int n) {
  const int nv = static_cast<int>(m->nv);
  if (x != y) Copy(x, y, n * nv);
  SolveLDL(x, d->qLD, d->qLDiagInv, n, nv, m->M_rownnz, m->M_rowadr, m->M_colind);
}

void SolveM2(const mjModel* m, const mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD, int n) {
  const int nv = static_cast<int>(m->nv);
  if (x != y) Copy(x, y, n * nv);
  for (int v = 0; v < n; ++v) SolveTreeM2(m, d, x + v * nv, sqrtInvD, {0, nv});
}

DofRange TreeOfDof(const mjModel* m, int dof) {
  const int tree = m->dof_treeid[dof];
  return {m->tree_dofadr[tree], m->tree_dofadr[tree] + m->tree_dofnum[tree]};
}

void SolveTreeM(const mjModel* m, const mjData* d, mjtNum* x, DofRange tree) {
  SolveLDL<mjtNum>(x, d->qLD, d->qLDiagInv, InertiaPattern(m, tree.begin, tree.end));
}

void SolveTreeM2(const mjModel* m, const mjData* d, mjtNum* x, const mjtNum* sqrtInvD, DofRange tree) {
  SolveTransposed<mjtNum>(x, d->qLD, InertiaPattern(m, tree.begin, tree.end));
  for (int i = tree.begin; i < tree.end; ++i) x[i] *= sqrtInvD[i];
}

SINEW_FLATTEN void MulM(const mjModel* m, const mjData* d, mjtNum* result, const mjtNum* vec) {
  MulSymmetric<mjtNum>(result, d->M, vec, InertiaPattern(m));
}

void MulM2(const mjModel* m, const mjData* d, mjtNum* result, const mjtNum* vec) {
  const RowPattern pattern = InertiaPattern(m);
  for (int i = 0; i < pattern.n; ++i) {
    const mjtNum* row = d->qLD + pattern.rowadr[i];
    const int ancestors = pattern.rownnz[i] - 1;
    result[i] = Sqrt(row[ancestors]) * (vec[i] + SparseDot(row, pattern.Columns(i), ancestors, vec));
  }
}

void FullM(const mjModel* m, mjtNum* dst, const mjtNum* qM) {
  const int nv = static_cast<int>(m->nv);
  Zero(dst, nv * nv);
  for (int i = 0; i < nv; ++i) {
    const mjtNum* entry = qM + m->dof_Madr[i];
    for (int j = i; j >= 0; j = m->dof_parentid[j]) dst[i * nv + j] = dst[j * nv + i] = *entry++;
  }
}

void AddM(const mjModel* m, const mjData* d, mjtNum* dst, const int* rownnz, const int* rowadr, const int* colind) {
  for (int i = 0; i < m->nv; ++i) {
    const mjtNum* row = d->M + m->M_rowadr[i];
    const int* column = m->M_colind + m->M_rowadr[i];
    const int count = m->M_rownnz[i];
    if (rownnz) {
      AddRow(dst + rowadr[i], colind + rowadr[i], rownnz[i], row, column, count);
    } else {
      for (int a = 0; a < count; ++a) dst[i * m->nv + column[a]] += row[a];
    }
  }
}

}  // namespace sinew::inline inertia
