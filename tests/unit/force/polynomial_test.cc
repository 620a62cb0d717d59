#include "force/polynomial_kernel.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(PolynomialTest, SpringForceIsAsymmetricForAnOddCoefficient) {
  const Polynomial<double> stiffness = {2, 3, 4};
  EXPECT_DOUBLE_EQ(SpringForce(stiffness, -0.5), 0.75);
  EXPECT_DOUBLE_EQ(SpringForce(stiffness, 0.5), -2.25);
}

TEST(PolynomialTest, SpringOfAVectorUsesItsLength) {
  const Vec3<double> force = SpringForce(Polynomial<double>{2, 3, 4}, Vec3<double>{0, 0.3, 0.4});
  EXPECT_DOUBLE_EQ(force.x, 0);
  EXPECT_DOUBLE_EQ(force.y, -1.35);
  EXPECT_DOUBLE_EQ(force.z, -1.8);
}

TEST(PolynomialTest, DamperForceOpposesVelocity) {
  const Polynomial<double> damping = {1, 5, 6};
  EXPECT_NEAR(DamperForce(damping, -0.7), 5.208, 1e-15);
  EXPECT_NEAR(DamperForce(damping, 0.7), -5.208, 1e-15);
}

TEST(PolynomialTest, SlopeAndEnergyBelongToTheForce) {
  const Polynomial<double> p = {2, 3, 4};
  const double h = 1e-6;
  for (double x : {-0.8, 0.1, 1.5}) {
    // central differences: error h^2 of order 1, rounding 1e-16 / h
    EXPECT_NEAR(DamperSlope(p, x), -(DamperForce(p, x + h) - DamperForce(p, x - h)) / (2 * h), 1e-8);
    EXPECT_NEAR(-SpringForce(p, x), (p.Energy(x + h) - p.Energy(x - h)) / (2 * h), 1e-8);
  }
}

}  // namespace
}  // namespace sinew
