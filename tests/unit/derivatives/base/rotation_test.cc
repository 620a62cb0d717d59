#include "derivatives/base/rotation.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

using Vector = Vec3<double>;
using Rotation = Quat<double>;

Vector Unit(int k, double size) {
  Vector v = Zero3<double>();
  v[k] = size;
  return v;
}
Rotation Turned(const Rotation& q, const Vector& by) { return q * ExpRotation(by, 1.0); }
Vector Difference(const Rotation& a, const Rotation& b) { return RotationVector(Conjugate(b) * a); }

constexpr double kStep = 1e-6;
constexpr double kTolerance = 1e-8;  // central differences of size 1e-6

TEST(RotationDerivativeTest, DifferenceOfQuaternions) {
  const Rotation b = Normalized(Rotation{0.3, -0.5, 0.2, 0.7});
  for (const Vector& apart : {Vector{0.4, -0.9, 1.1}, Vector{0.01, 0.02, -0.01}}) {
    const Rotation a = Turned(b, apart);
    const SubQuatDerivatives D = DifferentiateSubQuat(a, b);
    for (int c = 0; c < 3; ++c) {
      const Vector step = Unit(c, kStep);
      const Vector da = Difference(Turned(a, step), b) - Difference(Turned(a, -step), b);
      const Vector db = Difference(a, Turned(b, step)) - Difference(a, Turned(b, -step));
      for (int r = 0; r < 3; ++r) {
        EXPECT_NEAR(D.a(r, c), da[r] / (2 * kStep), kTolerance);
        EXPECT_NEAR(D.b(r, c), db[r] / (2 * kStep), kTolerance);
      }
    }
  }
}

TEST(RotationDerivativeTest, EqualQuaternionsGiveTheIdentity) {
  const Rotation q = Normalized(Rotation{0.3, -0.5, 0.2, 0.7});
  const SubQuatDerivatives D = DifferentiateSubQuat(q, q);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      // the product q* q differs from 1 by rounding
      EXPECT_NEAR(D.a(r, c), r == c, 1e-15);
      EXPECT_NEAR(D.b(r, c), r == c ? -1 : 0, 1e-15);
    }
  }
}

// Both the closed forms and the series of small angles.
TEST(RotationDerivativeTest, Integration) {
  const Rotation q = Normalized(Rotation{0.3, -0.5, 0.2, 0.7});
  for (double scale : {0.8, 0.01, 1e-9}) {
    const Vector v = {0.4, -0.9, 1.1};
    const QuatIntegrateDerivatives D = DifferentiateQuatIntegrate(v, scale);
    const Rotation end = Turned(q, v * scale);
    for (int c = 0; c < 3; ++c) {
      const Vector step = Unit(c, kStep);
      const Vector dq = Difference(Turned(Turned(q, step), v * scale), end);
      const Vector dv = Difference(Turned(q, v * scale + step), end) - Difference(Turned(q, v * scale - step), end);
      for (int r = 0; r < 3; ++r) {
        EXPECT_NEAR(D.quat(r, c), dq[r] / kStep, 1e-6);  // one-sided
        EXPECT_NEAR(D.velocity(r, c), dv[r] / (2 * kStep), kTolerance);
      }
    }
    const Vector ds = Difference(Turned(q, v * (scale + kStep)), Turned(q, v * (scale - kStep)));
    for (int r = 0; r < 3; ++r) EXPECT_NEAR(D.scale[r], ds[r] / (2 * kStep), kTolerance);
  }
}

TEST(RotationDerivativeTest, SeriesMeetClosedForms) {
  // on both sides of the angle at which one takes over
  const Vector axis = {1, 0, 0};
  const auto below = DifferentiateQuatIntegrate(axis, 0.03125), above = DifferentiateQuatIntegrate(axis, 0.0312500001);
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(below.velocity.m[k], above.velocity.m[k], 1e-9);
}

}  // namespace
}  // namespace sinew
