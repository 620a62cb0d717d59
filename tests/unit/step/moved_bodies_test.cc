// What a sleeping body leans on is moved, lets go of it, or takes hold of it: it wakes and does what a body does that
// was awake. Where nothing that matters to it moves, it sleeps on.
#include "step/moved_bodies.h"

#include <gtest/gtest.h>
#include <mujoco/mjbatch.h>

#include <cmath>
#include <functional>
#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// A box of half size 0.1 sleeps on each of three shelves 1 m above the floor: on a mocap body, on a body of the world
// with a geom beside its frame, and on the geom of a child of the mocap body.
constexpr char kShelves[] = R"(<mujoco><option><flag sleep="enable"/></option><worldbody>
    <geom name="floor" type="plane" size="9 9 .1"/>
    <body name="mocap" mocap="true" pos="0 0 1"><geom name="m" type="box" size=".3 .3 .05"/><site name="m"/>
      <body name="child" pos="4 0 0"><geom type="box" size=".3 .3 .05"/></body></body>
    <body name="shelf" pos="2 0 .9"><geom name="s" type="box" size=".3 .3 .05" pos="0 0 .1"/></body>
    <body name="ghost" mocap="true" pos="0 5 1"><geom type="box" size=".3 .3 .05" contype="0" conaffinity="0"/></body>
    <body name="other" mocap="true" pos="0 7 1"><geom type="sphere" size=".1"/></body>
    <body pos="0 0 1.15"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="2 0 1.15"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="4 0 1.15"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>)";
constexpr int kOnMocap = 0, kOnShelf = 1, kOnChild = 2;

void Steps(World& world, int count) {
  for (int i = 0; i < count; ++i) mj_step(world.m.get(), world.d.get());
}

World Asleep(const std::string& xml) {
  World world(ModelFromText(xml));
  for (int i = 0; i < 500 && world.d->ntree_awake > 0; ++i) Steps(world, 1);
  EXPECT_EQ(world.d->ntree_awake, 0);
  return world;
}

bool Sleeps(const World& world, int tree) { return world.d->tree_asleep[tree] >= 0; }
double Height(const World& world, int tree) { return world.d->qpos[7 * tree + 2]; }
int BodyId(const World& world, const char* name) { return mj_name2id(world.m.get(), mjOBJ_BODY, name); }

// Which of the three boxes are awake after a change and one step.
std::string AwakeAfter(const std::function<void(World&)>& change) {
  World world = Asleep(kShelves);
  change(world);
  Steps(world, 1);
  std::string awake;
  for (int tree = 0; tree < 3; ++tree) awake += Sleeps(world, tree) ? '-' : 'w';
  return awake;
}

TEST(MovedBodies, WakeWhatTouchesThem) {
  const auto mocap = [](World& world) { return world.d->mocap_pos; };
  EXPECT_EQ(AwakeAfter([&](World& w) { mocap(w)[2] -= 1e-9; }), "w-w");
  EXPECT_EQ(AwakeAfter([&](World& w) { mocap(w)[2] += 1e-9; }), "w-w");
  EXPECT_EQ(AwakeAfter([&](World& w) { mocap(w)[1] += 3; }), "w-w");
  EXPECT_EQ(AwakeAfter([&](World& w) { w.d->mocap_quat[3] = 1e-3; }), "w-w");  // about the vertical
  EXPECT_EQ(AwakeAfter([&](World& w) { w.d->mocap_quat[1] = 1; }), "w-w");
  EXPECT_EQ(AwakeAfter([](World& w) { w.m->body_pos[3 * BodyId(w, "shelf") + 2] -= .5; }), "-w-");
  EXPECT_EQ(AwakeAfter([](World& w) { w.m->body_quat[4 * BodyId(w, "shelf") + 1] = 1; }), "-w-");
  EXPECT_EQ(AwakeAfter([](World& w) { w.m->body_pos[3 * BodyId(w, "child") + 2] -= .5; }), "--w");
  EXPECT_EQ(AwakeAfter([](World& w) { w.m->geom_pos[3 * mj_name2id(w.m.get(), mjOBJ_GEOM, "s") + 2] -= .5; }), "-w-");
}

