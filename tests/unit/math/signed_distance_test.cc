#include "math/signed_distance.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

using Vec = Vec3<double>;

constexpr double kRounding = 1e-15;

TEST(SignedDistance, RoundShapes) {
  EXPECT_NEAR(SphereDistance({0.3, 0, 0.4}, 0.1), 0.4, kRounding);
  EXPECT_NEAR(CapsuleDistance({0, 0.05, 0.2}, 0.1, 0.3), -0.05, kRounding);
  EXPECT_NEAR(CapsuleDistance({0, 0, -0.5}, 0.1, 0.3), 0.1, kRounding);
}

TEST(SignedDistance, ACylinderEndsAtSideAndCaps) {
  EXPECT_NEAR(CylinderDistance({0.05, 0, 0}, 0.1, 0.3), -0.05, kRounding);
  EXPECT_NEAR(CylinderDistance({0, 0.01, -0.28}, 0.1, 0.3), -0.02, kRounding);
  EXPECT_NEAR(CylinderDistance({0.4, 0, 0.7}, 0.1, 0.3), 0.5, kRounding);  // from the rim: 0.3, 0.4
}

TEST(SignedDistance, OfAnEllipsoidIsThatOfABallWhenItIsOne) {
  EXPECT_NEAR(EllipsoidDistance({0.01, 0.02, 0.02}, {0.1, 0.1, 0.1}), -0.07, kRounding);
  EXPECT_NEAR(EllipsoidDistance({0, 0.2, 0}, {0.1, 0.2, 0.3}), 0, kRounding);
  EXPECT_EQ(EllipsoidDistance({0, 0, 0}, {0.1, 0.2, 0.3}), -0.1);
}

TEST(SignedDistance, DepthInABoxIsThatBelowTheNearestFaceCloseToIt) {
  const Vec size = {0.1, 0.2, 0.3};
  EXPECT_NEAR(BoxDistance({0.1 - 1e-4, 0, 0}, size), -1e-4, 1e-9);  // the direction turns with the square of the depth
  EXPECT_EQ(BoxDistance({0.1, 0, 0}, size), 0);
  EXPECT_NEAR(BoxDistance({0.4, 0.6, 0}, size), 0.5, kRounding);
  EXPECT_NEAR(BoxDistance({0, 0, 0}, {0.1, 0.1, 0.1}), -0.1 * std::sqrt(3), kRounding);  // the corner's direction
}

// Measured in the reference by the pressure on a tactile sensor.
TEST(SignedDistance, DepthInABoxBetweenFaces) {
  const Vec point = {-0.03, -0.01, -0.0075};
  EXPECT_NEAR(BoxDistance(point, {0.1, 0.12, 0.14}), -0.102166, 1e-6);  // its pressure has 8 digits
}

}  // namespace
}  // namespace sinew
