// Curves of muscles: C2 splines of quintic pieces over nodes that need not be equidistant.
//
// A curve is a block of numbers, in a table of the program (muscle_curves.h) or in a model:
//
//   x (kCurveNodes, ascending, filled up with infinity), then (value, slope, curvature) of each node
//
// Left of the first and right of the last node it goes on straight. Two nodes at the same x make a kink or a jump. Any
// content is safe to read: a search over a fixed number of nodes ends inside the block.
#ifndef SINEW_FORCE_MUSCLE_CURVE_KERNEL_H_
#define SINEW_FORCE_MUSCLE_CURVE_KERNEL_H_

#include "math/scalar.h"
#include "simd/pack.h"

namespace sinew {

inline constexpr int kCurveNodes = 256;
inline constexpr int kCurveNumbers = 4 * kCurveNodes;

// The four curves of a muscle follow one another.
enum MuscleCurve { kActiveLength, kForceVelocity, kPassiveLength, kTendonForce, kMuscleCurves };
inline constexpr int kCurveSetNumbers = kMuscleCurves * kCurveNumbers;

inline namespace SINEW_ISA {

template <class S>
struct CurvePoint {
  S value, slope;
};

// The last node at or before a place; the first one for places before it and for NaN. At most the last but one.
inline int FindCurveNode(const double* x, double place) {
  int node = 0;
  for (int step = kCurveNodes / 2; step > 0; step /= 2) node += x[node + step] <= place ? step : 0;
  return node < kCurveNodes - 1 ? node : kCurveNodes - 2;
}

// Both ends of the piece at a place, for each lane its own.
template <class S>
struct CurvePiece {
  S x0, x1;
  S value0, slope0, curvature0, value1, slope1, curvature1;
};

template <class S>
CurvePiece<S> FindCurvePiece(const double* curve, S place) {
  using T = typename LaneTraits<S>::Lane;
  constexpr int kLanes = LaneTraits<S>::kWidth;
  CurvePiece<S> piece;
  const T* places = reinterpret_cast<const T*>(&place);
  T* out = reinterpret_cast<T*>(&piece);
  for (int lane = 0; lane < kLanes; ++lane) {
    const int node = FindCurveNode(curve, places[lane]);
    const double* row = curve + kCurveNodes + 3 * node;
    out[lane] = curve[node];
    out[kLanes + lane] = curve[node + 1];
    for (int k = 0; k < 6; ++k) out[(2 + k) * kLanes + lane] = row[k];
  }
  return piece;
}

// Value and slope. With t from 0 to 1 over the piece of length h, the Hermite polynomial is
//   y0 + s0 t + c0 t^2/2 + A t^3 + B t^4 + C t^5,    slopes times h, curvatures times h^2
template <class S>
CurvePoint<S> EvaluateCurve(const double* curve, S place) {
  const CurvePiece<S> p = FindCurvePiece(curve, place);
  const S offset = place - p.x0;
  const auto straight = (offset < S(0)) | (p.x1 == S(kInfinity));
  const S h = Select(straight, S(1), p.x1 - p.x0), t = offset / h;
  const S s0 = p.slope0 * h, s1 = p.slope1 * h, c0 = p.curvature0 * h * h, c1 = p.curvature1 * h * h;
  const S rise = p.value1 - p.value0 - s0 - S(0.5) * c0, turn = s1 - s0 - c0, bend = c1 - c0;
  const S A = S(10) * rise - S(4) * turn + S(0.5) * bend;
  const S B = S(7) * turn - S(15) * rise - bend;
  const S C = S(6) * rise - S(3) * turn + S(0.5) * bend;
  const S value = p.value0 + t * (s0 + t * (S(0.5) * c0 + t * (A + t * (B + t * C))));
  const S slope = (s0 + t * (c0 + t * (S(3) * A + t * (S(4) * B + t * (S(5) * C))))) / h;
  return {Select(straight, p.value0 + p.slope0 * offset, value), Select(straight, p.slope0, slope)};
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_FORCE_MUSCLE_CURVE_KERNEL_H_
