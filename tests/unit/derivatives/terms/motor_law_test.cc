// DC motors with states: a slewed input, an integral, a temperature, a bristle and a current.
#include <sinew/gradients.h>

#include <functional>
#include <memory>

#include "tests/unit/derivatives/rollout_scalar.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

// Differences over eps, extrapolated, are exact to rounding / eps.
constexpr double kTolerance = 1e-6, kEps = 1e-4;
constexpr int kIntegrators[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST};

// One motor with all states, and with some of them in every mode; one acts along a spatial tendon, whose row turns, one
// on a site, one on a ball.
constexpr const char* kArm = R"(
  <mujoco><option timestep=".004"/>
    <default><joint armature=".01" damping=".05"/><dcmotor motorconst=".3" resistance="2"/></default>
    <worldbody><site name="top" pos=".1 .1 1.3"/>
      <body pos="0 0 1"><joint name="a" axis="0 1 0"/><joint name="x" axis="1 0 0"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/><site name="upper" pos=".05 .02 .03"/>
        <body pos=".2 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/>
          <site name="lower" pos=".12 0 .03"/>
          <body pos=".2 0 0"><joint name="ball" type="ball"/><geom type="box" size=".05 .03 .02" pos=".03 0 0"/>
            <site name="tip" pos=".05 .01 .02" euler="10 20 30"/></body></body></body>
    </worldbody>
    <tendon><spatial name="cable"><site site="top"/><site site="upper"/><site site="lower"/></spatial></tendon>
    <actuator>
      <dcmotor name="all" joint="a" input="position" controller="5 2 .1 40 3 24" inductance=".04"
        thermal="10 5 0 .004 25 30" lugre="3 .02 .1 .2 .5" cogging=".05 6 .2"/>
      <dcmotor name="cable" tendon="cable" gear="2" inductance=".02" lugre="3 .02 .1 .2 .5"/>
      <dcmotor name="velocity" joint="b" input="velocity" controller="2 3 0 50 0 0" thermal="10 5 0 .004 25 30"/>
      <dcmotor name="hot" joint="x" lugre="3 .02 .1 .2 .5" thermal="10 5 0 .01 25 30"/>
      <dcmotor name="ball" joint="ball" gear=".3 .2 .1" input="position" controller="2 1 .1" inductance=".01"/>
      <dcmotor name="tip" site="tip" gear="0 0 1 .1 .2 0" inductance=".01"/>
    </actuator>
    <sensor><actuatorfrc actuator="all"/><actuatorfrc actuator="cable"/><tendonactuatorfrc tendon="cable"/>
      <jointactuatorfrc joint="b"/><actuatorfrc actuator="velocity"/></sensor>
  </mujoco>)";

World Running(int integrator, int steps, const std::function<void(mjModel*)>& change = {}) {
  World w(ModelFromText(kArm));
  w.m->opt.integrator = integrator;
  if (change) change(w.m.get());
  for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 0.3 * std::sin(i + 1);
  for (int k = 0; k < steps; ++k) {
    for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = 0.8 - 0.1 * i;
    mj_step(w.m.get(), w.d.get());
  }
  mj_forward(w.m.get(), w.d.get());
  return w;
}

TEST(MotorsTest, Steps) {
  for (int integrator : kIntegrators) {
    World w = Running(integrator, 25);
    EXPECT_EQ(w.m->na, 5 + 2 + 3 + 2 + 2 + 1);
    for (int k = 0; k < w.m->na; ++k) EXPECT_NE(w.d->act[k], 0) << k;
    ExpectSameDerivatives(w, kEps, kTolerance, "integrator " + std::to_string(integrator), /*sensors=*/true);
  }
}

