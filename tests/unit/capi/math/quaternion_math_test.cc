#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>

#include "tests/unit/capi/arrays.h"
#include "tests/unit/capi/error_trap.h"

namespace sinew {
namespace {

constexpr double kPi = 3.14159265358979323846;
const double kHalf = std::sqrt(0.5);
const double kQuarterZ[4] = {kHalf, 0, 0, kHalf};  // 90 degrees about z

TEST(QuaternionTest, Rotates) {
  double v[3] = {1, 0, 0};
  mju_rotVecQuat(v, v, kQuarterZ);
  ExpectNear(Of(v), {0, 1, 0});
  const double identity[4] = {1, 0, 0, 0}, w[3] = {.1, .2, .3};
  mju_rotVecQuat(v, w, identity);
  EXPECT_EQ(Of(v), Of(w));
}

TEST(QuaternionTest, ProductTurnsFirstByTheRightOne) {
  const double quarter_x[4] = {kHalf, kHalf, 0, 0};
  double q[4], v[3] = {0, 0, 1};
  mju_mulQuat(q, quarter_x, kQuarterZ);
  mju_rotVecQuat(v, v, q);  // z stays, then goes to -y
  ExpectNear(Of(v), {0, -1, 0});
  mju_negQuat(q, q);
  mju_rotVecQuat(v, v, q);
  ExpectNear(Of(v), {0, 0, 1});
}

TEST(QuaternionTest, ProductWithAnAxisIsThatWithAPureQuaternion) {
  const double q[4] = {1, 2, 3, 4}, axis[3] = {5, 6, 7}, pure[4] = {0, 5, 6, 7};
  double a[4], b[4];
  mju_mulQuatAxis(a, q, axis);
  mju_mulQuat(b, q, pure);
  EXPECT_EQ(Of(a), Of(b));
}

TEST(QuaternionTest, AxisAndAngle) {
  const double axis[3] = {0, 0, 1};
  double q[4];
  mju_axisAngle2Quat(q, axis, kPi / 2);
  ExpectNear(Of(q), Of(kQuarterZ));
  mju_axisAngle2Quat(q, axis, 0);
  EXPECT_EQ(Of(q), (Numbers{1, 0, 0, 0}));
}

TEST(QuaternionTest, VelocityGoesTheShorterWay) {
  const double q[4] = {-.5, .5, .5, .5}, back[4] = {-1, 0, 0, 0}, half_turn[4] = {0, 1, 0, 0};
  double v[3];
  mju_quat2Vel(v, q, 2);
  const double third = -kPi / std::sqrt(27.0);  // 240 degrees back is 120 on, about (1, 1, 1) / sqrt 3
  ExpectNear(Of(v), {third, third, third});
  mju_quat2Vel(v, back, 1);
  ExpectNear(Of(v), {0, 0, 0});
  mju_quat2Vel(v, half_turn, 1);
  ExpectNear(Of(v), {kPi, 0, 0});
}

TEST(QuaternionTest, DifferenceAndIntegrationAreInverse) {
  const double from[4] = {1, 0, 0, 0}, velocity[3] = {.3, -.2, .5};
  double to[4] = {2, 0, 0, 0}, v[3];  // normalized first
  mju_quatIntegrate(to, velocity, 2);
  EXPECT_NEAR(mju_norm(to, 4), 1, 1e-15);
  mju_subQuat(v, to, from);
  ExpectNear(Of(v), {.6, -.4, 1});
}

TEST(QuaternionTest, DifferenceIsInAxesOfTheSecond) {
  const double axis[3] = {1, 0, 0};
  double turn[4], q[4], v[3];
  mju_axisAngle2Quat(turn, axis, .4);
  mju_mulQuat(q, kQuarterZ, turn);
  mju_subQuat(v, q, kQuarterZ);
  ExpectNear(Of(v), {.4, 0, 0});
}

// q(t) turns with a velocity that is given in fixed axes.
TEST(QuaternionTest, RateOfChange) {
  const double q[4] = {.5, .5, -.5, .5}, velocity[3] = {.1, .2, .3}, h = 1e-6;
  double rate[4], angle = mju_norm3(velocity) * h, axis[3], turn[4], next[4];
  mju_derivQuat(rate, q, velocity);
  mju_copy3(axis, velocity);
  mju_normalize3(axis);
  mju_axisAngle2Quat(turn, axis, angle);
  mju_mulQuat(next, turn, q);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR((next[i] - q[i]) / h, rate[i], 1e-7);  // error of order h, rounding 1e-10
}

TEST(QuaternionTest, MatricesThereAndBack) {
  // one for each component that may be the largest
  const double quats[4][4] = {{.8, .4, .4, .2}, {.4, .8, .4, .2}, {.4, .4, .8, .2}, {.2, .4, .4, .8}};
  for (const auto& q : quats) {
    double R[9], back[4];
    mju_quat2Mat(R, q);
    mju_mat2Quat(back, R);
    ExpectNear(Of(back), Of(q));
  }
  const double half_turn[9] = {-1, 0, 0, 0, -1, 0, 0, 0, 1}, zero[9] = {};
  double q[4];
  mju_mat2Quat(q, half_turn);
  EXPECT_EQ(Of(q), (Numbers{0, 0, 0, 1}));
  mju_mat2Quat(q, zero);
  EXPECT_EQ(Of(q), (Numbers{0, 0, 0, 1}));
}

TEST(QuaternionTest, ShortestRotationFromZ) {
  const double directions[4][3] = {{0, 2, 0}, {1, 1, -3}, {1e-9, 0, 1}, {.1, 0, -1e3}};
  for (const auto& direction : directions) {
    double q[4], z[3] = {0, 0, 1}, unit[3];
    mju_quatZ2Vec(q, direction);
    EXPECT_EQ(q[3], 0);  // no turn about z
    mju_rotVecQuat(z, z, q);
    mju_copy3(unit, direction);
    mju_normalize3(unit);
    ExpectNear(Of(z), Of(unit));
  }
  double q[4];
  const double none[3] = {0, 0, 1e-16}, down[3] = {0, 0, -5};
  mju_quatZ2Vec(q, none);
  EXPECT_EQ(Of(q), (Numbers{1, 0, 0, 0}));
  mju_quatZ2Vec(q, down);
  EXPECT_EQ(Of(q), (Numbers{0, 1, 0, 0}));
}

TEST(EulerTest, WorkedAngles) {
  const double angles[3] = {.1, .2, .3};
  double q[4];
  mju_euler2Quat(q, angles, "xyz");
  ExpectNear(Of(q), {.981856172866, .064071347706, .091157549343, .153439302024}, 1e-12);
  mju_euler2Quat(q, angles, "XYZ");
  ExpectNear(Of(q), {.983347443256, .03427079855, .106020511062, .143572175027}, 1e-12);
}

TEST(EulerTest, MovingAxesAreFixedAxesInReverse) {
  const double angles[3] = {.4, -.7, 1.1}, reversed[3] = {1.1, -.7, .4};
  double moving[4], fixed[4];
  mju_euler2Quat(moving, angles, "zyx");
  mju_euler2Quat(fixed, reversed, "XYZ");
  ExpectNear(Of(moving), Of(fixed));
}

TEST(EulerTest, BadSequencesAreErrors) {
  const double angles[3] = {.1, .2, .3};
  double q[4];
  for (const char* sequence : {"xy", "xyzx", "", "xya"}) {
    const ErrorTrap trap;
    mju_euler2Quat(q, angles, sequence);
    EXPECT_EQ(trap.text().find("mju_euler2Quat: seq"), 0u) << sequence;
    EXPECT_EQ(Of(q), (Numbers{1, 0, 0, 0}));
  }
}

TEST(PolarTest, RotationOfAStretchedRotation) {
  // A = R S with symmetric positive definite S: its closest rotation is R
  const double q[4] = {.8, .4, .4, .2}, S[9] = {2, .1, .2, .1, 1, 0, .2, 0, 1.5};
  double R[9], A[9], found[4] = {1, 0, 0, 0};
  mju_quat2Mat(R, q);
  mju_mulMatMat(A, R, S, 3, 3, 3);
  EXPECT_GT(mju_mat2Rot(found, A), 3);
  ExpectNear(Of(found), Of(q), 2e-9);  // the iteration ends 1e-9 rad from its limit
}

TEST(PolarTest, NothingToDo) {
  const double zero[9] = {}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double q[4] = {1, 0, 0, 0};
  EXPECT_EQ(mju_mat2Rot(q, zero), 0);
  EXPECT_EQ(mju_mat2Rot(q, identity), 0);
  EXPECT_EQ(Of(q), (Numbers{1, 0, 0, 0}));
}

TEST(PoseTest, ProductAndInverse) {
  const double pos[3] = {1, 2, 3}, offset[3] = {1, 0, 0}, identity[4] = {1, 0, 0, 0};
  double p[3], q[4], ip[3], iq[4];
  mju_mulPose(p, q, pos, kQuarterZ, offset, identity);
  ExpectNear(Of(p), {1, 3, 3});
  ExpectNear(Of(q), Of(kQuarterZ));
  mju_trnVecPose(ip, pos, kQuarterZ, offset);
  EXPECT_EQ(Of(ip), Of(p));
  mju_negPose(ip, iq, p, q);
  mju_mulPose(p, q, p, q, ip, iq);
  ExpectNear(Of(p), {0, 0, 0});
  ExpectNear(Of(q), {1, 0, 0, 0});
}

}  // namespace
}  // namespace sinew
