// Small systems of several trees, which Newton's method solves whole.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "solve/slot_problem.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

// Balls on the ground, a ball in the air that has been turned, and a pendulum at its limit.
constexpr char kScene[] = R"(<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
 <body pos="0 0 .099"><freejoint/><geom size=".1"/></body>
 <body pos="2 0 1"><freejoint/><geom type="ellipsoid" size=".1 .2 .3"/></body>
 <body pos="4 0 1"><joint axis="0 1 0" range="-1 -.1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/></body>
 </worldbody></mujoco>)";

class WholeSystem : public testing::Test {
 protected:
  WholeSystem() : m(ModelFromText(kScene)), d(mj_makeData(m.get())) {
    for (int i = 0; i < m->nv; ++i) d->qvel[i] = 0.3 * std::sin(i + 1.0);
    mj_forward(m.get(), d.get());
  }

  ModelPtr m;
  DataPtr d;
};

TEST_F(WholeSystem, IsOneOfFewDofsThatMayNotSleep) {
  EXPECT_TRUE(IsSolvedWhole(m.get()));
  m->opt.enableflags |= mjENBL_SLEEP;
  EXPECT_FALSE(IsSolvedWhole(m.get()));
  m->opt.enableflags = 0;
  m->opt.solver = mjSOL_CG;
  EXPECT_FALSE(IsSolvedWhole(m.get()));
}

TEST_F(WholeSystem, LeavesTreesWithoutRowsAlone) {
  ASSERT_EQ(d->tree_island[1], -1);
  for (int i = 6; i < 12; ++i) EXPECT_EQ(d->qacc[i], d->qacc_smooth[i]);
}

TEST_F(WholeSystem, ShowsItsSolutionInTheIslands) {
  ASSERT_EQ(d->nisland, 2);
  ASSERT_EQ(d->nidof, 7);
  for (int i = 0; i < d->nidof; ++i) {
    const int dof = d->map_idof2dof[i];
    EXPECT_EQ(d->iacc[i], d->qacc[dof]);
    EXPECT_EQ(d->iacc_smooth[i], d->qacc_smooth[dof]);
    EXPECT_EQ(d->ifrc_smooth[i], d->qfrc_smooth[dof]);
    EXPECT_EQ(d->ifrc_constraint[i], d->qfrc_constraint[dof]);
  }
  for (int i = 0; i < d->nefc; ++i) {
    const int row = d->map_iefc2efc[i];
    EXPECT_EQ(d->iefc_force[i], d->efc_force[row]);
    EXPECT_EQ(d->iefc_aref[i], d->efc_aref[row]);
    EXPECT_EQ(d->iefc_state[i], d->efc_force[row] > 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED);
  }
  EXPECT_GT(d->solver_niter[0], 0);
  EXPECT_EQ(d->solver_niter[1], 0);
}

// Islands one by one have the same minimum, within the tolerance of both.
TEST_F(WholeSystem, AgreesWithIslandsOneByOne) {
  m->opt.tolerance = 0;
  mj_forward(m.get(), d.get());
  const std::vector<double> whole(d->qacc, d->qacc + m->nv);
  m->opt.enableflags |= mjENBL_SLEEP;  // which divides the system
  mj_forward(m.get(), d.get());
  for (int i = 0; i < m->nv; ++i) EXPECT_NEAR(d->qacc[i], whole[static_cast<size_t>(i)], 1e-9) << i;  // of up to 1e2
}

}  // namespace
}  // namespace sinew
