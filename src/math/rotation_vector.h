// Derivatives of rotation vectors (math/quat.h), for one world and for lanes. With r = log(q), its angle t, and
// [r] y = r x y,
//
//   log(q exp(x)) = r + A(r) x + ...,    A(r) = 1 + [r]/2 + c [r]^2,    c = (1 - t/2 / tan(t/2)) / t^2
//
// the inverse of the right Jacobian of the exponential (J. Sola, J. Deray, D. Atchuthan, A micro Lie theory for state
// estimation in robotics, 2018, eq. 144); a turn x from the left has A(-r) in its place.
#ifndef SINEW_MATH_ROTATION_VECTOR_H_
#define SINEW_MATH_ROTATION_VECTOR_H_

#include "math/mat3.h"
#include "math/quat.h"
#include "simd/functions.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

// a 1 + b [x] + c x x',    with [x] y = x cross y
template <class S>
Mat3<S> CombineRotation(S a, S b, S c, const Vec3<S>& x) {
  return {{a + c * x.x * x.x, c * x.x * x.y - b * x.z, c * x.x * x.z + b * x.y,  //
           c * x.y * x.x + b * x.z, a + c * x.y * x.y, c * x.y * x.z - b * x.x,  //
           c * x.z * x.x - b * x.y, c * x.z * x.y + b * x.x, a + c * x.z * x.z}};
}

// Of the rotation vector log(b* a) with respect to a. With the rotation vector 2 t k (unit k):
//   1 + t [k] + (1 - t / tan t) [k]^2,    [k]^2 = k k' - 1
template <class S>
Mat3<S> DifferentiateRotationVector(const Quat<S>& a, const Quat<S>& b) {
  const S kTiny(6e-8);  // below, 1 - t / tan t is less than the rounding of 1
  Vec3<S> axis = RotationVector(Conjugate(b) * a);
  const S t = Normalize(axis) * S(0.5);
  S sine, cosine;
  SinCos(t, sine, cosine);
  const S c = Select(t < kTiny, S(0), S(1) - t * cosine / sine);
  return CombineRotation(S(1) - c, t, c, axis);
}

// c of the angle t, and dc/dt / t. The series hold where the closed forms cancel: their next terms are below 1e-12.
template <class S>
struct RotationCurvature {
  S value, slope;
};
template <class S>
RotationCurvature<S> CurvatureOfRotation(S t) {
  constexpr double kSeries = 0.1;
  const S z = t * t;
  const MaskOf<S> small = t < S(kSeries);
  const S half = Select(small, S(1), t * S(0.5));
  S sine, cosine;
  SinCos(half, sine, cosine);
  const S cotangent = cosine / sine, rest = S(1) - half * cotangent, square = half * half;
  const S closed_slope = (half / (sine * sine) - cotangent) / (S(16) * square * half) - rest / (S(8) * square * square);
  const S series = S(1.0 / 12) + z * (S(1.0 / 720) + z * (S(1.0 / 30240) + z * S(1.0 / 1209600)));
  const S series_slope = S(1.0 / 360) + z * (S(1.0 / 7560) + z * (S(1.0 / 201600) + z * S(1.0 / 5987520)));
  return {Select(small, series, rest / (S(4) * square)), Select(small, series_slope, closed_slope)};
}

// The gradient of g . r by a turn in the rotated axes: A(r)' g = g - r x g / 2 + c r x (r x g).
template <class S>
Vec3<S> GradientOfRotation(const Vec3<S>& r, const Vec3<S>& g) {
  const Vec3<S> turned = Cross(r, g);
  return g - turned * S(0.5) + Cross(r, turned) * CurvatureOfRotation(Norm(r)).value;
}

// How that gradient changes with r.
template <class S>
Vec3<S> GradientChange(const Vec3<S>& r, const Vec3<S>& g, const Vec3<S>& change) {
  const RotationCurvature<S> c = CurvatureOfRotation(Norm(r));
  const Vec3<S> turned = Cross(r, g), moved = Cross(change, g);
  return (Cross(change, turned) + Cross(r, moved)) * c.value - moved * S(0.5) +
         Cross(r, turned) * (c.slope * Dot(r, change));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_ROTATION_VECTOR_H_
