// Contacts that hold their point: creep, slip, torsion, rolling, energy, state.
#include <gtest/gtest.h>
#include <sinew/extensions.h>
#include <sinew/stick.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "batch/pack/lane_pack.h"
#include "core/error.h"
#include "derivatives/transition.h"
#include "tests/testing/binary_model.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr const char* kCones[] = {"cone='elliptic'", "cone='pyramidal'"};
constexpr double kGravity = 9.81;

std::string Scene(const std::string& option, const std::string& bodies, const std::string& more = "") {
  return "<mujoco><option " + option + "/><worldbody>" + bodies + "</worldbody>" + more + "</mujoco>";
}

void RunFor(World& w, double seconds) {
  const auto steps = static_cast<int>(std::lround(seconds / w.m->opt.timestep));
  for (int i = 0; i < steps; ++i) mj_step(w.m.get(), w.d.get());
}

// How far the position of a free body moves in so many seconds.
double MoveIn(World& w, double seconds, int address = 0) {
  const double* x = w.d->qpos + address;
  const std::vector<double> before(x, x + 3);
  RunFor(w, seconds);
  return std::hypot(x[0] - before[0], x[1] - before[1], x[2] - before[2]);
}

// A block on a floor of friction mu, where gravity pulls as on a slope of a tangent that is a part of mu.
World OnSlope(const std::string& option, double part, const std::string& attributes = "", double mu = 0.5) {
  const double angle = std::atan(part * mu);
  const std::string gravity = " gravity='" + std::to_string(kGravity * std::sin(angle)) + " 0 " +
                              std::to_string(-kGravity * std::cos(angle)) + "' ";
  const std::string friction = "friction='" + std::to_string(mu) + " .02 .001' ";
  return World(ModelFromText(Scene(option + gravity, "<geom type='plane' size='9 9 1' " + friction +
                                                         "/><body pos='0 0 .05'><freejoint/><geom type='box' size='.1 "
                                                         ".08 .05' mass='2' " +
                                                         friction + attributes + "/></body>")));
}

// ---- creep

TEST(StickTest, ABlockOnASlopeDoesNotCreep) {
  for (const char* cone : kCones) {
    for (const char* condim : {"condim='3'", "condim='4'", "condim='6'"}) {
      World w = OnSlope(std::string(cone) + " stick='enable'", 0.9, condim);
      RunFor(w, 5);
      EXPECT_LT(MoveIn(w, 60), 60e-9) << cone << condim;  // 1 nm/s
      // it is displaced, by what its springs give way
      EXPECT_GT(w.d->qpos[0], 1e-5);
      EXPECT_LT(w.d->qpos[0], 5e-3);
    }
    World creeps = OnSlope(cone, 0.9);
    RunFor(creeps, 5);
    EXPECT_GT(MoveIn(creeps, 1), 1e-3) << cone;
  }
}

// The models of the gallery, for their users: models/hands/gripper_rod.xml.
TEST(StickTest, ARodInAGripperDoesNotCreep) {
  for (const char* cone : kCones) {
    World w(ModelFromFile("hands/gripper_rod.xml"));
    w.m->opt.cone = std::string(cone) == kCones[0] ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    mj_resetDataKeyframe(w.m.get(), w.d.get(), 0);
    RunFor(w, 5);
    EXPECT_GT(w.d->ncon, 3);
    EXPECT_LT(MoveIn(w, 60, 3), 60e-9) << cone;     // 1 nm/s
    EXPECT_NEAR(w.d->qpos[5], 0.3, 0.005) << cone;  // it falls until the fingers have closed
  }
}

// The lift goes up and down by 80 mm at 3 Hz, an acceleration of 3 g; afterwards the rod is where it was in the hand.
TEST(StickTest, ARodStaysInAHandThatShakes) {
  World w(ModelFromFile("hands/gripper_rod.xml"));
  mj_resetDataKeyframe(w.m.get(), w.d.get(), 0);
  RunFor(w, 3);
  const double before = w.d->qpos[5] - w.d->qpos[0];
  while (w.d->time < 13) {
    w.d->ctrl[0] = 0.08 * std::sin(2 * M_PI * 3 * (w.d->time - 3));
    mj_step(w.m.get(), w.d.get());
    ASSERT_NEAR(w.d->qpos[5] - w.d->qpos[0], before, 20e-6);  // its springs give way
  }
  w.d->ctrl[0] = 0;
  RunFor(w, 3);
  EXPECT_NEAR(w.d->qpos[5] - w.d->qpos[0], before, 60e-9);
}

// ---- slip

