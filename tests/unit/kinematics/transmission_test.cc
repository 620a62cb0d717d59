#include "kinematics/transmission.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kinematics/kinematics.h"
#include "kinematics/tendon.h"
#include "kinematics/velocity.h"
#include "tests/support/tree_model.h"

namespace sinew::testing {
namespace {

// Tolerance of values that are known to twelve decimals.
constexpr double kRounded = 2e-12, kDegree = kPi / 180;

// Through the position stages that transmissions need.
void Update(const mjModel* m, mjData* d) {
  Kinematics(m, d);
  ComPos(m, d);
  Tendon(m, d);
  Transmission(m, d);
}

BodySpec Link(int parent, const Vector& pos, const Vector& axis) {
  BodySpec body;
  body.parent = parent;
  body.pos = pos;
  body.joints = {{.axis = axis}};
  return body;
}

Rotation Euler(double x, double y, double z) {
  return AxisAngle<double>({1, 0, 0}, x * kDegree) * AxisAngle<double>({0, 1, 0}, y * kDegree) *
         AxisAngle<double>({0, 0, 1}, z * kDegree);
}

// The rotation vector from one site to another, in the axes of the first, from their matrices: its axis times the sine
// of its angle is the antisymmetric part of their product.
Vector RotationBetween(const mjData* d, int reference, int site) {
  const Mat3<double> R = Transpose(LoadMat3(d->site_xmat + 9 * reference)) * LoadMat3(d->site_xmat + 9 * site);
  const Vector axis = Vector{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)} * 0.5;
  return axis * (std::acos((R(0, 0) + R(1, 1) + R(2, 2) - 1) / 2) / Norm(axis));
}

// Three hinges; a site on the last, measured from one on the first.
TEST(Transmission, RelativeSites) {
  TreeSpec spec;
  spec.bodies = {Link(0, {0, 0, 0}, {0, 0, 1}), Link(1, {1, 0, 0}, {0, 1, 0}), Link(2, {0.5, 0, 0}, {0, 0, 1})};
  spec.sites = {{1, {0.1, 0, 0}, Euler(0, 0, 30)}, {3, {0.2, 0.1, 0}, Euler(10, 20, 30)}};
  spec.actuators = {{mjTRN_SITE, 1, 0, {1, 2, 3, 0, 0, 0}}, {mjTRN_SITE, 1, 0, {0, 0, 0, 1, 2, 3}}};
  const ModelPtr m = MakeTree(spec);
  const DataPtr d(MakeData(*m));
  d->qpos[0] = 0.2;
  d->qpos[1] = 0.3;
  d->qpos[2] = -0.4;
  Update(m.get(), d.get());

  EXPECT_NEAR(d->actuator_length[0], -.82250891395, kRounded);
  EXPECT_NEAR(d->actuator_length[1], Dot(Vector{1, 2, 3}, RotationBetween(d.get(), 0, 1)), kRounded);
  const double moment[] = {-2.043935045672, .512520527434, 2.232050807569, 2.826417267016};
  for (int u = 0; u < 2; ++u) {
    ASSERT_EQ(d->moment_rownnz[u], 2) << "the first hinge moves both sites";
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(d->moment_colind[2 * u + k], 1 + k);
      EXPECT_NEAR(d->actuator_moment[2 * u + k], moment[2 * u + k], kRounded);
    }
  }
}

TEST(Transmission, SliderCrank) {
  TreeSpec spec;
  spec.bodies = {Link(0, {0.5, 0, 0}, {0, 1, 0})};
  spec.sites = {{1, {0, 0, 0.1}, kNoRotation}, {0, {0, 0, 0}, Euler(0, 90, 0)}};
  spec.actuators = {
      {.trntype = mjTRN_SLIDERCRANK, .id = 0, .second_id = 1, .gear = {2, 0, 0, 0, 0, 0}, .cranklength = 0.3}};
  const ModelPtr m = MakeTree(spec);
  const DataPtr d(MakeData(*m));
  d->qpos[0] = 0.4;
  Update(m.get(), d.get());
  EXPECT_NEAR(d->actuator_length[0], .50686189496, 1e-11);
  EXPECT_NEAR(d->actuator_moment[0], .159086848974, kRounded);
}