// What comes to a sleeper wakes it, though it was not there before.
TEST(MovedBodies, WakeWhatTheyAreMovedTo) {
  const auto other = [](World& w) { return w.d->mocap_pos + 3 * w.m->body_mocapid[BodyId(w, "other")]; };
  EXPECT_EQ(AwakeAfter([&](World& w) { mju_copy3(other(w), w.d->qpos + 7 * kOnShelf); }), "-w-");
  EXPECT_EQ(AwakeAfter([&](World& w) { other(w)[0] += 1; }), "---");
}

TEST(MovedBodies, LetSleepWhatTheyDoNotTouch) {
  EXPECT_EQ(AwakeAfter([](World&) {}), "---");
  EXPECT_EQ(AwakeAfter([](World& w) { mju_copy3(w.d->mocap_pos, w.d->mocap_pos); }), "---");
  EXPECT_EQ(AwakeAfter([](World& w) { mju_scl(w.d->mocap_quat, w.d->mocap_quat, 2, 4); }), "---");  // the same turn
  EXPECT_EQ(AwakeAfter([](World& w) {  // no mask lets them touch
              mju_copy3(w.d->mocap_pos + 3 * w.m->body_mocapid[BodyId(w, "ghost")], w.d->qpos);
            }),
            "---");
  EXPECT_EQ(AwakeAfter([](World& w) { w.m->body_pos[3 * BodyId(w, "child") + 1] += 2; }), "--w");
  EXPECT_EQ(AwakeAfter([](World& w) {
              w.m->opt.disableflags |= mjDSBL_CONTACT;
              w.d->mocap_pos[2] -= .1;
            }),
            "---");
}

TEST(MovedBodies, ExplicitPairsCount) {
  World world = Asleep(R"(<mujoco><option><flag sleep="enable"/></option><worldbody>
      <body mocap="true" pos="0 0 1"><geom name="a" type="box" size=".3 .3 .05" contype="0" conaffinity="0"/></body>
      <body pos="0 0 1.15"><freejoint/><geom name="b" type="box" size=".1 .1 .1" contype="0" conaffinity="0"/></body>
    </worldbody><contact><pair geom1="a" geom2="b"/></contact></mujoco>)");
  world.d->mocap_pos[2] -= .1;
  Steps(world, 1);
  EXPECT_FALSE(Sleeps(world, 0));
}

// A shelf goes down by 10 mm/s, and so slowly (0.05 mm/s, half of sleep_tolerance) that the box on it falls asleep
// again and again. The box stays on it as one that never sleeps does: contacts are soft by less than 0.1 mm.
TEST(MovedBodies, CarryABoxSlowlyDown) {
  for (const double speed : {1e-2, 5e-5}) {
    World world = Asleep(kShelves);
    const double above = Height(world, kOnMocap) - world.d->mocap_pos[2];
    for (int i = 0; i < 2000; ++i) {
      world.d->mocap_pos[2] -= speed * world.m->opt.timestep;
      Steps(world, 1);
      ASSERT_NEAR(Height(world, kOnMocap) - world.d->mocap_pos[2], above, 1e-4) << "step " << i << ", " << speed;
    }
  }
}

// Tipped, taken away or pulled down: every box ends on the floor, half of its size above it and asleep.
TEST(MovedBodies, DropABox) {
  const std::function<void(World&)> changes[] = {
      [](World& w) { w.d->mocap_pos[2] = .06; },
      [](World& w) { w.d->mocap_pos[1] += 30; },
      [](World& w) {
        mju_axisAngle2Quat(w.d->mocap_quat, (const mjtNum[]){1, 0, 0}, 1.2);
      },
  };
  for (const auto& change : changes) {
    World world = Asleep(kShelves);
    change(world);
    Steps(world, 3000);
    const double shelf = world.d->mocap_pos[2] < .1 ? .11 : 0;  // it lies on the floor itself
    EXPECT_NEAR(Height(world, kOnMocap), shelf + .1, 2e-3);
    EXPECT_TRUE(Sleeps(world, kOnMocap));
    EXPECT_NEAR(Height(world, kOnShelf), 1.15, 1e-3);
  }
}

