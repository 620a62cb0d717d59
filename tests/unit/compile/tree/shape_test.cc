#include "compile/tree/shape.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr double kDensity = 1000;

struct Case {
  Shape shape;
  mjtGeomInertia where;
  double mass;  // 0: not checked
  Vec3<double> moments;
};

// Closed forms, worked for r = .1, h = .2, semi-axes and half lengths (.1, .2, .3).
TEST(Shape, MomentsOfInertia) {
  const Shape sphere = {mjGEOM_SPHERE, {.1, 0, 0}}, capsule = {mjGEOM_CAPSULE, {.1, .2, 0}},
              cylinder = {mjGEOM_CYLINDER, {.1, .2, 0}}, ellipsoid = {mjGEOM_ELLIPSOID, {.1, .2, .3}},
              box = {mjGEOM_BOX, {.1, .2, .3}};
  const Case cases[] = {
      {sphere, mjINERTIA_VOLUME, 4.18879, {.0167552, .0167552, .0167552}},
      {sphere, mjINERTIA_SHELL, 125.664, {.837758, .837758, .837758}},
      {capsule, mjINERTIA_VOLUME, 0, {.446106, .446106, .0795870}},
      {capsule, mjINERTIA_SHELL, 0, {12.98525, 12.98525, 3.351032}},
      {cylinder, mjINERTIA_VOLUME, 0, {.198968, .198968, .0628319}},
      {cylinder, mjINERTIA_SHELL, 0, {7.278023, 7.278023, 2.827433}},
      {ellipsoid, mjINERTIA_VOLUME, 0, {.653451, .502655, .251327}},
      {ellipsoid, mjINERTIA_SHELL, 489.7193, {18.07517, 14.06837, 8.102681}},
      {box, mjINERTIA_VOLUME, 48, {2.08, 1.6, .8}},
      {box, mjINERTIA_SHELL, 0, {54.13333, 42.13333, 24.26667}},
  };
  constexpr double kDigits = 3e-6;  // the worked numbers have six or seven digits
  for (const Case& c : cases) {
    const double mass = kDensity * Measure(c.shape, c.where);
    if (c.mass > 0) {
      EXPECT_NEAR(mass, c.mass, kDigits * c.mass) << c.shape.type;
    }
    const Vec3<double> moments = MomentsOfInertia(c.shape, c.where, mass);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(moments[i], c.moments[i], kDigits * c.moments[i]) << c.shape.type;
  }
}

TEST(Shape, ShellOfAnEllipsoidWithEqualAxesIsThatOfASphere) {
  const Vec3<double> ellipsoid = MomentsOfInertia({mjGEOM_ELLIPSOID, {.1, .1, .1}}, mjINERTIA_SHELL, 1);
  const Vec3<double> sphere = MomentsOfInertia({mjGEOM_SPHERE, {.1, 0, 0}}, mjINERTIA_SHELL, 1);
  // The shell is 1e-6 thick on a radius of .1.
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(ellipsoid[i], sphere[i], 5e-5 * sphere[i]);
}

TEST(Shape, Bounds) {
  EXPECT_DOUBLE_EQ(BoundingRadius({mjGEOM_CAPSULE, {.1, .2, 0}}), .1 + .2);
  EXPECT_DOUBLE_EQ(BoundingRadius({mjGEOM_CYLINDER, {.3, .4, 0}}), .5);
  EXPECT_DOUBLE_EQ(BoundingRadius({mjGEOM_ELLIPSOID, {.1, .3, .2}}), .3);
  EXPECT_DOUBLE_EQ(BoundingRadius({mjGEOM_BOX, {2, 3, 6}}), 7);
  EXPECT_EQ(BoundingRadius({mjGEOM_PLANE, {1, 1, 1}}), 0);  // unbounded
  const Box plane = BoundingBox({mjGEOM_PLANE, {1, 1, 1}});
  EXPECT_EQ(plane.center.z + plane.half.z, 0) << "nothing of a plane is above it";
}

TEST(Shape, FluidInertiaOfAnEllipsoid) {
  const VirtualInertia fluid = FluidInertia({mjGEOM_ELLIPSOID, {.1, .2, .3}});
  const double mass[3] = {.0342189234, .00916196969, .00465600130};
  const double inertia[3] = {3.91419015e-5, 3.55998376e-4, 9.63256192e-5};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(fluid.mass[i], mass[i], 1e-8 * mass[i]);
    EXPECT_NEAR(fluid.inertia[i], inertia[i], 1e-8 * inertia[i]);
  }
}

// The added mass of a sphere is half the mass of the fluid that it displaces (Lamb, section 92).
TEST(Shape, FluidInertiaOfASphere) {
  const VirtualInertia fluid = FluidInertia({mjGEOM_SPHERE, {.1, 0, 0}});
  const double displaced = Measure({mjGEOM_SPHERE, {.1, 0, 0}}, mjINERTIA_VOLUME);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(fluid.mass[i], displaced / 2, 1e-6 * displaced);  // accuracy of the quadrature
    EXPECT_EQ(fluid.inertia[i], 0);
  }
}

}  // namespace
}  // namespace sinew
