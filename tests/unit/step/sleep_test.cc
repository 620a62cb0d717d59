#include "step/sleep.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// A slide that sleeps while another, tied to it by a tendon, is driven.
TEST(Sleep, ActuatorsTendonsAndSensorsSleepWithTheirTree) {
  World world(ModelFromText(R"(<mujoco><option><flag sleep="enable"/></option><worldbody>
      <body name="still" gravcomp="1" sleep="allowed"><joint name="a" type="slide"/><geom size=".1"/></body>
      <body name="driven" pos="1 0 0" gravcomp="1" sleep="never"><joint name="b" type="slide"/><geom size=".1"/></body>
    </worldbody>
    <tendon><fixed name="a"><joint joint="a" coef="2"/></fixed>
      <fixed name="both"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon>
    <actuator><motor joint="b"/><general joint="a" dyntype="integrator"/><motor tendon="a"/><motor tendon="both"/></actuator>
    <sensor><jointpos joint="a"/><tendonpos tendon="both"/>
      <framepos objtype="body" objname="still" reftype="body" refname="driven"/>
      <framepos objtype="body" objname="still" reftype="body" refname="world"/></sensor></mujoco>)"));
  mjData* d = world.d.get();
  d->qpos[0] = 0.3;
  d->ctrl[0] = 1;
  Steps(world, 20);
  ASSERT_GE(d->tree_asleep[0], 0);

  constexpr double kOld = 7;
  std::fill_n(d->sensordata, world.m->nsensordata, kOld);
  std::fill_n(d->ctrl + 1, 3, 1.0);
  Steps(world, 1);
  ASSERT_GE(d->tree_asleep[0], 0);  // controls do not wake
  EXPECT_EQ(std::vector<double>(d->actuator_force, d->actuator_force + 4), (std::vector<double>{1, 0, 0, 1}));
  EXPECT_EQ(std::vector<int>(d->moment_rownnz, d->moment_rownnz + 4), (std::vector<int>{1, 0, 0, 2}));
  EXPECT_EQ(d->act[0], 0);
  EXPECT_EQ(d->ten_length[0], 0);
  EXPECT_GT(d->ten_length[1], 0.3);

  // what is seen from a tree that is awake is new
  EXPECT_EQ(d->sensordata[0], kOld);
  EXPECT_NEAR(d->sensordata[1], d->ten_length[1], 1e-12);
  EXPECT_LT(d->sensordata[2], -0.6);
  EXPECT_EQ(d->sensordata[5], kOld);
}

TEST(Sleep, TreesMaySleepFromTheStart) {
  World world(ModelFromText(Scene(Box("low", 0, 0.1, "sleep='init'") + Box("other", 1, 0.3))));
  EXPECT_EQ(world.d->tree_asleep[0], 0);
  EXPECT_LT(world.d->tree_asleep[1], 0);
  mj_resetData(world.m.get(), world.d.get());
  EXPECT_EQ(world.d->tree_asleep[0], 0);
}

// A keyframe is a reset and a change of the state: what it moves wakes, at the next kinematics, and nothing else. So is
// the reset of a world that diverges.
TEST(Sleep, TreesSleepFromTheStartInKeyframes) {
  World world(ModelFromText(
      Scene(Box("first", 0, 0.1, "sleep='init'") + Box("second", 1, 0.1, "sleep='init'") + Box("other", 2, 0.1),
            "<keyframe><key/><key qpos='0 0 .2 1 0 0 0  1 0 .1 1 0 0 0  2 0 .1 1 0 0 0'/></keyframe>")));
  mjModel* m = world.m.get();
  mjData* d = world.d.get();
  constexpr int kAwake = -11;
  for (const int key : {-1, 0, 1, 2}) {
    mj_resetDataKeyframe(m, d, key);
    EXPECT_EQ(d->tree_asleep[0], 0) << key;
    EXPECT_EQ(d->tree_asleep[1], 1) << key;
    EXPECT_EQ(d->tree_asleep[2], kAwake + 1) << "has rested once";
    mj_forward(m, d);
    EXPECT_EQ(d->tree_asleep[0], key == 1 ? kAwake : 0) << key;
    EXPECT_EQ(d->tree_asleep[1], 1) << key;
  }
  mj_resetDataDebug(m, d, 7);
  EXPECT_EQ(d->tree_asleep[1], 1);
  mju_user_warning = [](const char*) {};
  d->qvel[12] = std::nan("");
  mj_step(m, d);
  EXPECT_EQ(d->warning[mjWARN_BADQVEL].number, 1);
  EXPECT_EQ(d->tree_asleep[0], 0);
  EXPECT_LT(d->tree_asleep[2], 0);
  mju_user_warning = nullptr;
}

// All that stages compute of positions and velocities: as if nothing slept.
TEST(Sleep, WhatIsNotComputedAgainIsWhatItWouldBe) {
  World world = Stack();
  Steps(world, 100);
  ASSERT_EQ(world.d->nv_awake, 0);
  world.d->qpos[7 * 2 + 2] += 0.1;  // one falls
  Steps(world, 3);
  ASSERT_EQ(world.d->ntree_awake, 1);

  World awake(Stack());
  mj_copyData(awake.d.get(), world.m.get(), world.d.get());
  awake.m->opt.enableflags &= ~mjENBL_SLEEP;
  mj_forward(awake.m.get(), awake.d.get());
  mj_forward(world.m.get(), world.d.get());
  const mjModel& m = *world.m;
  const auto expect_same = [&](mjtNum* mjData::*field, mjtSize count) {
    const mjtNum *actual = world.d.get()->*field, *expected = awake.d.get()->*field;
    EXPECT_EQ(std::vector<double>(actual, actual + count), std::vector<double>(expected, expected + count));
  };
  expect_same(&mjData::xpos, 3 * m.nbody);
  expect_same(&mjData::ximat, 9 * m.nbody);
  expect_same(&mjData::geom_xpos, 3 * m.ngeom);
  expect_same(&mjData::cdof, 6 * m.nv);
  expect_same(&mjData::crb, 10 * m.nbody);
  expect_same(&mjData::M, m.nC);
  expect_same(&mjData::qLD, m.nC);
  expect_same(&mjData::qLDiagInv, m.nv);
  expect_same(&mjData::cvel, 6 * m.nbody);
  expect_same(&mjData::qfrc_bias, m.nv);
  expect_same(&mjData::cinert, 10 * m.nbody);
  expect_same(&mjData::qfrc_passive, m.nv);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(world.d->subtree_com[k], awake.d->subtree_com[k], 1e-14);  // of all
}

// Numbers of what sleeps are left alone, those of what is awake are made again.
TEST(Sleep, CentresInertiasAndPassiveForcesAreKept) {
  World world = Stack();
  Steps(world, 100);
  world.d->qpos[7 * 2 + 2] += 0.1;
  Steps(world, 3);
  const auto kept = [&](mjtNum* mjData::*field, int asleep, int awake) {
    mjtNum* values = world.d.get()->*field;
    const mjtNum before = values[asleep];
    values[asleep] = values[awake] = 77;
    mj_forward(world.m.get(), world.d.get());
    EXPECT_NE(values[awake], 77);
    const bool result = values[asleep] == 77;
    values[asleep] = before;
    return result;
  };
  EXPECT_TRUE(kept(&mjData::subtree_com, 3 * 1, 3 * 3));
  EXPECT_TRUE(kept(&mjData::cinert, 10 * 1, 10 * 3));
  EXPECT_TRUE(kept(&mjData::crb, 10 * 1, 10 * 3));
  EXPECT_TRUE(kept(&mjData::cdof, 6 * 3, 6 * 15));
  EXPECT_TRUE(kept(&mjData::qfrc_spring, 2, 14));
  EXPECT_TRUE(kept(&mjData::qfrc_damper, 2, 14));
  EXPECT_TRUE(kept(&mjData::qfrc_gravcomp, 2, 14));
  EXPECT_TRUE(kept(&mjData::qfrc_fluid, 2, 14));
  EXPECT_TRUE(kept(&mjData::qfrc_passive, 2, 14));
}

// What a callback adds to the forces of a sleeping tree does not add up from step to step.
TEST(Sleep, ForcesOfCallbacksDoNotAccumulate) {
  World world = Stack();
  Steps(world, 100);
  mjcb_passive = [](const mjModel*, mjData* d) { d->qfrc_passive[2] += 5; };
  Steps(world, 3);
  mjcb_passive = nullptr;
  ASSERT_GE(world.d->tree_asleep[0], 0);
  EXPECT_EQ(world.d->qfrc_passive[2], 5);
}

TEST(Sleep, KinematicsWakesWhatWasMoved) {
  World world = Stack();
  Steps(world, 100);
  world.d->qpos[7 * 2 + 2] += 0.1;
  mj_kinematics(world.m.get(), world.d.get());
  EXPECT_LT(world.d->tree_asleep[2], 0);
  EXPECT_NEAR(world.d->geom_xpos[3 * 3 + 2], 0.2, 1e-3);  // it had sunk in a little
}

// Trees of one static body share the point about which their motions are expressed, and it moves while one of them
// sleeps. Hit by the other, it wakes into the same forces as if it had been awake.
TEST(Sleep, TreesOfOneBaseHitEachOther) {
  const auto arms = [] {
    return World(ModelFromText(Scene(R"(<body pos="0 0 1">
        <geom size=".05"/>
        <body name="still"><joint axis="0 0 1"/><geom type="capsule" fromto=".1 0 0 .5 0 0" size=".03"/>
          <body pos=".5 0 0"><joint axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></body>
        <body name="swings"><joint axis="0 0 1" ref="0"/><geom type="capsule" fromto="0 -.1 0 0 -.5 0" size=".03"/></body>
      </body>)")));
  };
  World asleep = arms(), awake = arms();
  Steps(asleep, 20);
  EXPECT_EQ(asleep.d->ntree_awake, 0);
  awake.m->opt.enableflags &= ~mjENBL_SLEEP;
  for (World* world : {&asleep, &awake}) {
    world->d->qvel[2] = 2;
    mj_setState(world->m.get(), world->d.get(), asleep.d->qpos, mjSTATE_QPOS);
  }
  bool met = false;
  for (int i = 0; i < 600; ++i) {
    met = met || asleep.d->ncon > 0;
    Steps(asleep, 1);
    Steps(awake, 1);
    ASSERT_EQ(asleep.d->ncon, awake.d->ncon) << i;
    for (int k = 0; k < 3; ++k) ASSERT_NEAR(asleep.d->qvel[k], awake.d->qvel[k], 1e-12) << i;  // of order one
  }
  EXPECT_TRUE(met);
}

}  // namespace
}  // namespace sinew
