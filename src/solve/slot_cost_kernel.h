// The cost of slots (slots.h) at a point, with their forces and weights, and what one world wants to know of its rows.
#ifndef SINEW_SOLVE_SLOT_COST_KERNEL_H_
#define SINEW_SOLVE_SLOT_COST_KERNEL_H_

#include "constraint/cost_kernel.h"
#include "solve/slot_products_kernel.h"
#include "solve/slots.h"

namespace sinew::inline solve {
inline namespace SINEW_ISA {

// Packs record nothing.
template <class S>
struct NoRecord {
  static constexpr bool kCounts = false;
  void Row(int, const RowCost<S>&, S) const {}
  void Cone(const Slot&, const ConeZones<S>&, const S*) const {}
  void Cost(int, const Slot&, S) const {}
  void Begin() const {}
  void Iteration(S, S, S, S) const {}
};

// Costs of the edges n + u_k and n - u_k; forces and weights are those of directions: f_n is the sum of all, f_k the
// difference of a pair. Returns twice the cost.
template <class S, class Record>
S PyramidCost(const SlotProblem<S>& p, const Slot& slot, const S* x, Record& record) {
  S *f = p.force + slot.first, *w = p.weight + slot.weight;
  const S D = p.D[slot.first];
  S twice(0);
  f[0] = w[0] = S(0);
  for (int k = 1; k < slot.dim; ++k) {
    const RowCost<S> plus = OneSidedCost(x[0] + x[k], D), minus = OneSidedCost(x[0] - x[k], D);
    twice += plus.twice;
    twice += minus.twice;
    f[0] += plus.force + minus.force;
    f[k] = plus.force - minus.force;
    w[2 * k] = plus.weight + minus.weight;
    w[0] += w[2 * k];
    w[2 * k - 1] = plus.weight - minus.weight;
    record.Row(slot.row + 2 * k - 2, plus, x[0] + x[k]);
    record.Row(slot.row + 2 * k - 1, minus, x[0] - x[k]);
  }
  return twice;
}

// Tells where a residual is with respect to the friction cone (constraint/cost.h).
template <class S>
ConePoint<S> ConeOf(const SlotProblem<S>& p, const Slot& slot, const S* x) {
  return ConePoint<S>(slot.dim, x, p.scale + slot.first);
}

// The cost is that of the cone's zone: nothing, a sum of squares, or the squared distance from the cone.
template <class S, class Record>
S EllipticCost(const SlotProblem<S>& p, const Slot& slot, const S* x, Record& record) {
  const ConePoint<S> cone = ConeOf(p, slot, x);
  S* force = p.force + slot.first;
  const S twice = ConeCost(cone, slot.dim, x, p.scale + slot.first, p.D + slot.first, p.bound[slot.first], force,
                           p.weight + slot.weight);
  record.Cone(slot, cone.zone, force);
  return twice;
}

// Returns twice the cost of a slot, and its forces and weights, whichever kind it is.
template <class S, class Record>
S SlotCost(const SlotProblem<S>& p, const Slot& slot, const S* x, Record& record) {
  if (slot.kind == SlotKind::kPyramid) return PyramidCost(p, slot, x, record);
  if (slot.kind == SlotKind::kElliptic) return EllipticCost(p, slot, x, record);
  S twice(0);
  for (int k = 0; k < slot.dim; ++k) {
    const int i = slot.first + k;
    const RowCost<S> row = slot.kind == SlotKind::kEquality   ? EqualityCost(x[k], p.D[i])
                           : slot.kind == SlotKind::kFriction ? FrictionCost(x[k], p.D[i], p.scale[i], p.bound[i])
                                                              : OneSidedCost(x[k], p.D[i]);
    twice += row.twice;
    p.force[i] = row.force;
    p.weight[slot.weight + k] = row.weight;
    record.Row(slot.row + k, row, x[k]);
  }
  return twice;
}

// Twice the cost of a slot at the residual x, and nothing else.
template <class S>
S TwiceCostOf(const SlotProblem<S>& p, const Slot& slot, const S* x) {
  const int first = slot.first;
  S twice(0);
  if (slot.kind == SlotKind::kElliptic) {
    S force[kMaxSlotDim], weight[kMaxSlotDim];
    return ConeCost(ConeOf(p, slot, x), slot.dim, x, p.scale + first, p.D + first, p.bound[first], force, weight);
  }
  for (int k = 0; k < slot.dim; ++k) {
    switch (slot.kind) {
      case SlotKind::kEquality:
        twice += EqualityCost(x[k], p.D[first + k]).twice;
        break;
      case SlotKind::kFriction:
        twice += FrictionCost(x[k], p.D[first + k], p.scale[first + k], p.bound[first + k]).twice;
        break;
      case SlotKind::kPyramid:
        if (k == 0) break;
        twice += OneSidedCost(x[0] + x[k], p.D[first]).twice;
        twice += OneSidedCost(x[0] - x[k], p.D[first]).twice;
        break;
      default:
        twice += OneSidedCost(x[k], p.D[first + k]).twice;
    }
  }
  return twice;
}

// Forces and weights of slots at the point.
template <class S, class Record>
void EvaluateSlots(const SlotProblem<S>& p, const SlotList<S>& slots, Record& record) {
  slots.For([&](int s) { record.Cost(s, p.slot[s], SlotCost(p, p.slot[s], p.residual + p.slot[s].first, record)); });
}

// 1/2 (a - a_s)' (M a - M a_s)
template <class S>
S InertiaCost(const SlotProblem<S>& p) {
  S cost(0);
  for (int i = 0; i < p.nv; ++i) cost += (p.Ma[i] - p.qfrc_smooth[i]) * (p.qacc[i] - p.qacc_smooth[i]);
  return S(0.5) * cost;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SLOT_COST_KERNEL_H_
