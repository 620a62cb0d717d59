// Contacts with height fields, against closed forms on flat ground.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

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

// The margin raises the surface by m and inflates the geom by m / 2.
TEST(HeightField, MarginRaisesTheSurface) {
  Field field(3, SphereAt(.3, .6, .11));
  EXPECT_EQ(field.Collide(.0099), 0);
  ASSERT_EQ(field.Collide(.02), 1);
  EXPECT_NEAR(field.con(0).dist, .01 - 1.5 * .02, 1e-9);
  EXPECT_NEAR(field.con(0).pos[2], .01, 1e-9);
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
