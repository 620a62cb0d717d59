// Mechanics of joints that move by functions of their coordinate: inertia, energy, inverse dynamics, derivatives by
// velocity, and a knee over a second.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/support/function_chain.h"
#include "tests/testing/model.h"

namespace sinew::testing {
namespace {

using Numbers = std::vector<double>;

void Randomize(const mjModel* m, mjData* d, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < m->nq; ++i) d->qpos[i] = 0.8 * number(random);
  for (int i = 0; i < m->nv; ++i) d->qvel[i] = number(random);
  mj_normalizeQuat(m, d->qpos);
}

double Energy(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  mj_energyPos(m, d);
  mj_energyVel(m, d);
  return d->energy[0] + d->energy[1];
}

// M is the sum of m J'J and J'IJ over bodies, with Jacobians that are central differences of places of centres of mass
// and of inertial frames.
TEST(FunctionJoints, InertiaIsThatOfTheBodies) {
  const World w(ModelFromText(FunctionChain("")));
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  const auto nv = static_cast<size_t>(m->nv);
  Randomize(m, d, 1);
  const Numbers qpos(d->qpos, d->qpos + m->nq);
  mj_forward(m, d);
  Numbers M(nv * nv), sum(nv * nv);
  mj_fullM(m, M.data(), d->qM);
  std::vector<std::vector<std::array<double, 6>>> rate(nv);  // of dof and body: of the centre, and about own axes
  constexpr double h = 1e-5;
  for (size_t dof = 0; dof < nv; ++dof) {
    Numbers place[2], axes[2];
    for (const int side : {0, 1}) {
      std::fill_n(d->qvel, nv, 0);
      d->qvel[dof] = 1;
      std::copy(qpos.begin(), qpos.end(), d->qpos);
      mj_integratePos(m, d->qpos, d->qvel, side == 0 ? -h : h);
      mj_kinematics(m, d);
      place[side].assign(d->xipos, d->xipos + 3 * m->nbody);
      axes[side].assign(d->ximat, d->ximat + 9 * m->nbody);
    }
    for (int b = 0; b < m->nbody; ++b) {
      std::array<double, 6> column = {};
      double before[4], after[4], turn[3];
      mju_mat2Quat(before, &axes[0][9 * b]);
      mju_mat2Quat(after, &axes[1][9 * b]);
      mju_subQuat(turn, after, before);
      for (int i = 0; i < 3; ++i) {
        column[i] = (place[1][3 * b + i] - place[0][3 * b + i]) / (2 * h);
        column[3 + i] = turn[i] / (2 * h);
      }
      rate[dof].push_back(column);
    }
  }
  for (size_t i = 0; i < nv; ++i) {
    for (size_t j = 0; j < nv; ++j) {
      double entry = 0;
      for (int b = 1; b < m->nbody; ++b) {
        for (int k = 0; k < 6; ++k) {
          const double inertia = k < 3 ? m->body_mass[b] : m->body_inertia[3 * b + k - 3];
          entry += inertia * rate[i][b][k] * rate[j][b][k];
        }
      }
      // Jacobians are wrong by 1e-8; entries are up to 10 kg m^2.
      EXPECT_NEAR(M[i * nv + j], entry, 1e-6) << i << " " << j;
    }
  }
}

TEST(FunctionJoints, InverseDynamicsReturnForces) {
  const World w(ModelFromText(FunctionChain("", ChainTendons("stiffness='5' damping='1'"))));
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  for (unsigned seed = 0; seed < 20; ++seed) {
    Randomize(m, d, seed);
    for (int i = 0; i < m->nv; ++i) d->qfrc_applied[i] = std::sin(1.0 + i + seed);
    mj_forward(m, d);
    mj_inverse(m, d);
    for (int i = 0; i < m->nv; ++i) EXPECT_NEAR(d->qfrc_inverse[i], d->qfrc_applied[i], 1e-9) << seed << " " << i;
  }
}

// Gravity, springs, armature of a tendon through moving points. Runge-Kutta's order of four shows where no quaternion
// is integrated; third derivatives of splines jump, which costs a part of it: with steps a quarter as long, between 64
// and 256 times less, of which half is asked for.
TEST(FunctionJoints, EnergyIsConserved) {
  const auto drift = [](const char* option, double time) {
    const World w(ModelFromText(FunctionChain(option, ChainTendons("armature='.3' stiffness='5'"), "axis='1 2 0'")));
    const mjModel* m = w.m.get();
    mjData* d = w.d.get();
    Randomize(m, d, 3);
    const double start = Energy(m, d);
    double kinetic = 0, worst = 0;
    while (d->time < time) {
      for (int k = 0; k < 10; ++k) mj_step(m, d);
      worst = std::max(worst, std::fabs(Energy(m, d) - start));
      kinetic = std::max(kinetic, d->energy[1]);
    }
    EXPECT_GT(kinetic, 1);
    return worst / kinetic;
  };
  const double coarse = drift("integrator='RK4' timestep='.002'", 1);
  const double fine = drift("integrator='RK4' timestep='.0005'", 1);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_LT(fine, coarse / 32);
  EXPECT_LT(drift("integrator='merson' accuracy='1e-8' timestep='.01'", 1), 1e-6);  // a hundred steps or more of 1e-8
}

// The derivative of smooth forces by velocities in the implicit integrator, by central differences.
TEST(FunctionJoints, ImplicitIntegratorsKnowHowBiasForcesChange) {
  const World w(ModelFromText(FunctionChain("integrator='implicit'")));
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  const auto nv = static_cast<size_t>(m->nv);
  Randomize(m, d, 5);
  const Numbers qpos(d->qpos, d->qpos + m->nq), qvel(d->qvel, d->qvel + nv);
  mj_step(m, d);
  Numbers derivative(nv * nv);
  for (size_t i = 0; i < nv; ++i) {
    for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; ++k) {
      derivative[i * nv + static_cast<size_t>(m->D_colind[k])] = d->qDeriv[k];
    }
  }
  const auto force_at = [&](size_t dof, double step) {
    std::copy(qpos.begin(), qpos.end(), d->qpos);
    std::copy(qvel.begin(), qvel.end(), d->qvel);
    d->qvel[dof] += step;
    mj_forward(m, d);
    return Numbers(d->qfrc_smooth, d->qfrc_smooth + nv);
  };
  for (size_t j = 0; j < nv; ++j) {
    // the force is quadratic in velocities, so that a central difference is exact but for rounding
    const Numbers above = force_at(j, 1e-2), below = force_at(j, -1e-2);
    for (size_t i = 0; i < nv; ++i) {
      EXPECT_NEAR(derivative[i * nv + j], (above[i] - below[i]) / 2e-2, 1e-9) << i << " " << j;
    }
  }
}

