// Curves of muscles: C2 splines of quintic pieces.
//
// A curve is a block of numbers, in a table of the program (muscle_curves.h) or in a model. It consists of segments, in
// each of which the pieces are of equal width, so that a place x finds its piece without a search:
//
//   segment:  start, ascending; infinity for segments that are not there         (kCurveSegments)
//             density, offset: piece number density x + offset holds x           (kCurveSegments pairs)
//   piece:    six coefficients of t, the fraction of that number                 (kCurvePieces)
//
// The first and the last piece go on beyond the curve. Any content is safe to read.
#ifndef SINEW_FORCE_MUSCLE_CURVE_KERNEL_H_
#define SINEW_FORCE_MUSCLE_CURVE_KERNEL_H_

#include "math/scalar.h"
#include "simd/pack.h"

namespace sinew {

inline constexpr int kCurveSegments = 8, kCurvePieces = 514, kCurvePieceNumbers = 6;
// Where segments and pieces begin.
inline constexpr int kCurveMaps = kCurveSegments, kCurveCoefficients = 3 * kCurveSegments;
inline constexpr int kCurveNumbers = kCurveCoefficients + kCurvePieceNumbers * kCurvePieces;

// The four curves of a muscle follow one another.
enum MuscleCurve { kActiveLength, kForceVelocity, kPassiveLength, kTendonForce, kMuscleCurves };
inline constexpr int kCurveSetNumbers = kMuscleCurves * kCurveNumbers;

inline namespace SINEW_ISA {

template <class S>
struct CurvePoint {
  S value, slope;
};

// Where a curve is to be evaluated: the piece, and the place in it.
struct CurvePlace {
  int piece;
  double t, density;
};

inline CurvePlace FindCurvePlace(const double* curve, double place) {
  int segment = 0;
  for (int k = 1; k < kCurveSegments; ++k) segment += curve[k] <= place;
  const double* map = curve + kCurveMaps + 2 * segment;
  const double u = place * map[0] + map[1];
  // comparisons in this order take NaN to the first piece
  const double from_first = u > 0 ? u : 0;
  const int piece = static_cast<int>(from_first < kCurvePieces - 1 ? from_first : kCurvePieces - 1);
  return {piece, u - piece, map[0]};
}

// Coefficients of one piece for each lane, and where in it the place is.
template <class S>
struct CurvePiece {
  S t, density, c[kCurvePieceNumbers];
};

template <class S>
CurvePiece<S> FindCurvePiece(const double* curve, S place) {
  using T = typename LaneTraits<S>::Lane;
  constexpr int kLanes = LaneTraits<S>::kWidth;
  CurvePiece<S> piece;
  const T* places = reinterpret_cast<const T*>(&place);
  T* out = reinterpret_cast<T*>(&piece);
  for (int lane = 0; lane < kLanes; ++lane) {
    const CurvePlace at = FindCurvePlace(curve, places[lane]);
    const double* row = curve + kCurveCoefficients + kCurvePieceNumbers * at.piece;
    out[lane] = at.t;
    out[kLanes + lane] = at.density;
    for (int k = 0; k < kCurvePieceNumbers; ++k) out[(2 + k) * kLanes + lane] = row[k];
  }
  return piece;
}

template <class S>
CurvePoint<S> EvaluateCurve(const double* curve, S place) {
  const CurvePiece<S> p = FindCurvePiece(curve, place);
  // pairs of terms (G. Estrin 1960): the chain of dependent operations is half as long as Horner's
  const S t = p.t, t2 = t * t;
  const S value = (p.c[0] + t * p.c[1]) + t2 * ((p.c[2] + t * p.c[3]) + t2 * (p.c[4] + t * p.c[5]));
  const S slope = (p.c[1] + t * (S(2) * p.c[2])) + t2 * ((S(3) * p.c[3] + t * (S(4) * p.c[4])) + t2 * (S(5) * p.c[5]));
  return {value, slope * p.density};
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_FORCE_MUSCLE_CURVE_KERNEL_H_
