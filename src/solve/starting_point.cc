#include "solve/starting_point.h"

#include "inertia/inertia.h"
#include "math/dense.h"
#include "solve/slot_problem.h"

namespace sinew::inline solve {

StartingPoint::StartingPoint(const mjModel* m, mjData* d, const ProblemList& list, StackFrame& frame)
    : m_(m), d_(d), list_(list), islands_(list.problem[0].island >= 0) {
  jar_smooth_ = frame.Alloc<double*>(list.count);
  delta_ = frame.Doubles(static_cast<int>(m->nv));
  Mdelta_ = frame.Doubles(static_cast<int>(m->nv));
  for (int i = 0; i < list.count && !frame.full(); ++i) {
    jar_smooth_[i] = frame.Doubles(list.problem[i].rows.nefc);
    if (HasWarmstart(m)) list.problem[i].jar = frame.Doubles(list.problem[i].rows.nefc);
  }
}

void StartingPoint::Choose() {
  double excess = 0;
  for (int i = 0; i < list_.count; ++i) {
    Problem& p = list_.problem[i];
    EvaluateSmooth(p, jar_smooth_[i]);
    if (HasWarmstart(m_)) excess += ExcessOfWarmStart(p, jar_smooth_[i]);
    if (HasWarmstart(m_) && p.HasOwnStates(d_)) ShowStates(d_, p);
  }
  if (islands_ && HasWarmstart(m_) && d_->nidof < m_->nv) excess += WarmCostOutside();
  // A comparison with NaN is false: a bad state then shows in the acceleration, where the step checks for it.
  if (HasWarmstart(m_) && excess <= 0) return;
  for (int i = 0; i < list_.count; ++i) {
    Problem& p = list_.problem[i];
    if (p.slots) {
      SlotStartSmooth(*p.slots);
      continue;
    }
    Copy(p.qacc, p.qacc_smooth, p.nv);
    MulInertia(p, p.qacc, p.Ma);
    p.jar = jar_smooth_[i];
  }
}

void StartingPoint::EvaluateSmooth(const Problem& p, double* jar) {
  if (p.slots) {
    SlotSmoothResidual(*p.slots);
    ExpandDirections(*p.slots, p.slots->smooth_residual, jar);
  } else {
    ConstraintResidual(p, p.qacc_smooth, jar);
  }
  const int* row = islands_ ? d_->map_iefc2efc + d_->island_iefcadr[p.island] : nullptr;
  for (int r = 0; r < p.rows.nefc; ++r) d_->efc_b[row ? row[r] : r] = jar[r];
}

double StartingPoint::ExcessOfWarmStart(Problem& p, const double* jar_smooth) {
  const int* dof = islands_ ? d_->map_idof2dof + d_->island_idofadr[p.island] : nullptr;
  for (int k = 0; k < p.nv; ++k) p.qacc[k] = d_->qacc_warmstart[dof ? dof[k] : k];
  if (p.slots) return SlotExcessOfWarmStart(p);
  EvaluateStart(p);
  EvaluateRows(p.rows, jar_smooth, p.force, p.state, false);
  return GaussCost(p, p.qacc, p.Ma) + CostDifference(p.rows, p.jar, jar_smooth);
}

double StartingPoint::WarmCostOutside() {
  const int nv = static_cast<int>(m_->nv);
  for (int i = 0; i < nv; ++i) delta_[i] = d_->dof_island[i] < 0 ? d_->qacc_warmstart[i] - d_->qacc_smooth[i] : 0;
  MulMetric(m_, d_, Mdelta_, delta_);
  return 0.5 * Dot(delta_, Mdelta_, nv);
}

}  // namespace sinew::inline solve
