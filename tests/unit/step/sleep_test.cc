#include "step/sleep.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

std::string Scene(const std::string& bodies, const std::string& rest = "") {
  return R"(<mujoco><option timestep="0.002"><flag sleep="enable"/></option><worldbody>
    <geom type="plane" size="5 5 0.1"/>)" +
         bodies + "</worldbody>" + rest + "</mujoco>";
}

std::string Box(const std::string& name, double x, double z, const std::string& attributes = "") {
  return "<body name='" + name + "' pos='" + std::to_string(x) + " 0 " + std::to_string(z) + "' " + attributes +
         "><freejoint/><geom type='box' size='.1 .1 .1'/></body>";
}

void Steps(World& world, int count) {
  for (int i = 0; i < count; ++i) mj_step(world.m.get(), world.d.get());
}

std::vector<int> Asleep(const World& world) { return {world.d->tree_asleep, world.d->tree_asleep + world.m->ntree}; }

// Two stacked boxes, one alone, and a slide without gravity.
World Stack() {
  World world(ModelFromText(Scene(Box("low", 0, 0.1) + Box("high", 0, 0.3) + Box("alone", 1, 0.1) +
                                  "<body pos='2 0 .5' gravcomp='1'><joint type='slide'/><geom size='.1'/></body>")));
  return world;
}

// Steps at which 3.8.0 puts these trees to sleep.
TEST(Sleep, TreesAtRestFallAsleepWithTheirIsland) {
  World world = Stack();
  Steps(world, 10);
  EXPECT_EQ(world.d->tree_asleep[3], 3);
  Steps(world, 56);
  EXPECT_LT(world.d->tree_asleep[0], 0);
  Steps(world, 1);
  EXPECT_EQ(world.d->tree_asleep[0], 1);
  EXPECT_EQ(world.d->tree_asleep[1], 0);
  Steps(world, 10);
  EXPECT_EQ(Asleep(world), (std::vector<int>{1, 0, 2, 3}));
  EXPECT_EQ(world.d->nv_awake, 0);
  EXPECT_EQ(world.d->nbody_awake, 1);
}

TEST(Sleep, WhatSleepsDoesNotMoveByABit) {
  World world = Stack();
  Steps(world, 100);
  const std::vector<double> before(world.d->qpos, world.d->qpos + world.m->nq);
  Steps(world, 50);
  EXPECT_EQ(std::vector<double>(world.d->qpos, world.d->qpos + world.m->nq), before);
  EXPECT_EQ(world.d->nefc, 0);
}

TEST(Sleep, AnyDisturbanceWakesTheWholeCycle) {
  const auto wakes = [](auto&& disturb) {
    World world = Stack();
    Steps(world, 100);
    disturb(*world.d);
    Steps(world, 1);
    return world.d->tree_asleep[0] < 0 && world.d->tree_asleep[1] < 0 && world.d->tree_asleep[2] >= 0;
  };
  EXPECT_TRUE(wakes([](mjData& d) { d.qpos[2] += 1e-12; }));
  EXPECT_TRUE(wakes([](mjData& d) { d.qvel[0] = -0.0; }));
  EXPECT_TRUE(wakes([](mjData& d) { d.qfrc_applied[7] = 1e-300; }));
  EXPECT_TRUE(wakes([](mjData& d) { d.xfrc_applied[6 * 2 + 1] = 1; }));
  EXPECT_FALSE(wakes([](mjData& d) {
    for (int k = 3; k < 7; ++k) d.qpos[k] *= 2;  // the same orientation
  }));
}

TEST(Sleep, AFallingBodyWakesWhatItHits) {
  World world(ModelFromText(Scene(Box("low", 0, 0.1) + Box("falls", 0.05, 1.5))));
  Steps(world, 100);
  EXPECT_EQ(world.d->tree_asleep[0], 0);
  int step = 0;
  while (world.d->tree_asleep[0] >= 0 && ++step < 400) Steps(world, 1);
  EXPECT_LT(world.d->qpos[9], 0.31);  // they touch
  EXPECT_LT(step, 400);
}

TEST(Sleep, EqualitiesWakeTreesThatSleepApart) {
  World world(ModelFromText(
      Scene("<body name='a' gravcomp='1'><joint type='slide'/><geom size='.1' contype='0' conaffinity='0'/></body>"
            "<body name='b' pos='1 0 1' gravcomp='1'><joint type='slide'/><geom size='.1' contype='0' "
            "conaffinity='0'/></body>",
            "<equality><weld body1='a' body2='b' active='false'/><weld body1='a' active='false'/></equality>")));
  Steps(world, 20);
  EXPECT_EQ(Asleep(world), (std::vector<int>{0, 1}));
  world.d->eq_active[1] = 1;  // to the world: nothing moves
  Steps(world, 1);
  EXPECT_EQ(Asleep(world), (std::vector<int>{0, 1}));
  world.d->eq_active[0] = 1;
  Steps(world, 1);
  EXPECT_EQ(Asleep(world), (std::vector<int>{-10, -10}));
}

TEST(Sleep, ActuatedTreesStayAwake) {
  World world(
      ModelFromText(Scene("<body><joint name='j' type='slide'/><geom size='.1' contype='0' conaffinity='0'/></body>",
                          "<actuator><motor joint='j'/></actuator>")));
  Steps(world, 30);
  EXPECT_EQ(world.d->tree_asleep[0], -11);
}

TEST(Sleep, TreesMaySleepFromTheStart) {
  World world(ModelFromText(Scene(Box("low", 0, 0.1, "sleep='init'") + Box("other", 1, 0.3))));
  EXPECT_EQ(world.d->tree_asleep[0], 0);
  EXPECT_LT(world.d->tree_asleep[1], 0);
  mj_resetData(world.m.get(), world.d.get());
  EXPECT_EQ(world.d->tree_asleep[0], 0);
}

}  // namespace
}  // namespace sinew
