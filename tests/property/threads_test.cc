// Results never depend on the number of threads, nor on where a run was interrupted.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// A model and how long it runs.
struct Case {
  const char* name;
  ModelPtr (*make)();
  int steps;
};

// Stacks of boxes and pendulums that fall over: many islands, which merge and part.
ModelPtr Islands() {
  std::string bodies;
  for (int i = 0; i < 12; ++i) {
    const std::string x = std::to_string(0.35 * i);
    for (const char* z : {"0.1", "0.32", "0.55"}) {
      bodies += "<body pos='" + x + " 0.0" + std::to_string(i % 5) + " " + z +
                "'><freejoint/><geom type='box' size='.1 .1 .1'/></body>";
    }
    bodies += "<body pos='" + x +
              " 1 0.5'><joint type='ball'/><geom type='capsule' fromto='0 0 0 .3 0 .2' size='.04'/></body>";
  }
  return ModelFromText("<mujoco><worldbody><geom type='plane' size='9 9 .1'/>" + bodies + "</worldbody></mujoco>");
}

std::vector<double> State(const World& world) {
  std::vector<double> state(static_cast<size_t>(mj_stateSize(world.m.get(), mjSTATE_INTEGRATION)));
  mj_getState(world.m.get(), world.d.get(), state.data(), mjSTATE_INTEGRATION);
  return state;
}

// 22 humanoids that fall beside and onto each other.
ModelPtr Crowd() { return ModelFromFile("humanoids22.xml"); }

std::vector<double> StateAfterRun(const Case& test, size_t threads) {
  World world(test.make());
  mjThreadPool* pool = threads > 0 ? mju_threadPoolCreate(threads) : nullptr;
  if (pool) mju_bindThreadPool(world.d.get(), pool);
  int islands = 0;
  for (int i = 0; i < test.steps; ++i) {
    mj_step(world.m.get(), world.d.get());
    islands = std::max(islands, world.d->nisland);
  }
  EXPECT_GT(islands, 8);
  std::vector<double> state = State(world);
  world.d.reset();
  if (pool) mju_threadPoolDestroy(pool);
  return state;
}

class Threads : public testing::TestWithParam<Case> {};

TEST_P(Threads, DoNotChangeABit) {
  const std::vector<double> alone = StateAfterRun(GetParam(), 0);
  for (const size_t threads : {1, 2, 3, 8}) {
    EXPECT_EQ(StateAfterRun(GetParam(), threads), alone) << threads << " threads";
  }
}

TEST_P(Threads, ARestoredStateHasTheSameFuture) {
  World world(GetParam().make());
  std::vector<std::vector<double>> states;
  for (int i = 0; i < 100; ++i) {
    states.push_back(State(world));
    mj_step(world.m.get(), world.d.get());
  }
  states.push_back(State(world));
  World restored(GetParam().make());
  for (size_t i = 0; i < 100; i += 9) {
    mj_setState(restored.m.get(), restored.d.get(), states[i].data(), mjSTATE_INTEGRATION);
    mj_step(restored.m.get(), restored.d.get());
    EXPECT_EQ(State(restored), states[i + 1]) << "step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Threads, testing::Values(Case{"Stacks", Islands, 400}, Case{"Crowd", Crowd, 200}),
                         [](const auto& model) { return std::string(model.param.name); });

}  // namespace
}  // namespace sinew