// An input that may not follow the control, an integral at its bound, a voltage, a rate of the current and a torque at
// their limits.
TEST(MotorsTest, Limits) {
  const auto limit = [](mjModel* m) {
    m->actuator_dynprm[7] = 0.5;               // slew, 1/s
    m->actuator_gainprm[mjNGAIN * 2 + 7] = 1;  // voltage
    m->actuator_dynprm[mjNDYN + 1] = 1;        // rate of the current
    m->actuator_forcelimited[3] = 1;
    m->actuator_forcerange[6] = -0.01;
    m->actuator_forcerange[7] = 0.01;
    m->actuator_dynprm[mjNDYN * 2 + 8] = 0.01;  // integral
    m->actuator_actlimited[4] = 1;
    m->actuator_actrange[8] = -0.02;
    m->actuator_actrange[9] = 0.02;
  };
  for (int integrator : kIntegrators) {
    World w = Running(integrator, 25, limit);
    EXPECT_LT(w.d->act_dot[0], 0.501) << "slewed";
    // with Runge-Kutta, the rate of what is just at its bound jumps
    EXPECT_EQ(w.d->act[8], 0.01) << "wound up";
    if (integrator == mjINT_RK4) w.d->act[8] = 0.011;
    ExpectSameDerivatives(w, kEps, kTolerance, "integrator " + std::to_string(integrator), /*sensors=*/true);
  }
}

// Bristles of disabled motors follow their motion, other states rest.
TEST(MotorsTest, DisabledMotors) {
  for (int integrator : kIntegrators) {
    World w = Running(integrator, 10);
    w.m->opt.disableactuator = 1;
    ExpectSameDerivatives(w, kEps, kTolerance, "disabled " + std::to_string(integrator));
    w.m->opt.disableactuator = 0;
    w.m->opt.disableflags |= mjDSBL_ACTUATION;
    ExpectSameDerivatives(w, kEps, kTolerance, "without actuation " + std::to_string(integrator));
  }
}

TEST(MotorsTest, Rollouts) {
  for (int integrator : kIntegrators) {
    World w = Running(integrator, 5);
    ExpectGradientsOfDifferences(w, 12, "integrator " + std::to_string(integrator));
  }
}

