#include "compile/geometry/triangle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/scalar.h"
#include "simd/functions.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

constexpr double kRounding = 1e-15;
const Triangle kTriangle = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}};

void ExpectNearest(const Vec& p, const Vec& point, double angle) {
  const TrianglePoint nearest = NearestPoint(kTriangle, p);
  EXPECT_NEAR(Norm(nearest.point - point), 0, kRounding);
  EXPECT_NEAR(nearest.angle, angle, kRounding);
}

TEST(NearestPoint, IsTheProjectionInside) { ExpectNearest({.5, .25, 3}, {.5, .25, 0}, 2 * kPi); }

TEST(NearestPoint, OnEdgesFillsHalfATurn) {
  ExpectNearest({1, -1, 0}, {1, 0, 0}, kPi);
  ExpectNearest({-1, .5, 1}, {0, .5, 0}, kPi);
  ExpectNearest({1 + 1, .5 + 2, 1}, {1, .5, 0}, kPi);  // along the normal of the long edge
}

TEST(NearestPoint, OnCornersFillsTheirAngle) {
  ExpectNearest({-1, -1, 1}, {0, 0, 0}, kPi / 2);
  ExpectNearest({3, 0, 0}, {2, 0, 0}, std::atan(.5));
  ExpectNearest({0, 2, 0}, {0, 1, 0}, std::atan(2.0));
}

TEST(Meets, ABoxAroundOrAcrossTheTriangle) {
  EXPECT_TRUE(Meets(kTriangle, {{0, 0, 0}, {5, 5, 5}}));
  EXPECT_TRUE(Meets(kTriangle, {{.6, .3, 0}, {.01, .01, .01}}));
  EXPECT_TRUE(Meets(kTriangle, {{.6, .3, .1}, {.01, .01, .1}}));  // touches
}

TEST(Meets, NothingBesideIt) {
  EXPECT_FALSE(Meets(kTriangle, {{.6, .3, .2}, {.1, .1, .1}}));  // above: its normal separates
  EXPECT_FALSE(Meets(kTriangle, {{-.2, .3, 0}, {.1, .1, .1}}));  // a face of the box does
  EXPECT_FALSE(Meets(kTriangle, {{1.2, .8, 0}, {.2, .2, 1}}));   // only cross products with the long edge do
  EXPECT_FALSE(Meets(kTriangle, {{1.3, .7, .1}, {.15, .15, 1}}));
}

}  // namespace
}  // namespace sinew