TEST(Transmission, TorquesOfABallInBothFrames) {
  TreeSpec spec;
  BodySpec body;
  body.joints = {{.type = mjJNT_BALL}};
  spec.bodies = {body};
  spec.actuators = {{mjTRN_JOINT, 0, -1, {1, 2, 3, 0, 0, 0}}, {mjTRN_JOINTINPARENT, 0, -1, {1, 2, 3, 0, 0, 0}}};
  const ModelPtr m = MakeTree(spec);
  const DataPtr d(MakeData(*m));
  const Rotation q = AxisAngle<double>({0, 0, 1}, kPi / 2);
  StoreQuat(q, d->qpos);
  Update(m.get(), d.get());
  const double child[] = {1, 2, 3}, parent[] = {2, -1, 3};  // turned back by a quarter
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(d->actuator_moment[k], child[k]);
    EXPECT_NEAR(d->actuator_moment[3 + k], parent[k], 1e-15);
  }
  for (int u = 0; u < 2; ++u) EXPECT_NEAR(d->actuator_length[u], 3 * kPi / 2, 1e-14);
}

TEST(Tendon, PulleysReplaceTheDivisor) {
  TreeSpec spec;
  BodySpec body;
  body.joints = {{.type = mjJNT_SLIDE, .axis = {1, 0, 0}}};
  spec.bodies = {body};
  spec.sites = {{1, {0, 0, 0}}, {0, {1, 0, 0}}, {0, {0, 2, 0}}, {0, {0, 0, 3}}};
  enum { kA, kB, kC, kE };
  spec.tendons = {{{{mjWRAP_SITE, kB, 0},
                    {mjWRAP_SITE, kA, 0},
                    {mjWRAP_PULLEY, -1, 2},
                    {mjWRAP_SITE, kA, 0},
                    {mjWRAP_SITE, kC, 0},
                    {mjWRAP_PULLEY, -1, 4},
                    {mjWRAP_SITE, kA, 0},
                    {mjWRAP_SITE, kE, 0}}}};
  const ModelPtr m = MakeTree(spec);
  const DataPtr d(MakeData(*m));
  Update(m.get(), d.get());
  EXPECT_EQ(d->ten_length[0], 2.75);
  EXPECT_EQ(d->ten_J[0], -1) << "only the first branch is along the slide";
  const int object[] = {-1, -1, -2, -1, -1, -2, -1, -1};
  ASSERT_EQ(d->ten_wrapnum[0], 8);
  for (int k = 0; k < 8; ++k) EXPECT_EQ(d->wrap_obj[k], object[k]);
}

// The rate of a spatial tendon's Jacobian against central differences: wrong by 1e-10 h^-2 derivatives and rounding /
// h.
TEST(Tendon, DotIsTheRateOfItsJacobian) {
  std::mt19937 random(11);
  TreeSpec spec;
  spec.bodies = {Link(0, {0, 0, 0}, {0, 0, 1}), Link(1, {1, 0, 0.2}, {0, 1, 0}), Link(2, {0.5, 0.3, 0}, {1, 0, 1})};
  for (int b = 0; b <= 3; ++b) spec.sites.push_back({b, RandomVector(random)});
  spec.tendons = {{{{mjWRAP_SITE, 0, 0},
                    {mjWRAP_SITE, 3, 0},
                    {mjWRAP_SITE, 1, 0},
                    {mjWRAP_PULLEY, -1, 3},
                    {mjWRAP_SITE, 2, 0},
                    {mjWRAP_SITE, 0, 0}}}};
  const ModelPtr m = MakeTree(spec);
  const DataPtr d(MakeData(*m));
  RandomState(*m, d.get(), random);
  Update(m.get(), d.get());
  ComVel(m.get(), d.get());
  double dot[3];
  TendonDot(m.get(), d.get(), 0, dot);

  constexpr double h = 1e-5;
  const auto jacobian_at = [&](double time) {
    for (int i = 0; i < 3; ++i) d->qpos[i] += time * d->qvel[i];
    Update(m.get(), d.get());
    for (int i = 0; i < 3; ++i) d->qpos[i] -= time * d->qvel[i];
    return Vector{d->ten_J[0], d->ten_J[1], d->ten_J[2]};
  };
  const Vector rate = (jacobian_at(h) - jacobian_at(-h)) * (0.5 / h);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(dot[i], rate[i], 1e-7);
}

}  // namespace
}  // namespace sinew::testing
