// Contacts with height fields, against closed forms on flat ground.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "collision/convex/convex_shape.h"
#include "math/triangle.h"
#include "tests/testing/longer.h"
#include "tests/unit/collision/scene.h"

namespace sinew {
namespace {

// A flat field, |x|, |y| <= 1, with its surface at z = 0, and a geom over it.
class Field {
 public:
  Field(int points, const GeomSpec& geom) : elevation_(points * points, 0.0f), scene_({{mjGEOM_HFIELD, {}}, geom}) {
    mjModel* m = scene_.m();
    m->geom_dataid[0] = 0;
    m->hfield_size = size_;
    m->hfield_nrow = m->hfield_ncol = &(points_ = points);
    m->hfield_adr = &address_;
    m->hfield_data = elevation_.data();
  }
  float& elevation(int row, int column) { return elevation_[row * points_ + column]; }
  double height(int row, int column) const { return elevation_[static_cast<size_t>(row * points_ + column)]; }
  int Collide(double margin = 0) { return scene_.Collide(0, 1, margin); }
  const mjContact& con(int i) const { return scene_.con(i); }
  double Distance(double limit) { return mj_geomDistance(scene_.m(), scene_.d(), 0, 1, limit, nullptr); }

 private:
  double size_[4] = {1, 1, .2, .1};
  int points_, address_ = 0;
  std::vector<float> elevation_;
  Scene scene_;
};

GeomSpec SphereAt(double x, double y, double z) { return {mjGEOM_SPHERE, {.1, 0, 0}, {x, y, z}}; }

TEST(HeightField, SphereOnATriangle) {
  Field field(3, SphereAt(.3, .6, .09));
  ASSERT_EQ(field.Collide(), 1);
  EXPECT_NEAR(field.con(0).dist, -.01, 1e-9);
  EXPECT_NEAR(field.con(0).frame[2], 1, 1e-9);
}

TEST(HeightField, SphereOnADiagonalTouchesBothTriangles) {
  Field field(3, SphereAt(.5, .5, .09));
  ASSERT_EQ(field.Collide(), 2);
  EXPECT_NEAR(field.con(0).dist, field.con(1).dist, 1e-9);
}

TEST(HeightField, SphereOnAPeakTouchesItsSixTriangles) {
  Field field(3, SphereAt(0, 0, .28));
  field.elevation(1, 1) = 1;
  ASSERT_EQ(field.Collide(), 6);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(field.con(i).dist, -.02, 1e-8);
}

// Programs write elevations below zero: the ground keeps its slope below the base, too.
TEST(HeightField, SlopeBelowTheBase) {
  const double length = std::sqrt(1.01), nx = .1 / length, nz = 1 / length;  // heights 0, -.1 and -.2, base at -.1
  Field field(3, SphereAt(.6 + .09 * nx, .3, -.16 + .09 * nz));
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) field.elevation(row, column) = -.5f * static_cast<float>(column);
  }
  ASSERT_EQ(field.Collide(), 1);
  EXPECT_NEAR(field.con(0).dist, -.01, 1e-8);
  EXPECT_NEAR(field.con(0).frame[0], nx, 1e-6);
  EXPECT_NEAR(field.con(0).frame[2], nz, 1e-6);
}

TEST(HeightField, MarginsAreDistances) {
  Field field(3, SphereAt(.3, .6, .11));
  EXPECT_EQ(field.Collide(.0099), 0);
  ASSERT_EQ(field.Collide(.02), 1);
  EXPECT_NEAR(field.con(0).dist, .01, 1e-9);
  EXPECT_NEAR(field.con(0).pos[2], .005, 1e-9);
  Field box(3, {mjGEOM_BOX, {.1, .1, .1}, {.3, .6, .11}});
  ASSERT_GT(box.Collide(.02), 2);
  EXPECT_NEAR(box.con(0).dist, .01, 1e-9);
}

