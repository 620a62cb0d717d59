// Every lane of every instruction set equals the run of its world alone, bit for bit.
#include <gtest/gtest.h>

#include <cstring>

#include "batch/lane_pack.h"
#include "core/error.h"
#include "model/error_control.h"
#include "model/extension.h"
#include "model/fields.h"
#include "step/forward.h"
#include "step/integrators.h"
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

class Lanes : public ::testing::TestWithParam<const LaneOps*> {};

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
                                           Refusal{"Equalities", "equality constraints", [](mjModel& m) { m.neq = 1; }},
                                           Refusal{"Fibres", "muscles with tendons",
                                                   [](mjModel& m) { m.actuator_gaintype[0] = kMusculotendon; }},
                                           Refusal{"Sites", "actuators on sites",
                                                   [](mjModel& m) { m.actuator_trntype[0] = mjTRN_SITE; }}),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

const Refusal kSettings[] = {
    {"RungeKutta", "an integrator", [](mjModel& m) { m.opt.integrator = mjINT_RK4; }},
    {"Implicit", "an integrator", [](mjModel& m) { m.opt.integrator = mjINT_IMPLICIT; }},
    {"ImplicitFast", "an integrator", [](mjModel& m) { m.opt.integrator = mjINT_IMPLICITFAST; }},
    {"BoundedError", "an integrator", [](mjModel& m) { m.opt.integrator = kMerson; }},
    {"Limits", "constraints", [](mjModel& m) { m.jnt_limited[0] = 1; }},
    {"FrictionLoss", "constraints", [](mjModel& m) { m.dof_frictionloss[0] = 1; }},
    {"Pairs", "constraints", [](mjModel& m) { m.npair = 1; }},
    {"Sensors", "sensors", [](mjModel& m) { m.nsensor = 1; }},
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

TEST(LanesOfModels, WithSpatialTendonsAreRefused) {
  TreeSpec spec;
  BodySpec body;
  body.joints = {JointSpec{}};
  spec.bodies = {body};
  spec.sites = {{0}, {1}};
  spec.tendons = {{{{mjWRAP_SITE, 0, 0}, {mjWRAP_SITE, 1, 0}}}};
  EXPECT_STREQ(ObstacleToLanes(*MakeTree(spec)), "spatial tendons");
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

INSTANTIATE_TEST_SUITE_P(InstructionSets, Lanes, ::testing::ValuesIn(RunnableLanes()),
                         [](const auto& lanes) { return std::string(lanes.param->name); });

}  // namespace
}  // namespace sinew::testing
