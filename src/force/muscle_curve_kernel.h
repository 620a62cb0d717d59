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
#include "simd/gather.h"

namespace sinew::inline force {

inline constexpr int kCurveSegments = 8, kCurvePieces = 514, kCurvePieceNumbers = 6;
// Where segments and pieces begin.
inline constexpr int kCurveMaps = kCurveSegments, kCurveCoefficients = 3 * kCurveSegments;
inline constexpr int kCurveNumbers = kCurveCoefficients + kCurvePieceNumbers * kCurvePieces;

// Where the number stands at which the straight line on the left ends: the start of the first segment behind it.
inline constexpr int kFirstSegment = 1;
// Segments that are not there start at infinity.
inline constexpr double kLastSegment = 1e300;

// The four curves of a muscle follow one another.
enum MuscleCurve { kActiveLength, kForceVelocity, kPassiveLength, kTendonForce, kMuscleCurves };
inline constexpr int kCurveSetNumbers = kMuscleCurves * kCurveNumbers;

inline namespace SINEW_ISA {

template <class S>
struct CurvePoint {
  S value, slope;
};

// Coefficients of one piece for each lane, and where in it the place is.
template <class S>
struct CurvePiece {
  S t, density, c[kCurvePieceNumbers];
};

template <class S>
CurvePiece<S> FindCurvePiece(const double* curve, S place) {
  CurvePiece<S> piece;
  S offset(curve[kCurveMaps + 1]);
  piece.density = S(curve[kCurveMaps]);
  // absent segments are the last ones, and the same in all lanes
  for (int k = 1; k < kCurveSegments && curve[k] <= kLastSegment; ++k) {
    const auto reached = S(curve[k]) <= place;
    piece.density = Select(reached, S(curve[kCurveMaps + 2 * k]), piece.density);
    offset = Select(reached, S(curve[kCurveMaps + 2 * k + 1]), offset);
  }
  const S u = place * piece.density + offset;
  // comparisons in this order take NaN to the first piece
  const S from_first = Select(u > S(0), u, S(0));
  const S bounded = Select(from_first < S(kCurvePieces - 1), from_first, S(kCurvePieces - 1));
  if constexpr (requires { static_cast<int>(bounded); }) {  // one number, or one with slopes
    const int number = static_cast<int>(bounded);
    const double* coefficients = curve + kCurveCoefficients + kCurvePieceNumbers * number;
    piece.t = u - S(number);
    for (int k = 0; k < kCurvePieceNumbers; ++k) piece.c[k] = S(coefficients[k]);
  } else {
    // all lanes at once: truncated, and back
    using Whole = typename WholeNumbers<LaneTraits<S>::kWidth>::Value;
    const Whole number = __builtin_convertvector(bounded.v, Whole);
    piece.t = u - S(__builtin_convertvector(number, typename S::Value));
    const Whole first = number * kCurvePieceNumbers;
    const double* coefficients = curve + kCurveCoefficients;
    for (int k = 0; k < kCurvePieceNumbers; ++k) {
      piece.c[k] = GatherFrom<S>(coefficients + k, first);
    }
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
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_MUSCLE_CURVE_KERNEL_H_
