// Packs of float: near to double, the same in any company and at any width, with a clock of double precision.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "batch/pack/lane_pack.h"
#include "model/state/state.h"
#include "model/storage/data.h"
#include "model/storage/model.h"

namespace sinew::testing {
namespace {

ModelPtr ReadModel(const std::string& xml) {
  char error[1000] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "model.xml", xml.data(), static_cast<int>(xml.size()));
  ModelPtr m(mj_loadXML("model.xml", &vfs, error, sizeof(error)));
  mj_deleteVFS(&vfs);
  EXPECT_TRUE(m) << error;
  return m;
}

// Three links with limits and friction above a floor, which they come to touch. `motor`: an element.
ModelPtr Chain(const std::string& option, const std::string& motor = "<motor joint='end' gear='.2'/>") {
  return ReadModel("<mujoco><option timestep='0.002' " + option + R"(/>
    <worldbody><geom type="plane" size="5 5 .1"/>
     <body pos="0 0 .4"><freejoint/><geom type="capsule" size=".05" fromto="0 0 0 .2 0 0"/>
      <body pos=".2 0 0"><joint axis="0 1 0" range="-30 30" limited="true" damping=".1"/>
       <geom type="capsule" size=".04" fromto="0 0 0 .2 0 0"/>
       <body pos=".2 0 0"><joint name="end" axis="0 1 0" frictionloss=".05"/>
        <geom type="sphere" size=".06" pos=".1 0 0"/></body></body></body></worldbody>
    <actuator>)" + motor +
                   R"(</actuator>
    <sensor><jointpos joint="end"/><subtreecom body="world"/></sensor></mujoco>)");
}

std::vector<double> StateOf(const mjModel& m, const mjData& d) {
  std::vector<double> state(static_cast<size_t>(StateSize(m, mjSTATE_INTEGRATION)));
  mj_getState(&m, &d, state.data(), mjSTATE_INTEGRATION);
  return state;
}

// Different in each world, small enough that nothing touches at first.
std::vector<double> RandomState(const mjModel& m, unsigned seed) {
  DataPtr d(MakeData(m));
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 0.3);
  for (int i = 0; i < m.nv; ++i) d->qvel[i] = normal(random);
  if (m.nu > 0) d->ctrl[0] = normal(random);
  return StateOf(m, *d);
}

// Steps worlds with these seeds in the lanes of a pack, and returns their states.
std::vector<std::vector<double>> StepPack(const mjModel& m, const LaneOps& ops, const std::vector<unsigned>& seeds,
                                          int steps) {
  LanePack pack(m, ops);
  std::vector<std::vector<double>> states;
  for (int lane = 0; lane < ops.width; ++lane) {
    pack.LoadState(lane, RandomState(m, seeds[static_cast<size_t>(lane) % seeds.size()]).data());
  }
  for (int step = 0; step < steps; ++step) pack.Step();
  for (int lane = 0; lane < ops.width; ++lane) {
    states.emplace_back(static_cast<size_t>(StateSize(m, mjSTATE_INTEGRATION)));
    pack.SaveState(lane, states.back().data());
  }
  return states;
}

// Steps a world in packs of each width, in different companies, where it has to end in the same state: returned.
std::vector<double> ExpectSameInAnyCompany(const mjModel& m, int steps) {
  const auto ops = RunnableLanes(Precision::kSingle);
  const std::vector<double> expected = StepPack(m, *ops[0], {1}, steps)[0];
  for (const LaneOps* each : ops) {
    SCOPED_TRACE(each->name);
    EXPECT_EQ(StepPack(m, *each, {1, 2, 3, 4, 5, 6, 7}, steps)[0], expected);
    EXPECT_EQ(StepPack(m, *each, {9, 8, 7, 1}, steps)[3], expected);
  }
  return expected;
}

class SinglePrecision : public ::testing::TestWithParam<const char*> {};

