#include "derivatives/base/rotation.h"

#include "math/rotation_vector.h"
#include "simd/functions.h"

namespace sinew::inline derivatives {
namespace {

using Matrix = Mat3<double>;
using Vector = Vec3<double>;

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

// Db = -Da'
SubQuatDerivatives DifferentiateSubQuat(const Quat<double>& a, const Quat<double>& b) {
  const Matrix Da = DifferentiateRotationVector(a, b);
  Matrix Db = Transpose(Da);
  for (double& x : Db.m) x = -x;
  return {Da, Db};
}

// With x = v s and its length t:  exp(-[x]) = cos t - b [x] + c x x',  and  b - c [x] + d x x'  with respect to x.
QuatIntegrateDerivatives DifferentiateQuatIntegrate(const Vec3<double>& velocity, double scale) {
  const Vector x = velocity * scale;
  const ExponentialCoefficients k = Coefficients(Norm(x));
  const Matrix Dvelocity = CombineRotation(k.b, -k.c, k.d, x);
  return {CombineRotation(k.cosine, -k.b, k.c, x), Dvelocity, Dvelocity * velocity};
}

}  // namespace sinew::inline derivatives
