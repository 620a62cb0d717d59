// The constraint cost of one row, or of one elliptic contact (constraint/cost.h), with its force and its curvature, for
// one world and for lanes: zones are masks.
#ifndef SINEW_CONSTRAINT_COST_KERNEL_H_
#define SINEW_CONSTRAINT_COST_KERNEL_H_

#include "simd/pack.h"

namespace sinew::inline constraint {
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

// An elliptic contact in the coordinates of its cone: U_j = scale_j x_j, N = U_0, T = |U_1..|.
template <class S>
struct ConePoint {
  S U[6], N, T;
  ConeZones<S> zone;

  ConePoint(int dim, const S* x, const S* scale) {
    S squared(0);
    for (int j = 0; j < dim; ++j) U[j] = x[j] * scale[j];
    for (int j = 1; j < dim; ++j) squared += U[j] * U[j];
    N = U[0];
    T = Sqrt(squared);
    zone = ZonesOf(N, T, scale[0]);
  }

  // Where T divides.
  S SafeT() const { return Select(zone.middle, T, S(1)); }
};

// Twice the cost of an elliptic contact, its forces, and the weights of its rows where they are quadratic.
template <class S>
S ConeCost(const ConePoint<S>& cone, int dim, const S* x, const S* scale, const S* D, S Dm, S* force, S* weight) {
  S twice(0);
  for (int j = 0; j < dim; ++j) {
    weight[j] = Select(cone.zone.bottom, D[j], S(0));
    force[j] = -weight[j] * x[j];
    twice -= force[j] * x[j];
  }
  if (!Any(cone.zone.middle)) return twice;
  const S gap = cone.N - scale[0] * cone.T, normal = -Dm * gap * scale[0], T = cone.SafeT();
  force[0] = Select(cone.zone.middle, normal, force[0]);
  for (int j = 1; j < dim; ++j) force[j] = Select(cone.zone.middle, -normal / T * cone.U[j] * scale[j], force[j]);
  return Select(cone.zone.middle, Dm * gap * gap, twice);
}

// Slope and curvature along a line alpha of the middle zone's cost s = Dm (N - mu T)^2 / 2. The coordinates are linear
// in alpha: N changes by dN, and the tangent t by w, so that T = |t| has T' = t'w / T and T'' = (w'w - T'^2) / T.
template <class S>
struct ConeLine {
  S gap, slope, curvature;  // gap = N - mu T

  ConeLine(S N, S dN, S T, S tw, S ww, S mu, S Dm) {
    const S dT = tw / T, ddT = (ww - dT * dT) / T, dgap = dN - mu * dT;
    gap = N - mu * T;
    slope = Dm * gap * dgap;
    curvature = Dm * (dgap * dgap - gap * mu * ddT);
  }
};

// Entry (i, j) of the Hessian of the middle zone, zero in others, with u = U_1.. / T:
//   Dm diag(scale) [ 1, -mu u' ; -mu u, mu^2 1 + mu N/T (u u' - 1) ] diag(scale)
template <class S>
S ConeHessianEntry(const ConePoint<S>& cone, const S* scale, S Dm, int i, int j) {
  const S mu = scale[0], T = cone.SafeT(), ratio = mu * cone.N / T;
  S h(1);
  if (i > 0 && j > 0) {
    h = ratio * cone.U[i] * cone.U[j] / (T * T);
    if (i == j) h += mu * mu - ratio;
  } else if (i + j > 0) {
    h = -mu * cone.U[i + j] / T;
  }
  return Select(cone.zone.middle, Dm * scale[i] * scale[j] * h, S(0));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_COST_KERNEL_H_
