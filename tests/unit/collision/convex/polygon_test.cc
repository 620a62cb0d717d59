#include "collision/convex/polygon_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

// Whether a side is cut by one that coincides with it is a matter of rounding; where it is cut is not outside of it.
TEST(ClipBySides, SidesThatCoincideStayWhereTheyAre) {
  constexpr int kSides = 16;
  constexpr double kStep = 2 * M_PI / kSides;
  const auto regular = [](double start) {
    Polygon polygon;
    polygon.normal = {0, 0, 1};
    for (int i = 0; i < kSides; ++i) {
      const double angle = start - kStep * i;
      polygon.Add({.1 * std::cos(angle), .1 * std::sin(angle), 0});
    }
    return polygon;
  };
  for (int turn = 0; turn < 100; ++turn) {
    Polygon polygon = regular(turn * (.01 + kStep));  // the same corners from another one on
    ClipBySides(regular(turn * .01), polygon);
    ASSERT_GE(polygon.count, kSides);
    for (int i = 0; i < polygon.count; ++i) EXPECT_LT(Norm(polygon.vertex[i]), .1 + 1e-15) << turn << " " << i;
  }
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

// The search ends where a single step gains nothing: here at the first four vertices, a fifth of the largest area,
// which is that without the second vertex.
TEST(KeepFour, TakesTheLargestWhereTheSearchEndsEarly) {
  const Points points = {{0, 0}, {1, 0}, {11, 10}, {11, 15}, {-9, 11}};
  Polygon polygon = InPlane(points, 1);
  KeepFour(polygon);
  ASSERT_EQ(polygon.count, 4);
  const Points kept = VerticesOf(polygon);
  for (const int i : {0, 2, 3, 4})
    EXPECT_EQ(std::count(kept.begin(), kept.end(), points[static_cast<size_t>(i)]), 1) << i;
}

// The largest quadrilateral is found by both of its diagonals, whose areas differ by rounding: its vertices come in the
// order of the polygon, so that contacts keep their order while a body moves.
TEST(FindLargest, ComesInTheOrderOfThePolygon) {
  const Points points = {{0, 0}, {1, 0}, {11, 10}, {11, 15}, {-9, 11}};
  for (int turn = 0; turn < 100; ++turn) {
    Polygon polygon;
    const double c = std::cos(turn), s = std::sin(turn);
    for (const auto& [x, y] : points) polygon.Add({c * x - s * y, s * x + c * y, 0});
    const polygon::FourVertices four = polygon::FindLargest(polygon);
    EXPECT_TRUE(std::is_sorted(four.index, four.index + 4)) << turn;
  }
}

// Of this symmetric hexagon, choices of equal area differ by rounding only. The reference finds the first four
// vertices; with the area as a product of diagonals it would be 1, 4, 2 and 5.
TEST(FindFour, BreaksTiesByTheRoundingOfTheEstablishedSum) {
  const Vec3<double> hexagon[6] = {{-0.010123862543774741, -0.20814695057371096, -0.8866454912340741},
                                   {-0.04220396760990859, -0.17745516720785964, -0.8866466515252833},
                                   {-0.028518854317138034, -0.2196906528371875, -0.8866349726690059},
                                   {-0.004422324396883435, -0.25808868047388683, -0.8866282125373458},
                                   {0.027657780669250412, -0.28878046383973816, -0.8866270522461366},
                                   {0.013972667376479859, -0.24654497821041027, -0.886638731102414}};
  Polygon polygon;
  for (const Vec3<double>& vertex : hexagon) polygon.Add(vertex);
  const polygon::FourVertices four = polygon::FindFour(polygon);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(four.index[i], i);
}

}  // namespace
}  // namespace sinew