TEST(StickTest, TheConeIsTheThreshold) {
  for (const char* cone : kCones) {
    World holds = OnSlope(std::string(cone) + " stick='enable'", 0.99),
          slips = OnSlope(std::string(cone) + " stick='enable'", 1.01);
    RunFor(holds, 10);
    EXPECT_LT(MoveIn(holds, 10), 10e-9) << cone;
    RunFor(slips, 1);
    EXPECT_GT(MoveIn(slips, 1), 0.01) << cone;
  }
}

// A block that is pushed and let go comes to rest where friction has taken its energy: v^2 / (2 mu g).
TEST(StickTest, SlidingBlocksStopWhereFrictionStopsThem) {
  for (const char* cone : kCones) {
    World w = OnSlope(std::string(cone) + " stick='enable' timestep='.001'", 0);
    RunFor(w, 1);
    w.d->qvel[0] = 1;
    RunFor(w, 2);
    // the block's edges press unevenly while it stops, and it sways back by its displacement
    EXPECT_NEAR(w.d->qpos[0], 1 / (2 * 0.5 * kGravity), 0.02 / (2 * 0.5 * kGravity)) << cone;
    EXPECT_LT(MoveIn(w, 10), 10e-9) << cone;
  }
}

// ---- torsion and rolling

TEST(StickTest, ContactsOfFourDirectionsHoldTheirAngle) {
  for (const char* cone : kCones) {
    for (const bool sticks : {false, true}) {
      World w(ModelFromText(Scene(std::string(cone) + (sticks ? " stick='enable'" : ""),
                                  "<geom type='plane' size='1 1 1'/><body pos='0 0 .05'><freejoint/><geom size='.05' "
                                  "condim='4' friction='1 .01' mass='1'/></body>")));
      RunFor(w, 1);
      w.d->qfrc_applied[5] = 0.5 * 0.01 * kGravity;  // half of what it can hold
      RunFor(w, 2);
      const double before = w.d->qpos[6];
      RunFor(w, 10);
      EXPECT_EQ(std::abs(w.d->qpos[6] - before) < 1e-9, sticks) << cone;
    }
  }
}

TEST(StickTest, BallsRollFreelyAndRestWhereTheyMay) {
  for (const char* cone : kCones) {
    const auto ball = [&](const std::string& condim, double force) {
      World w(ModelFromText(Scene(std::string(cone) + " stick='enable'",
                                  "<geom type='plane' size='9 9 1'/><body pos='0 0 .05'><freejoint/><geom size='.05' "
                                  "friction='1 .01 .005' mass='1' condim='" +
                                      condim + "'/></body>")));
      RunFor(w, 1);
      w.d->qfrc_applied[0] = force;
      return w;
    };
    // rolling: 7/5 m a = F
    World rolls = ball("3", 0.1);
    RunFor(rolls, 2);
    EXPECT_NEAR(rolls.d->qvel[0], 0.1 * 2 / 1.4, 0.01 * 0.1 * 2 / 1.4) << cone;
    // the moment F r about the contact is half of what resists rolling
    World rests = ball("6", 0.5 * 0.005 * kGravity / 0.05);
    RunFor(rests, 20);  // the springs of rolling are weak, as their regularization is large
    EXPECT_LT(MoveIn(rests, 10), 10e-9) << cone;
  }
}

TEST(StickTest, BlocksOnBeltsKeepTheirPlace) {
  World w(ModelFromText(Scene("stick='enable' cone='elliptic' gravity='2 0 -9.81'",
                              "<geom type='plane' size='9 9 1' surfacevel='0 .3 0'/><body pos='0 0 .05'><freejoint/>"
                              "<geom type='box' size='.1 .1 .05'/></body>")));
  RunFor(w, 5);
  const double x = w.d->qpos[0], y = w.d->qpos[1];
  RunFor(w, 10);
  EXPECT_NEAR(w.d->qpos[0], x, 10e-9);
  EXPECT_NEAR(w.d->qpos[1], y + 0.3 * 10, 1e-6);
}

// ---- who sticks

