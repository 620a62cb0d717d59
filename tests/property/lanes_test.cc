// Every lane of every instruction set equals the run of its world alone, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "batch/pack/lane_pack.h"
#include "core/error.h"
#include "model/storage/error_control.h"
#include "model/view/fields.h"
#include "step/forward.h"
#include "step/integrators.h"
#include "tests/support/lane_steps.h"
#include "tests/support/tree_model.h"

namespace sinew::testing {
namespace {

void ExpectSameArrays(const mjModel& m, const mjData& actual, const mjData& expected) {
  for (const DataArray& field : kDataFields) {
    if (field.kind != ElementKind::kNum) continue;
    const double* a = static_cast<const double*>(field.Pointer(actual));
    const double* e = static_cast<const double*>(field.Pointer(expected));
    for (size_t i = 0; i < field.Count(m, expected); ++i) {
      ASSERT_EQ(std::memcmp(a + i, e + i, sizeof(double)), 0)
          << field.name << "[" << i << "]: " << a[i] << " and " << e[i] << " differ by " << a[i] - e[i];
    }
  }
}

// Runs a few steps of random worlds in lanes and alone.
void ExpectLanesEqualScalar(const mjModel& m, const LaneOps& ops, std::mt19937& random) {
  constexpr int kSteps = 3;
  LanePack pack(m, ops);
  std::vector<DataPtr> alone, packed;
  for (int lane = 0; lane < ops.width; ++lane) {
    alone.emplace_back(MakeData(m));
    packed.emplace_back(MakeData(m));
    RandomState(m, alone.back().get(), random);
    CopyData(packed.back().get(), m, *alone.back());
    pack.Load(lane, *packed.back());
    for (int step = 0; step < kSteps; ++step) {
      Forward(&m, alone.back().get());
      Euler(&m, alone.back().get());
    }
  }
  for (int step = 0; step < kSteps; ++step) {
    pack.Forward();
    pack.Euler();
  }
  for (int lane = 0; lane < ops.width; ++lane) {
    pack.Save(lane, packed[lane].get());
    SCOPED_TRACE("lane " + std::to_string(lane));
    ExpectSameArrays(m, *packed[lane], *alone[lane]);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(Lanes, EqualScalarRuns) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("model " + std::to_string(seed));
    std::mt19937 random(seed);
    const ModelPtr m = MakeTree(RandomTree(random, 1 + static_cast<int>(seed)));
    ExpectLanesEqualScalar(*m, *GetParam(), random);
    if (HasFatalFailure()) return;
  }
}

// ---- whole steps, with constraints

TEST_P(Lanes, StepsEqualWorldsAlone) {
  for (const auto& [option, condim] : {std::pair("", "3"),
                                       {"cone='elliptic'", "3"},
                                       {"cone='elliptic'", "6"},
                                       {"integrator='implicitfast'", "1"},
                                       {"integrator='implicit'", "6"},
                                       {"integrator='discrete'", "3"},
                                       {"integrator='discrete' cone='elliptic' density='50' viscosity='.1'", "4"},
                                       {"integrator='RK4'", "3"},
                                       {"integrator='RK4' cone='elliptic'", "4"},
                                       {"jacobian='sparse'", "4"},
                                       {"impratio='5' cone='elliptic'", "4"}}) {
    SCOPED_TRACE(std::string(option) + ", condim " + condim);
    ExpectStepsEqualAlone(*ReadModel(Walker(option, condim)), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Activations are part of the state that stages of a step pass on.
TEST_P(Lanes, StepsWithActivationsEqualWorldsAlone) {
  for (const char* option : {"integrator='RK4'", "integrator='implicitfast'", "integrator='discrete'", ""}) {
    SCOPED_TRACE(option);
    const ModelPtr m = ReadModel(Walker(option, "3",
                                        "<actuator><general joint='k2' dyntype='filterexact' dynprm='.05' gainprm='3'/>"
                                        "<intvelocity joint='h1' kp='4' actrange='-1 1'/></actuator>"));
    ExpectStepsEqualAlone(*m, *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Sweeps of projected Gauss-Seidel in lanes; other solvers one world at a time.
TEST_P(Lanes, StepsWithOtherSolversEqualWorldsAlone) {
  for (const char* option :
       {"solver='PGS'", "solver='PGS' integrator='RK4' iterations='50'", "solver='PGS' jacobian='sparse'",
        "solver='PGS' cone='elliptic'", "solver='CG'", "noslip_iterations='3'", "solver='PGS' noslip_iterations='2'"}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(*ReadModel(Walker(option, "3")), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Up to 64 rows in each lane, the dual matrix is made in lanes; where some lane has more, in the worlds.
TEST_P(Lanes, StepsWithManySweptRowsEqualWorldsAlone) {
  constexpr char kTable[] =
      R"(<worldbody><body pos=".5 0 .1"><freejoint/><geom type="box" size=".1 .1 .05" condim="6"/></body>
 <body pos="-.6 .3 .15"><freejoint/><geom type="box" size=".1 .1 .05" condim="6"/></body></worldbody>)";
  const ModelPtr m = ReadModel(Walker("solver='PGS' jacobian='dense'", "3", kTable));
  ExpectStepsEqualAlone(*m, *GetParam());
  LanePack pack(*m, *GetParam());
  int few = 0, many = 0;
  for (int step = 0; step < 300; ++step) {
    pack.Step();
    const int rows = pack.status(0).rows;
    few += rows > 0 && rows <= 64;
    many += rows > 64;
    EXPECT_EQ(pack.world(0).nA, rows <= 64 ? 0 : rows * rows);
  }
  EXPECT_GT(few, 10);
  EXPECT_GT(many, 10);
}

// Trees meet, part and fly, each lane's at other times: what is one island in a lane is two in the next.
TEST_P(Lanes, StepsOfSeveralTreesEqualWorldsAlone) {
  constexpr char kBalls[] =
      "<worldbody><body name='ball' pos='.4 0 .2'><freejoint/><geom type='sphere' size='.1'/></body>"
      "<body pos='-1 0 .8'><freejoint/><geom type='sphere' size='.1'/></body>"
      "<body name='post' pos='.6 0 .3'><joint axis='0 1 0' frictionloss='.1'/><geom type='sphere' "
      "size='.1'/></body></worldbody>"
      "<equality><connect body1='ball' body2='post' anchor='0 0 .1'/></equality>";
  for (const char* option : {"", "solver='PGS'", "cone='elliptic' jacobian='sparse'"}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(*ReadModel(Walker(option, "3", kBalls)), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Geoms that are only seen have poses as soon as somebody asks: a ray, or the program.
TEST_P(Lanes, GeomsThatNoStepReadsArePlacedWhenAskedFor) {
  constexpr char kSeen[] =
      R"(<mujoco><default><default class="seen"><geom contype="0" conaffinity="0"/></default></default>
<worldbody><geom class="seen" type="sphere" size=".2" pos="0 0 -1"/>
 <body><joint axis="0 1 0"/><geom type="box" size=".1 .1 .1"/><site name="eye" pos="0 0 -.2" euler="180 0 0"/>
  <geom class="seen" type="box" size=".1 .2 .1" pos=".1 0 .3" euler="10 20 30"/>
  <body pos=".4 0 0"><joint type="ball"/><geom class="seen" size=".1 .1" type="capsule"/><geom size=".05" pos=".1 0 0"/></body>
 </body></worldbody>%s</mujoco>)";
  for (const char* sensor : {"", "<sensor><rangefinder site='eye'/></sensor>"}) {
    SCOPED_TRACE(sensor);
    char text[sizeof(kSeen) + 100];
    std::snprintf(text, sizeof(text), kSeen, sensor);
    const ModelPtr m = ReadModel(text);
    Runs alone(*m, GetParam()->width);
    LanePack pack(*m, *GetParam());
    for (int lane = 0; lane < pack.width(); ++lane) pack.LoadState(lane, alone.State(lane).data());
    DataPtr packed(MakeData(*m));
    for (int step = 0; step < 20; ++step) {
      alone.Step(step);
      pack.Step();
      for (int lane = 0; lane < pack.width(); ++lane) {
        pack.Save(lane, packed.get());
        const mjData& expected = alone.world(lane);
        ASSERT_TRUE(SameBits(packed->geom_xpos, expected.geom_xpos, 3 * m->ngeom)) << step;
        ASSERT_TRUE(SameBits(packed->geom_xmat, expected.geom_xmat, 9 * m->ngeom)) << step;
        ASSERT_TRUE(SameBits(packed->sensordata, expected.sensordata, m->nsensordata)) << step;
      }
    }
  }
}

// One lane is fed NaN, huge speeds or a full arena: the others do not notice, and its status says what happened.
TEST_P(Lanes, BadCompanyChangesNothing) {
  const LaneOps& ops = *GetParam();
  if (ops.width < 2) GTEST_SKIP() << "a world without company";
  const ModelPtr m = ReadModel(Walker("", "3"));
  const size_t qvel = static_cast<size_t>(mj_stateSize(m.get(), mjSTATE_QVEL - 1));
  const size_t ctrl = static_cast<size_t>(mj_stateSize(m.get(), mjSTATE_CTRL - 1));
  constexpr double kBad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e6};
  Runs worlds(*m, ops.width);
  LanePack good(*m, ops), bad(*m, ops);
  std::vector<std::vector<double>> states;
  for (int lane = 0; lane < ops.width; ++lane) states.push_back(worlds.State(lane));
  for (int step = 0; step < 150; ++step) {
    const int victim = step % ops.width;
    for (int lane = 0; lane < ops.width; ++lane) {
      std::vector<double>& state = states[static_cast<size_t>(lane)];
      worlds.Control(lane, step, state.data() + ctrl);
      good.LoadState(lane, state.data());
      std::vector<double> spoilt = state;
      if (lane == victim) spoilt[qvel + static_cast<size_t>(step) % 6] = kBad[step % 3];
      bad.LoadState(lane, spoilt.data());
    }
    good.Step();
    bad.Step();
    for (int lane = 0; lane < ops.width; ++lane) {
      std::vector<double>& state = states[static_cast<size_t>(lane)];
      good.SaveState(lane, state.data());
      std::vector<double> other(state.size());
      bad.SaveState(lane, other.data());
      ASSERT_EQ(good.status(lane).warnings, 0);
      if (lane != victim) {
        ASSERT_TRUE(SameBits(state.data(), other.data(), static_cast<mjtSize>(state.size()))) << "step " << step;
        ASSERT_EQ(bad.status(lane).warnings, 0);
      } else if (step % 3 < 2) {
        ASSERT_EQ(bad.status(lane).warnings, 1 << mjWARN_BADQVEL);
        ASSERT_EQ(bad.status(lane).index[mjWARN_BADQVEL], step % 6);
      }
    }
  }
}

// A world that goes bad is reset as it would be alone.
TEST_P(Lanes, BadWorldsAreResetAsAlone) {
  const LaneOps& ops = *GetParam();
  const ModelPtr m = ReadModel(Walker("", "3"));
  LanePack pack(*m, ops);
  DataPtr alone(MakeData(*m));
  alone->qpos[0] = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> state(static_cast<size_t>(mj_stateSize(m.get(), mjSTATE_INTEGRATION)));
  mj_getState(m.get(), alone.get(), state.data(), mjSTATE_INTEGRATION);
  for (int lane = 0; lane < ops.width; ++lane) pack.LoadState(lane, state.data());
  mj_step(m.get(), alone.get());
  pack.Step();
  std::vector<double> expected(state.size());
  mj_getState(m.get(), alone.get(), expected.data(), mjSTATE_INTEGRATION);
  for (int lane = 0; lane < ops.width; ++lane) {
    pack.SaveState(lane, state.data());
    EXPECT_TRUE(SameBits(state.data(), expected.data(), static_cast<mjtSize>(state.size())));
    EXPECT_EQ(pack.status(lane).warnings, 1 << mjWARN_BADQPOS);
  }
}

// A chain so deep that its inertia is factored from spatial quantities.
TEST_P(Lanes, EqualScalarRunsOfDeepTrees) {
  TreeSpec spec;
  for (int b = 0; b < 100; ++b) {
    BodySpec body;
    body.parent = b;
    body.pos = {0.1, 0, 0};
    body.joints = {{.axis = {0, b % 2 ? 1.0 : 0, b % 2 ? 0 : 1.0}, .damping = 0.1}};
    spec.bodies.push_back(body);
  }
  std::mt19937 random(1);
  ExpectLanesEqualScalar(*MakeTree(spec), *GetParam(), random);
}

// ---- what packs refuse, each with its reason

// A pendulum with a motor, and something that packs do not do.
struct Refusal {
  const char* name;
  const char* reason;
  void (*change)(mjModel& m);
};

ModelPtr Pendulum() {
  TreeSpec spec;
  BodySpec body;
  body.joints = {JointSpec{}};
  spec.bodies = {body};
  spec.actuators = {{.id = 0}};
  return MakeTree(spec);
}

class RefusedByLanes : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusedByLanes, WithTheReason) {
  const ModelPtr m = Pendulum();
  ASSERT_EQ(ObstacleToLanes(*m), nullptr);
  LanePack pack(*m);
  GetParam().change(*m);
  try {
    LanePack refused(*m);
    ADD_FAILURE() << "accepted " << GetParam().reason;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(std::string("the model has ") + GetParam().reason), std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Structure, RefusedByLanes,
                         ::testing::Values(Refusal{"Flexes", "flexes", [](mjModel& m) { m.nflex = 1; }},
                                           Refusal{"Plugins", "plugins", [](mjModel& m) { m.nplugin = 1; }},
                                           Refusal{"Delays", "delays", [](mjModel& m) { m.nhistory = 4; }},
                                           Refusal{"Sites", "actuators on sites",
                                                   [](mjModel& m) { m.actuator_trntype[0] = mjTRN_SITE; }}),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

const Refusal kSettings[] = {
    {"BoundedError", "an integrator", [](mjModel& m) { m.opt.integrator = kMerson; }},
    {"Solver", "a solver", [](mjModel& m) { m.opt.solver = 7; }},
    {"Sleeping", "sleeping", [](mjModel& m) { m.opt.enableflags |= mjENBL_SLEEP; }},
    {"Energy", "computation of energy", [](mjModel& m) { m.opt.enableflags |= mjENBL_ENERGY; }},
    {"Inverse", "comparison with inverse", [](mjModel& m) { m.opt.enableflags |= mjENBL_FWDINV; }}};

INSTANTIATE_TEST_SUITE_P(Settings, RefusedByLanes, ::testing::ValuesIn(kSettings),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

// Settings may change while a pack is there.
class RefusedLater : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusedLater, ByEachStage) {
  const ModelPtr m = Pendulum();
  LanePack pack(*m);
  GetParam().change(*m);
  EXPECT_THROW(pack.Forward(), Error);
  EXPECT_THROW(pack.Euler(), Error);
  EXPECT_THROW(pack.Step(), Error);
}

INSTANTIATE_TEST_SUITE_P(Settings, RefusedLater, ::testing::ValuesIn(kSettings),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

TEST(LanesOfModels, WithDisabledConstraintsAndSensorsAreTaken) {
  const ModelPtr m = Pendulum();
  m->jnt_limited[0] = 1;
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_SENSOR;
  m->nsensor = 1;
  EXPECT_EQ(ObstacleToLanes(*m), nullptr);
}

// A callback belongs to one world at a time.
template <class Callback>
void ExpectRefusedWith(Callback& installed, Callback callback) {
  const ModelPtr m = Pendulum();
  installed = callback;
  EXPECT_STREQ(ObstacleToLanes(*m), "callbacks of the program");
  installed = nullptr;
  EXPECT_EQ(ObstacleToLanes(*m), nullptr);
}

TEST(LanesOfModels, WithCallbacksAreRefused) {
  ExpectRefusedWith<mjfGeneric>(mjcb_control, [](const mjModel*, mjData*) {});
  ExpectRefusedWith<mjfGeneric>(mjcb_passive, [](const mjModel*, mjData*) {});
  const mjfAct act = [](const mjModel*, const mjData*, int) { return mjtNum{0}; };
  ExpectRefusedWith<mjfAct>(mjcb_act_dyn, act);
  ExpectRefusedWith<mjfAct>(mjcb_act_gain, act);
  ExpectRefusedWith<mjfAct>(mjcb_act_bias, act);
  ExpectRefusedWith<mjfSensor>(mjcb_sensor, [](const mjModel*, mjData*, int) {});
  ExpectRefusedWith<mjfConFilt>(mjcb_contactfilter, [](const mjModel*, mjData*, int, int) { return 0; });
}

SINEW_ON_ALL_LANES(Lanes);

}  // namespace
}  // namespace sinew::testing
