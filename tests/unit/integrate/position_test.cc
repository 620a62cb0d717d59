#include <gtest/gtest.h>

#include <cmath>

#include "integrate/integrate.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

// nq = 7 + 4 + 1, nv = 6 + 3 + 1
ModelPtr AllJoints() {
  return ModelFromText(R"(
    <mujoco><worldbody>
      <body><freejoint/><geom size=".1"/></body>
      <body><joint type="ball"/><geom size=".1"/></body>
      <body><joint type="slide"/><geom size=".1"/></body>
    </worldbody></mujoco>)");
}

TEST(PositionTest, DifferenceUndoesIntegration) {
  const ModelPtr m = AllJoints();
  const double start[12] = {1, 2, 3, 0.5, -0.5, 0.5, 0.5, 0, 0.6, 0.8, 0, -4};
  const double velocity[10] = {1, -2, 0.5, 3, -1, 2, 0.4, 0.2, -5, 7};
  double end[12], recovered[10];
  for (int i = 0; i < 12; ++i) end[i] = start[i];
  IntegratePos(m.get(), end, velocity, 0.3);
  DifferentiatePos(m.get(), recovered, 0.3, start, end);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(recovered[i], velocity[i], 1e-13);
}

TEST(PositionTest, AnglesBeyondHalfATurnGoTheOtherWay) {
  const ModelPtr m = AllJoints();
  double end[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0}, start[12], recovered[10];
  for (int i = 0; i < 12; ++i) start[i] = end[i];
  const double velocity[10] = {0, 0, 0, 0, 0, 4};
  IntegratePos(m.get(), end, velocity, 1);
  DifferentiatePos(m.get(), recovered, 1, start, end);
  EXPECT_NEAR(recovered[5], 4 - 2 * M_PI, 1e-13);
}

TEST(PositionTest, QuaternionsAreNormalizedBeforeTheyTurn) {
  const ModelPtr m = AllJoints();
  double q[12] = {0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0};  // the ball's quaternion is zero
  const double zero[10] = {};
  IntegratePos(m.get(), q, zero, 0.1);
  EXPECT_EQ(q[3], 1);
  EXPECT_EQ(q[7], 1);
}

TEST(PositionTest, Normalize) {
  const ModelPtr m = AllJoints();
  double q[12] = {5, 5, 5, 0, 3, 0, 4, 0, 0, 0, 0, 9};
  NormalizeQuat(m.get(), q);
  const double expected[12] = {5, 5, 5, 0, 0.6, 0, 0.8, 1, 0, 0, 0, 9};
  for (int i = 0; i < 12; ++i) EXPECT_DOUBLE_EQ(q[i], expected[i]);
}

}  // namespace
}  // namespace sinew
