// Nearest points are checked against a search over the whole triangle.
#include "math/triangle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace sinew {
namespace {

using Vec = Vec3<double>;

// The least distance from the origin over a grid of points of the triangle.
double LeastDistance(const Vec& a, const Vec& b, const Vec& c) {
  constexpr int kSteps = 200;
  double least = HUGE_VAL;
  for (int i = 0; i <= kSteps; ++i) {
    for (int j = 0; i + j <= kSteps; ++j) {
      const double u = 1.0 * i / kSteps, v = 1.0 * j / kSteps;
      least = std::min(least, Norm(a * (1 - u - v) + b * u + c * v));
    }
  }
  return least;
}

TEST(Triangle, NearestPointOfAll) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vec = [&] { return Vec{number(random), number(random), number(random)}; };
  for (int trial = 0; trial < 100; ++trial) {
    const Vec shift = vec(), a = vec() + shift, b = vec() + shift, c = vec() + shift;
    const BarycentricPoint<3> nearest = NearestOnTriangle(a, b, c);
    const double least = LeastDistance(a, b, c), distance = std::sqrt(nearest.distance2);
    EXPECT_LE(distance, least + 1e-12);
    EXPECT_GE(distance, least - 0.02);  // the grid is that coarse
    const Vec mean = a * nearest.weight[0] + b * nearest.weight[1] + c * nearest.weight[2];
    EXPECT_LT(Norm(mean - nearest.point), 1e-12);
    EXPECT_NEAR(nearest.weight[0] + nearest.weight[1] + nearest.weight[2], 1, 1e-12);
  }
}

TEST(Triangle, CornersSidesAndInside) {
  const auto weights = [](const BarycentricPoint<3>& nearest) {
    return std::count_if(nearest.weight, nearest.weight + 3, [](double w) { return w > 0; });
  };
  EXPECT_EQ(weights(NearestOnTriangle({1, 1, 0}, {2, 1, 0}, {1, 2, 0})), 1);
  EXPECT_EQ(weights(NearestOnTriangle({-1, 1, 0}, {1, 1, 0}, {0, 2, 0})), 2);
  EXPECT_EQ(weights(NearestOnTriangle({-1, -1, 1}, {1, -1, 1}, {0, 2, 1})), 3);
}

// A triangle without area is a segment, or a point.
TEST(Triangle, WithoutArea) {
  const BarycentricPoint<3> segment = NearestOnTriangle({-1, 1, 0}, {3, 1, 0}, {1, 1, 0});
  EXPECT_DOUBLE_EQ(segment.distance2, 1);
  EXPECT_EQ(segment.point.x, 0);
  const BarycentricPoint<3> point = NearestOnTriangle({1, 2, 2}, {1, 2, 2}, {1, 2, 2});
  EXPECT_DOUBLE_EQ(point.distance2, 9);
}

}  // namespace
}  // namespace sinew