// Far from the edges of its triangles, flat ground is a plane: the lowest point of a shape is its deepest contact.
TEST(HeightField, FarFromEdgesItIsAPlane) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> place(-.05, .05), depth(-.02, .01);
  int contacts = 0;
  for (int i = 0; i < 3000; ++i) {
    static constexpr int kTypes[] = {mjGEOM_CAPSULE, mjGEOM_ELLIPSOID, mjGEOM_CYLINDER, mjGEOM_BOX, mjGEOM_MESH};
    GeomSpec geom = {kTypes[i % 5], {.04, .06, .05}};
    geom.quat = {normal(random), normal(random), normal(random), normal(random)};
    Scene alone({geom});
    const Vec3<double> lowest =
        ConvexShape(alone.m(), alone.d(), 0).Support({0, 0, -1}) - Vec3<double>{0, 0, i % 5 == 0 ? .04 : 0};
    const double dist = depth(random), margin = i % 2 == 0 ? 0 : .005;
    geom.pos = Vec3<double>{.3 + place(random), .7 + place(random), dist} - lowest;  // in the middle of a triangle
    Field field(3, geom);
    const int count = field.Collide(margin);
    if (std::fabs(dist - margin) < 1e-5) continue;
    ASSERT_EQ(count > 0, dist < margin) << "pose " << i;
    if (count == 0) continue;
    ++contacts;
    double least = kInfinity;
    for (int k = 0; k < count; ++k) {
      least = std::min(least, field.con(k).dist);
      EXPECT_NEAR(field.con(k).frame[2], 1, 1e-12) << "pose " << i;
    }
    // Of lines along sides, which count as flat up to 2e-3 rad, both ends are contacts. What is deeper than an eighth
    // of the way to the base is left to the search.
    const bool is_round = geom.type == mjGEOM_CAPSULE || geom.type == mjGEOM_CYLINDER;
    const bool is_shallow = 8 * (margin - dist) < .1 + dist;
    EXPECT_NEAR(least, dist, !is_shallow ? 1e-6 : is_round ? 1e-7 : 1e-12) << "pose " << i;
  }
  EXPECT_GT(contacts, 1000);
}

// There is a contact where the distance is below the margin, which knows nothing of planes at the sides of triangles.
// In 5 of the poses the nearest or deepest point has a normal that no triangle around it permits.
TEST(HeightField, RoughGroundTouchesWhatIsNear) {
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> place(-.9, .9), height(0, .35);
  std::uniform_real_distribution<float> elevation(0, 1);
  int touching = 0, apart = 0, differ = 0;
  for (int i = 0; i < 4000; ++i) {
    static constexpr int kTypes[] = {mjGEOM_CAPSULE, mjGEOM_ELLIPSOID, mjGEOM_CYLINDER, mjGEOM_BOX, mjGEOM_MESH};
    GeomSpec geom = {kTypes[i % 5], {.05, .12, .06}, {place(random), place(random), height(random)}};
    geom.quat = {normal(random), normal(random), normal(random), normal(random)};
    Field field(5, geom);
    for (int row = 0; row < 5; ++row) {
      for (int column = 0; column < 5; ++column) field.elevation(row, column) = elevation(random);
    }
    const double distance = field.Distance(1), step = 1e-5;
    if (std::fabs(distance) < step) continue;
    if (distance < 0) {
      ++touching;
      differ += field.Collide() == 0;
      continue;
    }
    ++apart;
    EXPECT_EQ(field.Collide(), 0) << "pose " << i;
    EXPECT_EQ(field.Collide(distance - step), 0) << "pose " << i;
    differ += field.Collide(distance + step) == 0;
  }
  EXPECT_LE(differ, 5);
  EXPECT_GT(touching, 500);
  EXPECT_GT(apart, 500);
}

