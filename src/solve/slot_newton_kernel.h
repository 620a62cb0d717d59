// Newton's method on slots (slots.h), for one world and for lanes.
//
// Lanes are independent of each other: slots and columns are visited in one order, a world without a slot adds exact
// zeros, every sum over columns runs in their order, whichever dofs the pattern puts together, and a lane that has
// converged keeps its point. Slots that only such lanes have are left out from then on.
#ifndef SINEW_SOLVE_SLOT_NEWTON_KERNEL_H_
#define SINEW_SOLVE_SLOT_NEWTON_KERNEL_H_

#include "math/interleaved.h"
#include "solve/options.h"
#include "solve/slot_cost_kernel.h"
#include "solve/slot_hessian_kernel.h"
#include "solve/slot_line_kernel.h"
#include "solve/slot_products_kernel.h"
#include "solve/slots.h"

namespace sinew {
inline namespace SINEW_ISA {

// ---- where to start

// residual (directions) = J qacc - aref
template <class S>
void Residual(const SlotProblem<S>& p, const S* qacc, S* residual) {
  MulSlots(p, SlotList<S>(p, p.live), qacc, residual);
  for (int i = 0; i < p.directions; ++i) residual[i] -= p.aref[i];
}

// From the previous acceleration, in qacc: by how much it costs more than the unconstrained one. The record sees the
// rows at the unconstrained one last.
template <class S, class Record>
S Disadvantage(const SlotProblem<S>& p, Record& record) {
  MulSymmetric(p.Ma, p.M, p.qacc, p.inertia);
  Residual(p, p.qacc, p.residual);
  const SlotList<S> all(p, p.live);
  const S warm = InertiaCost(p) + ConstraintCost(p, all, p.residual, record);
  return warm - ConstraintCost(p, all, p.smooth_residual, record);
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
// left to be done there. What moves a tree are entries that are not zero: a world alone may have left out the others.
template <class S>
void RestOutside(const SlotProblem<S>& p) {
  if (p.trees == 1) return;
  // The first column of a row of M is the root of what it couples.
  const auto root = [&p](int dof) { return p.inertia.colind[p.inertia.rowadr[dof]]; };
  S* moved = p.direction;  // by root: the sum of what moves it
  for (int i = 0; i < p.nv; ++i) moved[i] = S(0);
  for (int s = 0; s < p.count; ++s) {
    const Slot& slot = p.slot[s];
    for (int c = 0; c < slot.ncol; ++c) {
      S& of_tree = moved[root(slot.col[c])];
      for (int k = 0; k < slot.dim; ++k) of_tree += Abs(p.jacobian[s][k * slot.ncol + c]);
    }
  }
  for (int i = 0; i < p.nv; ++i) {
    const MaskOf<S> outside = moved[root(i)] == S(0);
    p.qacc[i] = Select(outside, p.qacc_smooth[i], p.qacc[i]);
    p.Ma[i] = Select(outside, p.qfrc_smooth[i], p.Ma[i]);
  }
}

// ---- the method

// Takes one step of length alpha for the lanes that go on; others keep their point bit for bit.
template <class S>
void Move(const SlotProblem<S>& p, const SlotList<S>& slots, S alpha, MaskOf<S> live) {
  for (int i = 0; i < p.nv; ++i) {
    p.qacc[i] = Select(live, p.qacc[i] + alpha * p.direction[i], p.qacc[i]);
    p.Ma[i] = Select(live, p.Ma[i] + alpha * p.Mv[i], p.Ma[i]);
  }
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    for (int i = slot.first; i < slot.first + slot.dim; ++i) {
      p.residual[i] = Select(live, p.residual[i] + alpha * p.rate[i], p.residual[i]);
    }
  });
}

// Cost, forces, weights and gradient at the point. Returns the cost. `slots`: those of the lanes that go on; what the
// others have is kept.
template <class S, class Record>
S EvaluatePoint(const SlotProblem<S>& p, const SlotList<S>& slots, MaskOf<S> live, Record& record) {
  const S cost = ConstraintCost(p, slots, p.residual, record) + InertiaCost(p);
  MulSlotsTransposed(p, slots, p.force, p.gradient);
  for (int i = 0; i < p.nv; ++i) {
    p.qfrc_constraint[i] = Select(live, p.gradient[i], p.qfrc_constraint[i]);
    p.gradient[i] = p.Ma[i] - p.qfrc_smooth[i] - p.qfrc_constraint[i];
  }
  return cost;
}

// Rows or forces that are no numbers leave no minimum: the acceleration says so, where the step looks for it.
template <class S>
void MarkLost(const SlotProblem<S>& p, MaskOf<S> lost) {
  if (!Any(lost)) return;
  using Number = typename LaneTraits<S>::Lane;
  for (int i = 0; i < p.nv; ++i) p.qacc[i] = Select(lost, S(Number(__builtin_nan(""))), p.qacc[i]);
}

// Improvement and gradient below which the method ends: the tolerance, or what rounding makes of the point's cost and
// forces. In double precision that would be some 1e-15 of them, far below any tolerance that is asked for.
template <class S>
struct StopBelow {
  S improvement, gradient;