// ---- a knee

// A leg swings, and its knee bends and stretches through the whole range of its functions. Steps four times shorter
// lead to the same place.
TEST(FunctionJoints, KneeSwingsAsWithShorterSteps) {
  const auto swing = [](double timestep) {
    const World w(ModelFromFile("muscle/knee.xml"));
    mjModel* m = w.m.get();
    mjData* d = w.d.get();
    m->opt.timestep = timestep;
    m->opt.integrator = mjINT_RK4;
    m->opt.disableflags |= mjDSBL_ACTUATION | mjDSBL_LIMIT;
    d->qpos[0] = 1;
    d->qpos[1] = -1.9;
    double lowest = 0, highest = -2;
    while (d->time < 1 - timestep / 2) {
      mj_step(m, d);
      lowest = std::min(lowest, d->qpos[1]);
      highest = std::max(highest, d->qpos[1]);
    }
    EXPECT_LT(lowest, -1.5);
    EXPECT_GT(highest, -0.2);
    return std::array<double, 4>{d->qpos[0], d->qpos[1], d->qvel[0], d->qvel[1]};
  };
  const auto coarse = swing(0.001), fine = swing(0.00025);
  // Third derivatives of splines jump at their points, which a step of Runge-Kutta feels at order three: h^3 = 1e-9 s^3
  // times jumps of up to 1e4 in all.
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(coarse[i], fine[i], 2e-5) << i;
}

// Patella and condyle: the vasti pull with the arm of the knee, and the rectus femoris runs over the femur when the
// knee is bent far.
TEST(FunctionJoints, MusclesOfTheKneeHaveItsMomentArms) {
  const World w(ModelFromFile("muscle/knee.xml"));
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  for (const double q : {-1.8, -1.2, -0.4, 0.0}) {
    d->qpos[1] = q;
    mj_fwdPosition(m, d);
    EXPECT_EQ(d->ten_wrapnum[0], q < -1.4 ? 4 : 3);
    const int row = m->ten_J_rowadr[1], count = m->ten_J_rownnz[1];
    double arm = 0;
    for (int k = row; k < row + count; ++k) {
      if (m->ten_J_colind[k] == 1) arm = -d->ten_J[k];
    }
    // 2 to 6 cm is what the literature has for the quadriceps (Delp 1990)
    EXPECT_GT(arm, 0.015) << q;
    EXPECT_LT(arm, 0.065) << q;
  }
}

}  // namespace
}  // namespace sinew::testing