// A ball whose centre is below the surface leaves it upwards, however near the wall of a prism is; and so it does
// nearer to the base than to the surface.
TEST(HeightField, BallsBelowTheSurfaceGoUp) {
  for (const double x : {.01, .1, .3, .49, .499, .51}) {
    for (const double z : {-.001, -.03, -.08}) {
      Field field(5, SphereAt(x, .4, z));
      ASSERT_GT(field.Collide(), 0);
      EXPECT_NEAR(field.con(0).dist, z - .1, 1e-9) << x << " " << z;
      EXPECT_NEAR(field.con(0).frame[2], 1, 1e-9) << x << " " << z;
    }
  }
}

// The contact of a neighbouring prism's inner edge is none.
TEST(HeightField, BesideAnEdgeOfFlatGroundThereIsOneContact) {
  for (const int type : {mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_ELLIPSOID}) {
    Field field(5,
                {type, {.1, type == mjGEOM_CAPSULE ? .001 : .1, .1}, {.499, .3, type == mjGEOM_CAPSULE ? .081 : .08}});
    ASSERT_EQ(field.Collide(), 1) << type;
    EXPECT_NEAR(field.con(0).dist, -.02, 1e-6) << type;
    EXPECT_NEAR(field.con(0).frame[2], 1, 1e-6) << type;
  }
}

// Prisms are narrower than the box is deep: their walls are the nearest ways out, but not out of the ground.
TEST(HeightField, DeepShapesOnFineGroundGoUp) {
  for (const int type : {mjGEOM_BOX, mjGEOM_CYLINDER}) {
    Field field(41, {type, {.2, .1, .1}, {.03, .02, .03}});
    ASSERT_GE(field.Collide(), 4) << type;
    for (int i = 0; i < std::min(field.Collide(), mjMAXCONPAIR); ++i) {
      EXPECT_NEAR(field.con(i).frame[2], 1, 1e-6) << type;
      EXPECT_NEAR(field.con(i).dist, -.07, 1e-6) << type;
    }
  }
}

// The nearest point of rough ground, by looking at all of its triangles.
double DistanceFromAll(const Field& field, int points, const Vec3<double>& c, Vec3<double>& nearest) {
  double least = kInfinity;
  for (int row = 0; row < points - 1; ++row) {
    for (int column = 0; column < points - 1; ++column) {
      const auto corner = [&](int r, int k) {
        return Vec3<double>{2. * k / (points - 1) - 1, 2. * r / (points - 1) - 1, .2 * field.height(r, k)} - c;
      };
      for (const int upper : {0, 1}) {
        const auto found = NearestOnTriangle(corner(row, column), corner(row + upper, column + 1 - upper),
                                             corner(row + 1, column + 1));
        if (found.distance2 >= least) continue;
        least = found.distance2;
        nearest = c + found.point;
      }
    }
  }
  return std::sqrt(least);
}

// Above the ground, the deepest contact is at the nearest point of the surface. Below, no contact is less deep, and one
// is as deep as that. SINEW_SWEEP=1000000 tries as many places.
TEST(HeightField, SpheresMeetTheNearestPointOfRoughGround) {
  constexpr int kPoints = 9;
  std::mt19937 generator(3);
  const auto number = [&generator](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  };
  const int trials = CountOr("SINEW_SWEEP", 3000);
  int above = 0, below = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Vec3<double> c = {number(-.7, .7), number(-.7, .7), number(-.05, .3)};
    Field field(kPoints, SphereAt(c.x, c.y, c.z));
    for (int row = 0; row < kPoints; ++row) {
      for (int column = 0; column < kPoints; ++column) field.elevation(row, column) = static_cast<float>(number(0, 1));
    }
    Vec3<double> nearest = {0, 0, 0};
    const double distance = DistanceFromAll(field, kPoints, c, nearest);
    const int count = field.Collide();
    if (distance > .1 && count == 0) continue;
    ASSERT_GT(count, 0) << trial;
    const bool is_below = field.con(0).dist < -.1;
    const double expected = (is_below ? -distance : distance) - .1;
    int best = 0;
    for (int i = 1; i < count; ++i) {
      if (is_below == (field.con(i).dist > field.con(best).dist)) best = i;
    }
    ASSERT_NEAR(field.con(best).dist, expected, 1e-9) << trial;
    const Vec3<double> out = (is_below ? nearest - c : c - nearest) * (1 / distance);
    if (distance > 1e-6) {
      ASSERT_NEAR(Dot(LoadVec3(field.con(best).frame), out), 1, 1e-6) << trial;
    }
    ASSERT_GT(Dot(out, Vec3<double>{0, 0, 1}), 0) << trial;
    ++(is_below ? below : above);
  }
  EXPECT_GT(above, trials / 10);
  EXPECT_GT(below, trials / 10);
}

