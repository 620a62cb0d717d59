// Joints, points and couplings by functions of a coordinate, against compositions of their own and differences.
#include "kinematics/motion_kernel.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "kinematics/tendon.h"
#include "tests/support/function_chain.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Numbers = std::vector<double>;

void Randomize(const mjModel* m, mjData* d, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < m->nq; ++i) d->qpos[i] = number(random);
  for (int i = 0; i < m->nv; ++i) d->qvel[i] = number(random);
  mj_normalizeQuat(m, d->qpos);
}

// The state after a time of constant velocities.
void Move(const mjModel* m, mjData* d, const Numbers& qpos, double time) {
  std::copy(qpos.begin(), qpos.end(), d->qpos);
  mj_integratePos(m, d->qpos, d->qvel, time);
}

// The orientation of a body before the motion of its joints, and its place, in a world of one body.
constexpr char kOneJoint[] = R"(<mujoco><compiler angle="radian"/><worldbody>
  <body name="b" pos=".1 .2 .3" euler=".3 -.2 .5">
    <joint name="j" type="%s" pos=".02 -.03 .05" ref=".4">
      <translation axis="0 2 1" coef=".1 .2 .3"/>
      <rotation axis="1 2 0" coef=".2 .9"/>
      <rotation axis="0 1 1" function="polyline" x="-1 0 2" y=".5 .1 -.9"/>
      <rotation axis="0 0 3" coef="0 0 .6"/>
      <translation axis="1 0 0" coef="0 -.4"/>
    </joint>
    <geom size=".1" pos=".1 0 0"/></body></worldbody></mujoco>)";

std::string OneJoint(const char* type) {
  char text[sizeof(kOneJoint) + 10];
  std::snprintf(text, sizeof(text), kOneJoint, type);
  return text;
}

void Turn(const double (&axis)[3], double angle, double quat[4]) {
  double unit[3] = {axis[0], axis[1], axis[2]}, turn[4], product[4];
  mju_normalize3(unit);
  mju_axisAngle2Quat(turn, unit, angle);
  mju_mulQuat(product, quat, turn);
  mju_copy(quat, product, 4);
}

// The pose by the document's equation, with functions of the library for single rotations.
TEST(Motion, PosesAreThoseOfTheComposition) {
  for (const char* type : {"hinge", "slide"}) {
    const World w(ModelFromText(OneJoint(type)));
    for (const double q : {-1.3, -0.2, 0.4, 1.7}) {
      w.d->qpos[0] = q;
      mj_kinematics(w.m.get(), w.d.get());
      const double* rest = w.m->body_quat + 4;
      double quat[4] = {1, 0, 0, 0}, turn[4], expected[3], arm[3];
      const double bend = 0.1 - (q < 0 ? 0.4 : 0.5) * q;
      Turn({1, 2, 0}, 0.2 + 0.9 * q, quat);
      Turn({0, 1, 1}, bend, quat);
      Turn({0, 0, 3}, 0.6 * q * q, quat);
      const double along = 0.1 + 0.2 * q + 0.3 * q * q;
      const double t[3] = {-0.4 * q, 2 / std::sqrt(5.0) * along, 1 / std::sqrt(5.0) * along};
      const double anchor[3] = {0.02, -0.03, 0.05};
      mju_rotVecQuat(arm, anchor, quat);
      const double local[3] = {anchor[0] + t[0] - arm[0], anchor[1] + t[1] - arm[1], anchor[2] + t[2] - arm[2]};
      mju_rotVecQuat(expected, local, rest);
      mju_addTo3(expected, w.m->body_pos + 3);
      mju_mulQuat(turn, rest, quat);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(w.d->xpos[3 + i], expected[i], 1e-15) << q;
      for (int i = 0; i < 4; ++i) EXPECT_NEAR(w.d->xquat[4 + i], turn[i], 1e-15) << q;
    }
  }
}

// Angular velocity and velocity of the origin of each body, by central differences of the poses.
TEST(Motion, JacobiansAreDerivativesOfPoses) {
  const World w(ModelFromText(testing::FunctionChain("")));
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  const int nv = static_cast<int>(m->nv);
  std::mt19937 random(1);
  for (int state = 0; state < 10; ++state) {
    Randomize(m, d, random);
    const Numbers qpos(d->qpos, d->qpos + m->nq), qvel(d->qvel, d->qvel + nv);
    for (int dof = 0; dof < nv; ++dof) {
      constexpr double h = 1e-5;
      Numbers place[2], quat[2];
      for (const int side : {0, 1}) {
        std::fill_n(d->qvel, nv, 0);
        d->qvel[dof] = 1;
        Move(m, d, qpos, side == 0 ? -h : h);
        mj_kinematics(m, d);
        place[side].assign(d->xpos, d->xpos + 3 * m->nbody);
        quat[side].assign(d->xquat, d->xquat + 4 * m->nbody);
      }
      Move(m, d, qpos, 0);
      mj_kinematics(m, d);
      mj_comPos(m, d);
      for (int b = 1; b < m->nbody; ++b) {
        Numbers jacp(3 * nv), jacr(3 * nv);
        mj_jacBody(m, d, jacp.data(), jacr.data(), b);
        double turn[3], rate[3];
        mju_subQuat(turn, &quat[1][4 * b], &quat[0][4 * b]);  // in the frame before
        mju_rotVecQuat(rate, turn, &quat[0][4 * b]);
        // Differences are wrong by h^2 times third derivatives of up to 100, and by rounding / h.
        for (int i = 0; i < 3; ++i) {
          EXPECT_NEAR(jacp[i * nv + dof], (place[1][3 * b + i] - place[0][3 * b + i]) / (2 * h), 2e-8);
          EXPECT_NEAR(jacr[i * nv + dof], rate[i] / (2 * h), 2e-8) << b << " " << dof;
        }
      }
    }
  }
}

