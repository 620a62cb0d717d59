// The islands of a slot problem (slots.h) in each lane, and when one of them is at the minimum.
//
// Trees that a slot of a lane moves together are an island of that lane. Islands are independent problems: each has a
// step length of its own and ends by itself, so that a heavy body neither shortens the steps of a light one elsewhere
// nor hides what is left to do there.
//
// An island is at the minimum when the forces of each of its dofs are in balance (balance_kernel.h).
#ifndef SINEW_SOLVE_SLOT_ISLANDS_KERNEL_H_
#define SINEW_SOLVE_SLOT_ISLANDS_KERNEL_H_

#include "constraint/cost_kernel.h"
#include "simd/flatten.h"
#include "solve/balance_kernel.h"
#include "solve/slot_cost_kernel.h"
#include "solve/slot_products_kernel.h"
#include "solve/slots.h"

namespace sinew::inline solve {
inline namespace SINEW_ISA {

// use(tree, its first dof, the one behind its last)
template <class S, class Use>
void ForTrees(const SlotProblem<S>& p, const Use& use) {
  for (int t = 0; t < p.pattern.trees; ++t) use(p.tree[t], p.pattern.first_dof[t], p.pattern.first_dof[t + 1]);
}

// The largest of value(i) over dofs, in four parts, which processors compare side by side.
template <class S, class Value>
S LargestOf(int begin, int end, const Value& value) {
  S part[4] = {S(0), S(0), S(0), S(0)};
  int i = begin;
  for (; i + 4 <= end; i += 4) {
    Unroll<0, 4>([&](auto k) { part[k] = Max(part[k], value(i + k)); });
  }
  for (; i < end; ++i) part[0] = Max(part[0], value(i));
  return Max(Max(part[0], part[1]), Max(part[2], part[3]));
}

// ---- which trees go together

// use(tree, lanes) for the trees that may own a slot, with the lanes where it does.
template <class S, class Use>
void ForOwner(const SlotProblem<S>& p, int s, const Use& use) {
  const Slot& slot = p.slot[s];
  if (slot.first_tree == slot.last_tree) return use(slot.first_tree, S(0) == S(0));
  using Number = typename LaneTraits<S>::Lane;
  for (int t = slot.first_tree; t <= slot.last_tree; ++t) use(t, p.owner[s] == S(static_cast<Number>(t)));
}

// The value, for a slot, of a number that trees have: that of the slot's tree.
template <class S>
S OfOwner(const SlotProblem<S>& p, int s, S SlotTree<S>::*number) {
  S value(0);
  ForOwner(p, s, [&](int t, MaskOf<S> lanes) { value = Select(lanes, p.tree[t].*number, value); });
  return value;
}

// combine(sum, value) over the trees of the island of tree t in each lane, in ascending order.
template <class S, class Value, class Combine>
S OverIsland(const SlotProblem<S>& p, int t, const Value& value, const Combine& combine) {
  if (p.tree[t].is_alone) return value(t);
  S result(0);
  for (int u = 0; u < p.pattern.trees; ++u) {
    if (p.tree[u].group != p.tree[t].group) continue;
    result = combine(result, Select(p.tree[u].label == p.tree[t].label, value(u), S(0)));
  }
  return result;
}
template <class S>
S SumOverIsland(const SlotProblem<S>& p, int t, S SlotTree<S>::*number) {
  return OverIsland(
      p, t, [&](int u) { return p.tree[u].*number; }, [](S a, S b) { return a + b; });
}

// Where one of `count` numbers is not zero.
template <class S>
MaskOf<S> AnyNonzero(const S* x, int count) {
  MaskOf<S> any = x[0] != S(0);
  for (int i = 1; i < count && !All(any); ++i) any = any | (x[i] != S(0));
  return any;
}

// Joins the trees that a slot moves: those of which a column is not zero. A world alone may have left out the others.
template <class S>
SINEW_STAGE void JoinTrees(const SlotProblem<S>& p, int s) {
  using Number = typename LaneTraits<S>::Lane;
  const Slot& slot = p.slot[s];
  const auto number = [](int t) { return S(static_cast<Number>(t)); };
  p.owner[s] = number(slot.first_tree);
  MaskOf<S> has_owner = S(1) < S(0);
  for (int t = slot.first_tree; t <= slot.last_tree; ++t) {
    int begin = 0, end = slot.ncol;
    while (begin < end && slot.col[begin] < p.pattern.first_dof[t]) ++begin;
    while (begin < end && slot.col[end - 1] >= p.pattern.first_dof[t + 1]) --end;
    if (begin == end) continue;
    MaskOf<S> moves = S(1) < S(0);
    for (int k = 0; k < slot.dim && !All(moves); ++k) {
      moves = moves | AnyNonzero(p.jacobian[s] + k * slot.ncol + begin, end - begin);
    }
    const MaskOf<S> is_first = moves & !has_owner;
    p.owner[s] = Select(is_first, number(t), p.owner[s]);
    p.tree[t].live = p.tree[t].live | moves;
    // the island of the slot's owner takes in that of this tree
    const S joined = OfOwner(p, s, &SlotTree<S>::label), own = p.tree[t].label;
    const S label = Min(joined, own);
    const int group = p.tree[t].group, owners = p.tree[slot.first_tree].group;
    for (int u = 0; u < p.pattern.trees; ++u) {
      SlotTree<S>& tree = p.tree[u];
      if (tree.group == group || tree.group == owners) {
        tree.label = Select(moves & ((tree.label == joined) | (tree.label == own)), label, tree.label);
      }
      if (tree.group == group) tree.group = owners;
    }
    has_owner = has_owner | moves;
  }
}

// Finds the stiff islands: the stiffest row of all its slots beside the lightest dof of all its trees. Asked where some
// island takes a step.
template <class S>
void FindStiffIslands(const SlotProblem<S>& p) {
  for (int t = 0; t < p.pattern.trees; ++t) p.tree[t].at_slope = S(0);
  for (int s = 0; s < p.count; ++s) {
    const Slot& slot = p.slot[s];
    S D = p.D[slot.first];
    for (int i = slot.first + 1; i < slot.first + slot.dim; ++i) D = Max(D, p.D[i]);
    ForOwner(p, s,
             [&](int t, MaskOf<S> lanes) { p.tree[t].at_slope = Max(p.tree[t].at_slope, Select(lanes, D, S(0))); });
  }
  ForTrees(p, [&](SlotTree<S>& tree, int begin, int end) {
    const S largest = LargestOf<S>(begin, end, [&](int i) { return p.inverse_root[i]; });
    tree.at_curvature = largest * largest;
  });
  const auto largest = [](S a, S b) { return Max(a, b); };
  for (int t = 0; t < p.pattern.trees; ++t) {
    const S D = OverIsland(
        p, t, [&](int u) { return p.tree[u].at_slope; }, largest);
    p.tree[t].stiff = IsStiff(D, OverIsland(
                                     p, t, [&](int u) { return p.tree[u].at_curvature; }, largest));
  }
}

// Finds the islands of each lane. `live` is where a slot moves a tree.
template <class S>
void FindIslands(const SlotProblem<S>& p) {
  using Number = typename LaneTraits<S>::Lane;
  for (int t = 0; t < p.pattern.trees; ++t) {
    SlotTree<S>& tree = p.tree[t];
    tree.group = t;
    tree.label = S(static_cast<Number>(t));
    tree.live = tree.changed = tree.has_floor = S(1) < S(0);
  }
  if (p.pattern.trees == 1) p.tree[0].live = p.present;
  for (int s = 0; s < p.count && p.pattern.trees > 1; ++s) {
    const Slot& slot = p.slot[s];
    if (slot.first_tree != slot.last_tree) {
      JoinTrees(p, s);
      continue;
    }
    if (slot.ncol == 0) continue;
    p.tree[slot.first_tree].live = p.tree[slot.first_tree].live | AnyNonzero(p.jacobian[s], slot.dim * slot.ncol);
  }
  for (int t = 0; t < p.pattern.trees; ++t) {
    p.tree[t].is_alone = true;
    for (int u = 0; u < p.pattern.trees; ++u) p.tree[t].is_alone &= u == t || p.tree[u].group != p.tree[t].group;
  }
  ForTrees(p, [&](SlotTree<S>& tree, int begin, int end) {
    tree.trace = tree.left = tree.noise = S(0);
    for (int i = begin; i < end; ++i) {
      const S diagonal = p.M[p.inertia.rowadr[i] + p.inertia.rownnz[i] - 1];
      tree.trace += diagonal;
      p.inverse_root[i] = S(1) / Sqrt(diagonal);
    }
  });
}

template <class S>
MaskOf<S> AnyLive(const SlotProblem<S>& p) {
  MaskOf<S> live = p.tree[0].live;
  for (int t = 1; t < p.pattern.trees; ++t) live = live | p.tree[t].live;
  return live;
}

// ---- the minimum

// The islands of trees where `unbalanced` is 1 go on; others are at the minimum.
template <class S>
void GoOn(const SlotProblem<S>& p, S SlotTree<S>::*unbalanced) {
  for (int t = 0; t < p.pattern.trees; ++t) {
    const S any = OverIsland(
        p, t, [&](int u) { return p.tree[u].*unbalanced; }, [](S a, S b) { return Max(a, b); });
    p.tree[t].live = p.tree[t].live & (any != S(0));
  }
}

// Whether a tree has a dof that is not in balance: 1 or 0. `tree` has the largest force and gradient.
template <class S>
S UnbalancedIn(const SlotProblem<S>& p, const SlotTree<S>& tree, int begin, int end, S tolerance) {
  const MaskOf<S> live = tree.live & !(tree.left <= Uniform<S>(kRoundingOfTree<S>) * tree.largest);
  S unbalanced(0);
  for (int i = begin; i < end && Any(live & (unbalanced == S(0))); ++i) {
    const S own = OwnForces(p.Ma[i], p.qfrc_smooth[i], p.qfrc_constraint[i]);
    const MaskOf<S> balanced = IsBalanced(p.gradient[i], own, p.inverse_root[i], tree.largest, tolerance);
    unbalanced = Select(live & !balanced, S(1), unbalanced);
  }
  return unbalanced;
}

// Whether the gradient of each dof is below its share of the forces of the dof, in all lanes that go on: the usual end,
// which needs neither the largest force of the tree nor the scales of its dofs.
template <class S>
bool IsBalancedByOwnForces(const SlotProblem<S>& p, const SlotTree<S>& tree, int begin, int end, S tolerance) {
  const MaskOf<S> has_ended = !tree.live;
  for (int i = begin; i < end; ++i) {
    const S own = OwnForces(p.Ma[i], p.qfrc_smooth[i], p.qfrc_constraint[i]);
    const MaskOf<S> is_below = Abs(p.gradient[i]) <= tolerance * own;
    if (!All(has_ended | is_below)) return false;
  }
  return true;
}

// Ends the islands in which each dof is in balance.
template <class S>
void EndBalanced(const SlotProblem<S>& p, S tolerance) {
  ForTrees(p, [&](SlotTree<S>& tree, int begin, int end) {
    // in an island of several trees, the others may go on, and with them this one
    if (tree.is_alone && IsBalancedByOwnForces(p, tree, begin, end, tolerance)) {
      tree.at_slope = S(0);
      return;
    }
    tree.largest = LargestOf<S>(begin, end, [&](int i) {
      return OwnForces(p.Ma[i], p.qfrc_smooth[i], p.qfrc_constraint[i]) * p.inverse_root[i];
    });
    tree.left_before = tree.left;
    tree.left = LargestOf<S>(begin, end, [&](int i) { return Abs(p.gradient[i]) * p.inverse_root[i]; });
    tree.at_slope = UnbalancedIn(p, tree, begin, end, tolerance);
  });
  GoOn(p, &SlotTree<S>::at_slope);
}

// force (dim) = by how much the forces of a slot may be off with its residual at the point, if this is known but for
// `size` (dim) in each direction.
template <class S>
void SpreadOfForces(const SlotProblem<S>& p, const Slot& slot, const S* size, S* force) {
  const S *weight = p.weight + slot.weight, *scale = p.scale + slot.first;
  if (slot.kind == SlotKind::kPyramid) {
    force[0] = S(0);
    for (int k = 1; k < slot.dim; ++k) {
      force[k] = weight[2 * k] * (size[0] + size[k]);
      force[0] += force[k];
    }
    return;
  }
  for (int k = 0; k < slot.dim; ++k) force[k] = weight[k] * size[k];
  if (slot.kind != SlotKind::kElliptic) return;
  S all(0);
  for (int k = 0; k < slot.dim; ++k) all += scale[k] * size[k];
  const ConePoint<S> cone = ConeOf(p, slot, p.residual + slot.first);
  for (int k = 0; k < slot.dim; ++k) force[k] += Select(cone.zone.middle, p.bound[slot.first] * scale[k] * all, S(0));
}

// floor (nv) = the sizes of the terms that the gradient of each dof is the sum of: |M| |a|, the smooth force, and of
// each slot |J'| (|f| + W (|J| |a| + |aref|)), as its residual has the rounding of J a - aref.
template <class S>
SINEW_STAGE void MakeFloor(const SlotProblem<S>& p, const SlotList<S>& slots, S* floor) {
  for (int i = 0; i < p.nv; ++i) floor[i] = Abs(p.qfrc_smooth[i]);
  for (int i = 0; i < p.nv; ++i) {
    const S* row = p.M + p.inertia.rowadr[i];
    for (int k = 0; k < p.inertia.rownnz[i]; ++k) {
      const int j = p.inertia.Columns(i)[k];
      floor[i] += Abs(row[k] * p.qacc[j]);
      if (j != i) floor[j] += Abs(row[k] * p.qacc[i]);
    }
  }
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    const S* J = p.jacobian[s];
    S size[kMaxSlotDim], force[kMaxSlotDim];
    for (int k = 0; k < slot.dim; ++k) {
      size[k] = Abs(p.aref[slot.first + k]);
      for (int c = 0; c < slot.ncol; ++c) size[k] += Abs(J[k * slot.ncol + c] * p.qacc[slot.col[c]]);
    }
    SpreadOfForces(p, slot, size, force);
    for (int k = 0; k < slot.dim; ++k) {
      force[k] += Abs(p.force[slot.first + k]);
      for (int c = 0; c < slot.ncol; ++c) floor[slot.col[c]] += Abs(J[k * slot.ncol + c]) * force[k];
    }
  });
}

