#include "force/muscle_kernel.h"

#include <gtest/gtest.h>

#include <random>

namespace sinew {
namespace {

// Parameters of a muscle as the format has them when nothing is said.
constexpr double kDefault[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
constexpr double kRange[2] = {0.1, 0.4};

TEST(MuscleTest, ActivationRate) {
  const double hard[] = {0.01, 0.04, 0}, smooth[] = {0.01, 0.04, 0.2};
  EXPECT_NEAR(MuscleActivationRate(0.8, 0.3, hard), 52.6315789473684, 1e-12);
  EXPECT_NEAR(MuscleActivationRate(0.1, 0.3, hard), -4.75, 1e-12);
  EXPECT_NEAR(MuscleActivationRate(0.35, 0.3, smooth), 3.8834486365215, 1e-12);
  // the control is limited to [0, 1], the activation is not
  EXPECT_NEAR(MuscleActivationRate(1.5, 1.2, hard), -10.0, 1e-12);
}

TEST(MuscleTest, Forces) {
  const auto muscle = MakeMuscle(kRange, 3.0, kDefault);
  EXPECT_NEAR(MuscleGain(muscle, 0.2, -0.1), -47.6207407407407, 1e-12);
  EXPECT_NEAR(MuscleBias(muscle, 0.38), -0.433333333333334, 1e-12);
}

TEST(MuscleTest, CurvesMeetTheirDefinition) {
  EXPECT_EQ(ActiveLengthCurve(0.5, 0.5, 1.6), 0);
  EXPECT_NEAR(ActiveLengthCurve(0.75, 0.5, 1.6), 0.5, 1e-15);
  EXPECT_EQ(ActiveLengthCurve(1.0, 0.5, 1.6), 1);
  EXPECT_NEAR(ActiveLengthCurve(1.3, 0.5, 1.6), 0.5, 1e-15);
  EXPECT_EQ(ActiveLengthCurve(1.7, 0.5, 1.6), 0);
  EXPECT_EQ(ForceVelocityCurve(-1.5, 1.2).value, 0);
  EXPECT_EQ(ForceVelocityCurve(0.0, 1.2).value, 1);
  EXPECT_EQ(ForceVelocityCurve(5.0, 1.2).value, 1.2);
  EXPECT_EQ(PassiveLengthCurve(0.9, 1.6, 1.3), 0);
  EXPECT_NEAR(PassiveLengthCurve(1.3, 1.6, 1.3), 0.65, 1e-15);
}

TEST(MuscleTest, VelocitySlopeIsTheDerivative) {
  const auto muscle = MakeMuscle(kRange, 3.0, kDefault);
  const double h = 1e-6;
  for (double velocity : {-2.0, -0.3, 0.02, 1.0}) {
    const double difference = MuscleGain(muscle, 0.25, velocity + h) - MuscleGain(muscle, 0.25, velocity - h);
    // the curve is piecewise quadratic: only rounding, of forces of order 100
    EXPECT_NEAR(MuscleGainSlope(muscle, 0.25, velocity), difference / (2 * h), 1e-7);
  }
}

TEST(MuscleTest, ALaneEqualsTheScalar) {
  using P = Pack<double, 4>;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-0.5, 1.5);
  const auto one = MakeMuscle(kRange, 3.0, kDefault);
  const auto many = MakeMuscle<P>(kRange, P(3.0), kDefault);
  for (int trial = 0; trial < 100; ++trial) {
    P length, velocity, control, act;
    for (int lane = 0; lane < 4; ++lane) {
      length.Set(lane, uniform(random));
      velocity.Set(lane, uniform(random));
      control.Set(lane, uniform(random));
      act.Set(lane, uniform(random));
    }
    const double prm[] = {0.01, 0.04, trial % 2 ? 0.2 : 0.0};
    const P gain = MuscleGain(many, length, velocity), bias = MuscleBias(many, length);
    const P rate = MuscleActivationRate(control, act, prm);
    for (int lane = 0; lane < 4; ++lane) {
      EXPECT_EQ(gain[lane], MuscleGain(one, length[lane], velocity[lane]));
      EXPECT_EQ(bias[lane], MuscleBias(one, length[lane]));
      EXPECT_EQ(rate[lane], MuscleActivationRate(control[lane], act[lane], prm));
    }
  }
}

}  // namespace
}  // namespace sinew
