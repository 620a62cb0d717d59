#include "derivative/rotation.h"

#include "simd/functions.h"

namespace sinew {
namespace {

using Matrix = Mat3<double>;
using Vector = Vec3<double>;

// a 1 + b [x] + c x x',    with [x] y = x cross y
Matrix Combine(double a, double b, double c, const Vector& x) {
  return {{a + c * x.x * x.x, c * x.x * x.y - b * x.z, c * x.x * x.z + b * x.y,  //
           c * x.y * x.x + b * x.z, a + c * x.y * x.y, c * x.y * x.z - b * x.x,  //
           c * x.z * x.x - b * x.y, c * x.z * x.y + b * x.x, a + c * x.z * x.z}};
}

// Functions of the angle t that appear in exponentials: sin t / t, (1 - cos t) / t^2, (1 - sin t / t) / t^2. By their
// series, to rounding, where the closed forms cancel.
struct ExponentialCoefficients {
  double cosine, b, c, d;
};
ExponentialCoefficients Coefficients(double t) {
  constexpr double kSeries = 1.0 / 32;
  const double z = t * t;
  double sine, cosine;
  SinCos(t, sine, cosine);
  if (t > kSeries) {
    const double b = sine / t;
    return {cosine, b, (1 - cosine) / z, (1 - b) / z};
  }
  return {cosine, 1 - z / 6 * (1 - z / 20 * (1 - z / 42)), (1 - z / 12 * (1 - z / 30 * (1 - z / 56))) / 2,
          (1 - z / 20 * (1 - z / 42 * (1 - z / 72))) / 6};
}

}  // namespace

// With rotation vector 2 t k (unit k):  Da = 1 + t [k] + (1 - t / tan t) [k]^2,  Db = -Da'.
SubQuatDerivatives DifferentiateSubQuat(const Quat<double>& a, const Quat<double>& b) {
  constexpr double kTiny = 6e-8;  // below, 1 - t / tan t is less than the rounding of 1
  Vector axis = RotationVector(Conjugate(b) * a);
  const double t = Normalize(axis) / 2;
  double sine, cosine;
  SinCos(t, sine, cosine);
  const double c = t < kTiny ? 0 : 1 - t * cosine / sine;

  // [k]^2 = k k' - 1
  const Matrix Da = Combine(1 - c, t, c, axis);
  Matrix Db = Transpose(Da);
  for (double& x : Db.m) x = -x;
  return {Da, Db};
}

// With x = v s and its length t:  exp(-[x]) = cos t - b [x] + c x x',  and  b - c [x] + d x x'  with respect to x.
QuatIntegrateDerivatives DifferentiateQuatIntegrate(const Vec3<double>& velocity, double scale) {
  const Vector x = velocity * scale;
  const ExponentialCoefficients k = Coefficients(Norm(x));
  const Matrix Dvelocity = Combine(k.b, -k.c, k.d, x);
  return {Combine(k.cosine, -k.b, k.c, x), Dvelocity, Dvelocity * velocity};
}

}  // namespace sinew