// What lies on the box that is dropped falls with it.
TEST(MovedBodies, WakeTheWholeStack) {
  World world = Asleep(R"(<mujoco><option><flag sleep="enable"/></option><worldbody>
      <body mocap="true" pos="0 0 1"><geom type="box" size=".3 .3 .05"/></body>
      <body pos="0 0 1.15"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body pos="0 0 1.35"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>)");
  world.d->mocap_pos[2] -= 5;
  Steps(world, 1);
  EXPECT_FALSE(Sleeps(world, 0));
  EXPECT_FALSE(Sleeps(world, 1));
}

// ---- equalities

// A box hangs on a mocap body by an equality, another one, on a slide, is held by an equality of its joint.
std::string Hanging(const std::string& equality) {
  return R"(<mujoco><option><flag sleep="enable"/></option><worldbody>
    <body name="m" mocap="true" pos="0 0 2"><geom size=".05" contype="0" conaffinity="0"/><site name="m"/></body>
    <body name="b" pos="0 0 2"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="b"/></body>
    <body pos="2 0 2"><joint name="j" type="slide" axis="0 0 1"/><geom size=".1"/></body></worldbody>
    <equality>)" +
         equality + R"(<joint joint1="j"/></equality></mujoco>)";
}

constexpr const char* kHolds[] = {"<weld body1='m' body2='b'/>", "<connect body1='m' body2='b' anchor='0 0 0'/>",
                                  "<weld site1='m' site2='b'/>", "<connect site1='b' site2='m'/>"};

TEST(MovedBodies, DragWhatIsTiedToThem) {
  for (const char* hold : kHolds) {
    World world = Asleep(Hanging(hold));
    const double below = Height(world, 0) - world.d->mocap_pos[2];
    world.d->mocap_pos[2] += .1;
    Steps(world, 1);
    EXPECT_FALSE(Sleeps(world, 0)) << hold;
    EXPECT_TRUE(Sleeps(world, 1)) << hold;
    Steps(world, 2000);
    EXPECT_NEAR(Height(world, 0) - world.d->mocap_pos[2], below, 1e-4) << hold;
  }
}

// A site is moved in the model, its body stays.
TEST(MovedBodies, AMovedSiteIsEnough) {
  World world = Asleep(R"(<mujoco><option><flag sleep="enable"/></option><worldbody>
      <body name="m" mocap="true" pos="0 0 2"><site name="m" pos="0 0 .2"/></body>
      <body name="b" pos="0 0 2.2"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="b"/></body></worldbody>
      <equality><connect site1="m" site2="b"/></equality></mujoco>)");
  world.m->site_pos[2] += .1;
  Steps(world, 1);
  EXPECT_FALSE(Sleeps(world, 0));
}

// Free fall for 0.2 s is 0.196 m; semi-implicit steps of 2 ms fall by (n + 1) / n more.
TEST(SwitchedEqualities, LetGo) {
  for (const char* hold : kHolds) {
    World world = Asleep(Hanging(hold));
    const double height[] = {world.d->qpos[2], world.d->qpos[7]};
    world.d->eq_active[0] = 0;
    Steps(world, 100);
    EXPECT_NEAR(height[0] - world.d->qpos[2], .5 * 9.81 * .2 * .2 * 1.01, 1e-6) << hold;
    EXPECT_EQ(world.d->qpos[7], height[1]);
    world.d->eq_active[1] = 0;
    Steps(world, 100);
    EXPECT_NEAR(height[1] - world.d->qpos[7], .5 * 9.81 * .2 * .2 * 1.01, 1e-6) << hold;
  }
}

