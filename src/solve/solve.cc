// The constraint stage: what is solved, from where, and Newton's method. Conjugate gradients are in cg.cc, the dual
// solvers in pgs.cc and noslip.cc.
#include "solve/solve.h"

#include <algorithm>
#include <string>

#include "constraint/arena_fields.h"
#include "core/parallel.h"
#include "core/stage_error.h"
#include "math/dense.h"
#include "solve/descent.h"
#include "solve/dual.h"
#include "solve/dual_problem.h"
#include "solve/hessian.h"
#include "solve/primal.h"
#include "solve/problem.h"
#include "solve/slot_problem.h"
#include "solve/starting_point.h"

namespace sinew::inline solve {

// direction = -H^-1 gradient, with the exact Hessian (hessian.h). The cost is piecewise quadratic up to the cones, so
// that this ends exactly once the right rows are active.
bool SolveNewton(const Problem& problem, const SolverOptions& options, mjData* d) {
  if (problem.slots) {
    SolveSlots(problem, options);
    return true;
  }
  StackFrame frame(d, WhenFull::kReport);
  Descent descent(problem, options, /*is_newton=*/true, frame);
  if (frame.full()) return false;
  if (options.iterations <= 0 || descent.AtMinimum()) return true;

  Hessian hessian(problem, d, frame);
  if (frame.full()) return false;
  hessian.Assemble(problem.state);
  if (problem.nnz) *problem.nnz = hessian.nonzeros();
  for (int i = 0; i < options.iterations; ++i) {
    hessian.Solve(descent.direction(), descent.gradient());
    for (int k = 0; k < problem.nv; ++k) descent.direction()[k] = -descent.direction()[k];
    if (!descent.Step() || descent.Finish()) break;
    hessian.Update(descent.old_state(), problem.state);
  }
  return true;
}

namespace {

bool IsPrimal(const mjModel* m) { return m->opt.solver == mjSOL_CG || m->opt.solver == mjSOL_NEWTON; }
int Dofs(const mjModel* m) { return static_cast<int>(m->nv); }
bool UsesIslands(const mjModel* m, const mjData* d) {
  return d->nisland > 0 && IsPrimal(m) && m->opt.noslip_iterations == 0;
}

// ---- primal solvers

// The problem of a small system that is solved whole though it has islands: it converges by their scale, and its states
// are kept apart (starting_point.h).
Problem WholeInIslands(const mjModel* m, mjData* d, StackFrame& frame) {
  Problem p = WholeProblem(m, d, frame);
  p.scale = ScaleByTrace(p);
  p.state = frame.Ints(p.rows.nefc);
  for (int i = 1; i < std::min<int>(d->nisland, mjNISLAND); ++i) d->solver_niter[i] = 0;
  return p;
}

// Unusable when the frame is full.
ProblemList MakeProblems(const mjModel* m, mjData* d, StackFrame& frame) {
  const bool whole = IsSolvedWhole(m), islands = UsesIslands(m, d) && !whole;
  const int count = islands ? d->nisland : 1;
  const ProblemList list{frame.Alloc<Problem>(count), count};
  for (int i = 0; i < count && !frame.full(); ++i) {
    list.problem[i] = islands             ? IslandProblem(m, d, frame, i)
                      : UsesIslands(m, d) ? WholeInIslands(m, d, frame)
                                          : WholeProblem(m, d, frame);
    list.problem[i].keeps_structure = 2 * list.problem[i].nv > Dofs(m);
    if (m->opt.solver != mjSOL_NEWTON || frame.full() || !AreSlotsFaster(list.problem[i])) continue;
    list.problem[i].slots = MakeSlots(list.problem[i], frame);
  }
  return list;
}

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
    if (p.niter) *p.niter = 0;
    const bool solved = m_->opt.solver == mjSOL_NEWTON ? SolveNewton(p, options_, d_) : SolveCG(p, options_, d_);
    if (!solved) return false;
    if (p.island >= 0) ScatterIsland(d_, p);
    if (p.HasOwnStates(d_) && !HasWarmstart(m_)) ShowStates(d_, p);
    if (p.HasOwnStates(d_) && p.island < 0) FillIslands(d_, p);
    return true;
  }

  const mjModel* m_;
  mjData* d_;
  const ProblemList list_;
  const SolverOptions options_;
  bool* solved_;  // by problem: whether a thread of the pool solved it
};

// This function and all below return false where the stack is too small.
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
  const bool needs_projection = !IsPrimal(m) || m->opt.noslip_iterations > 0;
  if (needs_projection && d->nA == 0) {
    throw StageError("mj_fwdConstraint", "the rows have not been projected; call mj_projectConstraint before");
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

}  // namespace sinew::inline solve
