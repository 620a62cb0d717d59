// The minimum of the cost of slots (slots.h) along a line.
#ifndef SINEW_SOLVE_SLOT_LINE_KERNEL_H_
#define SINEW_SOLVE_SLOT_LINE_KERNEL_H_

#include "constraint/cost_kernel.h"
#include "math/interleaved.h"
#include "solve/slot_products_kernel.h"
#include "solve/slots.h"

namespace sinew {
inline namespace SINEW_ISA {

// Slope and curvature along the line, at alpha.
template <class S>
struct LinePoint {
  S slope, curvature;
};

// Adds the slope and curvature of D min(x + alpha v, 0)^2 / 2.
template <class S>
void AddOneSidedLine(S x, S v, S D, S alpha, LinePoint<S>& point) {
  x += alpha * v;
  const S weighted = Select(x < S(0), D, S(0)) * v;
  point.slope += weighted * x;
  point.curvature += weighted * v;
}

template <class S>
void AddConeLine(const SlotProblem<S>& p, const Slot& slot, S alpha, LinePoint<S>& point) {
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

// `start` holds slope and curvature at zero of what is quadratic everywhere.
template <class S>
LinePoint<S> EvaluateLine(const SlotProblem<S>& p, const SlotList<S>& slots, const LinePoint<S>& start, S alpha) {
  LinePoint<S> point = {start.slope + alpha * start.curvature, start.curvature};
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    const S *x = p.residual + slot.first, *v = p.rate + slot.first;
    switch (slot.kind) {
      case SlotKind::kEquality:
        break;
      case SlotKind::kFriction: {
        const RowCost<S> row =
            FrictionCost(x[0] + alpha * v[0], p.D[slot.first], p.scale[slot.first], p.bound[slot.first]);
        point.slope -= row.force * v[0];
        point.curvature += row.weight * v[0] * v[0];
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
  });
  return point;
}

template <class S>
struct LineMinimum {
  S alpha, slope;
  int evaluations;
};

// The root of the slope, from the Newton step alpha = 1 on. The signs of the slope bracket it. Newton steps are taken
// within the bracket as long as they get shorter by half every other time; otherwise its middle is, or twice as far
// where it has no end yet (W. Press et al., Numerical Recipes, 3rd ed., 9.4). Slopes of cones turn sharply where a
// contact is about to slide: there Newton steps alone may go back and forth for long.
template <class S>
LineMinimum<S> SearchLine(const SlotProblem<S>& p, const SlotList<S>& live_slots, const LinePoint<S>& start,
                          S tolerance, int limit, MaskOf<S> live) {
  SlotList<S> slots(live_slots, p.open, live);
  const S infinity(1e30);
  LineMinimum<S> found = {S(1), S(0), 0};
  S low(0), high = infinity, last = infinity, before_last = infinity;  // ends of the bracket, lengths of steps
  MaskOf<S> open = live;
  while (found.evaluations < limit) {
    const LinePoint<S> at = EvaluateLine(p, slots, start, found.alpha);
    ++found.evaluations;
    found.slope = Select(open, at.slope, found.slope);
    open = open & (Abs(at.slope) >= tolerance);
    if (!Any(open)) return found;
    const MaskOf<S> rising = at.slope >= S(0), falling = !rising;
    low = Select(open & falling, found.alpha, low);
    high = Select(open & rising, found.alpha, high);
    const MaskOf<S> has_end = high < infinity;
    const S step = at.slope / Max(at.curvature, S(kMinVal)), newton = found.alpha - step;
    const MaskOf<S> is_short = (!has_end) | (S(2) * Abs(step) <= before_last);
    const S middle = Select(has_end, S(0.5) * (low + high), S(2) * found.alpha);
    const S next = Select((newton > low) & (newton < high) & is_short, newton, middle);
    before_last = last;
    last = Abs(next - found.alpha);
    open = open & (next > low) & (next < high);
    found.alpha = Select(open, next, found.alpha);
    if (!Any(open)) return found;
    slots.Keep(open);
  }
  found.alpha = Select(open, low, found.alpha);  // the slope is negative up to there: it costs less than the start
  return found;
}

// What is quadratic along the whole line: inertia and equalities.
template <class S>
LinePoint<S> StartOfLine(const SlotProblem<S>& p, const SlotList<S>& slots) {
  LinePoint<S> start = {S(0), InterleavedDot(p.direction, p.Mv, p.nv)};
  for (int i = 0; i < p.nv; ++i) start.slope += p.direction[i] * (p.Ma[i] - p.qfrc_smooth[i]);
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    if (slot.kind != SlotKind::kEquality) return;
    for (int i = slot.first; i < slot.first + slot.dim; ++i) {
      start.slope += p.D[i] * p.residual[i] * p.rate[i];
      start.curvature += p.D[i] * p.rate[i] * p.rate[i];
    }
  });
  return start;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_SOLVE_SLOT_LINE_KERNEL_H_
