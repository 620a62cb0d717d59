#include "derivatives/base/solution_derivative.h"

#include <algorithm>
#include <new>
#include <type_traits>

#include "inertia/acceleration_kernel.h"
#include "inertia/inertia.h"
#include "inertia/ldl_block.h"
#include "math/column_block.h"
#include "math/dense.h"

namespace sinew::inline derivatives {
namespace {

// Gradient of the cost at the problem's acceleration. Leaves forces and states of that point in the problem's rows, and
// the Hessians of cones in the contacts.
void EvaluateGradient(const Problem& p, StackFrame& frame, double* gradient) {
  double* jar = frame.Doubles(p.rows.nefc);
  if (frame.full()) return;
  ConstraintResidual(p, p.qacc, jar);
  EvaluateRows(p.rows, jar, p.force, p.state, /*cone_hessian=*/true);
  MulJTransposed(p.J, p.force, p.qfrc_constraint);
  MulInertia(p, p.qacc, gradient);
  for (int i = 0; i < p.nv; ++i) gradient[i] -= p.qfrc_smooth[i] + p.qfrc_constraint[i];
}

}  // namespace

SolutionDerivative::SolutionDerivative(const mjModel* m, mjData* d, StackFrame& frame, const RowWeights* weights)
    : m_(m), d_(d) {
  static_assert(std::is_trivially_destructible_v<Hessian>);  // lives in the frame
  const bool islands = d->nisland > 0 && !weights;
  block_ = frame.Alloc<Block>(islands ? d->nisland : 1);
  scratch_ = frame.Doubles(m->nv);
  in_block_ = frame.Alloc<bool>(m->ntree);
  if (frame.full()) return;
  std::fill_n(in_block_, m->ntree, d->nefc > 0 && !islands);
  if (d->nefc == 0) return;
  if (weights) AddWhole(*weights, frame);
  for (int i = 0; islands && i < d->nisland && !frame.full(); ++i) AddIsland(i, frame);
  if (islands || weights) return;
  const Problem whole = WholeProblem(m, d, frame);
  if (!frame.full()) AddBlock(whole, nullptr, frame);
}

// The arena's lists are copied: positions that change write them anew.
void SolutionDerivative::AddIsland(int island, StackFrame& frame) {
  const Problem problem = IslandProblem(m_, d_, frame, island);
  int* dof = frame.Ints(problem.nv);
  if (frame.full()) return;
  std::copy_n(d_->map_idof2dof + d_->island_idofadr[island], problem.nv, dof);
  for (int k = 0; k < problem.nv; ++k) {
    problem.qacc[k] = d_->qacc[dof[k]];
    in_block_[m_->dof_treeid[dof[k]]] = true;
  }
  AddBlock(problem, dof, frame);
}

void SolutionDerivative::AddWhole(const RowWeights& weights, StackFrame& frame) {
  void *problem_memory = frame.Alloc<Problem>(1), *hessian_memory = frame.Alloc<Hessian>(1);
  if (frame.full()) return;
  Problem& problem = *new (problem_memory) Problem(WholeProblem(m_, d_, frame));
  if (frame.full()) return;
  problem.rows.D = weights.weight.data();
  Hessian* hessian = new (hessian_memory) Hessian(problem, d_, frame);
  if (frame.full()) return;
  hessian->Assemble(weights.state.data());
  block_[blocks_++] = {hessian, problem.nv, nullptr};
}

void SolutionDerivative::AddBlock(const Problem& problem, const int* dof, StackFrame& frame) {
  double *gradient = frame.Doubles(problem.nv), *step = frame.Doubles(problem.nv);
  void *problem_memory = frame.Alloc<Problem>(1), *hessian_memory = frame.Alloc<Hessian>(1);
  if (frame.full()) return;
  const Problem& kept = *new (problem_memory) Problem(problem);
  Hessian* hessian = new (hessian_memory) Hessian(kept, d_, frame);
  EvaluateGradient(kept, frame, gradient);
  if (frame.full()) return;
  hessian->Assemble(kept.state);
  block_[blocks_++] = {hessian, kept.nv, dof};

  // what a step of Newton's method would still gain, as solvers measure it
  constexpr double kLeastTolerance = 1e-8;
  hessian->Solve(step, gradient);
  const double gain = 0.5 * kept.scale * Dot(gradient, step, kept.nv);
  at_minimum_ &= gain < std::max(m_->opt.tolerance, kLeastTolerance);
}

void SolutionDerivative::ApplyBlock(const Block& block, double* x) const {
  if (!block.dof) return block.hessian->Solve(x, x);
  bool any = false;
  for (int k = 0; k < block.ndof; ++k) {
    scratch_[k] = x[block.dof[k]];
    any |= scratch_[k] != 0;
  }
  if (!any) return;
  block.hessian->Solve(scratch_, scratch_);
  for (int k = 0; k < block.ndof; ++k) x[block.dof[k]] = scratch_[k];
}

void SolutionDerivative::ApplyBlock(double* x, double* scratch) const {
  const auto any = [&](int dof) { return !IsZeroRow(BlockRow(x, dof)); };
  for (int i = 0; i < blocks_; ++i) {
    const Block& block = block_[i];
    if (!block.dof) {
      block.hessian->SolveBlock(x, scratch);
      continue;
    }
    if (std::none_of(block.dof, block.dof + block.ndof, any)) continue;
    double* const own = scratch + m_->nv * kBlockColumns;
    for (int k = 0; k < block.ndof; ++k) std::copy_n(BlockRow(x, block.dof[k]), kBlockColumns, BlockRow(own, k));
    block.hessian->SolveBlock(own, scratch);
    for (int k = 0; k < block.ndof; ++k) std::copy_n(BlockRow(own, k), kBlockColumns, BlockRow(x, block.dof[k]));
  }
  const Metric metric = MetricOf(m_, d_);
  for (int tree = 0; tree < m_->ntree; ++tree) {
    if (in_block_[tree]) continue;
    const int begin = m_->tree_dofadr[tree], end = begin + m_->tree_dofnum[tree];
    bool moves = false;
    for (int dof = begin; dof < end; ++dof) moves |= any(dof);
    if (moves) SolveLDLBlock(x, metric.LD, metric.LDiagInv, InertiaPattern(m_, begin, end));
  }
}

void SolutionDerivative::Apply(double* x) const {
  for (int i = 0; i < blocks_; ++i) ApplyBlock(block_[i], x);
  const Metric metric = MetricOf(m_, d_);
  for (int tree = 0; tree < m_->ntree; ++tree) {
    if (in_block_[tree]) continue;
    const DofRange dofs{m_->tree_dofadr[tree], m_->tree_dofadr[tree] + m_->tree_dofnum[tree]};
    const bool any = std::any_of(x + dofs.begin, x + dofs.end, [](double value) { return value != 0; });
    if (any) SolveLDL<double>(x, metric.LD, metric.LDiagInv, InertiaPattern(m_, dofs.begin, dofs.end));
  }
}

}  // namespace sinew::inline derivatives
