// Cylinders with boxes, cylinders and capsules: where they touch and how deep, apart and in each other, worked out by
// hand; and what lies flat, by all contacts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "math/quat.h"
#include "tests/unit/collision/scene.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

constexpr double kRounding = 1e-12;
constexpr double kRoot = 0.70710678118654752440;
const Quat<double> kUpright = {1, 0, 0, 0};

Quat<double> Turn(const Vec& axis, double angle) { return AxisAngle(axis, angle); }

// Two geoms, the first of which stands upright at the origin; contacts have normals from it to the second.
class CylinderPairs : public testing::Test {
 protected:
  int Collide(const GeomSpec& first, const GeomSpec& second, double margin = 0) {
    scene_ = std::make_unique<Scene>(std::vector<GeomSpec>{first, second});
    return scene_->Collide(0, 1, margin);
  }
  const mjContact& con(int i) { return scene_->con(i); }
  void ExpectContact(int i, double dist, const Vec& pos, const Vec& normal, double slack = kRounding) {
    EXPECT_NEAR(con(i).dist, dist, slack);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(con(i).pos[k], pos[k], slack) << k;
      EXPECT_NEAR(con(i).frame[k], normal[k], slack) << k;
    }
  }
  // The extent of the contacts in the plane z = 0.
  std::pair<Vec, Vec> Extent(int count) {
    Vec low = {1, 1, 0}, high = {-1, -1, 0};
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < 2; ++k) {
        low[k] = std::min(low[k], con(i).pos[k]);
        high[k] = std::max(high[k], con(i).pos[k]);
      }
    }
    return {low, high};
  }
  std::unique_ptr<Scene> scene_;
};

const GeomSpec kCylinder = {mjGEOM_CYLINDER, {.1, .2, 0}};

TEST_F(CylinderPairs, ABoxBesideTheSide) {
  const GeomSpec box = {mjGEOM_BOX, {.05, .05, .05}, {.14, 0, .02}, Turn({0, 0, 1}, 0), 1};
  ASSERT_EQ(Collide(kCylinder, box), 2);  // on the line along the side, as long as the box
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(con(i).dist, -.01, kRounding);
    EXPECT_NEAR(con(i).frame[0], 1, kRounding);
    EXPECT_NEAR(con(i).pos[0], .095, kRounding);
  }
  EXPECT_NEAR(std::fabs(con(0).pos[2] - con(1).pos[2]), .1, kRounding);
}

TEST_F(CylinderPairs, AnUprightEdgeBesideTheSide) {
  const double reach = .1 + .05 / kRoot;
  const GeomSpec box = {mjGEOM_BOX, {.05, .05, .05}, {reach - .01, 0, 0}, Turn({0, 0, 1}, M_PI / 4), 1};
  ASSERT_EQ(Collide(kCylinder, box), 2);
  EXPECT_NEAR(con(0).dist, -.01, kRounding);
  EXPECT_NEAR(con(0).frame[0], 1, kRounding);
}

TEST_F(CylinderPairs, ACrossingEdgeTouchesInOnePoint) {
  const GeomSpec box = {mjGEOM_BOX, {.05, .3, .05}, {.1 + .05 / kRoot - .01, .04, .03}, Turn({0, 1, 0}, M_PI / 4), 1};
  ASSERT_EQ(Collide(kCylinder, box), 1);
  ExpectContact(0, -.01, {.095, 0, .03}, {1, 0, 0});
}

TEST_F(CylinderPairs, ACornerOverTheCapAndBeyondTheRim) {
  const Quat<double> on_corner = Turn(Normalized(Vec{1, -1, 0}), std::acos(1 / std::sqrt(3.)));
  const double half = .05 * std::sqrt(3.);
  const GeomSpec above = {mjGEOM_BOX, {.05, .05, .05}, {.02, .03, .2 + half - .01}, on_corner, 1};
  ASSERT_EQ(Collide(kCylinder, above), 1);
  ExpectContact(0, -.01, {.02, .03, .195}, {0, 0, 1});

  // beyond the rim, apart: the nearest point of the rim, at a distance of 3, 4, 5 mm
  const GeomSpec beyond = {mjGEOM_BOX, {.05, .05, .05}, {.103, 0, .204 + half}, on_corner, 1};
  EXPECT_EQ(Collide(kCylinder, beyond), 0);
  EXPECT_EQ(Collide(kCylinder, beyond, .0049), 0);
  ASSERT_EQ(Collide(kCylinder, beyond, .0051), 1);
  ExpectContact(0, .005, {.1015, 0, .202}, {.6, 0, .8});
}

