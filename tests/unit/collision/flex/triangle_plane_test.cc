// The nearest point in coordinates of the plane is the one by barycentric coordinates (math/triangle.h).
#include "collision/flex/triangle_plane.h"

#include <gtest/gtest.h>

#include <random>

namespace sinew {
namespace {

using Vec = Vec3<double>;

Vec OffsetOf(const Vec (&corner)[3], const Vec& p) {
  return NearestOnTriangle(corner[0] - p, corner[1] - p, corner[2] - p).point;
}

TEST(TrianglePlane, FindsTheNearestPoint) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vec = [&] { return Vec{number(random), number(random), number(random)}; };
  for (int trial = 0; trial < 200; ++trial) {
    const Vec corner[3] = {vec(), vec(), vec()};
    const TrianglePlane plane(corner);
    for (int point = 0; point < 20; ++point) {
      const Vec p = vec() * 2.0;
      // points on a narrow triangle are found to the rounding over its least angle
      EXPECT_LT(Norm(plane.Offset(p) - OffsetOf(corner, p)), 1e-11);
    }
  }
}

TEST(TrianglePlane, InsideOverASideAndBeyondACorner) {
  const Vec corner[3] = {{0, 0, 1}, {2, 0, 1}, {0, 2, 1}};
  const TrianglePlane plane(corner);
  const auto nearest = [&](const Vec& p) { return p + plane.Offset(p); };
  const auto expect = [](const Vec& found, const Vec& point) { EXPECT_LT(Norm(found - point), 1e-15); };
  expect(nearest({0.5, 0.5, 3}), {0.5, 0.5, 1});
  expect(nearest({1, -1, -2}), {1, 0, 1});
  expect(nearest({2, 2, 0}), {1, 1, 1});
  expect(nearest({3, -1, 1}), {2, 0, 1});
  expect(nearest({0.5, 0.5, 1}), {0.5, 0.5, 1});
}

TEST(TrianglePlane, CornersOnALineOrAtOnePoint) {
  const Vec line[3] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}, one[3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  for (const Vec& p : {Vec{2, 1, 0}, Vec{-1, 0, 1}, Vec{5, 0, 0}}) {
    EXPECT_LT(Norm(TrianglePlane(line).Offset(p) - OffsetOf(line, p)), 1e-15);
    EXPECT_LT(Norm(TrianglePlane(one).Offset(p) - OffsetOf(one, p)), 1e-15);
  }
}

}  // namespace
}  // namespace sinew