  StopBelow(const SlotProblem<S>& p, S tolerance, S cost) : improvement(tolerance), gradient(tolerance) {
    if constexpr (std::is_same_v<typename LaneTraits<S>::Lane, float>) {
      constexpr float kRounding = 2.4e-7f;  // of a sum of floats: four times half a unit in the last place
      improvement = Max(tolerance, kRounding * p.size * Abs(cost));
      S squared(0);
      for (int i = 0; i < p.nv; ++i) {
        const S largest = Abs(p.Ma[i]) + Abs(p.qfrc_smooth[i]) + Abs(p.qfrc_constraint[i]);
        squared += largest * largest;
      }
      gradient = Max(tolerance, kRounding * p.size * Sqrt(squared));
    }
  }
};

// From the starting point to the minimum: qacc, Ma, residual, force, qfrc_constraint. Returns the iterations of each
// lane.
template <class S, class Record>
S MinimizeSlots(const SlotProblem<S>& p, const SolverOptions& options, Record& record) {
  constexpr double kNegligible = 1e-5;  // of the tolerance: what is at rest stays at rest to 1e-12 m/s
  using Number = typename LaneTraits<S>::Lane;
  const S tolerance = S(static_cast<Number>(options.tolerance));
  const auto norm = [&p](const S* x) { return Sqrt(InterleavedDot(x, x, p.nv)); };

  RestOutside(p);
  SlotList<S> slots(p, p.live);
  for (int i = 0; i < p.nv; ++i) p.qfrc_constraint[i] = S(0);
  S cost = EvaluatePoint(p, slots, p.present, record), iterations(0);
  record.Begin();
  const S slope = p.size * norm(p.gradient);
  MaskOf<S> live = p.present & (slope >= S(Number(kNegligible)) * tolerance);
  MarkLost(p, p.present & !(slope < S(Number(kInfinity))));
  bool has_cones = false;
  for (int i = 0; i < options.iterations && Any(live); ++i) {
    slots.Keep(live);
    FactorHessian(p, slots, /*is_first=*/i == 0, has_cones);
    for (int k = 0; k < p.nv; ++k) p.direction[k] = -p.gradient[k];
    SolveHessian(p, p.direction);
    const S length = norm(p.direction);
    // A direction of no length leads nowhere, and the record of the iteration divides by it.
    live = live & (length >= S(Number(kMinVal)));
    if (!Any(live)) break;

    MulSymmetric(p.Mv, p.M, p.direction, p.inertia);
    MulSlots(p, slots, p.direction, p.rate);
    const LinePoint<S> start = StartOfLine(p, slots);
    S slope_tolerance = tolerance * S(static_cast<Number>(options.ls_tolerance)) * length / p.size;
    // Slopes of floats are not smaller than their rounding.
    if constexpr (std::is_same_v<Number, float>) slope_tolerance = Max(slope_tolerance, S(1e-5f) * Abs(start.slope));
    const LineMinimum<S> line = SearchLine(p, slots, start, slope_tolerance, options.ls_iterations, live);
    Move(p, slots, line.alpha, live);
    const S old_cost = cost;
    cost = EvaluatePoint(p, slots, live, record);
    const S improvement = p.size * (old_cost - cost), gradient = p.size * norm(p.gradient);
    iterations += Select(live, S(1), S(0));
    record.Iteration(improvement, gradient, Abs(line.slope) * p.size / length, line.evaluations);
    const StopBelow<S> stop(p, tolerance, cost);
    live = live & (improvement >= stop.improvement) & (gradient >= stop.gradient);
  }
  return iterations;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_SOLVE_SLOT_NEWTON_KERNEL_H_
