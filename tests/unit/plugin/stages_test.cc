// When the pipeline computes sensors of plugins and of the user, and what these find there.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// What a callback saw.
struct Call {
  int stage;
  double first_number, subtree_velocity, acceleration;
};
std::vector<Call> calls;

template <int stage>
void Record(const mjModel*, mjData* d, int, int) {
  calls.push_back({stage, d->sensordata[0], d->subtree_linvel[5], d->cacc[11]});
  d->sensordata[0] += 1;
}

// One plugin per stage, called "test.stage0" and so on.
void RegisterStagePlugins() {
  constexpr void (*kComputes[])(const mjModel*, mjData*, int, int) = {Record<0>, Record<1>, Record<2>, Record<3>};
  static const std::vector<std::string> kNames = {"test.stage0", "test.stage1", "test.stage2", "test.stage3"};
  for (int stage = 0; stage < 4; ++stage) {
    mjpPlugin plugin;
    mjp_defaultPlugin(&plugin);
    plugin.name = kNames[static_cast<size_t>(stage)].c_str();
    plugin.capabilityflags = mjPLUGIN_SENSOR;
    plugin.needstage = stage;
    plugin.nstate = [](const mjModel*, int) { return 0; };
    plugin.nsensordata = [](const mjModel*, int, int) { return 1; };
    plugin.compute = kComputes[stage];
    mjp_registerPlugin(&plugin);
  }
}

World PendulumWith(int stage, const std::string& sensor) {
  RegisterStagePlugins();
  const std::string name = "test.stage" + std::to_string(stage);
  World world(ModelFromText("<mujoco><extension><plugin plugin='" + name +
                            "'><instance name='i'/></plugin></extension>" +
                            "<worldbody><body pos='0 0 1'><joint axis='0 1 0'/><geom size='.1' pos='.1 0 0'/></body>" +
                            "</worldbody><sensor>" + sensor + "</sensor></mujoco>"));
  world.d->qvel[0] = 1;
  calls.clear();
  return world;
}

std::vector<int> Stages() {
  std::vector<int> stages;
  for (const Call& call : calls) stages.push_back(call.stage);
  return stages;
}

TEST(SensorPluginTest, WithoutAStageItIsComputedOnceAStepWithPositions) {
  const World w = PendulumWith(0, "<plugin instance='i'/><clock/>");
  mj_step(w.m.get(), w.d.get());
  EXPECT_EQ(Stages(), std::vector<int>{0});
  mj_sensorVel(w.m.get(), w.d.get());
  mj_sensorAcc(w.m.get(), w.d.get());
  EXPECT_EQ(calls.size(), 1u);
  mj_sensorPos(w.m.get(), w.d.get());
  EXPECT_EQ(calls.size(), 2u);
  w.m->opt.disableflags |= mjDSBL_SENSOR;
  mj_step(w.m.get(), w.d.get());
  EXPECT_EQ(calls.size(), 2u);
}

TEST(SensorPluginTest, NumbersStayFromCallToCall) {
  const World w = PendulumWith(1, "<plugin instance='i'/><clock/>");
  for (int i = 0; i < 3; ++i) mj_step(w.m.get(), w.d.get());
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[2].first_number, 2);
}

TEST(SensorPluginTest, IsComputedWithoutASensorOfItsOwn) {
  const World w = PendulumWith(2, "<clock/>");
  mj_step(w.m.get(), w.d.get());
  EXPECT_EQ(Stages(), std::vector<int>{2});
}

TEST(SensorPluginTest, FindsVelocitiesOfSubtreesAndAccelerations) {
  const World moving = PendulumWith(2, "<clock/>");
  mj_step(moving.m.get(), moving.d.get());
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_NEAR(calls[0].subtree_velocity, -0.1, 1e-12);  // 1 rad/s at 0.1 m

  const World falling = PendulumWith(3, "<clock/>");
  mj_step(falling.m.get(), falling.d.get());
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_NE(calls[0].acceleration, 0);
}

TEST(UserSensorTest, FindsThemToo) {
  World w(
      ModelFromText("<mujoco><worldbody><body pos='0 0 1'><joint axis='0 1 0'/><geom size='.1' pos='.1 0 0'/></body>"
                    "</worldbody><sensor><user dim='1' needstage='vel'/><user dim='1' needstage='acc'/></sensor>"
                    "</mujoco>"));
  calls.clear();
  w.d->qvel[0] = 1;
  mjcb_sensor = [](const mjModel*, mjData* d, int stage) {
    calls.push_back({stage, 0, d->subtree_linvel[5], d->cacc[11]});
  };
  mj_step(w.m.get(), w.d.get());
  mjcb_sensor = nullptr;
  ASSERT_EQ(Stages(), (std::vector<int>{2, 3}));
  EXPECT_NEAR(calls[0].subtree_velocity, -0.1, 1e-12);
  EXPECT_NE(calls[1].acceleration, 0);
}

}  // namespace
}  // namespace sinew
