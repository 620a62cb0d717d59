#include "solve/problem.h"

#include <algorithm>

#include "constraint/jacobian_product.h"
#include "constraint/update.h"
#include "inertia/inertia.h"
#include "inertia/ldl_kernel.h"
#include "math/dense.h"

namespace sinew::inline solve {
namespace {

template <class T>
void Gather(T* to, const T* from, const int* index, int n) {
  for (int i = 0; i < n; ++i) to[i] = from[index[i]];
}
template <class T>
void Scatter(T* to, const T* from, const int* index, int n) {
  for (int i = 0; i < n; ++i) to[index[i]] = from[i];
}

// Parents of an island's dofs. Trees are in islands as a whole, with their dofs in order.
int* IslandParents(const mjModel* m, const mjData* d, StackFrame& frame, int island) {
  const int* dof = d->map_idof2dof + d->island_idofadr[island];
  int* parent = frame.Ints(d->island_nv[island]);
  if (frame.full()) return nullptr;
  for (int i = 0; i < d->island_nv[island]; ++i) {
    const int above = m->dof_parentid[dof[i]];
    parent[i] = above < 0 ? -1 : i - (dof[i] - above);
  }
  return parent;
}

void AttachStatistics(mjData* d, Problem& p, int slot) {
  const bool kept = slot < mjNISLAND;
  p.stat = kept ? d->solver + static_cast<ptrdiff_t>(slot) * mjNSOLVER : nullptr;
  p.niter = kept ? d->solver_niter + slot : nullptr;
  p.nnz = kept ? d->solver_nnz + slot : nullptr;
}

}  // namespace

// The diagonal of M is the last entry of every row.
double ScaleByTrace(const Problem& p) {
  double trace = 0;
  for (int i = 0; i < p.nv; ++i) trace += p.M[p.M_rowadr[i] + p.M_rownnz[i] - 1];
  return 1 / trace;
}

Problem WholeProblem(const mjModel* m, mjData* d, StackFrame& frame) {
  Problem p{};
  p.nv = static_cast<int>(m->nv);
  p.parent = m->dof_parentid;
  p.rows = AllConstraintRows(d);
  p.J = IsSparse(m) ? BlocksOfSparse(frame, AllRows(m, d))
                    : BlocksOfDense(frame, p.nv, d->nefc, d->efc_type, d->efc_id, d->efc_J);
  p.aref = d->efc_aref;
  p.M_rownnz = m->M_rownnz;
  p.M_rowadr = m->M_rowadr;
  p.M_colind = m->M_colind;
  const Metric metric = MetricOf(m, d);
  p.M = metric.M;
  p.LD = metric.LD;
  p.LDiagInv = metric.LDiagInv;
  p.qfrc_smooth = d->qfrc_smooth;
  p.qacc_smooth = d->qacc_smooth;
  p.qacc = d->qacc;
  p.Ma = frame.Doubles(p.nv);
  p.qfrc_constraint = d->qfrc_constraint;
  p.force = d->efc_force;
  p.state = d->efc_state;
  p.scale = 1 / (m->stat.meaninertia * Max(1.0, static_cast<double>(m->nv)));
  p.island = -1;
  AttachStatistics(d, p, 0);
  return p;
}

Problem IslandProblem(const mjModel* m, mjData* d, StackFrame& frame, int island) {
  Problem p{};
  const int dof = d->island_idofadr[island], row = d->island_iefcadr[island];
  const int nv = d->island_nv[island], nefc = d->island_nefc[island];

  // dofs
  p.nv = nv;
  p.parent = IslandParents(m, d, frame, island);
  p.M_rownnz = d->iM_rownnz + dof;
  p.M_rowadr = d->iM_rowadr + dof;
  p.M_colind = d->iM_colind;
  p.M = d->iM;
  p.LD = d->iLD;
  p.LDiagInv = d->iLDiagInv + dof;
  Gather(d->ifrc_smooth + dof, d->qfrc_smooth, d->map_idof2dof + dof, nv);
  Gather(d->iacc_smooth + dof, d->qacc_smooth, d->map_idof2dof + dof, nv);
  p.qfrc_smooth = d->ifrc_smooth + dof;
  p.qacc_smooth = d->iacc_smooth + dof;
  p.qacc = d->iacc + dof;
  p.Ma = frame.Doubles(nv);
  p.qfrc_constraint = d->ifrc_constraint + dof;

  // rows
  p.rows = {nefc,
            d->island_ne[island],
            d->island_nf[island],
            d->iefc_type + row,
            d->iefc_id + row,
            d->iefc_D + row,
            d->iefc_R + row,
            d->iefc_frictionloss + row,
            d->contact};
  p.J = IsSparse(m) ? BlocksOfSparse(frame, {nefc, nv, d->iefc_J, d->iefc_J_rownnz + row, d->iefc_J_rowadr + row,
                                             d->iefc_J_rowsuper + row, d->iefc_J_colind})
                    : BlocksOfDense(frame, nv, nefc, p.rows.type, p.rows.id,
                                    d->iefc_J + static_cast<ptrdiff_t>(d->nidof) * row);
  Gather(d->iefc_aref + row, d->efc_aref, d->map_iefc2efc + row, nefc);
  p.aref = d->iefc_aref + row;
  p.force = d->iefc_force + row;
  p.state = d->iefc_state + row;

  p.scale = ScaleByTrace(p);
  p.island = island;
  AttachStatistics(d, p, island);
  return p;
}

void ScatterIsland(mjData* d, const Problem& p) {
  const int* dof = d->map_idof2dof + d->island_idofadr[p.island];
  const int* row = d->map_iefc2efc + d->island_iefcadr[p.island];
  Scatter(d->qacc, p.qacc, dof, p.nv);
  Scatter(d->qfrc_constraint, p.qfrc_constraint, dof, p.nv);
  Scatter(d->efc_force, p.force, row, p.rows.nefc);
}

void ShowStates(mjData* d, const Problem& p) {
  if (p.island < 0) {
    std::copy_n(p.state, p.rows.nefc, d->efc_state);
  } else {
    Scatter(d->efc_state, p.state, d->map_iefc2efc + d->island_iefcadr[p.island], p.rows.nefc);
  }
}

void FillIslands(mjData* d, const Problem& p) {
  const int *dof = d->map_idof2dof, *row = d->map_iefc2efc;
  Gather(d->ifrc_smooth, p.qfrc_smooth, dof, d->nidof);
  Gather(d->iacc_smooth, p.qacc_smooth, dof, d->nidof);
  Gather(d->iacc, p.qacc, dof, d->nidof);
  Gather(d->ifrc_constraint, p.qfrc_constraint, dof, d->nidof);
  Gather(d->iefc_aref, p.aref, row, p.rows.nefc);
  Gather(d->iefc_force, p.force, row, p.rows.nefc);
  Gather(d->iefc_state, p.state, row, p.rows.nefc);
}

SolverOptions OptionsOf(const mjModel* m) {
  return {m->opt.iterations, m->opt.ls_iterations, m->opt.tolerance, m->opt.ls_tolerance};
}

void EvaluateStart(const Problem& p) {
  MulInertia(p, p.qacc, p.Ma);
  ConstraintResidual(p, p.qacc, p.jar);
}

void ConstraintResidual(const Problem& p, const double* qacc, double* jar) {
  MulJ(p.J, qacc, jar);
  for (int i = 0; i < p.rows.nefc; ++i) jar[i] -= p.aref[i];
}

void MulInertia(const Problem& p, const double* v, double* res) {
  MulSymmetric(res, p.M, v, RowPattern{p.nv, p.M_rownnz, p.M_rowadr, p.M_colind});
}

double GaussCost(const Problem& p, const double* qacc, const double* Ma) {
  double cost = 0;
  for (int i = 0; i < p.nv; ++i) cost += (Ma[i] - p.qfrc_smooth[i]) * (qacc[i] - p.qacc_smooth[i]);
  return 0.5 * cost;
}

}  // namespace sinew::inline solve
