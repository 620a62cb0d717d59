#include "solve/solve.h"

#include <string>

#include "constraint/arena_fields.h"
#include "core/parallel.h"
#include "core/stage_error.h"
#include "inertia/inertia.h"
#include "math/dense.h"
#include "solve/dual.h"
#include "solve/dual_problem.h"
#include "solve/primal.h"
#include "solve/problem.h"
#include "solve/slot_problem.h"

namespace sinew {
namespace {

bool IsPrimal(const mjModel* m) { return m->opt.solver == mjSOL_CG || m->opt.solver == mjSOL_NEWTON; }
int Dofs(const mjModel* m) { return static_cast<int>(m->nv); }
bool HasWarmstart(const mjModel* m) { return !(m->opt.disableflags & mjDSBL_WARMSTART); }
bool UsesIslands(const mjModel* m, const mjData* d) {
  return d->nisland > 0 && IsPrimal(m) && m->opt.noslip_iterations == 0;
}

// ---- primal solvers

// The problems of all islands, or the one of the whole system.
struct ProblemList {
  Problem* problem;
  int count;
};

// Unusable when the frame is full.
ProblemList MakeProblems(const mjModel* m, mjData* d, StackFrame& frame) {
  const bool islands = UsesIslands(m, d);
  const int count = islands ? d->nisland : 1;
  const ProblemList list{frame.Alloc<Problem>(count), count};
  for (int i = 0; i < count && !frame.full(); ++i) {
    list.problem[i] = islands ? IslandProblem(m, d, frame, i) : WholeProblem(m, d, frame);
    if (m->opt.solver != mjSOL_NEWTON || frame.full() || !AreSlotsFaster(list.problem[i])) continue;
    list.problem[i].slots = MakeSlots(list.problem[i], frame);
  }
  return list;
}

// One choice for the whole system: the previous acceleration, unless the unconstrained one is cheaper. Fills efc_b.
// With islands, efc_state keeps the states at the unconstrained acceleration, and iefc_state has those of the solution:
// programs that were written for the interface see the same numbers in both.
class StartingPoint {
 public:
  // Memory belongs to the frame; unusable when that is full.
  StartingPoint(const mjModel* m, mjData* d, const ProblemList& list, StackFrame& frame)
      : m_(m), d_(d), list_(list), islands_(list.problem[0].island >= 0) {
    jar_smooth_ = frame.Alloc<double*>(list.count);
    delta_ = frame.Doubles(Dofs(m));
    Mdelta_ = frame.Doubles(Dofs(m));
    for (int i = 0; i < list.count && !frame.full(); ++i) {
      jar_smooth_[i] = frame.Doubles(list.problem[i].rows.nefc);
      if (HasWarmstart(m)) list.problem[i].jar = frame.Doubles(list.problem[i].rows.nefc);
    }
  }

  // Leaves qacc of all problems, and what follows from it, at the chosen acceleration.
  void Choose() {
    double disadvantage = 0;
    for (int i = 0; i < list_.count; ++i) {
      Problem& p = list_.problem[i];
      EvaluateSmooth(p, jar_smooth_[i]);
      if (HasWarmstart(m_)) disadvantage += DisadvantageOfWarm(p, jar_smooth_[i]);
      if (HasWarmstart(m_) && islands_) ScatterIslandState(d_, p);
    }
    if (islands_ && HasWarmstart(m_) && d_->nidof < Dofs(m_)) disadvantage += WarmCostOutside();
    // No number compares: what follows from a bad state shows in the acceleration, where the step looks for it.
    if (HasWarmstart(m_) && disadvantage <= 0) return;
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

 private:
  // The residual of the unconstrained acceleration.
  void EvaluateSmooth(const Problem& p, double* jar) {
    if (p.slots) {
      SlotSmoothResidual(*p.slots);
      ExpandDirections(*p.slots, p.slots->smooth_residual, jar);
    } else {
      ConstraintResidual(p, p.qacc_smooth, jar);
    }
    const int* row = islands_ ? d_->map_iefc2efc + d_->island_iefcadr[p.island] : nullptr;
    for (int r = 0; r < p.rows.nefc; ++r) d_->efc_b[row ? row[r] : r] = jar[r];
  }

  // By how much the previous acceleration, which becomes that of the problem, costs more than the unconstrained one.
  double DisadvantageOfWarm(Problem& p, const double* jar_smooth) {
    const int* dof = islands_ ? d_->map_idof2dof + d_->island_idofadr[p.island] : nullptr;
    for (int k = 0; k < p.nv; ++k) p.qacc[k] = d_->qacc_warmstart[dof ? dof[k] : k];
    if (p.slots) return SlotDisadvantage(p);
    EvaluateStart(p);
    const double warm = GaussCost(p, p.qacc, p.Ma) + EvaluateRows(p.rows, p.jar, p.force, p.state, false);
    return warm - EvaluateRows(p.rows, jar_smooth, p.force, p.state, false);
  }

  // 1/2 (a - a_s)' M (a - a_s) over the dofs that no island contains: it counts against the warm start as well.
  double WarmCostOutside() {
    for (int i = 0; i < Dofs(m_); ++i) {
      delta_[i] = d_->dof_island[i] < 0 ? d_->qacc_warmstart[i] - d_->qacc_smooth[i] : 0;
    }
    MulM(m_, d_, Mdelta_, delta_);
    return 0.5 * Dot(delta_, Mdelta_, Dofs(m_));
  }

  const mjModel* m_;
  mjData* d_;
  const ProblemList list_;
  const bool islands_;
  double** jar_smooth_;  // by problem: its residual at the unconstrained acceleration
  double *delta_, *Mdelta_;
};

// The solution of the problems, each independent of the others.
class PrimalSolutions {
 public:
  // Memory belongs to the frame; unusable when that is full.
  PrimalSolutions(const mjModel* m, mjData* d, const ProblemList& list, StackFrame& frame)
      : m_(m), d_(d), list_(list), options_(OptionsOf(m)), solved_(frame.Alloc<bool>(list.count)) {}

