#include "integrate/integrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "step/integrators.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

TEST(EulerTest, JointDampingIsImplicit) {
  World w(ModelFromText(R"(
    <mujoco><option timestep=".1" gravity="0 0 0"/>
      <worldbody><body><joint type="slide" damping="2 3 4"/><geom size=".1" mass="1"/></body></worldbody>
    </mujoco>)"));
  w.d->qvel[0] = 1.5;
  mj_step(w.m.get(), w.d.get());
  EXPECT_NEAR(w.d->qacc[0], -23.25, 1e-13);
  EXPECT_NEAR(w.d->qvel[0], 1.015625, 1e-14);
  EXPECT_NEAR(w.d->qpos[0], 0.1015625, 1e-15);  // at the new velocity
  EXPECT_EQ(w.d->qacc_warmstart[0], w.d->qacc[0]);

  w.m->opt.disableflags |= mjDSBL_EULERDAMP;
  EXPECT_FALSE(HasImplicitDamping(w.m.get()));
}

// A box that turns freely, with its centre of mass at the body's origin or off it.
World FreeBox(const std::string& integrator, const std::string& ipos) {
  World w(ModelFromText(R"(
    <mujoco><option timestep=".01" integrator=")" +
                        integrator + R"("/>
      <worldbody><body pos="0 0 1"><freejoint/>
        <inertial pos=")" +
                        ipos + R"(" mass="2" diaginertia=".1 .2 .25"/></body></worldbody>
    </mujoco>)"));
  const double qvel[] = {0.3, -0.2, 0.5, 1, 2, -1.5};
  for (int i = 0; i < 6; ++i) w.d->qvel[i] = qvel[i];
  mj_step(w.m.get(), w.d.get());
  return w;
}

// The numbers have 12 digits.
constexpr double kTolerance = 2e-12;

TEST(MidpointTest, FreeBodyAboutItsCentre) {
  for (const char* integrator : {"implicit", "implicitfast"}) {
    const World w = FreeBox(integrator, "0 0 0");
    const double qvel[] = {0.3, -0.2, 0.4019, 1.014997453554, 1.988635274232, -1.508037089921};
    const double quat[] = {0.999909321017, 0.005037341368, 0.009971286779, -0.007519865419};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(w.d->qvel[i], qvel[i], kTolerance);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(w.d->qpos[3 + i], quat[i], kTolerance);
    EXPECT_NEAR(w.d->qacc[3], (qvel[3] - 1) / 0.01, 1e-9);
  }
}

TEST(MidpointTest, FreeBodyOffItsCentre) {
  const World w = FreeBox("implicitfast", "0.1 0.05 -0.02");
  const double qvel[] = {0.3033256018, -0.199998686001, 0.401996588835}, qpos[] = {0.003016628009, -0.00199999343};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(w.d->qvel[i], qvel[i], 1e-10);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(w.d->qpos[i], qpos[i], kTolerance);
  EXPECT_NEAR(w.d->qpos[2], 1.004509982944, kTolerance);
}

// Energy and angular momentum of the free rotation are quadratic invariants, whatever the step.
TEST(MidpointTest, TumblingConservesEnergy) {
  World w(ModelFromText(R"(
    <mujoco><option timestep=".05" integrator="implicitfast" gravity="0 0 0"/>
      <worldbody><body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia=".1 .2 .25"/></body></worldbody>
    </mujoco>)"));
  const double I[] = {0.1, 0.2, 0.25};
  for (int i = 0; i < 3; ++i) w.d->qvel[3 + i] = 1 + 2 * i;
  const auto energy = [&](int power) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += std::pow(I[i], power) * w.d->qvel[3 + i] * w.d->qvel[3 + i];
    return sum;
  };
  const double kinetic = energy(1), momentum = energy(2);
  for (int step = 0; step < 1000; ++step) mj_step(w.m.get(), w.d.get());
  EXPECT_NEAR(energy(1), kinetic, 1e-11 * kinetic);  // tolerance of the solution, 1000 times
  EXPECT_NEAR(energy(2), momentum, 1e-11 * momentum);
}

// Where the mass of a body is, in itself or in bodies that are fixed to it, changes nothing: an assembly follows the
// rule of one body.
TEST(MidpointTest, AssembliesMoveLikeOneBody) {
  // The inertia of the whole is given by its principal axes: the compiler finds those of geoms to 1e-6 rad, as MuJoCo
  // 3.8.0 does, and bodies that differ by so much part. The first column of their rotation is (-.6, .64, .48).
  const std::string whole = R"(<body pos="0 0 1"><freejoint/>
      <inertial pos="-.06 .064 .048" quat="1 2 2 4" mass="4" diaginertia=".12 .08 .18"/></body>)";
  const std::string parts = R"(<body pos="0 0 1"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia=".01 .01 .01"/>
      <body quat="1 2 2 4"><inertial pos=".2 0 0" mass="1" diaginertia=".01 .01 .01"/>
        <body pos=".1 .2 0" euler="0 0 90"><inertial pos="0 0 0" mass="1" diaginertia=".02 .01 .03"/>
          <body pos="-.4 0 0" euler="0 90 0"><inertial pos="0 0 0" mass="1" diaginertia=".03 .01 .02"/></body></body>
      </body></body>)";
  for (const char* integrator : {"implicit", "implicitfast", "discrete"}) {
    std::vector<World> worlds;
    for (const std::string& body : {whole, parts}) {
      worlds.emplace_back(ModelFromText("<mujoco><option timestep='.01' integrator='" + std::string(integrator) +
                                        "'/><worldbody>" + body + "</worldbody></mujoco>"));
      const World& w = worlds.back();
      for (int i = 0; i < 6; ++i) w.d->qvel[i] = i < 3 ? 0.3 : 4.0 * i - 10;
      for (int step = 0; step < 100; ++step) mj_step(w.m.get(), w.d.get());
    }
    for (int i = 0; i < 6; ++i) {
      // rounding of the inertia grows along the path of a tumbling body
      EXPECT_NEAR(worlds[0].d->qvel[i], worlds[1].d->qvel[i], 1e-11) << integrator << " " << i;
      EXPECT_LT(std::abs(worlds[1].d->qvel[i]), 30) << integrator << " gains energy";
    }
  }
}