// A cylinder that leans: its rim meets the edge of a box across.
TEST_F(CylinderPairs, ARimAndAnEdgeApart) {
  // the edge along y at x = .103, z = .204: 3 mm beside and 4 mm above the rim
  const GeomSpec box = {mjGEOM_BOX, {.05, .3, .05}, {.103, 0, .204 + .05 / kRoot}, Turn({0, 1, 0}, M_PI / 4), 1};
  ASSERT_EQ(Collide(kCylinder, box, .01), 1);
  ExpectContact(0, .005, {.1015, 0, .202}, {.6, 0, .8}, 1e-9);
}

TEST_F(CylinderPairs, ACylinderStandsOnABox) {
  const GeomSpec box = {mjGEOM_BOX, {.5, .5, .1}, {.03, .02, -.299}, kUpright, 1};
  ASSERT_EQ(Collide(kCylinder, box), 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(con(i).dist, -.001, kRounding);
    EXPECT_NEAR(con(i).frame[2], -1, kRounding);
    EXPECT_NEAR(std::hypot(con(i).pos[0], con(i).pos[1]), .1, kRounding);
  }
  const auto [low, high] = Extent(4);
  EXPECT_NEAR(high[0] - low[0], .2, kRounding);
  EXPECT_NEAR(high[1] - low[1], .2, kRounding);
}

TEST_F(CylinderPairs, ABoxStandsOnACap) {
  const GeomSpec box = {mjGEOM_BOX, {.05, .03, .1}, {0, 0, .299}, kUpright, 1};
  ASSERT_EQ(Collide(kCylinder, box), 4);
  const auto [low, high] = Extent(4);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(std::hypot(con(i).pos[0], con(i).pos[1]), std::hypot(.05, .03), kRounding);
  EXPECT_NEAR(high[0] - low[0], .1, kRounding);
  EXPECT_NEAR(high[1] - low[1], .06, kRounding);
}

// Half of a cap hangs over the edge: contacts reach the edge and the rim.
TEST_F(CylinderPairs, ACapThatHangsOverAnEdge) {
  const GeomSpec box = {mjGEOM_BOX, {.5, .5, .1}, {.52, 0, -.299}, kUpright, 1};
  const int count = Collide(kCylinder, box);
  ASSERT_GE(count, 3);
  const auto [low, high] = Extent(count);
  EXPECT_NEAR(low[0], .02, 1e-9);
  EXPECT_NEAR(high[0], .1, 1e-9);
  EXPECT_GT(high[1] - low[1], .19);
}

TEST_F(CylinderPairs, ACylinderLiesOnABox) {
  GeomSpec lying = kCylinder;
  lying.quat = Turn({0, 1, 0}, M_PI / 2);
  const GeomSpec box = {mjGEOM_BOX, {.5, .5, .1}, {.4, 0, -.199}, kUpright, 1};
  ASSERT_EQ(Collide(lying, box), 2);  // from the edge of the box to the end of the cylinder
  const auto [low, high] = Extent(2);
  EXPECT_NEAR(low[0], -.1, 1e-9);
  EXPECT_NEAR(high[0], .2, 1e-9);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(con(i).dist, -.001, kRounding);
}

// Each contact has its own distance; an end that has lifted off has none.
TEST_F(CylinderPairs, ALyingCylinderThatLeans) {
  GeomSpec lying = kCylinder;
  const double tilt = 1e-3;
  lying.quat = Turn({0, 1, 0}, M_PI / 2 + tilt);
  const GeomSpec deep = {mjGEOM_BOX, {.5, .5, .1}, {0, 0, -.199}, kUpright, 1};
  ASSERT_EQ(Collide(lying, deep), 2);
  EXPECT_NEAR(con(0).dist, -.001 - .2 * tilt, 1e-6);
  EXPECT_NEAR(con(1).dist, -.001 + .2 * tilt, 1e-6);
  const GeomSpec shallow = {mjGEOM_BOX, {.5, .5, .1}, {0, 0, -.19999}, kUpright, 1};
  EXPECT_EQ(Collide(lying, shallow), 1);
}

TEST_F(CylinderPairs, TwoSides) {
  const GeomSpec parallel = {mjGEOM_CYLINDER, {.05, .1, 0}, {.09, .12, .15}, kUpright, 1};
  ASSERT_EQ(Collide(kCylinder, parallel, .01), 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(con(i).dist, 0, kRounding);
    EXPECT_NEAR(con(i).frame[0], .6, kRounding);
    EXPECT_NEAR(con(i).frame[1], .8, kRounding);
  }
  EXPECT_NEAR(con(0).pos[2] + con(1).pos[2], .25, kRounding);  // from .05 to .2
  EXPECT_NEAR(std::fabs(con(0).pos[2] - con(1).pos[2]), .15, kRounding);

  const GeomSpec crossing = {mjGEOM_CYLINDER, {.05, .3, 0}, {.145, .02, .03}, Turn({1, 0, 0}, M_PI / 2), 1};
  ASSERT_EQ(Collide(kCylinder, crossing), 1);
  ExpectContact(0, -.005, {.0975, 0, .03}, {1, 0, 0});
}

