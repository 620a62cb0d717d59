// The minimum of the cost of slots (slots.h) along a line, island by island.
#ifndef SINEW_SOLVE_SLOT_LINE_KERNEL_H_
#define SINEW_SOLVE_SLOT_LINE_KERNEL_H_

#include "constraint/cost_kernel.h"
#include "math/interleaved.h"
#include "solve/slope_root_kernel.h"
#include "solve/slot_cost_kernel.h"
#include "solve/slot_islands_kernel.h"
#include "solve/slot_products_kernel.h"
#include "solve/slots.h"

namespace sinew::inline solve {
inline namespace SINEW_ISA {

// Slope and curvature of a slot's cost along the line, at a point.
template <class S>
struct SlotSlope {
  S slope, curvature;
};

// Adds the slope and curvature of D min(x + alpha v, 0)^2 / 2.
template <class S>
void AddOneSidedLine(S x, S v, S D, S alpha, SlotSlope<S>& point) {
  x += alpha * v;
  const S weighted = Select(x < S(0), D, S(0)) * v;
  point.slope += weighted * x;
  point.curvature += weighted * v;
}

template <class S>
void AddConeLine(const SlotProblem<S>& p, const Slot& slot, S alpha, SlotSlope<S>& point) {
  const S *x = p.residual + slot.first, *v = p.rate + slot.first, *D = p.D + slot.first, *scale = p.scale + slot.first;
  const S mu = scale[0], Dm = p.bound[slot.first], dN = mu * v[0], N = mu * x[0] + alpha * dN;
  S squared(0), along(0), rates(0), slope(0), curvature(0);
  for (int j = 0; j < slot.dim; ++j) {
    const S at = x[j] + alpha * v[j], weighted = D[j] * v[j];
    slope += weighted * at;
    curvature += weighted * v[j];
    if (j == 0) continue;
    const S t = scale[j] * at, w = scale[j] * v[j];
    squared += t * t;
    along += t * w;
    rates += w * w;
  }
  const S T = Sqrt(squared);
  const ConeZones<S> zone = ZonesOf(N, T, mu);
  slope = Select(zone.bottom, slope, S(0));
  curvature = Select(zone.bottom, curvature, S(0));
  if (Any(zone.middle)) {
    const ConeLine<S> line(N, dN, Select(zone.middle, T, S(1)), along, rates, mu, Dm);
    slope = Select(zone.middle, line.slope, slope);
    curvature = Select(zone.middle, line.curvature, curvature);
  }
  point.slope += slope;
  point.curvature += curvature;
}

template <class S>
SlotSlope<S> SlopeOfSlot(const SlotProblem<S>& p, const Slot& slot, S alpha) {
  const S *x = p.residual + slot.first, *v = p.rate + slot.first;
  SlotSlope<S> point = {S(0), S(0)};
  switch (slot.kind) {
    case SlotKind::kEquality:
      break;
    case SlotKind::kFriction: {
      const RowCost<S> row =
          FrictionCost(x[0] + alpha * v[0], p.D[slot.first], p.scale[slot.first], p.bound[slot.first]);
      point = {-row.force * v[0], row.weight * v[0] * v[0]};
      break;
    }
    case SlotKind::kOneSided:
      AddOneSidedLine(x[0], v[0], p.D[slot.first], alpha, point);
      break;
    case SlotKind::kPyramid:
      for (int k = 1; k < slot.dim; ++k) {
        AddOneSidedLine(x[0] + x[k], v[0] + v[k], p.D[slot.first], alpha, point);
        AddOneSidedLine(x[0] - x[k], v[0] - v[k], p.D[slot.first], alpha, point);
      }
      break;
    case SlotKind::kElliptic:
      AddConeLine(p, slot, alpha, point);
      break;
  }
  return point;
}

// Slope and curvature of the islands, each at its own trial point.
template <class S>
void EvaluateLine(const SlotProblem<S>& p, const SlotList<S>& slots) {
  for (int t = 0; t < p.pattern.trees; ++t) {
    SlotTree<S>& tree = p.tree[t];
    tree.alpha = tree.root.trial();
    tree.at_slope = tree.slope + tree.alpha * tree.curvature;
    tree.at_curvature = tree.curvature;
  }
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    if (slot.kind == SlotKind::kEquality) return;
    const SlotSlope<S> point = SlopeOfSlot(p, slot, OfOwner(p, s, &SlotTree<S>::alpha));
    ForOwner(p, s, [&](int t, MaskOf<S> lanes) {
      p.tree[t].at_slope += Select(lanes, point.slope, S(0));
      p.tree[t].at_curvature += Select(lanes, point.curvature, S(0));
    });
  });
}

