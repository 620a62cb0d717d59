// The constraint cost of one row, or of one elliptic contact (constraint/cost.h), with its force and its curvature, for
// one world and for lanes: zones are masks.
#ifndef SINEW_CONSTRAINT_COST_KERNEL_H_
#define SINEW_CONSTRAINT_COST_KERNEL_H_

#include "simd/pack.h"

namespace sinew {
inline namespace SINEW_ISA {

// Twice the cost, the force -ds/dx, and the weight d2s/dx2 of a row at the residual x.
template <class S>
struct RowCost {
  S twice, force, weight;
};

template <class S>
RowCost<S> EqualityCost(S x, S D) {
  const S force = -D * x;
  return {-force * x, force, D};
}

// Limits, frictionless contacts, edges of pyramids: they act where x < 0.
template <class S>
RowCost<S> OneSidedCost(S x, S D) {
  const S weight = Select(x < S(0), D, S(0)), force = -weight * x;
  return {-force * x, force, weight};
}

// Friction loss eta: quadratic for |x| < bound = R eta, linear beyond.
template <class S>
RowCost<S> FrictionCost(S x, S D, S eta, S bound) {
  const MaskOf<S> negative = x <= -bound, positive = x >= bound;
  const S quadratic = -D * x;
  const S force = Select(negative, eta, Select(positive, -eta, quadratic));
  const S linear = eta * (S(2) * Abs(x) - bound);
  return {Select(negative | positive, linear, -quadratic * x), force, Select(negative | positive, S(0), D)};
}

// Zones of an elliptic cone (EllipticContact) at the normal and tangential coordinates N and T; both false in the top
// zone.
template <class S>
struct ConeZones {
  MaskOf<S> bottom, middle;
};
template <class S>
ConeZones<S> ZonesOf(S N, S T, S mu) {
  const MaskOf<S> flat = T <= S(0);
  const MaskOf<S> top = (N >= mu * T) | (flat & (N >= S(0))), below = !top;
  const MaskOf<S> bottom = below & ((mu * N + T <= S(0)) | (flat & (N < S(0))));
  return {bottom, !(top | bottom)};
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_CONSTRAINT_COST_KERNEL_H_
