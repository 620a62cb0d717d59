// Contacts that hold their point, in packs: every lane equals the run of its world alone, bit for bit, anchors included
// (they are part of the state that is compared).
#include <cstring>
#include <limits>
#include <string>

#include "model/kinds/stick.h"
#include "tests/support/lane_steps.h"

namespace sinew::testing {
namespace {

class StickOfLanes : public Lanes {};

// How many contacts of a world have an anchor that has been displaced.
int DisplacedAnchors(const mjModel& m, mjData& d) {
  int count = 0;
  for (const Anchor& anchor : AnchorsOf(&m, &d)) count += anchor.slide[0] != 0 || anchor.turn[0] != 0;
  return count;
}

TEST_P(StickOfLanes, WalkersEqualWorldsAlone) {
  for (const auto& [option, condim] : {std::pair("", "3"),
                                       {"cone='elliptic' impratio='5'", "3"},
                                       {"", "4"},
                                       {"cone='elliptic'", "6"},
                                       {"integrator='implicitfast'", "6"},
                                       {"integrator='discrete' cone='elliptic'", "3"},
                                       {"integrator='RK4'", "3"},
                                       {"jacobian='sparse'", "4"},
                                       {"stickslots='3'", "3"}}) {
    SCOPED_TRACE(std::string(option) + ", condim " + condim);
    const ModelPtr m = ReadModel(Walker((std::string("stick='enable' ") + option).c_str(), condim));
    ASSERT_EQ(ObstacleToLanes(*m), nullptr);
    ExpectStepsEqualAlone(*m, *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Rows of these solvers are made in the worlds of the lanes, and so are those of models with more pairs of geoms than
// lanes list: anchors move there.
TEST_P(StickOfLanes, RowsOfWorldsEqualWorldsAlone) {
  for (const char* option : {"solver='PGS'", "solver='PGS' cone='elliptic'", "solver='CG'", "noslip_iterations='3'"}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(*ReadModel(Walker((std::string("stick='enable' ") + option).c_str(), "3")), *GetParam());
    if (HasFatalFailure()) return;
  }
  std::string crowd = "<worldbody>";
  for (int i = 0; i < 600; ++i) crowd += "<geom type='sphere' size='.01' pos='" + std::to_string(9 + i) + " 0 0'/>";
  for (const char* option : {"", "cone='elliptic'"}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(
        *ReadModel(Walker((std::string("stick='enable' ") + option).c_str(), "3", (crowd + "</worldbody>").c_str())),
        *GetParam());
    if (HasFatalFailure()) return;
  }
}

TEST_P(StickOfLanes, MovingSurfacesEqualWorldsAlone) {
  for (const char* option : {"", "cone='elliptic' integrator='implicitfast'"}) {
    SCOPED_TRACE(option);
    std::string text = Walker((std::string("stick='enable' ") + option).c_str(), "6");
    text.insert(text.find("<default><geom ") + 15, "surfacevel='.5 .2 0 .3 .2 1' ");
    ExpectStepsEqualAlone(*ReadModel(text), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Geoms that hold and geoms that do not, explicit pairs, shapes with and without a formula, and several points of a
// pair, of which some come and go.
TEST_P(StickOfLanes, ShapesAndPairsEqualWorldsAlone) {
  constexpr char kShapes[] = R"(<mujoco><option timestep=".003" %s/>
<asset><mesh name="wedge" vertex="0 0 0 .2 0 0 0 .2 0 .2 .2 0 .1 .1 .15"/></asset><default><geom friction=".9" condim="4"/></default>
<worldbody><geom name="floor" type="plane" size="5 5 .1" stick="enable"/>
 <geom type="box" size=".2 .2 .06" pos="0 .35 .05" euler="0 10 20" stick="enable"/><geom type="mesh" mesh="wedge" pos="-.3 -.1 0" stick="enable"/>
 <geom name="can" type="cylinder" size=".1 .1" pos=".1 -.35 .02"/>
 <body pos="0 0 .15"><freejoint/><geom name="ball" type="sphere" size=".06"/>
  <geom type="box" size=".15 .05 .06" pos=".1 0 0"/><geom type="capsule" size=".04 .15" pos=".1 0 0" euler="0 90 0" stick="disable"/>
  <body pos=".1 .2 0"><joint axis="1 0 0" range="-30 30"/><geom type="mesh" mesh="wedge"/></body>
  <body pos="-.2 -.1 0"><joint axis="0 1 0" frictionloss=".1"/><geom name="drum" type="cylinder" size=".05 .06"/><geom type="sphere" size=".05"/></body>
 </body></worldbody><contact><pair geom1="floor" geom2="ball" stick="disable"/><pair geom1="can" geom2="drum" condim="6" stick="enable"/>
 <pair geom1="drum" geom2="can" condim="3" stick="enable"/></contact></mujoco>)";
  for (const char* option : {"", "cone='elliptic'", "solver='PGS'", "integrator='RK4'"}) {
    SCOPED_TRACE(option);
    char text[sizeof(kShapes) + 100];
    std::snprintf(text, sizeof(text), kShapes, option);
    ExpectStepsEqualAlone(*ReadModel(text), *GetParam());
    if (HasFatalFailure()) return;
  }
}

constexpr char kSlope[] = R"(<mujoco><option stick="enable" cone="elliptic" gravity="%s 0 -9.81"/>
<worldbody><geom type="plane" size="9 9 1" friction=".5"/><body pos="0 0 .05"><freejoint/>
<geom type="box" size=".1 .1 .05" friction=".5"/></body></worldbody></mujoco>)";

ModelPtr Slope(const char* pull) {
  char text[sizeof(kSlope) + 20];
  std::snprintf(text, sizeof(text), kSlope, pull);
  return ReadModel(text);
}

// A world that goes bad forgets its anchors, as alone, and the others keep theirs.
TEST_P(StickOfLanes, BadWorldsForgetTheirAnchors) {
  const ModelPtr m = Slope("4");
  const int width = GetParam()->width;
  LanePack pack(*m, *GetParam());
  const DataPtr alone(MakeData(*m)), fresh(MakeData(*m));
  for (int step = 0; step < 100; ++step) {
    pack.Step();
    mj_step(m.get(), alone.get());
  }
  ASSERT_GE(DisplacedAnchors(*m, *alone), 4);
  std::vector<double> state(static_cast<size_t>(mj_stateSize(m.get(), mjSTATE_INTEGRATION))), expected(state.size());
  const int bad = width - 1;
  pack.SaveState(bad, state.data());
  state[1] = std::numeric_limits<double>::quiet_NaN();
  pack.LoadState(bad, state.data());
  for (int step = 0; step < 5; ++step) {
    pack.Step();
    mj_step(m.get(), alone.get());
    mj_step(m.get(), fresh.get());
  }
  for (int lane = 0; lane < width; ++lane) {
    mjData* d = lane == bad ? fresh.get() : alone.get();
    mj_getState(m.get(), d, expected.data(), mjSTATE_INTEGRATION);
    pack.SaveState(lane, state.data());
    EXPECT_TRUE(SameBits(state.data(), expected.data(), static_cast<mjtSize>(state.size()))) << lane;
  }
}

// Whole worlds go into lanes and come back with their anchors.
TEST_P(StickOfLanes, WorldsBringTheirAnchors) {
  const ModelPtr m = Slope("4");
  LanePack pack(*m, *GetParam());
  const DataPtr alone(MakeData(*m)), back(MakeData(*m));
  for (int step = 0; step < 100; ++step) mj_step(m.get(), alone.get());
  for (int lane = 0; lane < pack.width(); ++lane) pack.Load(lane, *alone);
  for (int step = 0; step < 50; ++step) {
    pack.Step();
    mj_step(m.get(), alone.get());
  }
  for (int lane = 0; lane < pack.width(); ++lane) {
    pack.Save(lane, back.get());
    EXPECT_TRUE(SameBits(back->history, alone->history, m->nhistory)) << lane;
    EXPECT_TRUE(SameBits(back->qpos, alone->qpos, m->nq)) << lane;
  }
  EXPECT_GE(DisplacedAnchors(*m, *back), 4);
}

// Looking does not move anchors.
TEST_P(StickOfLanes, ForwardDynamicsKeepAnchors) {
  const ModelPtr m = Slope("4");
  LanePack pack(*m, *GetParam());
  for (int step = 0; step < 50; ++step) pack.Step();
  const DataPtr before(MakeData(*m)), after(MakeData(*m));
  pack.Save(0, before.get());
  pack.Forward();
  pack.Save(0, after.get());
  EXPECT_TRUE(SameBits(before->history, after->history, m->nhistory));
}

SINEW_ON_ALL_LANES(StickOfLanes);

// ---- single precision

class StickOfFloats : public Lanes {};

// A block on a slope at 0.8 of its friction angle stays where it is. Positions of floats of 0.1 m have 1e-8 m.
TEST_P(StickOfFloats, BlocksHold) {
  const ModelPtr m = Slope("3.9");
  LanePack pack(*m, *GetParam());
  for (int step = 0; step < 500; ++step) pack.Step();
  const DataPtr before(MakeData(*m)), after(MakeData(*m));
  pack.Save(0, before.get());
  for (int step = 0; step < 2000; ++step) pack.Step();
  pack.Save(0, after.get());
  EXPECT_NEAR(after->qpos[0], before->qpos[0], 1e-6);
  EXPECT_GE(DisplacedAnchors(*m, *after), 4);
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, StickOfFloats, ::testing::ValuesIn(RunnableLanes(Precision::kSingle)),
                         [](const auto& lanes) { return std::string(lanes.param->name); });

}  // namespace
}  // namespace sinew::testing