// at_slope of each tree = by how much its cost at `alpha` of its island is above that at the start, slot by slot: costs
// may be large where nothing moves.
template <class S>
void CostAlongLine(const SlotProblem<S>& p, const SlotList<S>& slots) {
  for (int t = 0; t < p.pattern.trees; ++t) {
    SlotTree<S>& tree = p.tree[t];
    tree.at_slope = tree.alpha * (tree.slope + S(0.5) * tree.alpha * tree.curvature);
  }
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    if (slot.kind == SlotKind::kEquality) return;
    const S *x = p.residual + slot.first, *v = p.rate + slot.first;
    const S alpha = OfOwner(p, s, &SlotTree<S>::alpha);
    S there[kMaxSlotDim];
    for (int k = 0; k < slot.dim; ++k) there[k] = x[k] + alpha * v[k];
    const S change = S(0.5) * (TwiceCostOf(p, slot, there) - TwiceCostOf(p, slot, x));
    ForOwner(p, s, [&](int t, MaskOf<S> lanes) { p.tree[t].at_slope += Select(lanes, change, S(0)); });
  });
}

// Sets the terms that are quadratic along the whole line: inertia and equalities.
template <class S>
void StartLine(const SlotProblem<S>& p, const SlotList<S>& slots) {
  ForTrees(p, [&](SlotTree<S>& tree, int begin, int end) {
    const int n = end - begin;
    tree.slope = InterleavedDot(p.direction + begin, p.Ma + begin, n) -
                 InterleavedDot(p.direction + begin, p.qfrc_smooth + begin, n);
    tree.curvature = InterleavedDot(p.direction + begin, p.Mv + begin, n);
  });
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    if (slot.kind != SlotKind::kEquality) return;
    S slope(0), curvature(0);
    for (int i = slot.first; i < slot.first + slot.dim; ++i) {
      const S pushed = p.D[i] * p.rate[i];
      slope += pushed * p.residual[i];
      curvature += pushed * p.rate[i];
    }
    ForOwner(p, s, [&](int t, MaskOf<S> lanes) {
      p.tree[t].slope += Select(lanes, slope, S(0));
      p.tree[t].curvature += Select(lanes, curvature, S(0));
    });
  });
}

// noise of each tree = what rounding leaves of its slope along the direction, where its island is stiff: otherwise one
// dof's rounding, multiplied by a large D, decides how far all others go.
template <class S>
void MakeNoise(const SlotProblem<S>& p) {
  ForTrees(p, [&](SlotTree<S>& tree, int begin, int end) {
    tree.noise = S(0);
    const MaskOf<S> lanes = tree.stiff & tree.has_floor;
    if (!Any(lanes)) return;
    for (int i = begin; i < end; ++i) tree.noise += Abs(p.direction[i]) * p.floor[i];
    tree.noise = Select(lanes, Uniform<S>(kRoundingOfSlope<S>) * tree.noise, S(0));
  });
}