// All inertia in a child that is fixed to a free body without mass of its own: the energy of the free rotation stays at
// any time step.
TEST(MidpointTest, InertiaInAFixedChildConservesEnergy) {
  const World w(ModelFromText(R"(<mujoco><option timestep=".02" integrator="implicitfast" gravity="0 0 0">
      <flag energy="enable"/></option>
    <worldbody><body><freejoint/><body pos=".1 .2 0" euler="10 20 30"><inertial pos="0 0 .1" mass="1"
      diaginertia=".1 .2 .25"/></body></body></worldbody></mujoco>)"));
  for (int i = 0; i < 3; ++i) w.d->qvel[3 + i] = 5 + 3 * i;
  mj_forward(w.m.get(), w.d.get());
  const double start = w.d->energy[1];
  for (int step = 0; step < 2000; ++step) mj_step(w.m.get(), w.d.get());
  mj_forward(w.m.get(), w.d.get());
  EXPECT_NEAR(w.d->energy[1], start, 1e-9 * start);  // tolerance of the solution, 2000 times
}

TEST(MidpointTest, EulerIsLeftAlone) {
  const World w = FreeBox("Euler", "0 0 0");
  const double spin[] = {1.015, 1.98875, -1.508};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(w.d->qvel[3 + i], spin[i], 1e-14);
}

TEST(RungeKuttaTest, OneStep) {
  World w(ModelFromText(R"(
    <mujoco><option timestep=".01" integrator="RK4"/>
      <worldbody><body><joint name="y" axis="0 1 0"/><geom size=".1" mass="1" pos=".3 0 0"/></body></worldbody>
      <actuator><general joint="y" dyntype="filterexact" dynprm=".05"/></actuator>
    </mujoco>)"));
  w.d->qvel[0] = w.d->ctrl[0] = 1;
  mj_step(w.m.get(), w.d.get());
  EXPECT_NEAR(w.d->qpos[0], 0.011599098, 1e-9);
  EXPECT_NEAR(w.d->qvel[0], 1.323043074, 1e-9);
  EXPECT_NEAR(w.d->act[0], 0.164290361, 1e-9);
  EXPECT_NEAR(w.d->qacc[0], 33.242567679, 1e-9);
  EXPECT_NEAR(w.d->time, 0.01, 1e-18);
}

// Halving the step divides the error of a pendulum by 2^4.
TEST(RungeKuttaTest, ConvergesWithFourthOrder) {
  const auto end = [](double h) {
    World w(ModelFromText(R"(
      <mujoco><option integrator="RK4"/>
        <worldbody><body><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
      </mujoco>)"));
    w.m->opt.timestep = h;
    while (w.d->time < 1 - h / 2) mj_step(w.m.get(), w.d.get());
    return w.d->qpos[0];
  };
  const double exact = end(0.001), coarse = end(0.05) - exact, fine = end(0.025) - exact;
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3);  // higher orders still count at these steps
}

TEST(IntegratorsTest, RefuseWhatTheyDoNotProvide) {
  World w = FreeBox("Euler", "0 0 0");
  static std::string message;
  mju_user_error = [](const char* text) { message = text; };
  mj_RungeKutta(w.m.get(), w.d.get(), 3);
  EXPECT_NE(message.find("order 3"), std::string::npos);
  mj_implicit(w.m.get(), w.d.get());
  EXPECT_NE(message.find("integrator"), std::string::npos);
  mju_user_error = nullptr;
}

TEST(SensorHistoryTest, DelaysAndIntervals) {
  World w(ModelFromText(R"(
    <mujoco><option timestep=".01" gravity="0 0 0"/>
      <worldbody><body><joint name="x" type="slide"/><geom size=".1"/></body></worldbody>
      <sensor>
        <jointpos joint="x" delay=".02" nsample="3"/>
        <jointpos joint="x" interval=".025" nsample="3"/>
        <jointpos joint="x" interval=".03" delay=".01" nsample="3" interp="linear"/>
      </sensor>
    </mujoco>)"));
  w.d->qvel[0] = 1;
  const double expected[3][9] = {{0, 0, 0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06},
                                 {0, 0, 0, 0.03, 0.03, 0.05, 0.05, 0.05, 0.08},
                                 {0, 0, 0, 0, 0.03, 0.03, 0.03, 0.06, 0.06}};
  for (int step = 0; step < 9; ++step) {
    mj_step(w.m.get(), w.d.get());
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(w.d->sensordata[i], expected[i][step], 1e-14) << i << " " << step;
  }
}

}  // namespace
}  // namespace sinew