TEST(StickTest, GeomsAndPairsDecide) {
  const auto holds = [](const std::string& option, const std::string& floor, const std::string& box,
                        const std::string& pair) {
    World w(ModelFromText(Scene(option + " gravity='3 0 -9.81'",
                                "<geom name='f' type='plane' size='9 9 1' " + floor +
                                    "/><body pos='0 0 .05'><freejoint/><geom name='b' type='box' size='.1 .1 .05' " +
                                    box + "/></body>",
                                pair.empty() ? "" : "<contact><pair geom1='f' geom2='b' " + pair + "/></contact>")));
    RunFor(w, 3);
    return MoveIn(w, 1) < 1e-9;
  };
  EXPECT_TRUE(holds("stick='enable'", "", "", ""));
  EXPECT_FALSE(holds("stick='enable'", "stick='disable'", "", ""));
  EXPECT_TRUE(holds("", "stick='enable'", "", ""));
  EXPECT_FALSE(holds("", "stick='enable'", "stick='disable'", ""));
  EXPECT_TRUE(holds("", "stick='enable' priority='1'", "stick='disable'", ""));
  EXPECT_TRUE(holds("", "", "", "stick='enable'"));
  EXPECT_FALSE(holds("stick='enable'", "", "", "stick='disable'"));
}

TEST(StickTest, ContactsWithoutASlotAreAsWithoutStick) {
  // a box has four contacts: two that hold and two that creep hold it together
  World two(ModelFromText(Scene("stick='enable' stickslots='2' gravity='1 0 -9.81'",
                                "<geom type='plane' size='9 9 1'/><body pos='0 0 .05'><freejoint/><geom type='box' "
                                "size='.1 .1 .05'/></body>")));
  EXPECT_EQ(two.m->nhistory, 2 * static_cast<int>(sizeof(sinewAnchor) / sizeof(double)));
  RunFor(two, 5);
  EXPECT_LT(MoveIn(two, 1), 1e-9);
}

// ---- energy

// Energy of a world with contacts that hold: kinetic, in the metric M + J' D J of the regularized problem, and stored.
double Energy(const World& w) {
  double energy = 0;
  for (int i = 0; i < w.m->nv; ++i) energy += 0.5 * w.d->qM[i] * w.d->qvel[i] * w.d->qvel[i];  // slides: M is diagonal
  std::vector<double> speed(static_cast<size_t>(w.d->nefc));
  mj_mulJacVec(w.m.get(), w.d.get(), speed.data(), w.d->qvel);
  for (int i = 0; i < w.d->ncon; ++i) {
    for (int row = w.d->contact[i].efc_address + 1; row < w.d->contact[i].efc_address + 3; ++row) {
      energy += 0.5 * w.d->efc_D[row] * speed[static_cast<size_t>(row)] * speed[static_cast<size_t>(row)];
    }
  }
  const auto* anchor = reinterpret_cast<const sinewAnchor*>(w.d->history);
  for (size_t i = 0; i < static_cast<size_t>(w.m->nhistory) / (sizeof(sinewAnchor) / sizeof(double)); ++i) {
    for (const double x : anchor[i].slide) energy += 0.5 * anchor[i].stiffness * x * x;
  }
  return energy;
}

// A block that swings on its anchors loses energy.
TEST(StickTest, EnergyFalls) {
  World w(ModelFromText(Scene("stick='enable' cone='elliptic' timestep='.0005'",
                              "<geom type='plane' size='9 9 1' friction='2'/><body pos='0 0 .05'><joint type='slide' "
                              "axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/><geom "
                              "type='box' size='.1 .1 .05' mass='1'/></body>")));
  RunFor(w, 3);
  w.d->qvel[0] = 0.01;
  mj_forward(w.m.get(), w.d.get());
  const double begin = Energy(w);
  double most = begin;
  for (int i = 0; i < 4000 && most > 1e-12 * begin; ++i) {
    mj_step(w.m.get(), w.d.get());
    const double energy = Energy(w);
    ASSERT_LE(energy, most * 1.05) << i;  // a symplectic step keeps it to first order in h, of 0.025 time constants
    most = std::min(most, energy);
  }
  EXPECT_LT(most, 1e-6 * begin);
}

// A pile that falls into rest never has more energy than it began with.
TEST(StickTest, PilesComeToRest) {
  for (const char* cone : kCones) {
    std::string boxes;
    for (int i = 0; i < 6; ++i) {
      const std::string x = std::to_string(0.02 * (i % 3) - 0.02), z = std::to_string(0.06 + 0.13 * i);
      boxes += "<body pos='" + x + " 0 " + z + "' euler='" + std::to_string(7 * i) + " 5 " + std::to_string(20 * i) +
               "'><freejoint/><geom type='box' size='.07 .06 .05'/></body>";
    }
    World w(ModelFromText(
        Scene(std::string(cone) + " stick='enable'", "<geom type='plane' size='9 9 1' condim='4'/>" + boxes)));
    w.m->opt.enableflags |= mjENBL_ENERGY;
    mj_forward(w.m.get(), w.d.get());
    const double begin = w.d->energy[0] + w.d->energy[1];
    while (w.d->time < 20) {
      mj_step(w.m.get(), w.d.get());
      ASSERT_LE(w.d->energy[0] + w.d->energy[1], begin * (1 + 1e-6)) << cone << w.d->time;
    }
    EXPECT_LT(w.d->energy[1], 1e-12) << cone;
  }
}

