// Facets of hulls: which faces are merged, and how their boundary runs.
#include "assets/hull_polygons.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

// A triangle 0, 2, 3 cut into three around vertex 1, and a triangle 4, 5, 6 beside it in the same plane.
const std::vector<Vec3<double>> kVertices = {{0, 0, 0}, {1, 1, 0},  {0, 3, 0}, {3, 0, 0},
                                             {9, 0, 0}, {10, 0, 0}, {9, 1, 0}};
const std::vector<int> kFan = {0, 1, 2, 1, 3, 2, 3, 1, 0};

using Polygons = std::vector<std::vector<int>>;

// As models of MuJoCo 3.8.0 have it: the edges 2-0, 3-2 and 0-3 in the order of their faces.
TEST(HullPolygons, ThreeEdgesKeepTheOrderOfTheirFaces) {
  EXPECT_EQ(MergeFaces(kVertices, kFan), (Polygons{{2, 3, 0}}));
}

TEST(HullPolygons, BesideOtherFacesOfItsDirectionABoundaryIsFollowed) {
  std::vector<int> faces = kFan;
  faces.insert(faces.end(), {4, 5, 6});
  EXPECT_EQ(MergeFaces(kVertices, faces), (Polygons{{2, 0, 3}, {4, 5, 6}}));
}

TEST(HullPolygons, FacesWithoutAreaBelongToNone) {
  EXPECT_EQ(MergeFaces(kVertices, std::vector<int>{0, 4, 5}), Polygons{});
}

}  // namespace
}  // namespace sinew
