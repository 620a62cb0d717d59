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

ProblemList MakeProblems(const mjModel* m, mjData* d, StackFrame& frame) {
  if (!UsesIslands(m, d)) {
    ProblemList list{frame.Alloc<Problem>(1), 1};
    list.problem[0] = WholeProblem(m, d, frame);
    return list;
  }
  ProblemList list{frame.Alloc<Problem>(d->nisland), d->nisland};
  for (int i = 0; i < d->nisland; ++i) list.problem[i] = IslandProblem(m, d, frame, i);
  return list;
}

// 1/2 (a - a_s)' M (a - a_s) over the dofs that no island contains: it counts against the warm start as well.
double GaussCostOutside(const mjModel* m, const mjData* d, const double* qacc, StackFrame& frame) {
  double* delta = frame.Doubles(Dofs(m));
  double* Mdelta = frame.Doubles(Dofs(m));
  for (int i = 0; i < Dofs(m); ++i) delta[i] = d->dof_island[i] < 0 ? qacc[i] - d->qacc_smooth[i] : 0;
  MulM(m, d, Mdelta, delta);
  return 0.5 * Dot(delta, Mdelta, Dofs(m));
}

// One choice for the whole system: the previous acceleration, unless the unconstrained one is cheaper. Fills efc_b.
// With islands, efc_state keeps the states at the unconstrained acceleration, and iefc_state has those of the solution:
// programs that were written for the interface see the same numbers in both.
class Start {
 public:
  Start(const mjModel* m, mjData* d, const ProblemList& list, StackFrame& frame)
      : m_(m), d_(d), list_(list), islands_(list.problem[0].island >= 0), frame_(frame) {}

  // Leaves qacc of all problems, and what follows from it, at the chosen acceleration.
  void Choose() {
    double** jar_smooth = frame_.Alloc<double*>(list_.count);
    double disadvantage = 0;
    for (int i = 0; i < list_.count; ++i) {
      Problem& p = list_.problem[i];
      jar_smooth[i] = EvaluateSmooth(p);
      if (HasWarmstart(m_))
        disadvantage += EvaluateWarm(p) - EvaluateRows(p.rows, jar_smooth[i], p.force, p.state, false);
      if (HasWarmstart(m_) && islands_) ScatterIslandState(d_, p);
    }
    if (islands_ && HasWarmstart(m_) && d_->nidof < Dofs(m_)) {
      disadvantage += GaussCostOutside(m_, d_, d_->qacc_warmstart, frame_);
    }
    if (HasWarmstart(m_) && !(disadvantage > 0)) return;
    for (int i = 0; i < list_.count; ++i) {
      Problem& p = list_.problem[i];
      Copy(p.qacc, p.qacc_smooth, p.nv);
      MulInertia(p, p.qacc, p.Ma);
      p.jar = jar_smooth[i];
    }
  }

 private:
  // The residual of the unconstrained acceleration.
  double* EvaluateSmooth(const Problem& p) {
    double* jar = frame_.Doubles(p.rows.nefc);
    ConstraintResidual(p, p.qacc_smooth, jar);
    const int* row = islands_ ? d_->map_iefc2efc + d_->island_iefcadr[p.island] : nullptr;
    for (int r = 0; r < p.rows.nefc; ++r) d_->efc_b[row ? row[r] : r] = jar[r];
    return jar;
  }

  // The cost of the previous acceleration.
  double EvaluateWarm(Problem& p) {
    const int* dof = islands_ ? d_->map_idof2dof + d_->island_idofadr[p.island] : nullptr;
    for (int k = 0; k < p.nv; ++k) p.qacc[k] = d_->qacc_warmstart[dof ? dof[k] : k];
    p.jar = frame_.Doubles(p.rows.nefc);
    EvaluateStart(p);
    return GaussCost(p, p.qacc, p.Ma) + EvaluateRows(p.rows, p.jar, p.force, p.state, false);
  }

  const mjModel* m_;
  mjData* d_;
  const ProblemList list_;
  const bool islands_;
  StackFrame& frame_;
};

// The solution of the problems, each independent of the others.
class PrimalSolutions {
 public:
  PrimalSolutions(const mjModel* m, mjData* d, const ProblemList& list, StackFrame& frame)
      : m_(m), d_(d), list_(list), options_(OptionsOf(m)), failed_(frame.Alloc<bool>(list.count)) {}

