// Contacts of pairs in general position, and where formulas branch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "collision/distance.h"
#include "math/vec3.h"
#include "tests/unit/collision/scene.h"

namespace sinew {
namespace {

constexpr double kPrinted = 1e-7;  // the expected numbers have seven digits

// ---- general position, against recorded contacts

struct ExpectedContact {
  double dist;
  Vec3<double> pos, normal;
};

struct GeneralCase {
  int number;
  bool one_contact;  // without multiccd
  GeomSpec geom1, geom2;
  std::vector<ExpectedContact> contacts;
};

// Case 14 is a capsule whose axis passes through the box, and not a record: its depth is the least overlap over a
// million directions, 0.124, where the recorded normal, along which the shapes overlap by 0.264, has a depth of 0.053.
const GeneralCase kGeneralCases[] = {
    // clang-format off
    {1, false,
     {mjGEOM_PLANE, {1, 1, 1}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_SPHERE, {0.1, 0, 0}, {0.1, 0.2, 0.05}, {1, 0, 0, 0}},
     {{-0.0280701754, {0.0653124, 0.2060326, -0.02842413}, {0.4035088, -0.07017544, 0.9122807}}}},
    {2, false,
     {mjGEOM_PLANE, {1, 1, 1}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_CAPSULE, {0.1, 0.2, 0}, {0.1, 0.2, 0.1}, {1, 0.5, 0, 0.2}},
     {{-0.117584659, {0.05236459, 0.3579305, -0.06007358}, {0.4035088, -0.07017544, 0.9122807}}}},
    {3, false,
     {mjGEOM_PLANE, {1, 1, 1}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_CYLINDER, {0.1, 0.2, 0}, {0.1, 0.2, 0}, {1, 0.3, -0.2, 0.1}},
     {{-0.176538726, {0.119897, 0.2703156, -0.1289947}, {0.4035088, -0.07017544, 0.9122807}},
      {-0.0592375624, {0.2600046, 0.2634614, -0.1272025}, {0.4035088, -0.07017544, 0.9122807}},
      {-0.0592375624, {0.1585661, 0.3927137, -0.072393}, {0.4035088, -0.07017544, 0.9122807}}}},
    {4, false,
     {mjGEOM_PLANE, {1, 1, 1}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_BOX, {0.1, 0.15, 0.2}, {0.1, 0.2, 0.05}, {1, 0.3, -0.2, 0.1}},
     {{-0.167405355, {0.1443011, 0.1757051, -0.1420607}, {0.4035088, -0.07017544, 0.9122807}},
      {-0.0211449677, {0.2972485, 0.1948721, -0.1280742}, {0.4035088, -0.07017544, 0.9122807}},
      {-0.0843028624, {0.04332426, 0.4259894, -0.03259869}, {0.4035088, -0.07017544, 0.9122807}}}},
    {5, false,
     {mjGEOM_PLANE, {1, 1, 1}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_ELLIPSOID, {0.1, 0.15, 0.2}, {0.1, 0.2, 0.05}, {1, 0.3, -0.2, 0.1}},
     {{-0.0784466568, {0.1325416, 0.2527334, -0.08217793}, {0.4035088, -0.07017544, 0.9122807}}}},
    {6, false,
     {mjGEOM_PLANE, {1, 1, 1}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_MESH, {0.1, 0.12, 0.15}, {0.1, 0.2, -0.05}, {1, 0.3, -0.2, 0.1}},
     {{-0.112788554, {0.1674924, 0.280253, -0.1143421}, {0.4035088, -0.07017544, 0.9122807}},
      {-0.0525392421, {0.1442842, 0.09920915, -0.0849821}, {0.4035088, -0.07017544, 0.9122807}},
      {-0.0924284406, {0.02741977, 0.1897394, -0.04819054}, {0.4035088, -0.07017544, 0.9122807}}}},
    {7, false,
     {mjGEOM_CAPSULE, {0.1, 0.2, 0}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_SPHERE, {0.12, 0, 0}, {0.1, 0.08, 0.15}, {1, 0, 0, 0}},
     {{-0.122734051, {0.08145368, 0.02451691, 0.1539352}, {-0.316312, -0.946278, 0.06711663}}}},
    {8, false,
     {mjGEOM_CYLINDER, {0.1, 0.2, 0}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_SPHERE, {0.12, 0, 0}, {0.1, 0.08, 0.1}, {1, 0, 0, 0}},
     {{-0.11737037, {0.07062276, 0.02692384, 0.108911}, {-0.4791214, -0.8656335, 0.1453319}}}},
    {9, false,
     {mjGEOM_CYLINDER, {0.1, 0.2, 0}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_SPHERE, {0.12, 0, 0}, {0.1, 0.05, 0.28}, {1, 0, 0, 0}},
     {{-0.0277192982, {0.05717144, 0.05744845, 0.1831702}, {-0.4035088, 0.07017544, -0.9122807}}}},
    {10, false,
     {mjGEOM_BOX, {0.1, 0.15, 0.2}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_SPHERE, {0.12, 0, 0}, {0.1, 0.12, 0.2}, {1, 0, 0, 0}},
     {{-0.105614035, {0.07288704, 0.1247153, 0.1387011}, {-0.4035088, 0.07017544, -0.9122807}}}},
    {11, false,
     {mjGEOM_BOX, {0.1, 0.15, 0.2}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_SPHERE, {0.12, 0, 0}, {0.03, 0.02, 0.05}, {1, 0, 0, 0}},
     {{-0.200526316, {0.01476454, 0.008919668, 0.05588643}, {-0.7719298, -0.5614035, 0.2982456}}}},
    {12, false,
     {mjGEOM_CAPSULE, {0.1, 0.2, 0}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_CAPSULE, {0.08, 0.25, 0}, {0.1, 0.1, 0.05}, {1, 0.6, -0.2, 0}},
     {{-0.165631639, {0.06380599, -0.01662132, 0.1065687}, {0.7982423, -0.4603197, -0.3884779}}}},
    {13, false,
     {mjGEOM_BOX, {0.1, 0.15, 0.2}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_CAPSULE, {0.06, 0.25, 0}, {0.05, 0.2, 0.05}, {1, 0.1, 0.2, 0.35}},
     {{-0.0260083043, {-0.08649072, 0.1864095, -0.1646617}, {-0.7719298, -0.5614035, 0.2982456}},
      {-0.0259957627, {-0.08585861, 0.1863247, -0.1632064}, {-0.7719298, -0.5614035, 0.2982456}}}},
    {14, false,
     {mjGEOM_BOX, {0.1, 0.15, 0.2}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_CAPSULE, {0.06, 0.25, 0}, {0.18, 0.02, 0.05}, {1, 0.6, -0.2, 0}},
     {{-0.123848515, {0.1608803, -0.04091022, 0.08200704}, {-0.6636885, -0.1456194, -0.7336979}},
      {-0.0749097772, {0.1060483, -0.1602493, 0.1219418}, {-0.6636885, -0.1456194, -0.7336979}}}},
    {15, false,
     {mjGEOM_BOX, {0.1, 0.15, 0.2}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_BOX, {0.12, 0.1, 0.1}, {0.05, 0.1, 0.28}, {1, 0.12, 0.2, 0.6}},
     {{-0.0285621855, {0.1199566, 0.09656722, 0.1579893}, {0.3846154, 0, 0.9230769}},
      {-0.0253777625, {-0.04175545, -0.002388213, 0.2236444}, {0.3846154, 0, 0.9230769}},
      {-0.0197683674, {0.04466134, -0.05294118, 0.184599}, {0.3846154, 0, 0.9230769}},
      {-0.0344534413, {0.07758486, 0.1657895, 0.1788353}, {0.3846154, 0, 0.9230769}},
      {-0.0301349528, {-0.07597062, 0.05350877, 0.2404775}, {0.3846154, 0, 0.9230769}}}},
    {16, false,
     {mjGEOM_BOX, {0.1, 0.15, 0.2}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_BOX, {0.12, 0.1, 0.1}, {0.2, 0.1, 0.12}, {1, 0.5, -0.3, 0.1}},
     {{-0.063083004, {0.08471146, 0.1063715, 0.1899447}, {0.7719298, 0.5614035, -0.2982456}},
      {-0.0829369721, {0.05571446, 0.1151324, 0.1646692}, {0.7719298, 0.5614035, -0.2982456}},
      {-0.0532553606, {0.1183325, -0.01616224, 0.02983619}, {0.7719298, 0.5614035, -0.2982456}}}},
    {17, false,
     {mjGEOM_BOX, {0.1, 0.15, 0.2}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_BOX, {0.12, 0.1, 0.1}, {0.25, 0, 0.05}, {1, 0.1, 0.6, 0.3}},
     {{-0.0833243992, {0.1691288, -0.09587207, 0.0607046}, {0.824411, 0.4603854, -0.3292291}},
      {-0.03161865, {0.1478586, 0.02979586, 0.1561238}, {0.824411, 0.4603854, -0.3292291}},
      {-0.0317914941, {0.2184743, -0.08889712, 0.1157597}, {0.824411, 0.4603854, -0.3292291}},
      {-0.0655148277, {0.1118001, 0.03124542, 0.121955}, {0.824411, 0.4603854, -0.3292291}}}},
    {18, false,
     {mjGEOM_ELLIPSOID, {0.1, 0.15, 0.2}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_ELLIPSOID, {0.12, 0.1, 0.08}, {0.15, 0.05, 0.1}, {1, 0.5, -0.3, 0.1}},
     {{-0.0598543267, {0.07690736, 0.03359166, 0.07180121}, {0.8250433, 0.5650351, -0.00624078}}}},
    {19, false,
     {mjGEOM_CYLINDER, {0.1, 0.2, 0}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_ELLIPSOID, {0.12, 0.1, 0.08}, {0.15, 0.05, 0.1}, {1, 0.5, -0.3, 0.1}},
     {{-0.0756394527, {0.09199869, 0.03190729, 0.09087535}, {-0.7151896, -0.6460721, 0.266636}}}},
    {20, true,
     {mjGEOM_CYLINDER, {0.1, 0.2, 0}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_CYLINDER, {0.08, 0.15, 0}, {0.14, 0.05, 0.1}, {1, 0.5, -0.3, 0.1}},
     {{-0.129034661, {0.1180972, 0.02458714, 0.1039434}, {0.6964645, 0.1187926, 0.7076902}}}},
    {21, true,
     {mjGEOM_CYLINDER, {0.1, 0.2, 0}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_BOX, {0.12, 0.1, 0.1}, {0.16, 0.05, 0.1}, {1, 0.5, -0.3, 0.1}},
     {{-0.121092269, {0.06260308, 0.02100644, 0.07111081}, {0.6799844, 0.6901291, -0.2476755}}}},
    {22, false,
     {mjGEOM_BOX, {0.1, 0.15, 0.2}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_MESH, {0.1, 0.12, 0.15}, {0.14, 0.05, 0.1}, {1, 0.5, -0.3, 0.1}},
     {{-0.106948988, {0.118961, 0.0060499, 0.1359858}, {0.8684186, 0.4386861, 0.2310921}}}},
    {23, false,
     {mjGEOM_ELLIPSOID, {0.1, 0.15, 0.2}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_SPHERE, {0.12, 0, 0}, {0.15, 0.05, 0.15}, {1, 0, 0, 0}},
     {{-0.0683384052, {0.07798445, 0.01112172, 0.1241318}, {-0.839041, -0.4529642, -0.3013863}}}},
    {24, true,
     {mjGEOM_CAPSULE, {0.1, 0.2, 0}, {0, 0, 0}, {1, 0.1, 0.2, 0.3}},
     {mjGEOM_MESH, {0.1, 0.12, 0.15}, {0.14, 0.05, 0.1}, {1, 0.5, -0.3, 0.1}},
     {{-0.091519079, {0.1293354, -0.01570421, 0.158396}, {0.9130585, -0.03362984, -0.4064397}}}},
    // clang-format on
};

double Difference(const mjContact& found, const ExpectedContact& expected) {
  return std::fabs(found.dist - expected.dist) + Norm(LoadVec3(found.pos) - expected.pos) +
         Norm(LoadVec3(found.frame) - expected.normal);
}

class GeneralPosition : public testing::TestWithParam<GeneralCase> {};

TEST_P(GeneralPosition, HasTheRecordedContacts) {
  const GeneralCase& c = GetParam();
  Scene scene({c.geom1, c.geom2});
  if (c.one_contact) scene.m()->opt.disableflags |= mjDSBL_MULTICCD;
  scene.m()->opt.ccd_tolerance = 1e-12;  // with which they were recorded
  scene.m()->opt.ccd_iterations = 500;
  ASSERT_EQ(scene.Collide(0, 1), static_cast<int>(c.contacts.size()));
  const bool mesh = c.geom2.type == mjGEOM_MESH;  // whose vertices have no order
  for (size_t i = 0; i < c.contacts.size(); ++i) {
    double least = Difference(scene.con(static_cast<int>(i)), c.contacts[i]);
    for (size_t j = 0; mesh && j < c.contacts.size(); ++j) {
      least = std::min(least, Difference(scene.con(static_cast<int>(j)), c.contacts[i]));
    }
    // smooth shapes: the position follows the normal, which is good to the root of the depth's tolerance
    const bool smooth = c.number >= 18;
    EXPECT_LT(least, smooth ? 1e-4 : 3 * kPrinted) << "contact " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Pairs, GeneralPosition, testing::ValuesIn(kGeneralCases),
                         [](const auto& test) { return std::to_string(test.param.number); });

// ---- branches

void ExpectContact(const mjContact& found, double dist, const Vec3<double>& pos, const Vec3<double>& normal) {
  constexpr double kTolerance = 1e-9;
  EXPECT_NEAR(found.dist, dist, kTolerance);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(found.pos[k], pos[k], kTolerance) << "pos " << k;
    EXPECT_NEAR(found.frame[k], normal[k], kTolerance) << "normal " << k;
  }
}

GeomSpec Sphere(double radius, const Vec3<double>& pos) { return {mjGEOM_SPHERE, {radius, 0, 0}, pos}; }
GeomSpec Plane() { return {mjGEOM_PLANE, {1, 1, 1}}; }

TEST(SphereSphere, CoincidentCentresTakeTheXAxis) {
  Scene scene({Sphere(.1, {0, 0, 0}), Sphere(.2, {0, 0, 0})});
  ASSERT_EQ(scene.Collide(0, 1), 1);
  ExpectContact(scene.con(0), -.3, {-.05, 0, 0}, {1, 0, 0});
}

TEST(SphereSphere, TouchingCounts) {
  Scene scene({Sphere(.125, {0, 0, 0}), Sphere(.125, {.25, 0, 0})});
  ASSERT_EQ(scene.Collide(0, 1), 1);
  ExpectContact(scene.con(0), 0, {.125, 0, 0}, {1, 0, 0});
}

TEST(SphereCylinder, NearestFeature) {
  const GeomSpec cylinder = {mjGEOM_CYLINDER, {.1, .2, 0}};
  Scene side({cylinder, Sphere(.1, {.15, 0, .1})});
  ASSERT_EQ(side.Collide(0, 1), 1);
  ExpectContact(side.con(0), -.05, {.075, 0, .1}, {-1, 0, 0});

  Scene cap({cylinder, Sphere(.1, {.05, 0, .25})});
  ASSERT_EQ(cap.Collide(0, 1), 1);
  ExpectContact(cap.con(0), -.05, {.05, 0, .175}, {0, 0, -1});

  Scene rim({cylinder, Sphere(.1, {.15, 0, .25})});
  ASSERT_EQ(rim.Collide(0, 1), 1);
  EXPECT_NEAR(rim.con(0).dist, .05 * std::sqrt(2) - .1, 1e-15);

  Scene inside({cylinder, Sphere(.05, {0, 0, 0})});
  ASSERT_EQ(inside.Collide(0, 1), 1);
  ExpectContact(inside.con(0), -.15, {-.025, 0, 0}, {1, 0, 0});
}

// Poses of a robot whose shoulder points the rim of its base: the reference compares squares of radii, and has a
// contact with the rim in the first, none with the cap in the second.
TEST(SphereCylinder, TouchesTheRimExactly) {
  const double kAlmostOne = 0.9999999999999998;
  const struct {
    double x, y;
    int count;
  } cases[] = {{-0.00029908881466590335, 0.5200005590901977, 1}, {-0.0002958420473043212, 0.5200005470176011, 0}};
  for (const auto& c : cases) {
    Scene scene(
        {{mjGEOM_CYLINDER, {.08, .12, 0}, {-3.6739403974420595e-17, .6, 1.032}}, Sphere(.07, {c.x, c.y, 1.222})});
    scene.Orient(0, {{0, kAlmostOne, 0, -kAlmostOne, 0, 0, 0, 0, kAlmostOne}});
    EXPECT_EQ(scene.Collide(0, 1), c.count) << c.x;
  }
}

TEST(SphereBox, CentreInsideLeavesThroughTheNearestFace) {
  const GeomSpec box = {mjGEOM_BOX, {.1, .2, .3}};
  Scene inside({box, Sphere(.05, {.05, 0, .1})});
  ASSERT_EQ(inside.Collide(0, 1), 1);
  ExpectContact(inside.con(0), -.1, {.05, 0, .1}, {-1, 0, 0});

  Scene centre({box, Sphere(.05, {0, 0, 0})});
  ASSERT_EQ(centre.Collide(0, 1), 1);
  ExpectContact(centre.con(0), -.15, {-.025, 0, 0}, {1, 0, 0});

  Scene on_face({box, Sphere(.05, {.1, 0, 0})});
  ASSERT_EQ(on_face.Collide(0, 1), 1);
  EXPECT_NEAR(on_face.con(0).dist, -.05, 1e-15);
}

TEST(PlaneCapsule, LyingTouchesWithBothEndsAndSuggestsItsAxis) {
  Scene scene({Plane(), {mjGEOM_CAPSULE, {.1, .2, 0}, {0, 0, .09}, {std::sqrt(.5), 0, std::sqrt(.5), 0}}});
  ASSERT_EQ(scene.Collide(0, 1), 2);
  ExpectContact(scene.con(0), -.01, {.2, 0, -.005}, {0, 0, 1});
  ExpectContact(scene.con(1), -.01, {-.2, 0, -.005}, {0, 0, 1});
  EXPECT_NEAR(scene.con(0).frame[3], 1, 1e-12);
}

TEST(PlaneCylinder, UprightStandsOnATriangle) {
  Scene scene({Plane(), {mjGEOM_CYLINDER, {.1, .2, 0}, {0, 0, .19}}});
  ASSERT_EQ(scene.Collide(0, 1), 3);
  ExpectContact(scene.con(0), -.01, {.1, 0, -.005}, {0, 0, 1});
  ExpectContact(scene.con(1), -.01, {-.05, .05 * std::sqrt(3), -.005}, {0, 0, 1});
  ExpectContact(scene.con(2), -.01, {-.05, -.05 * std::sqrt(3), -.005}, {0, 0, 1});
}

TEST(PlaneBox, AtMostFourCorners) {
  Scene flat({Plane(), {mjGEOM_BOX, {.1, .2, .3}, {0, 0, .29}}});
  ASSERT_EQ(flat.Collide(0, 1), 4);
  ExpectContact(flat.con(0), -.01, {-.1, -.2, -.005}, {0, 0, 1});
  Scene below({Plane(), {mjGEOM_BOX, {.1, .2, .3}, {0, 0, -5}}});
  EXPECT_EQ(below.Collide(0, 1), 4);
}

TEST(CapsuleCapsule, ParallelAxesGiveTwoContacts) {
  const Vec3<double> size = {.1, .2, 0};
  Scene beside({{mjGEOM_CAPSULE, size}, {mjGEOM_CAPSULE, size, {.15, 0, .1}}});
  ASSERT_EQ(beside.Collide(0, 1), 2);
  // The axes lie beside each other from -0.1 to 0.2, and are equally near at both ends of that length.
  ExpectContact(beside.con(0), -.05, {.075, 0, .2}, {1, 0, 0});
  ExpectContact(beside.con(1), -.05, {.075, 0, -.1}, {1, 0, 0});

  Scene same({{mjGEOM_CAPSULE, size}, {mjGEOM_CAPSULE, size}});
  ASSERT_EQ(same.Collide(0, 1), 2);
  ExpectContact(same.con(0), -.2, {0, 0, .2}, {1, 0, 0});

  Scene crossing({{mjGEOM_CAPSULE, size}, {mjGEOM_CAPSULE, size, {0, 0, 0}, {std::sqrt(.5), 0, std::sqrt(.5), 0}}});
  ASSERT_EQ(crossing.Collide(0, 1), 1);
  ExpectContact(crossing.con(0), -.2, {0, 0, 0}, {0, 1, 0});
}

TEST(BoxBox, StackedCubesTouchAtFourCorners) {
  const Vec3<double> cube = {.1, .1, .1};
  Scene stacked({{mjGEOM_BOX, cube}, {mjGEOM_BOX, cube, {0, 0, .19}}});
  ASSERT_EQ(stacked.Collide(0, 1), 4);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(stacked.con(i).dist, -.01, 1e-12);

  Scene turned({{mjGEOM_BOX, cube}, {mjGEOM_BOX, cube, {0, 0, .19}, {std::cos(M_PI / 8), 0, 0, std::sin(M_PI / 8)}}});
  EXPECT_EQ(turned.Collide(0, 1), 8);

  Scene coincident({{mjGEOM_BOX, cube}, {mjGEOM_BOX, cube}});
  ASSERT_EQ(coincident.Collide(0, 1), 4);
  EXPECT_NEAR(coincident.con(0).dist, -.2, 1e-12);
}

TEST(BoxBox, CrossedEdgesTouchInOnePoint) {
  const double c = std::cos(M_PI / 8), s = std::sin(M_PI / 8);
  Scene scene(
      {{mjGEOM_BOX, {.1, .1, .1}, {0, 0, 0}, {c, s, 0, 0}}, {mjGEOM_BOX, {.1, .1, .1}, {0, 0, .27}, {c, 0, s, 0}}});
  ASSERT_EQ(scene.Collide(0, 1), 1);
  ExpectContact(scene.con(0), .27 - .2 * std::sqrt(2), {0, 0, .135}, {0, 0, 1});
}

// A wall on a table, turned by 5e-7 and 1e-6 rad: an edge along y is no better than the table's face but for the
// rounding of its direction, and must beat the face by more than that. In the second pose the reference lets the edge
// decide, with a normal that is not quite the face's.
TEST(BoxBox, FacesWinTiesWithEdgesThatAreNearlyParallel) {
  const GeomSpec table = {mjGEOM_BOX, {.4, .15, .025}};
  Scene face(
      {table, {mjGEOM_BOX, {.005, .15, .075}, {0.20345074320874554, -0.14055048359225975, 0.09913811679752083}}});
  face.Orient(1, {{1.1102230246251565e-16, -1.0000000000000004, 1.3762167810514245e-18, 0.9999999999998929,
                   1.1102230246251565e-16, 4.63619299330641e-07, -4.636192993306411e-07, 1.3761373717126194e-18,
                   0.9999999999998929}});
  ASSERT_EQ(face.Collide(0, 1), 4);
  EXPECT_EQ(face.con(0).frame[0], 0);

  Scene edge({table, {mjGEOM_BOX, {.005, .15, .075}, {0.20345074320874554, -0.140550441812472, 0.09986585883236998}}});
  edge.Orient(1, {{1.6653345369377348e-16, -1.000000000000002, 1.3823577699190182e-18, 0.9999999999994835,
                   1.6653345369377348e-16, 1.0182229662300134e-06, -1.0182229662300134e-06, 1.3822518908006114e-18,
                   0.9999999999994835}});
  ASSERT_EQ(edge.Collide(0, 1), 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(edge.con(i).frame[0], 0) << i;
    EXPECT_EQ(edge.con(i).frame[2], 1) << i;
  }
}

// Shapes whose centres coincide have no direction to start from, and overlap fully all the same.
TEST(ConvexConvex, CoincidentCentresAreDeep) {
  const std::vector<GeomSpec> shapes = {
      {mjGEOM_ELLIPSOID, {.1, .2, .3}}, {mjGEOM_CYLINDER, {.1, .2, 0}}, {mjGEOM_MESH, {.1, .12, .15}}};
  for (const GeomSpec& a : shapes) {
    for (const GeomSpec& b : shapes) {
      Scene scene({a, b});
      scene.m()->opt.disableflags |= mjDSBL_MULTICCD;
      ASSERT_EQ(scene.Collide(0, 1), 1) << a.type << " " << b.type;
      EXPECT_LT(scene.con(0).dist, -.1);
      EXPECT_NEAR(Norm(LoadVec3(scene.con(0).frame)), 1, 1e-12);
    }
  }
}

// Caps that lie on each other touch at four points of the rim, along the axis, where the reference adds four contacts
// with tilted normals to one that is anywhere on the caps. Corners of both caps coincide, so that rounding decides
// which four are kept; they span at least 0.8 of the inscribed square, which no four on one side of the centre do.
TEST(ConvexConvex, StackedCylindersTouchAtFourPointsOfTheRim) {
  Scene scene({{mjGEOM_CYLINDER, {.1, .1, 0}}, {mjGEOM_CYLINDER, {.1, .1, 0}, {0, 0, .19}}});
  ASSERT_EQ(scene.Collide(0, 1), 4);
  double angles[4];
  for (int i = 0; i < 4; ++i) {
    const Vec3<double> pos = LoadVec3(scene.con(i).pos);
    EXPECT_NEAR(scene.con(i).dist, -.01, 1e-9);
    EXPECT_NEAR(scene.con(i).frame[2], 1, 1e-12);
    EXPECT_NEAR(pos.z, .095, 1e-9);
    EXPECT_LT(std::hypot(pos.x, pos.y), .1 + 1e-9);
    EXPECT_GT(std::hypot(pos.x, pos.y), .1 * std::cos(M_PI / 16) - 1e-9);  // the sides of a polygon stand for the rim
    angles[i] = std::atan2(pos.y, pos.x);
  }
  std::sort(angles, angles + 4);
  double area = 0;  // of radius 1
  for (int i = 0; i < 4; ++i) area += .5 * std::sin(angles[(i + 1) % 4] - angles[i]);
  EXPECT_GT(area, .8 * 2);
}

TEST(ConvexConvex, MarginIsExclusive) {
  Scene scene({{mjGEOM_ELLIPSOID, {.1, .1, .1}}, {mjGEOM_ELLIPSOID, {.1, .1, .1}, {.21, 0, 0}}});
  EXPECT_EQ(scene.Collide(0, 1, .0099), 0);
  ASSERT_EQ(scene.Collide(0, 1, .0101), 1);
  EXPECT_NEAR(scene.con(0).dist, .01, scene.m()->opt.ccd_tolerance);
}

// Bounds of the depth meet to the tolerance; the normal follows by its root.
TEST(ConvexConvex, CurvedPairsAreAsGoodAsTheOptionsAsk) {
  Scene scene({{mjGEOM_ELLIPSOID, {.1, .2, .3}}, {mjGEOM_ELLIPSOID, {.1, .2, .3}, {.19, 0, 0}}});
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    scene.m()->opt.ccd_tolerance = tolerance;
    scene.m()->opt.ccd_iterations = 1000;
    ASSERT_EQ(scene.Collide(0, 1), 1);
    EXPECT_NEAR(scene.con(0).dist, -.01, tolerance);
    EXPECT_GT(scene.con(0).frame[0], 1 - 100 * tolerance);  // curvatures of up to 90 / m
  }
}

TEST(GeomDistance, BoxesByTheirNearestFaces) {
  Scene scene({{mjGEOM_BOX, {.1, .1, .1}}, {mjGEOM_BOX, {.1, .1, .1}, {.5, 0, 0}}});
  double fromto[6];
  EXPECT_NEAR(GeomDistance(scene.m(), scene.d(), 0, 1, 1, fromto), .3, 1e-12);
  EXPECT_NEAR(fromto[0], .1, 1e-12);
  EXPECT_NEAR(fromto[3], .4, 1e-12);
  EXPECT_EQ(GeomDistance(scene.m(), scene.d(), 0, 1, .2, fromto), .2);
  EXPECT_EQ(fromto[3], 0);
  scene.Place(1, {.15, 0, 0}, {1, 0, 0, 0});
  EXPECT_NEAR(GeomDistance(scene.m(), scene.d(), 0, 1, 0, nullptr), -.05, 1e-12);
}

TEST(GeomDistance, KeepsTheOrderOfTheGeoms) {
  Scene scene({Sphere(.1, {0, 0, .5}), Plane()});
  double fromto[6];
  EXPECT_NEAR(GeomDistance(scene.m(), scene.d(), 0, 1, 1, fromto), .4, 1e-15);
  EXPECT_NEAR(fromto[2], .4, 1e-15);
  EXPECT_NEAR(fromto[5], 0, 1e-15);
}

}  // namespace
}  // namespace sinew
