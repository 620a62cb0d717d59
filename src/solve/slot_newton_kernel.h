// Newton's method on slots (slots.h), for one world and for lanes.
//
// Lanes are independent of each other: slots and columns are visited in one order, a world without a slot adds exact
// zeros, every sum over columns runs in their order, whichever dofs the pattern puts together, and an island that has
// ended keeps its point. Slots that only lanes have of which all islands have ended are left out from then on.
#ifndef SINEW_SOLVE_SLOT_NEWTON_KERNEL_H_
#define SINEW_SOLVE_SLOT_NEWTON_KERNEL_H_

#include "math/interleaved.h"
#include "solve/options.h"
#include "solve/slot_cost_kernel.h"
#include "solve/slot_hessian_kernel.h"
#include "solve/slot_islands_kernel.h"
#include "solve/slot_line_kernel.h"
#include "solve/slot_products_kernel.h"
#include "solve/slots.h"

namespace sinew::inline solve {
inline namespace SINEW_ISA {

// ---- where to start

// residual (directions) = J qacc - aref
template <class S>
void Residual(const SlotProblem<S>& p, const S* qacc, S* residual) {
  MulSlots(p, SlotList<S>(p, p.live), qacc, residual);
  for (int i = 0; i < p.directions; ++i) residual[i] -= p.aref[i];
}

// From the previous acceleration, in qacc: by how much it costs more than the unconstrained one, slot by slot: costs
// may be large where nothing moves. The record sees the rows at the unconstrained one last.
template <class S, class Record>
S ExcessCostOfWarmStart(const SlotProblem<S>& p, Record& record) {
  MulSymmetric(p.Ma, p.M, p.qacc, p.inertia);
  Residual(p, p.qacc, p.residual);
  S twice(0);
  for (int s = 0; s < p.count; ++s) {
    const Slot& slot = p.slot[s];
    const S warm = SlotCost(p, slot, p.residual + slot.first, record);
    twice += warm - SlotCost(p, slot, p.smooth_residual + slot.first, record);
  }
  return InertiaCost(p) + S(0.5) * twice;
}

// Moves the starting point of some lanes to the unconstrained acceleration, with M a and the residual there.
template <class S>
void StartSmooth(const SlotProblem<S>& p, MaskOf<S> lanes) {
  MulSymmetric(p.Mv, p.M, p.qacc_smooth, p.inertia);
  for (int i = 0; i < p.nv; ++i) {
    p.qacc[i] = Select(lanes, p.qacc_smooth[i], p.qacc[i]);
    p.Ma[i] = Select(lanes, p.Mv[i], p.Ma[i]);
  }
  for (int i = 0; i < p.directions; ++i) p.residual[i] = Select(lanes, p.smooth_residual[i], p.residual[i]);
}

// Trees that no slot of a lane moves keep the unconstrained acceleration, where M a is the smooth force: nothing is
// left to be done there.
template <class S>
void RestOutside(const SlotProblem<S>& p) {
  if (p.pattern.trees == 1) return;
  ForTrees(p, [&](const SlotTree<S>& tree, int begin, int end) {
    for (int i = begin; i < end; ++i) {
      p.qacc[i] = Select(tree.live, p.qacc[i], p.qacc_smooth[i]);
      p.Ma[i] = Select(tree.live, p.Ma[i], p.qfrc_smooth[i]);
    }
  });
}

// ---- the method

// Takes the step of each island that goes on; others keep their point bit for bit.
template <class S>
void Move(const SlotProblem<S>& p, const SlotList<S>& slots) {
  ForTrees(p, [&](const SlotTree<S>& tree, int begin, int end) {
    const MaskOf<S> live = tree.live;
    const S alpha = tree.alpha;
    for (int i = begin; i < end; ++i) {
      p.qacc[i] = Select(live, p.qacc[i] + alpha * p.direction[i], p.qacc[i]);
      p.Ma[i] = Select(live, p.Ma[i] + alpha * p.Mv[i], p.Ma[i]);
    }
  });
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    const S alpha = OfOwner(p, s, &SlotTree<S>::alpha);  // zero where the island has ended, as its direction is
    for (int i = slot.first; i < slot.first + slot.dim; ++i) p.residual[i] += alpha * p.rate[i];
  });
}

// Computes M a and the residuals of stiff islands from their acceleration, as it is rounded: large D make forces of the
// difference to those that were led along.
template <class S>
SINEW_STAGE void Renew(const SlotProblem<S>& p, const SlotList<S>& slots) {
  MulSymmetric(p.Mv, p.M, p.qacc, p.inertia);
  ForTrees(p, [&](SlotTree<S>& tree, int begin, int end) {
    const MaskOf<S> lanes = tree.live & tree.stiff;
    for (int i = begin; i < end; ++i) p.Ma[i] = Select(lanes, p.Mv[i], p.Ma[i]);
    tree.at_slope = Select(lanes, S(1), S(0));
  });
  MulSlots(p, slots, p.qacc, p.rate);
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    const MaskOf<S> lanes = OfOwner(p, s, &SlotTree<S>::at_slope) != S(0);
    for (int i = slot.first; i < slot.first + slot.dim; ++i) {
      p.residual[i] = Select(lanes, p.rate[i] - p.aref[i], p.residual[i]);
    }
  });
}