// ---- state

std::vector<double> StateOf(const World& w) {
  std::vector<double> x(static_cast<size_t>(mj_stateSize(w.m.get(), mjSTATE_INTEGRATION)));
  mj_getState(w.m.get(), w.d.get(), x.data(), mjSTATE_INTEGRATION);
  return x;
}

TEST(StickTest, StatesContinueBitForBit) {
  World w = OnSlope("stick='enable' cone='elliptic'", 0.8, "condim='4'");
  RunFor(w, 0.3);
  const std::vector<double> middle = StateOf(w);
  const DataPtr copy(mj_copyData(nullptr, w.m.get(), w.d.get()));
  std::vector<char> snapshot(static_cast<size_t>(sinew_snapshotSize(w.m.get())));
  sinew_saveSnapshot(w.m.get(), w.d.get(), snapshot.data(), static_cast<int>(snapshot.size()));
  RunFor(w, 0.2);
  const std::vector<double> end = StateOf(w);
  const auto continues = [&](mjData* d) {
    for (int i = 0; i < 100; ++i) mj_step(w.m.get(), d);
    std::vector<double> x(end.size());
    mj_getState(w.m.get(), d, x.data(), mjSTATE_INTEGRATION);
    return x == end;
  };
  EXPECT_TRUE(continues(copy.get()));
  const DataPtr fresh(mj_makeData(w.m.get())), loaded(mj_makeData(w.m.get()));
  mj_setState(w.m.get(), fresh.get(), middle.data(), mjSTATE_INTEGRATION);
  EXPECT_TRUE(continues(fresh.get()));
  char error[200] = "";
  ASSERT_EQ(sinew_loadSnapshot(w.m.get(), loaded.get(), snapshot.data(), static_cast<int>(snapshot.size()), error,
                               sizeof error),
            0)
      << error;
  EXPECT_TRUE(continues(loaded.get()));
  // a reset forgets anchors
  mj_resetData(w.m.get(), w.d.get());
  EXPECT_TRUE(std::all_of(w.d->history, w.d->history + w.m->nhistory, [](double x) { return x == 0; }));
}

TEST(StickTest, LookingChangesNothing) {
  World w = OnSlope("stick='enable'", 0.8);
  RunFor(w, 0.3);
  const std::vector<double> before = StateOf(w);
  for (int i = 0; i < 3; ++i) mj_forward(w.m.get(), w.d.get());
  std::vector<double> after = StateOf(w);
  const auto history = static_cast<size_t>(mj_stateSize(w.m.get(), mjSTATE_HISTORY));
  const auto first = static_cast<ptrdiff_t>(mj_stateSize(w.m.get(), mjSTATE_HISTORY - 1));
  EXPECT_TRUE(std::equal(before.begin() + first, before.begin() + first + static_cast<ptrdiff_t>(history),
                         after.begin() + first));
  w.m->opt.tolerance = 0;
  mj_forward(w.m.get(), w.d.get());
  mj_compareFwdInv(w.m.get(), w.d.get());
  EXPECT_LT(w.d->solver_fwdinv[1], 1e-7);  // of 20 N: inverse dynamics know the anchors
}

TEST(StickTest, SleepersKeepTheirAnchors) {
  World w = OnSlope("stick='enable' cone='elliptic'", 0.8);
  w.m->opt.enableflags |= mjENBL_SLEEP;
  mj_resetData(w.m.get(), w.d.get());
  RunFor(w, 10);
  ASSERT_GE(w.d->tree_asleep[0], 0);
  const double asleep = w.d->qpos[0];
  w.d->qvel[5] = 1e-9;  // wakes it
  RunFor(w, 5);
  EXPECT_NEAR(w.d->qpos[0], asleep, 1e-6);  // of 70 um, within which it still moved when it fell asleep
}

// ---- files and refusals