// A weld that was off takes hold of a sleeper at a distance; one whose numbers are edited moves it.
TEST(SwitchedEqualities, TakeHold) {
  World world = Asleep(R"(<mujoco><option><flag sleep="enable"/></option><worldbody>
      <geom type="plane" size="5 5 .1"/><body name="m" mocap="true" pos="0 0 2"/>
      <body name="b" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>
      <equality><weld body1="m" body2="b" relpose="0 0 0 1 0 0 0" active="false"/></equality></mujoco>)");
  world.d->mocap_pos[2] = 1;  // nothing is tied to it yet
  Steps(world, 10);
  EXPECT_TRUE(Sleeps(world, 0));
  world.d->eq_active[0] = 1;
  Steps(world, 3000);
  EXPECT_NEAR(Height(world, 0), 1, 1e-3);
  ASSERT_TRUE(Sleeps(world, 0));
  world.m->eq_data[2] += .2;  // of the anchor in body 2, which is at the mocap body's origin
  Steps(world, 3000);
  EXPECT_NEAR(Height(world, 0), .8, 1e-3);
}

// Two boxes that sleep together, the upper one held by the lower one alone.
TEST(SwitchedEqualities, PartSleepersOfOneCycle) {
  World world = Asleep(R"(<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="5 5 .1"/>
      <body name="a" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body name="b" pos="0 0 1"><freejoint/><geom type="box" size=".05 .05 .05"/></body></worldbody>
      <equality><weld body1="a" body2="b"/></equality></mujoco>)");
  world.d->eq_active[0] = 0;
  Steps(world, 3000);
  EXPECT_NEAR(Height(world, 1), .25, 1e-3);  // on the other
}

TEST(SwitchedEqualities, AreKnownToCopiesAndSnapshots) {
  World world = Asleep(Hanging(kHolds[0]));
  World copy(ModelFromText(Hanging(kHolds[0])));
  mj_copyData(copy.d.get(), world.m.get(), world.d.get());
  copy.d->eq_active[0] = 0;
  Steps(copy, 1);
  EXPECT_FALSE(Sleeps(copy, 0));
  EXPECT_TRUE(Sleeps(copy, 1));
}

// ---- tendons

// A rope of 1 m between a sleeping box and a mocap body that goes up.
TEST(MovedBodies, PullByTendons) {
  World world = Asleep(R"(<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="5 5 .1"/>
      <body mocap="true" pos="0 0 1"><site name="m"/></body>
      <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="b"/></body></worldbody>
      <tendon><spatial range="0 1" limited="true"><site site="m"/><site site="b"/></spatial></tendon></mujoco>)");
  for (int i = 0; i < 1000; ++i) {
    world.d->mocap_pos[2] += 1e-3;
    Steps(world, 1);
  }
  EXPECT_NEAR(Height(world, 0), 1, .02);  // the limit is soft
}

// ---- batches

TEST(MovedBodies, WakeTheirWorldOfABatchAlone) {
  const ModelPtr m = ModelFromText(kShelves);
  mjBatchConfig config;
  mjb_defaultConfig(&config);
  config.persistent = 1;
  char error[500] = "";
  mjBatch* batch = mjb_makeBatch(m.get(), 3, &config, error, sizeof(error));
  ASSERT_TRUE(batch) << error;
  const auto component = [&](int which, int world) {
    int size = 0;
    mjtNum* values = mjb_stateComponent(batch, which, &size);
    return values + world * mjb_nstate(batch);
  };
  ASSERT_EQ(mjb_step(batch, nullptr, 0, 500, mjSTAGE_NONE), 0);
  component(mjSTATE_MOCAP_POS, 1)[2] -= .5;
  auto* pos = static_cast<mjtNum*>(mjb_expand(batch, "body_pos", nullptr, nullptr));
  pos[3 * (2 * m->nbody + mj_name2id(m.get(), mjOBJ_BODY, "shelf")) + 2] -= .5;
  ASSERT_EQ(mjb_step(batch, nullptr, 0, 500, mjSTAGE_NONE), 0);
  const auto height = [&](int world, int tree) { return component(mjSTATE_QPOS, world)[7 * tree + 2]; };
  EXPECT_NEAR(height(0, kOnMocap), 1.15, 1e-3);
  EXPECT_NEAR(height(1, kOnMocap), .65, 1e-3);
  EXPECT_NEAR(height(1, kOnShelf), 1.15, 1e-3);
  EXPECT_NEAR(height(2, kOnShelf), .65, 1e-3);
  EXPECT_NEAR(height(2, kOnChild), 1.15, 1e-3);
  mjb_deleteBatch(batch);
}

}  // namespace
}  // namespace sinew
