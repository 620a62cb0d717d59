#include "render/unit_shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// A closed surface encloses the sum of the signed volumes of its triangles with the origin, positive when they are
// counter-clockwise seen from outside.
double Volume(const TriangleList& list) {
  double volume = 0;
  for (int i = 0; i < list.size(); ++i) {
    const float *a = list.positions.data() + 9 * i, *b = a + 3, *c = a + 6;
    volume += double(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                     a[2] * (b[0] * c[1] - b[1] * c[0])) /
              6;
  }
  return volume;
}

// Whether every normal looks to the front of its triangle.
bool NormalsAgree(const TriangleList& list) {
  for (int i = 0; i < list.size(); ++i) {
    const float *a = list.positions.data() + 9 * i, *n = list.normals.data() + 9 * i;
    const float u[3] = {a[3] - a[0], a[4] - a[1], a[5] - a[2]}, v[3] = {a[6] - a[0], a[7] - a[1], a[8] - a[2]};
    const float front[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    for (int k = 0; k < 9; k += 3) {
      if (front[0] * n[k] + front[1] * n[k + 1] + front[2] * n[k + 2] <= 0) return false;
    }
  }
  return true;
}

TEST(UnitShapes, EncloseTheirVolumes) {
  const Divisions fine = {200, 100, 3};
  // inscribed polyhedra with 200 x 100 faces miss less than a thousandth
  EXPECT_NEAR(Volume(UnitSphere(fine)), 4 * std::numbers::pi / 3, 4e-3);
  EXPECT_NEAR(Volume(UnitCap(fine)), 2 * std::numbers::pi / 3, 2e-3);
  EXPECT_NEAR(Volume(UnitTube(fine)), 4 * std::numbers::pi / 3, 4e-3) << "two thirds of the cylinder, without disks";
  EXPECT_NEAR(Volume(UnitCone(fine)), std::numbers::pi / 3, 2e-3);
  EXPECT_NEAR(Volume(UnitBox(fine)), 8, 1e-5);
}

TEST(UnitShapes, NormalsLookOutside) {
  const Divisions few = {3, 1, 1};
  EXPECT_TRUE(NormalsAgree(UnitSphere({})));
  EXPECT_TRUE(NormalsAgree(UnitTube(few)));
  EXPECT_TRUE(NormalsAgree(UnitCone({})));
  EXPECT_TRUE(NormalsAgree(UnitBox({})));
  EXPECT_TRUE(NormalsAgree(UnitPlane(few)));
  EXPECT_TRUE(NormalsAgree(UnitDisk(few)));
}

TEST(UnitShapes, FewDivisionsAreEnough) {
  EXPECT_GT(UnitSphere({0, 0, 0}).size(), 3);
  EXPECT_EQ(UnitBox({0, 0, 0}).size(), 12);
}

// Light at single vertices of MuJoCo 3.8.0 shows this cut: of a cell, the upper left and the lower right corner belong
// to both triangles.
TEST(UnitShapes, CellsAreCutFromTheUpperLeftToTheLowerRight) {
  const TriangleList plane = UnitPlane({3, 2, 1});
  ASSERT_EQ(plane.size(), 2);
  int upper_left = 0, lower_right = 0;
  for (size_t v = 0; v < 6; ++v) {
    const float x = plane.positions[3 * v], y = plane.positions[3 * v + 1];
    upper_left += x < 0 && y > 0;
    lower_right += x > 0 && y < 0;
  }
  EXPECT_EQ(upper_left, 2);
  EXPECT_EQ(lower_right, 2);
}

TEST(UnitShapes, DisksHaveRings) { EXPECT_EQ(UnitDisk({12, 6, 1}).size(), 12 + 2 * 2 * 12) << "a fan and two rings"; }

TEST(PlaneGrid, BeginsWithTheCellsAboutTheMiddle) {
  const TriangleList grid = PlaneGrid();
  EXPECT_EQ(VerticesOfPlaneGrid(mjMAXPLANEGRID), 3 * grid.size()) << "no plane has more";
  for (const int reach : {1, 2, 7}) {
    const auto count = static_cast<size_t>(VerticesOfPlaneGrid(reach));
    float area = 0;
    for (size_t v = 0; v < count; v += 3) {
      const float* p = grid.positions.data() + 3 * v;
      area += 0.5f * ((p[3] - p[0]) * (p[7] - p[1]) - (p[4] - p[1]) * (p[6] - p[0]));
      for (size_t k = 0; k < 9; ++k) EXPECT_LE(std::abs(p[k]), static_cast<float>(reach));
    }
    EXPECT_EQ(area, static_cast<float>(4 * reach * reach)) << "whole numbers are exact";
  }
}

}  // namespace
}  // namespace sinew