TEST_F(CylinderPairs, Stacked) {
  const GeomSpec same = {mjGEOM_CYLINDER, {.1, .1, 0}, {0, 0, .299}, kUpright, 1};
  ASSERT_EQ(Collide(kCylinder, same), 4);
  const GeomSpec beside = {mjGEOM_CYLINDER, {.1, .1, 0}, {.1, 0, .299}, kUpright, 1};
  const int count = Collide(kCylinder, beside);
  ASSERT_GE(count, 3);
  const auto [low, high] = Extent(count);
  EXPECT_NEAR(low[0], 0, 1e-9);  // the lens that both caps share
  EXPECT_NEAR(high[0], .1, 1e-9);
  EXPECT_NEAR(high[1] - low[1], .1 * std::sqrt(3.), 1e-9);
}

// Two rims, of cylinders that stand askew, touch at a point of each.
TEST_F(CylinderPairs, TwoRims) {
  // nearest points of the rims at (.1, 0, .2) and 5 mm away along (.6, 0, .8)
  const Vec n = {.6, 0, .8}, axis = Normalized(Vec{0, .5, .8});
  const Vec down = Normalized(-n - axis * -Dot(n, axis));  // across the other axis, where its lower rim is nearest
  const Vec centre = Vec{.1, 0, .2} + n * .005 - down * .1 + axis * .2;
  const Vec turn = Cross(Vec{0, 0, 1}, axis);
  const GeomSpec other = {mjGEOM_CYLINDER, {.1, .2, 0}, centre, Turn(Normalized(turn), std::asin(Norm(turn))), 1};
  ASSERT_EQ(Collide(kCylinder, other, .01), 1);
  ExpectContact(0, .005, Vec{.1, 0, .2} + n * .0025, n, 1e-9);

  GeomSpec deeper = other;
  deeper.pos = centre - n * .008;
  ASSERT_EQ(Collide(kCylinder, deeper), 1);
  ExpectContact(0, -.003, Vec{.1, 0, .2} - n * .0015, n, 1e-9);
}

TEST_F(CylinderPairs, ACapsule) {
  const GeomSpec capsule = {mjGEOM_CAPSULE, {.05, .1, 0}, {.14, 0, .15}, kUpright, 1};
  ASSERT_EQ(Collide(kCylinder, capsule), 2);  // geoms in the order of their types: normals from the capsule
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(con(i).dist, -.01, kRounding);
    EXPECT_NEAR(con(i).frame[0], -1, kRounding);
    EXPECT_NEAR(con(i).pos[0], .095, kRounding);
  }
  // its end beyond the rim
  const GeomSpec beyond = {mjGEOM_CAPSULE, {.04, .1, 0}, {.13, 0, .34}, kUpright, 1};
  ASSERT_EQ(Collide(kCylinder, beyond, .02), 1);
  ExpectContact(0, .01, {.103, 0, .204}, {-.6, 0, -.8}, 1e-12);
  // lying on the cap
  const GeomSpec lying = {mjGEOM_CAPSULE, {.04, .3, 0}, {0, 0, .239}, Turn({1, 0, 0}, M_PI / 2), 1};
  ASSERT_EQ(Collide(kCylinder, lying), 2);
  EXPECT_NEAR(std::fabs(con(0).pos[1]), .1, kRounding);
  EXPECT_NEAR(con(0).dist, -.001, kRounding);
}

// In one place, the shortest way out is across the axis of the thinner shape.
TEST_F(CylinderPairs, InOnePlace) {
  for (const GeomSpec& other : {GeomSpec{mjGEOM_CAPSULE, {.05, .1, 0}, {0, 0, 0}, kUpright, 1},
                                GeomSpec{mjGEOM_CYLINDER, {.05, .1, 0}, {0, 0, 0}, kUpright, 1},
                                GeomSpec{mjGEOM_BOX, {.05, .05, .3}, {0, 0, 0}, kUpright, 1}}) {
    ASSERT_GT(Collide(kCylinder, other), 0);
    EXPECT_NEAR(con(0).dist, -.15, kRounding);
    EXPECT_NEAR(con(0).frame[2], 0, kRounding);
  }
}

TEST_F(CylinderPairs, MulticcdDisabledKeepsTheDeepest) {
  const GeomSpec box = {mjGEOM_BOX, {.5, .5, .1}, {0, 0, -.299}, Turn({0, 1, 0}, 1e-3), 1};
  const int count = Collide(kCylinder, box);
  ASSERT_GT(count, 1);
  const double deepest = con(0).dist;
  for (int i = 1; i < count; ++i) EXPECT_GE(con(i).dist, deepest);
  scene_->m()->opt.disableflags = mjDSBL_MULTICCD;
  ASSERT_EQ(scene_->Collide(0, 1), 1);
  EXPECT_EQ(con(0).dist, deepest);
}

}  // namespace
}  // namespace sinew
