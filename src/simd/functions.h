// Elementary functions for scalars and packs, one text for both: the same operations in the same order, so that a lane
// equals the scalar result bit for bit, on every compiler and machine. Errors stay below 2 ulp where nothing else is
// said.
//
// Argument reduction after W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980. Minimax
// coefficients of the kernels: Sun Microsystems' fdlibm (exp, log) and S. Moshier's Cephes (atan); those of sin and cos
// interpolate what stands beside the powers written out, at Chebyshev's points of [0, (pi/4)^2].
#ifndef SINEW_SIMD_FUNCTIONS_H_
#define SINEW_SIMD_FUNCTIONS_H_

#include <limits>

#include "simd/pack.h"

namespace sinew::inline simd {
inline namespace SINEW_ISA {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace functions {

// Adding 1.5 * 2^52 rounds to the nearest integer and leaves it, in two's complement, in the low bits.
inline constexpr double kRound = 6755399441055744.0;

inline bool HasBit(int64_t x, int64_t bit) { return (x & bit) != 0; }
template <class Bits>
requires(!std::is_integral_v<Bits>) auto HasBit(Bits x, int64_t bit) {
  return Mask<double, static_cast<int>(sizeof(Bits) / sizeof(double))>{(x & bit) != 0};
}

// 2^k for the integer k that `rounded` = k + kRound carries, |k| < 1023
template <class S>
S PowerOfTwo(S rounded) {
  return FromBits((ToBits(rounded) + 1023) << 52);
}

template <class S>
S Polynomial(S, double c0) {
  return S(c0);
}
// c0 + x (c1 + x (c2 + ...))
template <class S, class... Rest>
S Polynomial(S x, double c0, Rest... rest) {
  return S(c0) + x * Polynomial(x, rest...);
}

// The upper 26 bits of x. Products of two such parts are exact: T. J. Dekker, A floating-point technique for extending
// the available precision, Numerische Mathematik 18, 1971.
template <class S>
S UpperBits(S x) {
  const S t = S(134217729.0) * x;  // 2^27 + 1
  return t - (t - x);
}

// An angle of at most pi/4, and its square, each with what rounding took from it.
template <class S>
struct SmallAngle {
  S angle, angle_rest, upper;  // upper bits of the angle
  S square, square_rest;
};
template <class S>
SmallAngle<S> MakeSmallAngle(S angle, S rest) {
  const S upper = UpperBits(angle);
  return {angle, rest, upper, upper * upper, (angle - upper) * (angle + upper) + S(2) * angle * rest};
}

// sin r = r + r u with u = -r^2 / 6 + r^4 Q(r^2). The product of the upper bits of r and r^2 / 6 is exact, and so is
// what its sum with r leaves.
template <class S>
S SinKernel(const SmallAngle<S>& r) {
  constexpr double kSixth = 0x1.555555p-3, kSixthRest = 0x1.5555555555555p-29;
  const S z = r.square + r.square_rest;
  const S quartic =
      z * z *
      Polynomial(z, 8.333333333333333217685e-03, -1.984126984126896304887e-04, 2.755731922232442891458e-06,
                 -2.505210723603744954418e-08, 1.605868432917585489908e-10, -7.595306678125121246081e-13);
  const S square_upper = UpperBits(r.square);
  const S u = square_upper * S(-kSixth), u_upper = UpperBits(u);
  const S square_rest = (r.square - square_upper) + r.square_rest;
  const S u_rest = (u - u_upper) + ((quartic - square_upper * S(kSixthRest)) - square_rest * S(kSixth + kSixthRest));

  const S product = r.upper * u_upper, sum = r.angle + product;
  const S sum_rest = (r.angle - sum) + product;
  return sum + (sum_rest + (((r.angle - r.upper) * u_upper + r.angle * u_rest) + (r.angle_rest + r.angle_rest * u)));
}

// cos r = 1 - r^2 / 2 + r^4 P(r^2)
template <class S>
S CosKernel(const SmallAngle<S>& r) {
  const S z = r.square + r.square_rest;
  const S quartic =
      z * z *
      Polynomial(z, 4.166666666666666435370e-02, -1.388888888888739755675e-03, 2.480158729876456088093e-05,
                 -2.755731727114514445532e-07, 2.087614614655860991492e-09, -1.138262364747460416733e-11);
  const S half = S(0.5) * r.square, difference = S(1) - half;
  return difference + ((((S(1) - difference) - half) - S(0.5) * r.square_rest) + quartic);
}

}  // namespace functions

// Sine and cosine together, within 0.56 ulp: in 997 of 1,000 cases the nearest double, as those of most C libraries.
// pi/2 is subtracted in four parts of at most 26 bits: exact for |x| < 2^27; beyond, the absolute error grows as
// 1e-16 |x|.
template <class S>
void SinCos(S x, S& sine, S& cosine) {
  // reduce: x = k pi/2 + r, and keep what rounding takes from r
  const S rounded = x * S(0.63661977236758134308) + S(functions::kRound);
  const S k = rounded - S(functions::kRound);
  const S coarse = x - k * S(1.570796310901641845703125);
  const S second = k * S(1.5893254712295857e-08), third = k * S(6.123233932053594e-17);
  const S middle = coarse - second, angle = middle - third;
  const S rest = ((middle - angle) - third) + (((coarse - middle) - second) - k * S(6.3683171635109499e-25));
  const functions::SmallAngle<S> r = functions::MakeSmallAngle(angle, rest);

  // pick and sign by quadrant
  const auto quadrant = ToBits(rounded);
  const S s = functions::SinKernel(r), c = functions::CosKernel(r);
  const auto swap = functions::HasBit(quadrant, 1);
  sine = Select(swap, c, s);
  cosine = Select(swap, s, c);
  sine = Select(functions::HasBit(quadrant, 2), -sine, sine);
  cosine = Select(functions::HasBit(quadrant + 1, 2), -cosine, cosine);
}

template <class S>
S Sin(S x) {
  S s, c;
  SinCos(x, s, c);
  return s;
}

template <class S>
S Cos(S x) {
  S s, c;
  SinCos(x, s, c);
  return c;
}

// exp(x) = 2^k exp(r), |r| <= ln(2)/2; overflows to infinity and underflows to zero gradually
template <class S>
S Exp(S x) {
  const S bounded = Clamp(x, S(-746.0), S(710.0));
  const S k = (bounded * S(1.44269504088896338700) + S(functions::kRound)) - S(functions::kRound);
  const S high = bounded - k * S(6.93147180369123816490e-01), low = k * S(1.90821492927058770002e-10);
  const S r = high - low;
  const S z = r * r;
  const S c = r - z * functions::Polynomial(z, 1.66666666666666019037e-01, -2.77777777770155933842e-03,
                                            6.61375632143793436117e-05, -1.65339022054652515390e-06,
                                            4.13813679705723846039e-08);
  const S y = S(1) - ((low - (r * c) / (S(2) - c)) - high);
  // 2^k in two factors, so that results close to overflow and subnormal ones come out right
  const S half = (k * S(0.5) + S(functions::kRound)) - S(functions::kRound);
  const S scaled =
      y * functions::PowerOfTwo(half + S(functions::kRound)) * functions::PowerOfTwo((k - half) + S(functions::kRound));
  return Select(x == x, scaled, x);
}

// Natural logarithm; -infinity at zero, NaN below
template <class S>
S Log(S x) {
  // x = 2^k m, sqrt(1/2) <= m < sqrt(2); subnormal numbers are scaled up first
  constexpr double kLeastNormal = std::numeric_limits<double>::min();
  constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
  const auto subnormal = x < S(kLeastNormal);
  const auto bits = ToBits(Select(subnormal, x * S(18014398509481984.0), x));  // 2^54
  const auto shifted = bits + (0x3ff0000000000000 - 0x3fe6a09e667f3bcd);
  const S k = (FromBits((shifted >> 52) - 1023 + ToBits(functions::kRound)) - S(functions::kRound)) -
              Select(subnormal, S(54), S(0));
  const S m = FromBits((shifted & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd);

  // log m = f - f^2/2 + s (f^2/2 + R(s^2)),  f = m - 1,  s = f / (2 + f)
  const S f = m - S(1), s = f / (S(2) + f), z = s * s, half = S(0.5) * f * f;
  const S R = z * functions::Polynomial(z, 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
                                        2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
                                        1.479819860511658591e-01);
  const S y = k * S(6.93147180369123816490e-01) - ((half - (s * (half + R) + k * S(1.90821492927058770002e-10))) - f);
  const S special = Select(x == S(0), S(-kInfinity), Select(x < S(0), S(kNotANumber), x));
  return Select((x > S(0)) & (x < S(kInfinity)), y, special);
}

// x^y for x >= 0; relative error about 1e-16 (1 + |y log x|)
template <class S>
S Pow(S x, S y) {
  const S power = Exp(y * Log(x));
  return Select(y == S(0), S(1), Select(x == S(0), Select(y > S(0), S(0), S(kInfinity)), power));
}

// atan(x) for x >= 0
template <class S>
S AtanPositive(S x) {
  const auto large = x > S(2.41421356237309504880), middle = x > S(0.66);
  const S numerator = Select(large, S(-1), Select(middle, x - S(1), x));
  const S denominator = Select(large, x, Select(middle, x + S(1), S(1)));
  const S base = Select(large, S(kPi / 2), Select(middle, S(kPi / 4), S(0)));
  const S correction =
      Select(large, S(6.123233995736765886130e-17), Select(middle, S(3.061616997868382943065e-17), S(0)));
  const S t = numerator / denominator, z = t * t;
  const S P =
      functions::Polynomial(z, -6.485021904942025371773e1, -1.228866684490136173410e2, -7.500855792314704667340e1,
                            -1.615753718733365076637e1, -8.750608600031904122785e-1);
  const S Q = functions::Polynomial(z, 1.945506571482613964425e2, 4.853903996359136964868e2, 4.328810604912902668951e2,
                                    1.650270098316988542046e2, 2.485846490142306297962e1, 1.0);
  return base + ((t * z * (P / Q) + t) + correction);
}

// Angle of (x, y) in (-pi, pi]; zero at the origin
template <class S>
S Atan2(S y, S x) {
  const S ax = Abs(x), ay = Abs(y);
  const auto origin = (ax == S(0)) & (ay == S(0));
  const S first = Select(origin, S(0), AtanPositive(ay / Select(origin, S(1), ax)));
  const S half = Select(x < S(0), (S(kPi) - first) + S(1.2246467991473532e-16), first);
  return CopySign(half, y);
}

// Arguments beyond one in size count as +-1.
template <class S>
S Acos(S x) {
  const S c = Clamp(x, S(-1), S(1));
  return S(2) * Atan2(Sqrt(S(1) - c), Sqrt(S(1) + c));
}
template <class S>
S Asin(S x) {
  const S s = Clamp(x, S(-1), S(1));
  return Atan2(s, Sqrt((S(1) - s) * (S(1) + s)));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_FUNCTIONS_H_