template <class S>
bool AnyStiff(const SlotProblem<S>& p) {
  bool any = false;
  for (int t = 0; t < p.pattern.trees; ++t) any = any || Any(p.tree[t].live & p.tree[t].stiff);
  return any;
}

// Forces, weights and gradient at the point. `slots`: those of the lanes that go on; what belongs to islands that have
// ended is kept, and their gradient is zero.
template <class S, class Record>
void EvaluatePoint(const SlotProblem<S>& p, const SlotList<S>& slots, Record& record) {
  EvaluateSlots(p, slots, record);
  MulSlotsTransposed(p, slots, p.force, p.gradient);
  ForTrees(p, [&](const SlotTree<S>& tree, int begin, int end) {
    const MaskOf<S> live = tree.live;
    for (int i = begin; i < end; ++i) {
      p.qfrc_constraint[i] = Select(live, p.gradient[i], p.qfrc_constraint[i]);
      p.gradient[i] = Select(live, p.Ma[i] - p.qfrc_smooth[i] - p.qfrc_constraint[i], S(0));
    }
  });
}

// Rows or forces that are no numbers leave no minimum: the acceleration says so, where the step looks for it.
template <class S>
void EndLost(const SlotProblem<S>& p) {
  using Number = typename LaneTraits<S>::Lane;
  S size(0);
  for (int i = 0; i < p.nv; ++i) size += Abs(p.gradient[i]);
  const MaskOf<S> lost = !(size < S(static_cast<Number>(kInfinity)));
  if (!Any(lost)) return;
  for (int i = 0; i < p.nv; ++i) p.qacc[i] = Select(lost, S(Number(__builtin_nan(""))), p.qacc[i]);
  for (int t = 0; t < p.pattern.trees; ++t) p.tree[t].live = p.tree[t].live & !lost;
}

// Records the statistics of an iteration of one world.
template <class S, class Record>
void Tell(const SlotProblem<S>& p, Record& record) {
  if constexpr (Record::kCounts) {
    S gain = S(0.5) * record.TakeGain(), slope(0), evaluations(0);
    ForTrees(p, [&](const SlotTree<S>& tree, int, int) {
      gain -= tree.alpha * (tree.slope + S(0.5) * tree.alpha * tree.curvature);
      slope = Max(slope, Abs(tree.root.slope()));
      evaluations = Max(evaluations, tree.root.evaluations());
    });
    const auto norm = [&p](const S* x) { return Sqrt(InterleavedDot(x, x, p.nv)); };
    record.Iteration(p.size * gain, p.size * norm(p.gradient), slope * p.size / norm(p.direction), evaluations);
  }
}

// One iteration: the Newton step of each live island, and the minimum along it. Returns false when no island is left.
template <class S, class Record>
bool IterateSlots(const SlotProblem<S>& p, const SolverOptions& options, SlotList<S>& slots, bool is_first,
                  bool& has_cones, Record& record) {
  slots.Keep(AnyLive(p));
  const bool changed = AddChangedSlots(p, slots, is_first);
  if (!is_first) EndRounded(p, slots);
  if (!Any(AnyLive(p))) return false;
  FactorHessian(p, slots, is_first || changed, has_cones);
  ForTrees(p, [&](const SlotTree<S>& tree, int begin, int end) {
    for (int i = begin; i < end; ++i) p.direction[i] = Select(tree.live, -p.gradient[i], S(0));
  });
  SolveHessian(p, p.direction);
  MulSymmetric(p.Mv, p.M, p.direction, p.inertia);
  MulSlots(p, slots, p.direction, p.rate);
  MakeNoise(p);
  SearchLines(p, slots, Uniform<S>(options.tolerance) * Uniform<S>(options.ls_tolerance));
  if (!Any(AnyLive(p))) return false;
  Move(p, slots);
  if (AnyStiff(p)) Renew(p, slots);
  EvaluatePoint(p, slots, record);
  return true;
}

// From the starting point to the minimum: qacc, Ma, residual, force, qfrc_constraint. Returns the iterations of each
// lane.
template <class S, class Record>
S MinimizeSlots(const SlotProblem<S>& p, const SolverOptions& options, Record& record) {
  const S tolerance = BalanceTolerance<S>(options.tolerance);
  FindIslands(p);
  RestOutside(p);
  for (int i = 0; i < p.nv; ++i) p.qfrc_constraint[i] = S(0);
  SlotList<S> slots(p, p.live);
  EvaluatePoint(p, slots, record);
  record.Begin();
  EndLost(p);
  EndBalanced(p, tolerance);
  if (Any(AnyLive(p))) FindStiffIslands(p);
  for (int t = 0; t < p.pattern.trees; ++t) p.tree[t].budget = Uniform<S>(options.ls_iterations);
  S iterations(0);
  bool has_cones = false;
  for (int i = 0; i < options.iterations && Any(AnyLive(p)); ++i) {
    if (!IterateSlots(p, options, slots, i == 0, has_cones, record)) break;
    iterations += Select(AnyLive(p), S(1), S(0));
    Tell(p, record);
    EndBalanced(p, tolerance);
  }
  return iterations;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SLOT_NEWTON_KERNEL_H_
