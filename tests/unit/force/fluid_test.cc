#include "force/fluid_kernel.h"

#include <gtest/gtest.h>

#include "math/dual.h"

namespace sinew {
namespace {

// A box of half sizes .1, .2, .3 and mass 2 in a medium that streams past: spin, and velocity relative to it.
constexpr double kMass = 2;
const Vec3<double> kInertia = {2.0 / 3 * (0.04 + 0.09), 2.0 / 3 * (0.01 + 0.09), 2.0 / 3 * (0.01 + 0.04)};
const Spatial<double> kVelocity = {{1, 2, -1.5}, {-0.7, -0.2, 0}};
const Medium<double> kMedium = {1.2, 0.5};

void ExpectWrench(const Spatial<double>& wrench, const double (&expected)[6]) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(wrench.lin[i], expected[i], 1e-11);  // the numbers have 12 digits
    EXPECT_NEAR(wrench.rot[i], expected[3 + i], 1e-11);
  }
}

TEST(FluidTest, InertiaBoxRecoversTheBox) {
  const Vec3<double> side = InertiaBox(kInertia, kMass);
  EXPECT_NEAR(side.x, 0.2, 1e-15);
  EXPECT_NEAR(side.y, 0.4, 1e-15);
  EXPECT_NEAR(side.z, 0.6, 1e-15);
}

TEST(FluidTest, BoxWrench) {
  ExpectWrench(BoxFluidWrench(kMedium, InertiaBox(kInertia, kMass), kVelocity),
               {1.390028914508, 0.379871118431, 0, -0.101112964915, -0.20499792983, 0.151484947372});
}

FluidEllipsoid<double> Ellipsoid() {
  const double row[mjNFLUID] = {1,
                                0.5,
                                0.25,
                                1.5,
                                1,
                                1,
                                0.03421892335102,
                                0.009161969686093,
                                0.004656001295403,
                                3.914190145187e-5,
                                3.559983762595e-4,
                                9.632561918505e-5};
  return MakeFluidEllipsoid<double>(mjGEOM_BOX, {0.1, 0.2, 0.3}, row);
}

TEST(FluidTest, EllipsoidWrench) {
  ExpectWrench(EllipsoidFluidWrench(kMedium, Ellipsoid(), kVelocity),
               {1.377712000907, 0.358937921027, -0.019097771136, -0.112086246917, -0.222405780676, 0.170176250164});
}

TEST(FluidTest, NothingMovesNothingActs) {
  const Spatial<double> wrench = EllipsoidFluidWrench(kMedium, Ellipsoid(), ZeroSpatial<double>());
  for (int k = 0; k < 6; ++k) EXPECT_EQ(wrench[k], 0);
}

// The models on dual numbers give the derivatives of the models on numbers.
TEST(FluidTest, DualsDifferentiate) {
  using D = Dual<double, 6>;
  Spatial<D> v;
  for (int k = 0; k < 6; ++k) v[k] = D::Variable(kVelocity[k], k);
  const Spatial<D> wrench = EllipsoidFluidWrench(kMedium, Ellipsoid(), v);
  const double h = 1e-6;
  for (int c = 0; c < 6; ++c) {
    Spatial<double> more = kVelocity, less = kVelocity;
    more[c] += h;
    less[c] -= h;
    const Spatial<double> above = EllipsoidFluidWrench(kMedium, Ellipsoid(), more);
    const Spatial<double> below = EllipsoidFluidWrench(kMedium, Ellipsoid(), less);
    for (int r = 0; r < 6; ++r) EXPECT_NEAR(wrench[r].slope[c], (above[r] - below[r]) / (2 * h), 1e-8);
  }
}

// Without viscosity the forces of the ellipsoid grow with the square of the speed, and with the square of the size, and
// torques with its cube: nothing is lost of small and slow bodies.
TEST(FluidTest, SimilarShapesFeelSimilarForces) {
  const Medium<double> thin = {1000, 0};
  const Vec3<double> size = {.1, .05, .01};
  const double row[mjNFLUID] = {1, 0.5, 0.25, 1.5, 1, 1};
  const Spatial<double> velocity = {{.5, -.2, .8}, {.6, .3, .74}};
  const Spatial<double> at_one = DragAndLift(thin, MakeFluidEllipsoid<double>(mjGEOM_ELLIPSOID, size, row), velocity);
  for (const double scale : {1.0, 1e-2, 1e-5}) {
    for (const double speed : {1.0, 1e-2, 1e-4, 1e-7}) {
      const FluidEllipsoid<double> shape = MakeFluidEllipsoid<double>(mjGEOM_ELLIPSOID, size * scale, row);
      // spins times sizes are speeds
      const Spatial<double> moving = {velocity.rot * (speed / scale), velocity.lin * speed};
      const Spatial<double> wrench = DragAndLift(thin, shape, moving);
      for (int k = 0; k < 3; ++k) {
        const double force = scale * scale * speed * speed, torque = force * scale;
        EXPECT_NEAR(wrench.lin[k] / force, at_one.lin[k], 1e-12 * Norm(at_one.lin)) << scale << " " << speed;
        EXPECT_NEAR(wrench.rot[k] / torque, at_one.rot[k], 1e-12 * Norm(at_one.rot)) << scale << " " << speed;
      }
    }
  }
}

// A grain of a picogram is a box like a large one.
TEST(FluidTest, InertiaBoxOfAGrain) {
  const double length = 1e-4, mass = 1e-9;
  const double moment = mass * length * length / 6;
  const Vec3<double> side = InertiaBox<double>({moment, moment, moment}, mass);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(side[k], length, 1e-15 * length * 10);
}

TEST(FluidTest, DerivativesAreFiniteAtRest) {
  using D = Dual<double, 6>;
  Spatial<D> v;
  for (int k = 0; k < 6; ++k) v[k] = D::Variable(0, k);
  const Spatial<D> wrench = EllipsoidFluidWrench(kMedium, Ellipsoid(), v);
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c) EXPECT_LT(std::fabs(wrench[r].slope[c]), 10);
  }
}

}  // namespace
}  // namespace sinew
