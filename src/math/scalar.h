// Functions of one number, and closed forms in few.
#ifndef SINEW_MATH_SCALAR_H_
#define SINEW_MATH_SCALAR_H_

#include <cmath>
#include <limits>

#include "math/vec3.h"
#include "simd/functions.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

// Smooth step from 0 at x = 0 to 1 at x = 1, with two continuous derivatives: 6 x^5 - 15 x^4 + 10 x^3.
template <class S>
S SmoothStep(S x) {
  const S t = Clamp(x, S(0), S(1));
  return t * t * t * (S(10) + t * (S(6) * t - S(15)));
}

// Position after time t of a unit mass that a spring k and a damper b pull to the origin:
//   x'' + b x' + k x = 0,  x(0) = x0,  x'(0) = v0
inline double SpringDamper(double x0, double v0, double k, double b, double t) {
  const double discriminant = b * b - 4 * k;
  const double decay = Exp(-b * t / 2);

  // critically damped: a double root
  if (std::fabs(discriminant) <= kMinVal) return decay * (x0 + (v0 + b * x0 / 2) * t);

  // underdamped: oscillates with angular frequency omega
  if (discriminant < 0) {
    const double omega = std::sqrt(-discriminant) / 2;
    double sine, cosine;
    SinCos(omega * t, sine, cosine);
    return decay * (x0 * cosine + (v0 + b * x0 / 2) / omega * sine);
  }

  // overdamped: two real roots
  const double root = std::sqrt(discriminant);
  const double r1 = (-b + root) / 2, r2 = (-b - root) / 2;
  const double c1 = (v0 - r2 * x0) / root, c2 = x0 - c1;
  return c1 * Exp(r1 * t) + c2 * Exp(r2 * t);
}

// Entry `index` >= 0 of the van der Corput sequence of base >= 2: the digits of the index behind the point, in reverse.
// Sequences of different primes are the coordinates of a Halton sequence, which fills a cube evenly.
inline double RadicalInverse(int index, int base) {
  double value = 0, digit_weight = 1;
  for (int rest = index; rest > 0; rest /= base) {
    digit_weight /= base;
    value += digit_weight * (rest % base);
  }
  return value;
}

// The nearest integer, halves up; the nearest int for numbers beyond, and 0 for NaN.
inline int RoundToInt(double x) {
  constexpr int kMin = std::numeric_limits<int>::min(), kMax = std::numeric_limits<int>::max();
  if (std::isnan(x)) return 0;
  const double floor = std::floor(x);
  const double rounded = x - floor < 0.5 ? floor : std::ceil(x);
  return rounded <= kMin ? kMin : rounded >= kMax ? kMax : static_cast<int>(rounded);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_SCALAR_H_