// cdof_dot, which bias forces rest on, by the rates of Jacobians.
TEST(Motion, RatesOfJacobiansAreTheirDerivatives) {
  const World w(ModelFromText(testing::FunctionChain("")));
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  const int nv = static_cast<int>(m->nv), last = static_cast<int>(m->nbody) - 1;
  std::mt19937 random(2);
  for (int state = 0; state < 10; ++state) {
    Randomize(m, d, random);
    const Numbers qpos(d->qpos, d->qpos + m->nq);
    constexpr double h = 1e-5;
    Numbers jac[2] = {Numbers(6 * nv), Numbers(6 * nv)}, dot(6 * nv);
    for (const int side : {0, 1}) {
      Move(m, d, qpos, side == 0 ? -h : h);
      mj_kinematics(m, d);
      mj_comPos(m, d);
      mj_jacBody(m, d, jac[side].data(), jac[side].data() + 3 * nv, last);
    }
    Move(m, d, qpos, 0);
    mj_forward(m, d);
    mj_jacDot(m, d, dot.data(), dot.data() + 3 * nv, d->xpos + 3 * last, last);
    for (int k = 0; k < 6 * nv; ++k) EXPECT_NEAR(dot[k], (jac[1][k] - jac[0][k]) / (2 * h), 1e-7) << k;
  }
}

// ---- points of tendons

Numbers MomentArms(const mjModel* m, const mjData* d, int tendon) {
  Numbers row(m->nv);
  for (int k = m->ten_J_rowadr[tendon]; k < m->ten_J_rowadr[tendon] + m->ten_J_rownnz[tendon]; ++k) {
    row[m->ten_J_colind[k]] = d->ten_J[k];
  }
  return row;
}

// Lengths along straight paths, behind a pulley and around a cylinder, with points that coordinates of joints above,
// below and beside them move.
TEST(Motion, MomentArmsAreDerivativesOfLengths) {
  const World w(ModelFromText(testing::FunctionChain("", testing::ChainTendons())));
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  std::mt19937 random(3);
  int around = 0;
  for (int state = 0; state < 20; ++state) {
    Randomize(m, d, random);
    const Numbers qpos(d->qpos, d->qpos + m->nq);
    std::fill_n(d->qvel, m->nv, 0);
    const auto length_at = [&](int dof, int tendon, double step) {
      std::copy(qpos.begin(), qpos.end(), d->qpos);
      d->qvel[dof] = 1;
      mj_integratePos(m, d->qpos, d->qvel, step);
      d->qvel[dof] = 0;
      mj_fwdPosition(m, d);
      return d->ten_length[tendon];
    };
    for (int tendon = 0; tendon < m->ntendon; ++tendon) {
      for (int dof = 0; dof < m->nv; ++dof) {
        const auto difference = [&](double h) {
          return (length_at(dof, tendon, h) - length_at(dof, tendon, -h)) / (2 * h);
        };
        // extrapolated, so that the error is h^4 times fifth derivatives, and rounding / h
        const double h = 1e-3, slope = (4 * difference(h / 2) - difference(h)) / 3;
        length_at(dof, tendon, 0);
        around += tendon == 1 && d->ten_wrapnum[tendon] == 4;
        EXPECT_NEAR(MomentArms(m, d, tendon)[dof], slope, 1e-8) << tendon << " " << dof;
      }
    }
  }
  EXPECT_GT(around, 20);
}

TEST(Motion, RatesOfMomentArmsAreTheirDerivatives) {
  const World w(ModelFromText(testing::FunctionChain("", testing::ChainTendons())));
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  std::mt19937 random(4);
  for (int state = 0; state < 10; ++state) {
    Randomize(m, d, random);
    const Numbers qpos(d->qpos, d->qpos + m->nq);
    for (int tendon = 0; tendon < m->ntendon; ++tendon) {
      constexpr double h = 1e-5;
      Numbers arms[2];
      for (const int side : {0, 1}) {
        Move(m, d, qpos, side == 0 ? -h : h);
        mj_fwdPosition(m, d);
        arms[side] = MomentArms(m, d, tendon);
      }
      Move(m, d, qpos, 0);
      mj_forward(m, d);
      Numbers dot(m->nv);
      TendonDot(m, d, tendon, dot.data());
      // Differences are wrong by h^2 times curvatures of up to 1 / (4 cm)^2, and rounding / h.
      for (int i = 0; i < m->nv; ++i) EXPECT_NEAR(dot[i], (arms[1][i] - arms[0][i]) / (2 * h), 1e-6) << tendon << i;
    }
  }
}

