// Every way to compute something against every other: forward and inverse, sparse and dense, islands and whole, Newton
// and conjugate gradients, one step and its two halves.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// The humanoid at a moment of a fall under random controls.
class Humanoid : public testing::Test {
 protected:
  Humanoid() : world_(ModelFromFile("humanoid.xml")) { MoveTo(world_, 300); }

  static void MoveTo(World& w, int steps) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-0.3, 0.3);
    mj_resetDataKeyframe(w.m.get(), w.d.get(), 1);
    for (int step = 0; step < steps; ++step) {
      if (step % 20 == 0) {
        for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = uniform(random);
      }
      mj_step(w.m.get(), w.d.get());
    }
  }

  // Acceleration at the present state with the solver run to the end.
  std::vector<double> Acceleration(int solver, int jacobian, bool islands) {
    mjModel* m = world_.m.get();
    m->opt.solver = solver;
    m->opt.jacobian = jacobian;
    m->opt.tolerance = 0;
    m->opt.iterations = 1000;
    m->opt.ls_iterations = 100;
    islands ? m->opt.disableflags &= ~mjDSBL_ISLAND : m->opt.disableflags |= mjDSBL_ISLAND;
    mj_forward(m, world_.d.get());
    return std::vector<double>(world_.d->qacc, world_.d->qacc + m->nv);
  }

  static double Distance(const std::vector<double>& a, const std::vector<double>& b) {
    double distance = 0, size = 1;
    for (size_t i = 0; i < a.size(); ++i) {
      distance = std::max(distance, std::fabs(a[i] - b[i]));
      size = std::max(size, std::fabs(a[i]));
    }
    return distance / size;
  }

  World world_;
};

TEST_F(Humanoid, IsInContact) {
  mj_forward(world_.m.get(), world_.d.get());
  ASSERT_GT(world_.d->ncon, 0);  // the other tests would be empty
}

TEST_F(Humanoid, SparseAndDenseJacobiansAgree) {
  EXPECT_LT(Distance(Acceleration(mjSOL_NEWTON, mjJAC_DENSE, false), Acceleration(mjSOL_NEWTON, mjJAC_SPARSE, false)),
            1e-9);
}

TEST_F(Humanoid, IslandsAndWholeAgree) {
  EXPECT_LT(Distance(Acceleration(mjSOL_NEWTON, mjJAC_DENSE, true), Acceleration(mjSOL_NEWTON, mjJAC_DENSE, false)),
            1e-9);
}

TEST_F(Humanoid, NewtonAndConjugateGradientsAgree) {
  EXPECT_LT(Distance(Acceleration(mjSOL_NEWTON, mjJAC_DENSE, true), Acceleration(mjSOL_CG, mjJAC_DENSE, true)), 1e-9);
}

TEST_F(Humanoid, PrimalAndDualAgree) {
  // Gauss-Seidel converges linearly
  EXPECT_LT(Distance(Acceleration(mjSOL_NEWTON, mjJAC_DENSE, false), Acceleration(mjSOL_PGS, mjJAC_DENSE, false)),
            1e-3);
  EXPECT_LT(Distance(Acceleration(mjSOL_PGS, mjJAC_SPARSE, false), Acceleration(mjSOL_PGS, mjJAC_DENSE, false)), 1e-9);
}

TEST_F(Humanoid, InverseRecoversTheAppliedForces) {
  mjModel* m = world_.m.get();
  mjData* d = world_.d.get();
  for (int i = 0; i < m->nv; ++i) d->qfrc_applied[i] = std::sin(3.0 * i);
  for (int i = 0; i < 6; ++i) d->xfrc_applied[6 * 3 + i] = std::cos(2.0 * i);
  Acceleration(mjSOL_NEWTON, mjJAC_DENSE, true);
  mj_inverse(m, d);

  std::vector<double> applied(d->qfrc_applied, d->qfrc_applied + m->nv);
  mj_applyFT(m, d, d->xfrc_applied + 18, d->xfrc_applied + 21, d->xipos + 9, 3, applied.data());
  for (int i = 0; i < m->nv; ++i) {
    const double expected = applied[static_cast<size_t>(i)] + d->qfrc_actuator[i];
    EXPECT_NEAR(d->qfrc_inverse[i], expected, 1e-7) << "dof " << i;  // forces up to 1e3, solved to rounding
  }
}

TEST_F(Humanoid, HalvesEqualAWholeStep) {
  World other(ModelFromFile("humanoid.xml"));
  MoveTo(other, 300);
  for (int i = 0; i < 100; ++i) {
    mj_step(world_.m.get(), world_.d.get());
    mj_step1(other.m.get(), other.d.get());
    mj_step2(other.m.get(), other.d.get());
  }
  for (int i = 0; i < world_.m->nq; ++i) EXPECT_EQ(world_.d->qpos[i], other.d->qpos[i]);
}

TEST_F(Humanoid, ACopyHasTheSameFuture) {
  DataPtr copy(mj_copyData(nullptr, world_.m.get(), world_.d.get()));
  for (int i = 0; i < 100; ++i) {
    mj_step(world_.m.get(), world_.d.get());
    mj_step(world_.m.get(), copy.get());
  }
  for (int i = 0; i < world_.m->nq; ++i) EXPECT_EQ(world_.d->qpos[i], copy->qpos[i]);
}

}  // namespace
}  // namespace sinew
