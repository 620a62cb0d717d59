// Every lane of every instruction set equals the run of its world alone, bit for bit.
#include <gtest/gtest.h>

#include <cstring>

#include "batch/lane_pack.h"
#include "core/error.h"
#include "force/actuation.h"
#include "force/passive.h"
#include "inertia/inertia.h"
#include "inertia/rne.h"
#include "integrate/integrate.h"
#include "kinematics/kinematics.h"
#include "kinematics/tendon.h"
#include "kinematics/transmission.h"
#include "kinematics/velocity.h"
#include "model/fields.h"
#include "tests/support/tree_model.h"

namespace sinew::testing {
namespace {

// The stages as the step calls them.
void SmoothForwardAlone(const mjModel* m, mjData* d) {
  Kinematics(m, d);
  ComPos(m, d);
  CamLight(m, d);
  Tendon(m, d);
  MakeM(m, d);
  FactorMadeM(m, d);
  Transmission(m, d);
  TendonVelocity(m, d);
  ActuatorVelocity(m, d);
  ComVel(m, d);
  Passive(m, d);
  Rne(m, d, false, d->qfrc_bias);
  TendonBias(m, d, d->qfrc_bias);
  Actuation(m, d);
  SmoothAcceleration(m, d);
  for (int i = 0; i < m->nv; ++i) d->qacc[i] = d->qacc_smooth[i];
}

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
      SmoothForwardAlone(&m, alone.back().get());
      Euler(&m, alone.back().get());
    }
  }
  for (int step = 0; step < kSteps; ++step) {
    pack.SmoothForward();
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

TEST_P(Lanes, RefuseModelsWhosePatternsChange) {
  TreeSpec spec;
  BodySpec body;
  body.joints = {JointSpec{}};
  spec.bodies = {body};
  spec.sites = {{0}, {1}};
  spec.tendons = {{{{mjWRAP_SITE, 0, 0}, {mjWRAP_SITE, 1, 0}}}};
  EXPECT_THROW(LanePack(*MakeTree(spec), *GetParam()), Error);
  spec.tendons.clear();
  spec.actuators = {{.trntype = mjTRN_SITE, .id = 1}};
  EXPECT_THROW(LanePack(*MakeTree(spec), *GetParam()), Error);
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, Lanes, ::testing::ValuesIn(RunnableLanes()),
                         [](const auto& lanes) { return std::string(lanes.param->name); });

}  // namespace
}  // namespace sinew::testing
