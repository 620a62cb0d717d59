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

// Measured in MuJoCo 3.8.0 by the pressure on a tactile sensor.
TEST(SignedDistance, DepthInABoxBetweenFaces) {
  const Vec point = {-0.03, -0.01, -0.0075};
  EXPECT_NEAR(BoxDistance(point, {0.1, 0.12, 0.14}), -0.102166, 1e-6);  // its pressure has 8 digits
}

// Central differences, along a direction in which there are no kinks.
template <class Distance>
void ExpectGradient(const Vec& gradient, const Vec& point, const Distance& distance) {
  constexpr double kStep = 1e-6;
  for (int k = 0; k < 3; ++k) {
    Vec ahead = point, behind = point;
    ahead[k] += kStep;
    behind[k] -= kStep;
    EXPECT_NEAR(gradient[k], (distance(ahead) - distance(behind)) / (2 * kStep), 1e-9) << k;
  }
}

TEST(SignedDistance, GradientsAreThoseOfTheDistances) {
  for (const Vec& p : {Vec{.03, .02, .05}, Vec{.3, -.2, .5}, Vec{-.01, .02, -.28}}) {
    ExpectGradient(SphereGradient(p), p, [](const Vec& x) { return SphereDistance(x, .1); });
    ExpectGradient(CapsuleGradient(p, .3), p, [](const Vec& x) { return CapsuleDistance(x, .1, .3); });
    ExpectGradient(CylinderGradient(p, .1, .3), p, [](const Vec& x) { return CylinderDistance(x, .1, .3); });
  }
  const Vec size = {.1, .2, .3}, beside = {.15, -.3, .1};
  ExpectGradient(BoxGradient(beside, size), beside, [&](const Vec& x) { return BoxDistance(x, size); });
}

// The field of an ellipsoid grows faster or slower than the distance: its gradient counts by direction.
TEST(SignedDistance, TheGradientOfAnEllipsoidIsNormalToItsLevels) {
  const Vec size = {.1, .2, .3}, point = {.03, -.1, .2};
  const Vec gradient = EllipsoidGradient(point, size);
  EXPECT_NEAR(Norm(gradient), 1, kRounding);
  const Vec along = Normalized(Cross(gradient, {1, 2, 3}));
  EXPECT_NEAR(EllipsoidDistance(point + along * 1e-6, size), EllipsoidDistance(point - along * 1e-6, size), 1e-15);
}

// Recorded: the direction in which the depth in a box is measured.
TEST(SignedDistance, TheGradientInABoxIsTheDirectionOfItsDepth) {
  const Vec gradient = BoxGradient({.05, .05, .05}, {.1, .2, .3});
  EXPECT_NEAR(Norm(gradient - Vec{.7444375004781977, .4962916669854651, .4466625002869186}), 0, 1e-15);
}

TEST(SignedDistance, WithoutDirectionThereIsNoGradient) {
  EXPECT_EQ(Norm(SphereGradient({0, 0, 0})), 0);
  EXPECT_EQ(Norm(CapsuleGradient({0, 0, .1}, .3)), 0);
  EXPECT_EQ(Norm(CylinderGradient({0, 0, 0}, .1, .3)), 0);
  EXPECT_EQ(Norm(EllipsoidGradient({0, 0, 0}, {.1, .2, .3})), 0);
  EXPECT_EQ(Norm(BoxGradient({.1, 0, 0}, {.1, .2, .3})), 0);  // on a face
}

}  // namespace
}  // namespace sinew
