#include "collision/convex/portal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "collision/convex/round_normal.h"
#include "tests/unit/collision/scene.h"

namespace sinew {
namespace {

constexpr double kTolerance = 1e-6;
constexpr Accuracy kAccuracy = {kTolerance, 50};

// The depth is found to the tolerance where the shapes are deepest along the line of their centres.
TEST(FindPortalContact, DepthOfBoxes) {
  Scene scene({{mjGEOM_BOX, {.1, .1, .1}}, {mjGEOM_BOX, {.1, .1, .1}, {.01, -.02, .17}}});
  const ConvexShape A(scene.m(), scene.d(), 0), B(scene.m(), scene.d(), 1);
  PortalContact found;
  ASSERT_TRUE(FindPortalContact(A, B, kAccuracy, found));
  EXPECT_NEAR(found.depth, .03, kTolerance);
  EXPECT_NEAR(found.normal.z, 1, 1e-6);
  EXPECT_NEAR(found.pos.z, .085, 1e-6);
}

TEST(FindPortalContact, NoneOfShapesThatAreApart) {
  for (const Vec3<double>& at : {Vec3<double>{.21, 0, 0}, Vec3<double>{.15, .15, .3}, Vec3<double>{-.3, .21, .05}}) {
    Scene scene({{mjGEOM_BOX, {.1, .1, .1}}, {mjGEOM_BOX, {.1, .1, .1}, at}});
    const ConvexShape A(scene.m(), scene.d(), 0), B(scene.m(), scene.d(), 1);
    PortalContact found;
    EXPECT_FALSE(FindPortalContact(A, B, kAccuracy, found)) << at.x;
  }
}

TEST(FindPortalContact, CoincidentCentres) {
  Scene scene({{mjGEOM_ELLIPSOID, {.1, .2, .3}}, {mjGEOM_BOX, {.1, .2, .3}}});
  const ConvexShape A(scene.m(), scene.d(), 0), B(scene.m(), scene.d(), 1);
  PortalContact found;
  ASSERT_TRUE(FindPortalContact(A, B, kAccuracy, found));
  EXPECT_GE(found.depth, .2 - kTolerance) << "the least depth, along x";
  EXPECT_NEAR(Norm(found.normal), 1, 1e-12);
}

// Needles and plates of a micrometre to ten kilometres, and what has no place.
TEST(FindPortalContact, EndsForAnyShapes) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> exponent(-6, 4), place(-1, 1);
  const auto size = [&] { return std::pow(10, exponent(generator)); };
  constexpr int kTypes[] = {mjGEOM_CAPSULE, mjGEOM_ELLIPSOID, mjGEOM_CYLINDER, mjGEOM_BOX};
  int count = 0;
  for (int i = 0; i < 20000; ++i) {
    const double reach = i % 3 == 0 ? 0 : size();
    Vec3<double> at = {reach * place(generator), reach * place(generator), reach * place(generator)};
    if (i % 100 == 0) at.x = std::numeric_limits<double>::quiet_NaN();
    Scene scene({{kTypes[i % 4], {size(), size(), size()}}, {kTypes[i / 4 % 4], {size(), size(), size()}, at}});
    const ConvexShape A(scene.m(), scene.d(), 0), B(scene.m(), scene.d(), 1);
    PortalContact found;
    if (!FindPortalContact(A, B, kAccuracy, found) || std::isnan(at.x)) continue;
    ++count;
    ASSERT_TRUE(std::isfinite(found.depth) && std::isfinite(Dot(found.normal, found.pos))) << i;
  }
  EXPECT_GT(count, 8000);
}

// Studs of two toy bricks, recorded from the reference: to the last digits, since every support has to be the same.
TEST(NativeCcd, DisabledLeavesRecordedContacts) {
  Scene scene({{mjGEOM_CYLINDER, {.004781, .0023, 0}, {-.00805, -.024, .0215}, {1, 0, 0, 0}, 0, .0001},
               {mjGEOM_CYLINDER, {.0066999, .0078, 0}, {0, -.016, .029}}});
  scene.m()->opt.disableflags = mjDSBL_NATIVECCD | mjDSBL_MULTICCD;
  ASSERT_EQ(scene.Collide(0, 1, .0001), 1);
  EXPECT_NEAR(scene.con(0).dist, -0.00013130527263844943, 1e-12);
  EXPECT_NEAR(scene.con(0).pos[0], -0.004691923339575894, 1e-12);
  EXPECT_NEAR(scene.con(0).frame[0], 0.709306164194585, 1e-10);
}

TEST(RoundNormal, IsThatOfTheRoundShape) {
  Scene scene({{mjGEOM_ELLIPSOID, {.1, .2, .3}}, {mjGEOM_BOX, {.1, .1, .1}}, {mjGEOM_CYLINDER, {.1, .2, 0}}});
  const ConvexShape ellipsoid(scene.m(), scene.d(), 0), box(scene.m(), scene.d(), 1), cylinder(scene.m(), scene.d(), 2);
  const Vec3<double> up = {0, 0, 1};

  // where the gradient of (x / a)^2 + (y / b)^2 is (1, 1, 0), a little below the surface
  const double scale = .99 / std::sqrt(.1 * .1 + .2 * .2);
  const Vec3<double> slanted = RoundNormal(ellipsoid, box, {.01 * scale, .04 * scale, 0}, up);
  EXPECT_NEAR(slanted.x, std::sqrt(.5), .01);
  EXPECT_NEAR(slanted.y, std::sqrt(.5), .01);

  EXPECT_EQ(RoundNormal(box, cylinder, {.09, 0, .1}, up).x, -1) << "towards the cylinder";
  EXPECT_EQ(RoundNormal(cylinder, box, {.05, 0, .2}, up).z, 1) << "a cap is flat";
}

}  // namespace
}  // namespace sinew