  // One after the other, or on the threads of the pool that is bound to the world: the same numbers. A thread whose
  // stack is too small leaves its problem to the main thread.
  void Run() {
    if (!d_->threadpool || list_.count < 2) {
      for (int i = 0; i < list_.count; ++i) Solve(i);
      return;
    }
    PooledFor(*reinterpret_cast<mjThreadPool*>(d_->threadpool), list_.count, &TrySolve, this);
    for (int i = 0; i < list_.count; ++i) {
      if (failed_[i]) Solve(i);
    }
  }

 private:
  static void TrySolve(void* self, int i) {
    PrimalSolutions& solutions = *static_cast<PrimalSolutions*>(self);
    try {
      solutions.failed_[i] = false;
      solutions.Solve(i);
    } catch (const StackOverflow&) {
      solutions.failed_[i] = true;
    }
  }

  void Solve(int i) const {
    const Problem& p = list_.problem[i];
    const bool islands = p.island >= 0;
    if (p.niter) *p.niter = 0;
    m_->opt.solver == mjSOL_NEWTON ? SolveNewton(p, options_, d_) : SolveCG(p, options_, d_);
    if (islands) ScatterIsland(d_, p);
    if (islands && !HasWarmstart(m_)) ScatterIslandState(d_, p);
  }

  const mjModel* m_;
  mjData* d_;
  const ProblemList list_;
  const SolverOptions options_;
  bool* failed_;  // by problem: its thread's stack was too small
};

void SolvePrimal(const mjModel* m, mjData* d) {
  StackFrame frame(d);
  const ProblemList list = MakeProblems(m, d, frame);
  if (list.problem[0].island >= 0) Copy(d->qacc, d->qacc_smooth, Dofs(m));
  Start(m, d, list, frame).Choose();
  PrimalSolutions(m, d, list, frame).Run();
}

// ---- dual solvers

// qfrc_constraint = J' f,  qacc = qacc_smooth + M^-1 qfrc_constraint
void DualFinish(const mjModel* m, mjData* d, const Problem& p) {
  MulJTransposed(p.J, p.force, d->qfrc_constraint);
  SolveM(m, d, d->qacc, d->qfrc_constraint, 1);
  for (int i = 0; i < Dofs(m); ++i) d->qacc[i] += d->qacc_smooth[i];
}

// Forces at the previous acceleration; none without a warm start.
void DualWarmstart(const mjModel* m, const mjData* d, const Problem& p, StackFrame& frame) {
  if (!HasWarmstart(m)) return Zero(p.force, p.rows.nefc);
  double* jar = frame.Doubles(p.rows.nefc);
  ConstraintResidual(p, d->qacc_warmstart, jar);
  EvaluateRows(p.rows, jar, p.force, p.state, false);
}

void SolveDual(const mjModel* m, mjData* d) {
  StackFrame frame(d);
  const Problem p = WholeProblem(m, d, frame);
  ConstraintResidual(p, d->qacc_smooth, d->efc_b);
  for (int i = 0; i < p.rows.nefc; ++i) p.state[i] = mjCNSTRSTATE_SATISFIED;
  DualWarmstart(m, d, p, frame);
  *p.niter = 0;

  // no forces at all may be cheaper
  DualProblem dual(m, d, p, frame);
  if (!(dual.Cost() <= 0)) dual.Clear();
  SolvePGS(m, d, p, dual);
  DualFinish(m, d, p);
}

void RunNoslip(const mjModel* m, mjData* d) {
  StackFrame frame(d);
  const Problem p = WholeProblem(m, d, frame);
  SolveNoslip(m, d, p);
  DualFinish(m, d, p);
}

void SolveRows(const mjModel* m, mjData* d) {
  switch (m->opt.solver) {
    case mjSOL_PGS:
      SolveDual(m, d);
      break;
    case mjSOL_CG:
    case mjSOL_NEWTON:
      SolvePrimal(m, d);
      break;
    default:
      throw StageError("mj_fwdConstraint", "unknown solver type " + std::to_string(m->opt.solver));
  }
  if (m->opt.noslip_iterations > 0) RunNoslip(m, d);
}

}  // namespace

void SolveConstraints(const mjModel* m, mjData* d) {
  Zero(d->qfrc_constraint, Dofs(m));
  if (d->nefc > 0) RunOrGiveUpRows(d, [&] { SolveRows(m, d); });
  if (d->nefc > 0) return;
  Zero(d->qfrc_constraint, Dofs(m));
  Copy(d->qacc, d->qacc_smooth, Dofs(m));
  d->solver_niter[0] = 0;
}

}  // namespace sinew