// Ends the islands whose gradient is nothing but rounding. Asked where the last step has changed no weight, so that it
// led to the minimum as exactly as it can be computed, and large forces that cancel leave more than EndBalanced allows.
template <class S>
void EndRounded(const SlotProblem<S>& p, const SlotList<S>& slots) {
  MaskOf<S> asks = S(1) < S(0);
  for (int t = 0; t < p.pattern.trees; ++t) {
    const auto changed = [&](int u) { return Select(p.tree[u].changed, S(1), S(0)); };
    const S any = OverIsland(p, t, changed, [](S a, S b) { return Max(a, b); });
    p.tree[t].at_curvature = any;  // 1 where the island has changed
    p.tree[t].has_floor = p.tree[t].live & (any == S(0));
    asks = asks | p.tree[t].has_floor;
  }
  if (!Any(asks)) return;
  MakeFloor(p, slots, p.floor);
  ForTrees(p, [&](SlotTree<S>& tree, int begin, int end) {
    const MaskOf<S> stalled = S(2) * tree.left >= tree.left_before;
    for (int i = begin; i < end; ++i) {
      tree.at_curvature = Select(IsRounding(p.gradient[i], p.floor[i], stalled, tree.stiff), tree.at_curvature, S(1));
    }
  });
  GoOn(p, &SlotTree<S>::at_curvature);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SLOT_ISLANDS_KERNEL_H_