// The tolerance on the slope of each island is that of MuJoCo: ls_tolerance tolerance |direction| trace(M).
template <class S>
void StartRoots(const SlotProblem<S>& p, S tolerance) {
  ForTrees(p, [&](SlotTree<S>& tree, int begin, int end) {
    tree.at_slope = InterleavedDot(p.gradient + begin, p.direction + begin, end - begin);
    tree.at_curvature = InterleavedDot(p.direction + begin, p.direction + begin, end - begin);
  });
  for (int t = 0; t < p.pattern.trees; ++t) {
    const S slope = SumOverIsland(p, t, &SlotTree<S>::at_slope);
    const S length = Sqrt(SumOverIsland(p, t, &SlotTree<S>::at_curvature));
    const S trace = SumOverIsland(p, t, &SlotTree<S>::trace);
    // A direction of no length leads nowhere.
    const MaskOf<S> leads = p.tree[t].live & (length >= Uniform<S>(kMinVal));
    p.tree[t].live = leads;
    const S noise = SumOverIsland(p, t, &SlotTree<S>::noise);
    p.tree[t].root.Start(S(1), Max(noise, SlopeTolerance(tolerance * length * trace, slope)), leads);
  }
}

template <class S>
MaskOf<S> AnyOpen(const SlotProblem<S>& p) {
  MaskOf<S> open = p.tree[0].root.open();
  for (int t = 1; t < p.pattern.trees; ++t) open = open | p.tree[t].root.open();
  return open;
}

// The cheaper ends of the islands whose evaluations are used up. Where rows are 1e11 times as stiff as a dof, as many
// halvings of the bracket would end at the same point in every iteration: the next search of a stiff island gets twice
// as many.
template <class S>
SINEW_STAGE void ChooseEnds(const SlotProblem<S>& p, const SlotList<S>& slots) {
  for (int t = 0; t < p.pattern.trees; ++t) p.tree[t].alpha = p.tree[t].root.newer();
  CostAlongLine(p, slots);
  for (int t = 0; t < p.pattern.trees; ++t) p.tree[t].largest = SumOverIsland(p, t, &SlotTree<S>::at_slope);
  for (int t = 0; t < p.pattern.trees; ++t) p.tree[t].alpha = p.tree[t].root.older();
  CostAlongLine(p, slots);
  for (int t = 0; t < p.pattern.trees; ++t) {
    SlotTree<S>& tree = p.tree[t];
    tree.root.Choose(tree.largest, SumOverIsland(p, t, &SlotTree<S>::at_slope));
    tree.budget = Select(tree.root.exhausted() & tree.stiff, S(2) * tree.budget, tree.budget);
  }
}

// The minimum of each live island along its line, from the Newton step alpha = 1 on. An island that gains nothing is
// at the minimum. `tolerance`: the solver's, times that of the line.
template <class S>
void SearchLines(const SlotProblem<S>& p, const SlotList<S>& live_slots, S tolerance) {
  StartLine(p, live_slots);
  StartRoots(p, tolerance);
  SlotList<S> slots(live_slots, p.open, AnyOpen(p));
  while (Any(AnyOpen(p))) {
    EvaluateLine(p, slots);
    for (int t = 0; t < p.pattern.trees; ++t) {
      SlotTree<S>& tree = p.tree[t];
      if (!Any(tree.root.open())) continue;
      tree.root.Take(SumOverIsland(p, t, &SlotTree<S>::at_slope), SumOverIsland(p, t, &SlotTree<S>::at_curvature),
                     tree.budget);
    }
    slots.Keep(AnyOpen(p));
  }
  MaskOf<S> exhausted = S(1) < S(0);
  for (int t = 0; t < p.pattern.trees; ++t) exhausted = exhausted | p.tree[t].root.exhausted();
  if (Any(exhausted)) ChooseEnds(p, live_slots);
  for (int t = 0; t < p.pattern.trees; ++t) {
    SlotTree<S>& tree = p.tree[t];
    tree.alpha = Select(tree.live, tree.root.alpha(), S(0));
    tree.live = tree.live & (tree.alpha != S(0));
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SLOT_LINE_KERNEL_H_