TEST(StickTest, FilesSayIt) {
  const std::string text =
      "<mujoco><option stick='enable' stickslots='9'/><default><geom stick='disable'/></default><worldbody><geom "
      "name='a' size='.1'/><geom name='b' size='.1' stick='enable'/></worldbody><contact><pair geom1='a' geom2='b' "
      "stick='enable'/></contact></mujoco>";
  const auto numbers = [](const mjModel* m) {
    const int array = mj_name2id(m, mjOBJ_NUMERIC, sinewSTICK);
    if (array < 0) return std::vector<double>();
    const mjtNum* first = m->numeric_data + m->numeric_adr[array];
    return std::vector<double>(first, first + m->numeric_size[array]);
  };
  const std::vector<double> expected = {9, 1, 0, 1, 1};
  char error[1000] = "";
  const SpecPtr spec(mj_parseXMLString(text.c_str(), nullptr, error, sizeof error));
  ASSERT_TRUE(spec) << error;
  const ModelPtr m(mj_compile(spec.get(), nullptr));
  ASSERT_TRUE(m);
  EXPECT_EQ(numbers(m.get()), expected);
  std::string written(20000, '\0');
  ASSERT_EQ(mj_saveXMLString(spec.get(), written.data(), static_cast<int>(written.size()), error, sizeof error), 0);
  EXPECT_EQ(numbers(ModelFromText(written.c_str()).get()), expected);
  const ModelPtr again = ThroughBinary(m.get());
  ASSERT_TRUE(again);
  EXPECT_EQ(numbers(again.get()), expected);
  EXPECT_TRUE(numbers(ModelFromText("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>").get()).empty());
}

TEST(StickTest, WrongNumbersAreErrors) {
  for (const char* wrong : {"stick='maybe'", "stick='enable' stickslots='-1'", "stick='enable' stickslots='1e9'",
                            "stick='enable' stickslots='1.5'", "stick='enable' stickslots='nan'",
                            "stick='enable' integrator='merson'", "stick='enable' accuracy='1e-3'"}) {
    EXPECT_THROW(ModelFromText(Scene(wrong, "<geom size='.1'/>")), std::runtime_error) << wrong;
  }
}

TEST(StickTest, WhatIsNotThereIsRefused) {
  World w = OnSlope("stick='enable'", 0.5);
  EXPECT_EQ(ObstacleToLanes(*w.m), nullptr);
  EXPECT_EQ(ObstacleToLinearize(w.m.get()), "");
  EXPECT_EQ(ObstacleToDifferentiateRollouts(w.m.get()),
            "contacts hold their point at anchors, which move from step to step");
}

// A step takes room for the anchors that there are, beside bodies that may sleep too, where they change places.
TEST(StickTest, StepsNeedNoRoomForSlotsWithoutAnchors) {
  World w = OnSlope("stick='enable' stickslots='1e6'", 0.5);
  w.m->opt.enableflags |= mjENBL_SLEEP;
  for (int i = 0; i < 10; ++i) mj_step(w.m.get(), w.d.get());
  EXPECT_GT(w.d->ncon, 0);
  EXPECT_LT(w.d->maxuse_stack, 1u << 20);
}

// Whatever stands in anchors and in the array, worlds stay finite, or are reset with a warning.
TEST(StickTest, BadNumbersAreSafe) {
  World w = OnSlope("stick='enable' stickslots='5'", 0.5);
  RunFor(w, 0.1);
  const std::vector<double> state = StateOf(w);
  const auto first = static_cast<size_t>(mj_stateSize(w.m.get(), mjSTATE_HISTORY - 1));
  for (size_t i = 0; i < 36; ++i) {
    for (const double bad : {double(NAN), 1e300, -7.0, 1e9}) {
      std::vector<double> damaged = state;
      damaged[first + i] = bad;
      mj_setState(w.m.get(), w.d.get(), damaged.data(), mjSTATE_INTEGRATION);
      for (int k = 0; k < 3; ++k) mj_step(w.m.get(), w.d.get());
      for (int k = 0; k < 7; ++k) EXPECT_TRUE(std::isfinite(w.d->qpos[k])) << i << " " << bad;
    }
  }
  const int array = mj_name2id(w.m.get(), mjOBJ_NUMERIC, sinewSTICK);
  for (int i = 0; i < w.m->numeric_size[array]; ++i) {
    for (const double bad : {double(NAN), 1e300, -7.0, 1e9}) {
      mjtNum& number = w.m->numeric_data[w.m->numeric_adr[array] + i];
      const mjtNum kept = number;
      number = bad;
      mj_setState(w.m.get(), w.d.get(), state.data(), mjSTATE_INTEGRATION);
      for (int k = 0; k < 3; ++k) mj_step(w.m.get(), w.d.get());
      for (int k = 0; k < 7; ++k) EXPECT_TRUE(std::isfinite(w.d->qpos[k])) << i << " " << bad;
      number = kept;
    }
  }
}

}  // namespace
}  // namespace sinew