TEST_P(SinglePrecision, IsTheSameInAnyCompanyAtAnyWidth) {
  const ModelPtr m = Chain(GetParam());
  constexpr int kSteps = 300;  // the chain lies on the floor then
  ExpectSameInAnyCompany(*m, kSteps);
}

// A hundred steps in the air, before the first touch makes small differences large: rounding of 6e-8 at each of them,
// of velocities near 1 and at most as many times larger as there are steps.
TEST_P(SinglePrecision, IsNearToDouble) {
  const ModelPtr m = Chain(GetParam());
  const auto single = StepPack(*m, *RunnableLanes(Precision::kSingle).back(), {1, 2, 3}, 100);
  const auto exact = StepPack(*m, *RunnableLanes().back(), {1, 2, 3}, 100);
  double largest = 0;
  const size_t worlds = std::min({single.size(), exact.size(), size_t{3}});  // the narrowest pack has two lanes
  for (size_t lane = 0; lane < worlds; ++lane) {
    for (int i = 1; i < 1 + m->nq + m->nv; ++i) {
      largest =
          std::max(largest, std::fabs(single[lane][static_cast<size_t>(i)] - exact[lane][static_cast<size_t>(i)]));
    }
  }
  EXPECT_LT(largest, 1e-4);
  EXPECT_GT(largest, 0);  // it is single precision
}

// Hulls find the vertices that touch a plane lane by lane, in double precision, from the poses of floats: they come to
// stand as high as in double, in any company and at any width.
TEST(SinglePrecisionOfHulls, StandsAsInDouble) {
  const ModelPtr m = ReadModel(R"(<mujoco><option timestep="0.002"/>
    <asset><mesh name="foot" builtin="supersphere" params="20 .3 .3" scale=".12 .06 .03"/></asset>
    <worldbody><geom type="plane" size="5 5 .1"/>
     <body pos="0 0 .05"><freejoint/><geom type="mesh" mesh="foot" condim="3"/></body></worldbody></mujoco>)");
  constexpr int kSteps = 1000;
  const std::vector<double> expected = ExpectSameInAnyCompany(*m, kSteps);
  const std::vector<double> exact = StepPack(*m, *RunnableLanes().back(), {1}, kSteps)[0];
  EXPECT_NEAR(expected[3], exact[3], 1e-6);  // heights near 0.03 m, of which floats know 2e-9 m
  EXPECT_LT(exact[3], .05);
}

