#include "collision/polygon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sinew {
namespace {

using Points = std::vector<std::pair<double, double>>;

Polygon InPlane(const Points& points, double normal) {
  Polygon polygon;
  for (const auto& [x, y] : points) polygon.Add({x, y, 0});
  polygon.normal = {0, 0, normal};
  return polygon;
}

Points VerticesOf(const Polygon& polygon) {
  Points points;
  for (int i = 0; i < polygon.count; ++i) points.emplace_back(polygon.vertex[i].x, polygon.vertex[i].y);
  return points;
}

const Points kClockwiseSquare = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};

// Each of the four sides moves the start of the list on by one, to where it was.
TEST(ClipBySides, KeepsAPolygonThatLiesInside) {
  const Points inside = {{0.5, 0}, {0, 0.5}, {-0.5, 0}, {0, -0.5}};
  Polygon polygon = InPlane(inside, -1);
  ClipBySides(InPlane(kClockwiseSquare, 1), polygon);
  EXPECT_EQ(VerticesOf(polygon), inside);
}

TEST(ClipBySides, CutsWhatLiesBeside) {
  Polygon polygon = InPlane({{0, -0.5}, {3, -0.5}, {3, 0.5}, {0, 0.5}}, -1);
  ClipBySides(InPlane(kClockwiseSquare, 1), polygon);
  const Points expected = {{0, -0.5}, {1, -0.5}, {1, 0.5}, {0, 0.5}};
  ASSERT_EQ(polygon.count, 4);
  for (const auto& vertex : VerticesOf(polygon)) {
    EXPECT_NE(std::find(expected.begin(), expected.end(), vertex), expected.end());
  }
}

TEST(ClipBySides, AnEdgeStaysAnEdge) {
  Polygon edge = InPlane({{-3, 0}, {0, 0}}, 1);
  ClipBySides(InPlane(kClockwiseSquare, 1), edge);
  EXPECT_EQ(edge.count, 2);
  EXPECT_EQ(edge.vertex[0].x + edge.vertex[1].x, -1);
}

TEST(ClipBySides, LeavesNothingOfWhatIsOutside) {
  Polygon polygon = InPlane({{2, 2}, {3, 2}, {3, 3}}, -1);
  ClipBySides(InPlane(kClockwiseSquare, 1), polygon);
  EXPECT_EQ(polygon.count, 0);
}

TEST(RemoveDoubles, KeepsTheFirst) {
  Polygon polygon = InPlane({{0, 0}, {1, 0}, {0, 0}, {1, 1}}, 1);
  RemoveDoubles(polygon);
  EXPECT_EQ(VerticesOf(polygon), (Points{{0, 0}, {1, 0}, {1, 1}}));
}

// The reference keeps these of a heptagon, in this order.
TEST(KeepFour, MakesTheEstablishedChoice) {
  Polygon polygon = InPlane({{0, -19}, {7, -12}, {4, 17}, {3, 18}, {-5, 16}, {-7, 13}, {-3, -18}}, 1);
  KeepFour(polygon);
  EXPECT_EQ(VerticesOf(polygon), (Points{{7, -12}, {-7, 13}, {4, 17}, {0, -19}}));
}

// The established search does not leave the first four vertices, which span a fifth of the largest area.
TEST(KeepFour, PrefersALargeAreaToASliver) {
  Polygon polygon = InPlane({{0, 0}, {1, 0}, {11, 10}, {11, 15}, {-9, 11}}, 1);
  KeepFour(polygon);
  EXPECT_EQ(VerticesOf(polygon), (Points{{0, 0}, {11, 10}, {11, 15}, {-9, 11}}));
}

}  // namespace
}  // namespace sinew
