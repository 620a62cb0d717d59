// Functions of one number by polynomials in pieces, with their derivatives; splines through points in that form.
//
// Numbers of a function: pieces, degree, the ends of all pieces but the last (they ascend), then for each piece its
// origin x0 and degree + 1 coefficients: c0 + c1 (x - x0) + c2 (x - x0)^2 + ...
// The first piece reaches to minus infinity, the last to infinity.
#ifndef SINEW_MATH_PIECEWISE_H_
#define SINEW_MATH_PIECEWISE_H_

#include <span>
#include <vector>

#include "simd/pack.h"

namespace sinew::inline math {

// The most coefficients of a piece.
inline constexpr int kMostCoefficients = 12;

// A function that stands in an array. Without pieces it is zero.
struct Piecewise {
  int pieces = 0, coefficients = 0;
  const double *ends = nullptr, *first_piece = nullptr;
};

// The function that begins at a place of an array, where neither place nor numbers need be sensible: zero unless all of
// it is inside.
Piecewise PiecewiseAt(std::span<const double> array, double place);

inline namespace SINEW_ISA {

// A value with its first and second derivative.
template <class S>
struct Jet {
  S value, slope, curvature;
};

template <class S>
Jet<S> Evaluate(const Piecewise& f, const S& x) {
  if (f.pieces == 0) return {S(0), S(0), S(0)};
  // origin and coefficients of the piece that x is in
  const int stride = f.coefficients + 1;
  S c[kMostCoefficients + 1] = {};
  for (int k = 0; k < stride; ++k) c[k] = Uniform<S>(f.first_piece[k]);
  for (int i = 1; i < f.pieces; ++i) {
    const MaskOf<S> beyond = x >= Uniform<S>(f.ends[i - 1]);
    if (!Any(beyond)) break;
    const double* piece = f.first_piece + i * stride;
    for (int k = 0; k < stride; ++k) c[k] = Select(beyond, Uniform<S>(piece[k]), c[k]);
  }
  // Horner's scheme for the value, its derivative, and half the second one
  const S dx = x - c[0];
  S value = c[stride - 1], slope(0), half(0);
  for (int k = stride - 2; k > 0; --k) {
    half = half * dx + slope;
    slope = slope * dx + value;
    value = value * dx + c[k];
  }
  return {value, slope, half * S(2)};
}

}  // namespace SINEW_ISA

// ---- functions as numbers

// c0 + c1 x + ..., of one to kMostCoefficients coefficients.
std::vector<double> PolynomialPieces(std::span<const double> coefficients);

// The condition of a cubic spline at its first and last point.
enum class SplineEnds {
  kNatural,        // the second derivative is zero
  kNearestPoints,  // the third one is that of the cubic through the nearest four points (Forsythe and others 1977)
};

// Through at least two points whose x ascend; beyond them straight on.
std::vector<double> SplinePieces(std::span<const double> x, std::span<const double> y, SplineEnds ends);
std::vector<double> PolylinePieces(std::span<const double> x, std::span<const double> y);

}  // namespace sinew::inline math

#endif  // SINEW_MATH_PIECEWISE_H_