// Motors on hinges, whose derivatives run in slots.
TEST(MotorsTest, BatchesHaveTheBitsOfWorldsAlone) {
  constexpr int kWorlds = 5;
  World w(ModelFromText(R"(
    <mujoco><option timestep=".004"/><worldbody>
      <body pos="0 0 1"><joint name="a" axis="0 1 0" damping=".1"/><geom size=".1" pos=".2 0 0"/>
        <body pos=".2 0 0"><joint name="b" axis="1 0 1" armature=".01"/><geom size=".05" pos="0 .1 .1"/></body>
      </body></worldbody>
    <actuator>
      <dcmotor joint="a" motorconst=".3" resistance="2" input="position" controller="5 2 .1 40 3 24" inductance=".04"
        thermal="10 5 0 .004 25 30" lugre="3 .02 .1 .2 .5" cogging=".05 6 .2"/>
      <dcmotor joint="b" motorconst=".3" resistance="2" lugre="3 .02 .1 .2 .5"/></actuator></mujoco>)"));
  const mjModel* m = w.m.get();
  for (int i = 0; i < m->nu; ++i) w.d->ctrl[i] = 0.7 - 0.4 * i;
  for (int k = 0; k < 10; ++k) mj_step(m, w.d.get());
  const Numbers start = StateOf(w);
  ExpectSameDerivatives(w, kEps, kTolerance);

  char error[300] = "";
  const sinewBatchConfig config = {2, 0, sinewDOUBLE, 0, sinewALWAYS};
  const std::unique_ptr<sinewBatch, decltype(&sinew_batch_delete)> batch(
      sinew_batch_make(m, kWorlds, &config, error, sizeof(error)), sinew_batch_delete);
  ASSERT_NE(batch, nullptr) << error;
  const auto set = [&](const char* field, int world, const mjtNum* values, mjtSize count) {
    sinewBatchArray array;
    sinew_batch_state(batch.get(), field, &array, nullptr, 0);
    std::copy_n(values, count, reinterpret_cast<double*>(static_cast<char*>(array.data) + array.stride * world));
  };
  const auto move = [&](int world) {
    mj_setState(m, w.d.get(), start.data(), mjSTATE_INTEGRATION);
    for (int i = 0; i < m->nv; ++i) w.d->qvel[i] = 0.4 * std::sin(i + 2 * world + 1);
  };
  for (int world = 0; world < kWorlds; ++world) {
    move(world);
    set("qpos", world, w.d->qpos, m->nq);
    set("qvel", world, w.d->qvel, m->nv);
    set("act", world, w.d->act, m->na);
    set("ctrl", world, w.d->ctrl, m->nu);
  }
  const size_t n = static_cast<size_t>(2 * m->nv + m->na), nu = static_cast<size_t>(m->nu);
  Numbers A(kWorlds * n * n), B(kWorlds * n * nu);
  ASSERT_EQ(sinew_batch_transition(batch.get(), nullptr, A.data(), B.data(), nullptr, nullptr, error, sizeof(error)), 0)
      << error;
  for (int world = 0; world < kWorlds; ++world) {
    move(world);
    Numbers own_A(n * n), own_B(n * nu);
    ASSERT_EQ(sinew_transition(m, w.d.get(), own_A.data(), own_B.data(), nullptr, nullptr, error, sizeof(error)), 0)
        << error;
    EXPECT_TRUE(std::equal(own_A.begin(), own_A.end(), A.begin() + static_cast<ptrdiff_t>(world * n * n))) << world;
    EXPECT_TRUE(std::equal(own_B.begin(), own_B.end(), B.begin() + static_cast<ptrdiff_t>(world * n * nu))) << world;
  }
}

// A tendon shares out what it lets through of electrical torques and of the pull of muscles; cogging and friction of
// motors come after that. What the range of an actuator holds takes part in the sum, and does not follow it.
TEST(MotorsTest, TendonsThatLimitForces) {
  const std::string shared = R"(
    <mujoco><option timestep=".004"/><worldbody><site name="top" pos=".1 .1 1.3"/>
      <body pos="0 0 1"><joint name="a" axis="0 1 0"/><joint axis="1 0 0"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/><site name="upper" pos=".05 .02 .03"/>
        <body pos=".2 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/>
          <site name="lower" pos=".12 0 .03"/></body></body></worldbody>
    <tendon><spatial name="cable" actuatorfrclimited="true" actuatorfrcrange="-.6 .6">
      <site site="top"/><site site="upper"/><site site="lower"/></spatial></tendon>
    <actuator>
      <dcmotor name="motor" tendon="cable" gear="2" motorconst=".3" resistance="2" inductance=".02"
        lugre="3 .02 .1 .2 .5" cogging=".05 6 .2" dryfriction=".02 .3"/>
      <dcmotor name="held" tendon="cable" gear=".5" motorconst=".3" resistance="2"/>
      <musculotendon name="elastic" tendon="cable" force="6" fiberlength=".2" slacklength=".34" pennation="10"/>
      <musculotendon name="rigid" tendon="cable" force="6" fiberlength=".1" slacklength=".36" compliance="rigid"
        gear="1.5"/>
      <general tendon="cable" gear="-1" biastype="affine" biasprm="1 -2 -.3"/>
    </actuator>
    <sensor><actuatorfrc actuator="motor"/><actuatorfrc actuator="held"/><actuatorfrc actuator="elastic"/>
      <tendonactuatorfrc tendon="cable"/><jointactuatorfrc joint="a"/></sensor></mujoco>)";
  constexpr double kWide = 1e-3;  // searches of fibres leave errors of 1e-10, over eps
  for (int integrator : kIntegrators) {
    for (const bool held : {false, true}) {
      World w(ModelFromText(shared));
      w.m->opt.integrator = integrator;
      for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 0.3 * std::sin(i + 1);
      for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = 0.8 - 0.1 * i;
      for (int k = 0; k < 10; ++k) mj_step(w.m.get(), w.d.get());
      w.m->actuator_forcelimited[1] = held;
      w.m->actuator_forcerange[2] = -0.0005;
      w.m->actuator_forcerange[3] = 0.0005;
      mj_forward(w.m.get(), w.d.get());
      EXPECT_LT(w.d->actuator_force[2], -0.01);
      EXPECT_EQ(std::abs(w.d->actuator_force[1]) == 0.0005, held);
      const std::string what = "integrator " + std::to_string(integrator) + (held ? ", held" : "");
      ExpectSameDerivatives(w, kWide, kTolerance, what, /*sensors=*/true);
      if (held) ExpectGradientsOfDifferences(w, 6, what);
    }
  }
}

}  // namespace
}  // namespace sinew