// From below, the nearest point of a pit is its lowest corner, which is computed as the centre of the ball plus what
// leads there, and is off the corner by rounding.
TEST(HeightField, BelowAPitTheWayOutIsItsCorner) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> part(-1, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3<double> n = Normalized(Vec3<double>{.3 * part(generator), .3 * part(generator), 1});
    const double depth = .03 + .02 * part(generator), x = .5 * std::round(2 * part(generator)) / 2;
    Field field(9, SphereAt(x - depth * n.x, -depth * n.y, -depth * n.z));
    for (int row = 0; row < 9; ++row) {
      for (int column = 0; column < 9; ++column) field.elevation(row, column) = 1;
    }
    field.elevation(4, static_cast<int>(4 + 4 * x)) = 0;
    ASSERT_GT(field.Collide(), 0) << trial;  // with each triangle there
    for (int i = 0; i < field.Collide(); ++i) {
      ASSERT_NEAR(field.con(i).dist, -depth - .1, 1e-12) << trial;
      ASSERT_NEAR(Dot(LoadVec3(field.con(i).frame), n), 1, 1e-12) << trial;
    }
  }
}

TEST(HeightField, DistanceIsThatToTheSurface) {
  Field field(3, SphereAt(.3, .6, .4));
  EXPECT_NEAR(field.Distance(1), .3, 1e-9);
  EXPECT_EQ(field.Distance(.2), .2);
}

TEST(HeightField, BelowTheBase) {
  Field field(3, SphereAt(.3, .6, -.19));
  ASSERT_EQ(field.Collide(), 1);
  EXPECT_NEAR(field.con(0).frame[2], -1, 1e-9);
}

// A box of the field's half width over a fine grid has hundreds of contacts; those that are kept carry it on all sides.
TEST(HeightField, ManyContactsAreSpreadOut) {
  Field field(41, {mjGEOM_BOX, {.5, .5, .1}, {0, 0, .09}});
  ASSERT_EQ(field.Collide(), mjMAXCONPAIR);
  int quadrant[4] = {};
  for (int i = 0; i < mjMAXCONPAIR; ++i)
    ++quadrant[(field.con(i).pos[0] > 0 ? 1 : 0) + (field.con(i).pos[1] > 0 ? 2 : 0)];
  for (const int count : quadrant) EXPECT_GE(count, 5);
}

TEST(HeightField, LowGroundBelowHighTops) {
  Field field(5, SphereAt(-.7, -.7, .15));
  field.elevation(4, 4) = 1;
  EXPECT_EQ(field.Collide(), 0);
  field.elevation(1, 0) = 1;  // at (-1, -.5)
  EXPECT_EQ(field.Collide(), 0);
  field.elevation(1, 1) = 1;  // at (-.5, -.5)
  EXPECT_GT(field.Collide(), 0);
}

TEST(HeightField, PlacesThatAreNoNumbersMeetNothing) {
  Field field(3, SphereAt(std::nan(""), 0, 0));
  EXPECT_EQ(field.Collide(), 0);
  EXPECT_EQ(field.Distance(.5), .5);
}

TEST(HeightField, BesideTheField) {
  Field field(3, SphereAt(1.2, 0, 0));
  EXPECT_EQ(field.Collide(), 0);
}

}  // namespace
}  // namespace sinew
