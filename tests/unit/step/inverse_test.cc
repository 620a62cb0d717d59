#include "step/inverse.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/unit/constraint/models.h"
#include "tests/unit/constraint/world.h"

namespace sinew {
namespace {

// A box that rests on a plane, and a damped hinge; a unit force on every joint velocity.
constexpr char kBoxAndHinge[] = R"(
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .095"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
    <body pos="0 0 1"><joint axis="0 1 0" damping="2"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".05" mass="1" contype="0" conaffinity="0"/></body>
  </worldbody>)";
constexpr double kVelocity[7] = {.1, .2, .3, .4, .5, .6, 1};

void SetState(mjData* d) {
  std::copy(kVelocity, kVelocity + 7, d->qvel);
  std::fill(d->qfrc_applied, d->qfrc_applied + 7, 1.0);
}

// Forward, then inverse dynamics gives back the applied force.
TEST(Inverse, RecoversAppliedForces) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    StagedWorld world(std::string(kLinked) + "<option tolerance='0' iterations='200' cone='" + cone + "'/>");
    mjModel* m = world.m();
    mjData* d = world.d();
    for (int i = 0; i < m->nv; ++i) {
      d->qvel[i] = std::sin(1.0 + i);
      d->qfrc_applied[i] = std::cos(1.0 + i);
    }
    mj_forward(m, d);
    ASSERT_GT(d->nefc, 0);
    Inverse(m, d);
    // the solver's residual, of forces up to 1e5
    ExpectNear(Values(d->qfrc_inverse, static_cast<int>(m->nv)), Values(d->qfrc_applied, static_cast<int>(m->nv)),
               1e-5);
  }
}

class DiscreteInverse : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Integrators, DiscreteInverse, testing::Values("Euler", "implicit", "implicitfast"));

// From the difference of velocities over a step, the flag recovers the applied force; without it, damping is in the
// way.
TEST_P(DiscreteInverse, UndoesImplicitDamping) {
  const std::string option =
      std::string("<option timestep='.01' tolerance='0' iterations='200' integrator='") + GetParam() + "'>";
  for (const bool discrete : {true, false}) {
    StagedWorld world(option + "<flag invdiscrete='" + (discrete ? "enable" : "disable") + "'/></option>" +
                      kBoxAndHinge);
    mjModel* m = world.m();
    mjData* d = world.d();
    SetState(d);
    const std::vector<double> qpos = Values(d->qpos, static_cast<int>(m->nq));
    mj_step(m, d);
    for (int i = 0; i < 7; ++i) d->qacc[i] = (d->qvel[i] - kVelocity[i]) / m->opt.timestep;
    std::copy(qpos.begin(), qpos.end(), d->qpos);
    SetState(d);
    const std::vector<double> qacc = Values(d->qacc, 7);
    Inverse(m, d);
    // the solver's residual, and velocity differences over h
    if (discrete) {
      ExpectNear(Values(d->qfrc_inverse, 7), std::vector<double>(7, 1.0), 1e-8);
    } else {
      EXPECT_GT(std::fabs(d->qfrc_inverse[6] - 1), 1e-2);
    }
    EXPECT_EQ(Values(d->qacc, 7), qacc);
  }
}

// Dampers between dofs that M does not couple, which implicitfast leaves out.
TEST_P(DiscreteInverse, UndoesDampersOfFlexes) {
  StagedWorld world(std::string("<option timestep='.01' integrator='") + GetParam() +
                    "'><flag invdiscrete='enable'/></option><worldbody><flexcomp name='f' type='grid' dim='2' "
                    "count='3 3 1' spacing='.1 .1 .1' euler='20 30 0' mass='1'><edge equality='false' damping='2'/>"
                    "<contact selfcollide='none'/></flexcomp></worldbody>");
  const mjModel* m = world.m();
  mjData* d = world.d();
  const auto set_state = [&] {
    for (int i = 0; i < m->nv; ++i) {
      d->qpos[i] = 0.02 * std::sin(2.0 * i);
      d->qvel[i] = std::cos(3.0 * i);
    }
  };
  set_state();
  const std::vector<double> before = Values(d->qvel, static_cast<int>(m->nv));
  mj_step(m, d);
  for (int i = 0; i < m->nv; ++i) d->qacc[i] = (d->qvel[i] - before[static_cast<size_t>(i)]) / m->opt.timestep;
  set_state();
  Inverse(m, d);
  for (int i = 0; i < m->nv; ++i) EXPECT_NEAR(d->qfrc_inverse[i], 0, 1e-9) << i;
}

TEST(Inverse, RefusesDiscreteRungeKutta) {
  StagedWorld world(std::string("<option integrator='RK4'><flag invdiscrete='enable'/></option>") + kBoxAndHinge);
  EXPECT_THROW(Inverse(world.m(), world.d()), std::runtime_error);
}

TEST(CompareFwdInv, FindsNoDifferenceAtTheSolution) {
  StagedWorld world(std::string("<option tolerance='0' iterations='200'/>") + kBoxAndHinge);
  mjData* d = world.d();
  SetState(d);
  mj_forward(world.m(), d);
  ASSERT_GT(d->nefc, 0);
  const std::vector<double> force = Values(d->efc_force, d->nefc), qfrc = Values(d->qfrc_constraint, 7);
  CompareFwdInv(world.m(), d);
  // the solver's residual
  EXPECT_LT(d->solver_fwdinv[0], 1e-8);
  EXPECT_LT(d->solver_fwdinv[1], 1e-8);
  EXPECT_EQ(Values(d->efc_force, d->nefc), force);
  EXPECT_EQ(Values(d->qfrc_constraint, 7), qfrc);
}

// With the flag, the acceleration is the difference of velocities over a step, as for Inverse.
TEST_P(DiscreteInverse, ComparesAtTheDifferenceOfVelocities) {
  StagedWorld world(std::string("<option timestep='.01' tolerance='0' iterations='200' integrator='") + GetParam() +
                    "'><flag invdiscrete='enable'/></option>" + kBoxAndHinge);
  mjModel* m = world.m();
  mjData* d = world.d();
  SetState(d);
  const std::vector<double> qpos = Values(d->qpos, static_cast<int>(m->nq));
  mj_step(m, d);
  std::vector<double> discrete(7);
  for (size_t i = 0; i < 7; ++i) discrete[i] = (d->qvel[i] - kVelocity[i]) / m->opt.timestep;
  std::copy(qpos.begin(), qpos.end(), d->qpos);
  SetState(d);
  mj_forward(m, d);
  CompareFwdInv(m, d);
  EXPECT_GT(d->solver_fwdinv[1], 1e-2);  // that of continuous time is another one
  std::copy(discrete.begin(), discrete.end(), d->qacc);
  CompareFwdInv(m, d);
  EXPECT_LT(d->solver_fwdinv[0], 1e-8);  // the solver's residual, and differences over h
  EXPECT_LT(d->solver_fwdinv[1], 1e-8);
  EXPECT_EQ(Values(d->qacc, 7), discrete);
}

TEST(CompareFwdInv, IsZeroWithoutConstraints) {
  StagedWorld world("<worldbody><body><joint type='slide'/><geom size='.1' mass='1'/></body></worldbody>");
  mj_forward(world.m(), world.d());
  world.d()->solver_fwdinv[0] = world.d()->solver_fwdinv[1] = 3;
  CompareFwdInv(world.m(), world.d());
  EXPECT_EQ(world.d()->solver_fwdinv[0], 0);
  EXPECT_EQ(world.d()->solver_fwdinv[1], 0);
}

}  // namespace
}  // namespace sinew