// The chain falls, bounces and comes to lie on the floor, where it creeps as in double precision. 1e-3 m/s is the
// change of velocity by gravity in a twentieth of a step.
TEST_P(SinglePrecision, ComesToRestAsInDouble) {
  const ModelPtr m = Chain(GetParam(), "");
  const auto single = StepPack(*m, *RunnableLanes(Precision::kSingle).back(), {1, 2}, 2500);
  const auto exact = StepPack(*m, *RunnableLanes().back(), {1, 2}, 2500);
  for (size_t lane = 0; lane < 2; ++lane) {
    for (int i = 0; i < m->nv; ++i) {
      const auto place = static_cast<size_t>(1 + m->nq + i);
      EXPECT_NEAR(single[lane][place], exact[lane][place], 1e-3);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Options, SinglePrecision,
                         ::testing::Values("", "cone='elliptic'", "solver='PGS'", "integrator='RK4'",
                                           "integrator='implicitfast'", "integrator='implicit' cone='elliptic'",
                                           "integrator='discrete'"));

// Newton's method ends where floats can tell no more: rounding of the cost is no improvement.
TEST(SinglePrecision, IteratesNoMoreThanDouble) {
  const ModelPtr m = Chain("", "");
  const auto iterations = [&](const LaneOps& ops) {
    LanePack pack(*m, ops);
    for (int lane = 0; lane < ops.width; ++lane) pack.LoadState(lane, RandomState(*m, 1).data());
    for (int step = 0; step < 1000; ++step) pack.Step();
    return pack.use().iterations / ops.width;
  };
  const double of_single = iterations(*RunnableLanes(Precision::kSingle).back());
  const double of_double = iterations(*RunnableLanes().back());
  EXPECT_GT(of_double, 1000);
  EXPECT_LT(of_single, 1.1 * of_double);
}

// Before sweeps, too, contacts with a formula are found in lanes: they are floats.
TEST(SinglePrecision, FindsContactsInLanesBeforeSweeps) {
  const ModelPtr m = Chain("solver='PGS'");
  LanePack pack(*m, Precision::kSingle);
  const std::vector<double> start = RandomState(*m, 1);
  for (int lane = 0; lane < pack.width(); ++lane) pack.LoadState(lane, start.data());
  int contacts = 0;
  for (int step = 0; step < 500; ++step) {
    pack.Step();
    const mjData& d = pack.world(1);
    contacts += d.ncon;
    for (int i = 0; i < d.ncon; ++i) {
      EXPECT_EQ(d.contact[i].dist, static_cast<double>(static_cast<float>(d.contact[i].dist)));
    }
  }
  EXPECT_GT(contacts, 500);
}

TEST(SinglePrecision, ClockIsExact) {
  const ModelPtr m = Chain("");
  LanePack pack(*m, Precision::kSingle);
  std::vector<double> state = RandomState(*m, 1);
  state[0] = 1e6;
  pack.LoadState(0, state.data());
  double expected = 1e6;
  for (int step = 0; step < 10; ++step) {
    pack.Step();
    expected += m->opt.timestep;
  }
  pack.SaveState(0, state.data());
  EXPECT_EQ(state[0], expected);
  DataPtr d(MakeData(*m));
  pack.Save(0, d.get());
  EXPECT_EQ(d->time, expected);
}

TEST(SinglePrecision, BadWorldIsResetAndNamed) {
  const ModelPtr m = Chain("");
  LanePack pack(*m, Precision::kSingle);
  std::vector<double> bad = RandomState(*m, 1);
  bad[static_cast<size_t>(1 + m->nq)] = NAN;
  const std::vector<double> good = RandomState(*m, 2);
  for (int lane = 0; lane < pack.width(); ++lane) pack.LoadState(lane, lane == 1 ? bad.data() : good.data());
  pack.Step();
  EXPECT_EQ(pack.status(1).warnings, 1 << mjWARN_BADQVEL);
  EXPECT_EQ(pack.status(0).warnings, 0);
  std::vector<double> state(good.size()), other(good.size());
  pack.SaveState(1, state.data());
  EXPECT_EQ(state[0], m->opt.timestep);  // a step from the initial state
  for (const double x : state) EXPECT_TRUE(std::isfinite(x));
  pack.SaveState(0, state.data());
  pack.SaveState(2, other.data());
  EXPECT_EQ(state, other);
}

// Forces of contacts reach the lanes' worlds, where outputs are read.
TEST(SinglePrecision, ShowsForces) {
  const ModelPtr m = Chain("", "");
  LanePack pack(*m, Precision::kSingle);
  const std::vector<double> start = RandomState(*m, 1);
  for (int lane = 0; lane < pack.width(); ++lane) pack.LoadState(lane, start.data());
  pack.KeepForces(true);
  for (int step = 0; step < 2500; ++step) pack.Step();
  const mjData& d = pack.world(0);
  ASSERT_GT(d.ncon, 0);
  double sum = 0;
  for (int i = 0; i < d.ncon; ++i) {
    mjtNum force[6];
    mj_contactForce(m.get(), &d, i, force);
    sum += force[0];
  }
  const double weight = -m->opt.gravity[2] * m->body_subtreemass[0];
  EXPECT_NEAR(sum, weight, 1e-3 * weight);  // rounding of floats in rows of some hundred newtons a metre
}

}  // namespace
}  // namespace sinew::testing