TEST(Motion, JacobiansOfMovingSitesAreDerivativesOfTheirPlaces) {
  const World w(ModelFromText(testing::FunctionChain("")));
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  const int nv = static_cast<int>(m->nv), site = mj_name2id(m, mjOBJ_SITE, "b");
  std::mt19937 random(5);
  Randomize(m, d, random);
  const Numbers qpos(d->qpos, d->qpos + m->nq);
  for (int dof = 0; dof < nv; ++dof) {
    constexpr double h = 1e-5;
    std::array<double, 3> place[2];
    for (const int side : {0, 1}) {
      std::fill_n(d->qvel, nv, 0);
      d->qvel[dof] = 1;
      Move(m, d, qpos, side == 0 ? -h : h);
      mj_kinematics(m, d);
      std::copy_n(d->site_xpos + 3 * site, 3, place[side].begin());
    }
    Move(m, d, qpos, 0);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    Numbers jacp(3 * nv);
    mj_jacSite(m, d, jacp.data(), nullptr, site);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(jacp[i * nv + dof], (place[1][i] - place[0][i]) / (2 * h), 2e-8) << dof;
  }
}

// A point counts in a closed range, the path is straight without it, and the recorded path and forces on bodies follow.
TEST(Motion, PointsOfARangeCountThereAlone) {
  const World w(ModelFromText(R"(<mujoco><worldbody><site name="a" pos="-1 0 0"/><site name="p" pos="0 0 1"/>
    <site name="r" pos=".2 0 .5"/>
    <body><joint name="j" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/><site name="b" pos="1 0 0"/></body>
    </worldbody><tendon><spatial stiffness="10"><site site="a"/><site site="p" joint="j" range="-.1 .1"/>
      <site site="r" joint="j" range="0 .1"/><site site="b"/></spatial></tendon></mujoco>)"));
  const auto length_at = [&](double q) {
    w.d->qpos[0] = q;
    mj_forward(w.m.get(), w.d.get());
    return w.d->ten_length[0];
  };
  const double to_p = std::sqrt(2.0), p_to_r = std::hypot(0.2, 0.5);
  EXPECT_DOUBLE_EQ(length_at(-0.2), 1.8);
  EXPECT_EQ(w.d->ten_wrapnum[0], 2);
  EXPECT_DOUBLE_EQ(length_at(0.2), 2.2);
  EXPECT_DOUBLE_EQ(length_at(-0.1), to_p + std::hypot(0.9, 1.0));
  EXPECT_EQ(w.d->ten_wrapnum[0], 3);
  EXPECT_DOUBLE_EQ(w.d->ten_J[0], 0.9 / std::hypot(0.9, 1.0));
  EXPECT_DOUBLE_EQ(length_at(0), to_p + p_to_r + std::hypot(0.8, 0.5));
  EXPECT_DOUBLE_EQ(length_at(0.1), to_p + p_to_r + std::hypot(0.9, 0.5));
  EXPECT_EQ(w.d->ten_wrapnum[0], 4);
}

// The coordinate follows the function of the other, as with a polynomial of the same values.
TEST(Motion, CouplingsHoldJointsAtFunctions) {
  const auto model = [](const std::string& coupling) {
    return ModelFromText(R"(<mujoco><worldbody><body><joint name="x" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body>
      <body pos="0 1 0"><joint name="y" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
      <equality><joint joint1="y" joint2="x" )" +
                         coupling + "/></equality></mujoco>");
  };
  const World exact(model("polycoef='.1 .5 -.3'")), same(model("coef='.1 .5 -.3'"));
  const World spline(model("function='spline' x='-4 -1 0 1 4' y='0 .3 0 -.2 1'"));
  for (int i = 0; i < 200; ++i) {
    for (const World* w : {&exact, &same, &spline}) mj_step(w->m.get(), w->d.get());
    ASSERT_NEAR(exact.d->qpos[1], same.d->qpos[1], 1e-12);
  }
  const double x = spline.d->qpos[0];
  const Numbers f = SplinePieces(Numbers{-4, -1, 0, 1, 4}, Numbers{0, 0.3, 0, -0.2, 1}, SplineEnds::kNatural);
  EXPECT_GT(std::fabs(x), 0.3);
  EXPECT_NEAR(spline.d->qpos[1], Evaluate(PiecewiseAt(f, 0), x).value, 0.01) << "constraints are soft";
}

}  // namespace
}  // namespace sinew
