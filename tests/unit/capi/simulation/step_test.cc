#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "tests/testing/model.h"
#include "tests/unit/capi/error_trap.h"

namespace sinew {
namespace {

constexpr char kBallOnFloor[] = R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
    <body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>)";

TEST(StepTest, ErrorOfAStageNamesTheStage) {
  const World w(ModelFromText(kBallOnFloor));
  w.m->opt.solver = 10;
  for (auto* function : {mj_step, mj_forward, mj_fwdConstraint}) {
    const ErrorTrap trap;
    function(w.m.get(), w.d.get());
    EXPECT_EQ(trap.text(), "mj_fwdConstraint: unknown solver type 10");
  }
}

TEST(StepTest, GoesOnAfterAnError) {
  const World w(ModelFromText(kBallOnFloor));
  {
    const ErrorTrap trap;
    w.m->opt.solver = -1;
    mj_step(w.m.get(), w.d.get());
    EXPECT_FALSE(trap.text().empty());
  }
  w.m->opt.solver = mjSOL_NEWTON;
  mj_step(w.m.get(), w.d.get());
  EXPECT_GT(w.d->time, 0);
  EXPECT_EQ(w.d->ncon, 1);
}

// A program has taken all of it: that is its error, not a reason to do without contacts.
TEST(StepTest, FullStackIsAnErrorBeforeTheStepBegins) {
  const World w(ModelFromText(kBallOnFloor));
  w.d->pstack = static_cast<size_t>(w.m->narena);
  for (auto* function : {mj_step, mj_step1, mj_step2, mj_forward}) {
    const ErrorTrap trap;
    function(w.m.get(), w.d.get());
    EXPECT_EQ(trap.text().find("mj_stackAlloc: out of memory, stack overflow"), 0u) << trap.text();
    EXPECT_EQ(w.d->time, 0);
  }
  w.d->pstack = 0;
}

}  // namespace
}  // namespace sinew
