// Polygons are cut inside, and along the diagonals that models of MuJoCo 3.8.0 have.
#include "assets/polygon_cut.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

using Indices = std::vector<int>;

constexpr float kSquare[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

TEST(CutPolygon, QuadrilateralsFromTheirFirstCorner) {
  EXPECT_EQ(CutPolygon(Indices{0, 1, 2, 3}, kSquare), (Indices{0, 1, 2, 0, 2, 3}));
  // Even along the longer diagonal; places are those in the list of corners.
  const float kite[] = {0, 0, 0, 1, 0, 0, 5, 5, 0, 0, 1, 0};
  EXPECT_EQ(CutPolygon(Indices{0, 1, 2, 3}, kite), (Indices{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(CutPolygon(Indices{3, 0, 1, 2}, kSquare), (Indices{0, 1, 2, 0, 2, 3}));
}

// A corner that points inward, here at (2, 1): triangles from the first one would overlap.
TEST(CutPolygon, NotThroughTheOutside) {
  const float arrow[] = {0, 0, 0, 4, 0, 0, 2, 1, 0, 4, 4, 0, 0, 4, 0};
  const Indices corners = {3, 4, 0, 1, 2};
  const Indices triangles = CutPolygon(corners, arrow);
  ASSERT_EQ(triangles.size(), 9u);
  float area = 0;
  for (size_t i = 0; i < triangles.size(); i += 3) {
    const auto at = [&](size_t k) { return &arrow[3 * corners[static_cast<size_t>(triangles[i + k])]]; };
    const float *a = at(0), *b = at(1), *c = at(2);
    const float twice = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    EXPECT_GT(twice, 0);
    area += twice / 2;
  }
  EXPECT_EQ(area, 12);  // the square of 16, less the triangle of base 4 and height 2
}

TEST(CutPolygon, WhateverThePlane) {
  for (const auto& [x, y] : {std::pair{0, 1}, {1, 2}, {2, 0}}) {
    std::vector<float> square(12);
    for (size_t i = 0; i < 4; ++i) {
      square[3 * i + static_cast<size_t>(x)] = kSquare[3 * i];
      square[3 * i + static_cast<size_t>(y)] = kSquare[3 * i + 1];
    }
    EXPECT_EQ(CutPolygon(Indices{0, 1, 2, 3}, square).size(), 6u);
  }
}

TEST(CutPolygon, DegeneratePolygonsEnd) {
  const float point[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  EXPECT_LE(CutPolygon(Indices{0, 1, 2, 3}, point).size(), 6u);
  EXPECT_EQ(CutPolygon(Indices{0, 1, 2}, kSquare), (Indices{0, 1, 2}));
  EXPECT_TRUE(CutPolygon(Indices{0, 1}, kSquare).empty());
}

}  // namespace
}  // namespace sinew