  // One after the other, or on the threads of the pool that is bound to the world: the same numbers. A thread whose
  // stack is too small leaves its problem to the main thread; where that of the main thread is, the result is false.
  bool Run() {
    const bool pooled = d_->threadpool && list_.count > 1;
    if (pooled) PooledFor(*reinterpret_cast<mjThreadPool*>(d_->threadpool), list_.count, &SolveOnPool, this);
    for (int i = 0; i < list_.count; ++i) {
      if (!(pooled && solved_[i]) && !Solve(i)) return false;
    }
    return true;
  }

 private:
  static void SolveOnPool(void* self, int i) {
    PrimalSolutions& solutions = *static_cast<PrimalSolutions*>(self);
    solutions.solved_[i] = solutions.Solve(i);
  }

  bool Solve(int i) const {
    const Problem& p = list_.problem[i];
    const bool islands = p.island >= 0;
    if (p.niter) *p.niter = 0;
    const bool solved = m_->opt.solver == mjSOL_NEWTON ? SolveNewton(p, options_, d_) : SolveCG(p, options_, d_);
    if (!solved) return false;
    if (islands) ScatterIsland(d_, p);
    if (islands && !HasWarmstart(m_)) ScatterIslandState(d_, p);
    return true;
  }

  const mjModel* m_;
  mjData* d_;
  const ProblemList list_;
  const SolverOptions options_;
  bool* solved_;  // by problem: whether a thread of the pool solved it
};

// This and all below return false where the stack is too small.
bool SolvePrimal(const mjModel* m, mjData* d) {
  StackFrame frame(d, WhenFull::kReport);
  const ProblemList list = MakeProblems(m, d, frame);
  if (frame.full()) return false;
  StartingPoint start(m, d, list, frame);
  PrimalSolutions solutions(m, d, list, frame);
  if (frame.full()) return false;
  if (list.problem[0].island >= 0) Copy(d->qacc, d->qacc_smooth, Dofs(m));
  start.Choose();
  return solutions.Run();
}

// ---- dual solvers

bool SolveDual(const mjModel* m, mjData* d) {
  DualSolution solution(m, d);
  if (solution.full()) return false;
  solution.Minimize();
  solution.Finish();
  return true;
}

bool RunNoslip(const mjModel* m, mjData* d) {
  StackFrame frame(d, WhenFull::kReport);
  const Problem p = WholeProblem(m, d, frame);
  if (frame.full()) return false;
  DualProblem dual(m, d, p, frame);
  if (frame.full()) return false;
  SolveNoslip(m, p, dual);
  DualFinish(m, d, p);
  return true;
}

bool SolveRows(const mjModel* m, mjData* d) {
  if (m->opt.solver != mjSOL_PGS && !IsPrimal(m)) {
    throw StageError("mj_fwdConstraint", "unknown solver type " + std::to_string(m->opt.solver));
  }
  const bool solved = IsPrimal(m) ? SolvePrimal(m, d) : SolveDual(m, d);
  return solved && (m->opt.noslip_iterations <= 0 || RunNoslip(m, d));
}

}  // namespace

void SolveConstraints(const mjModel* m, mjData* d) {
  Zero(d->qfrc_constraint, Dofs(m));
  if (d->nefc > 0 && !SolveRows(m, d)) DropConstraints(d);
  if (d->nefc > 0) return;
  Zero(d->qfrc_constraint, Dofs(m));
  Copy(d->qacc, d->qacc_smooth, Dofs(m));
  d->solver_niter[0] = 0;
}

}  // namespace sinew
