// Muscles with tendons in models: MJCF to forces, steps, derivatives, sensors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "force/actuation.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr const char* kSoleus =
    R"(force="5137" fiberlength="0.050288844245806" slacklength="0.25144422122903" pennation="0.43633231")";

// A mass on a slide, pulled downwards by a soleus of the path length `length`; sensors of all kinds.
std::string Slide(double length, const std::string& option = "", const std::string& muscle = "",
                  const std::string& joint = "") {
  return R"(<mujoco><compiler angle="radian"/><option gravity="0 0 0" )" + option + R"(/>
    <worldbody><site name="a"/><body pos="0 0 )" +
         std::to_string(length) + R"("><joint type="slide" axis="0 0 1" )" + joint +
         R"(/><geom size=".05" mass="5" contype="0"/><site name="b"/></body></worldbody>
    <tendon><spatial name="t"><site site="a"/><site site="b"/></spatial></tendon>
    <actuator><musculotendon name="soleus" tendon="t" )" +
         std::string(kSoleus) + " " + muscle + R"(/></actuator>
    <sensor><fiberlength actuator="soleus"/><fibervelocity actuator="soleus"/><fiberforce actuator="soleus"/>
      <pennation actuator="soleus"/><tendonstrain actuator="soleus"/></sensor></mujoco>)";
}

World Isometric(const std::string& option = "", const std::string& muscle = "") {
  return World(ModelFromText(Slide(0.3, option, muscle, R"(armature="1e12")")));
}

TEST(FiberTest, ResetIsEquilibrium) {
  World w = Isometric();
  EXPECT_EQ(w.d->act[0], 0);
  mj_forward(w.m.get(), w.d.get());
  // at the least activation of 0.01, docs/how/musculotendon.md
  EXPECT_NEAR(w.d->act[0], 1.041582, 6e-7);
  EXPECT_NEAR(w.d->actuator_force[0], -69.484, 6e-4);
  EXPECT_NEAR(w.d->act_dot[0], 0, 1e-9);
  EXPECT_NEAR(w.d->sensordata[0], 1.041582 * 0.050288844245806, 1e-7);
  EXPECT_NEAR(w.d->sensordata[1], 0, 1e-9);
  EXPECT_NEAR(w.d->sensordata[2] * std::cos(w.d->sensordata[3]), 69.484, 6e-4);
  EXPECT_NEAR(w.d->sensordata[3] * 180 / 3.14159265358979, 23.93792, 6e-6);
  EXPECT_NEAR(w.d->sensordata[4], 0.002709, 6e-7);
}

TEST(FiberTest, IsometricStepByRungeKutta) {
  for (const char* option : {R"(integrator="RK4" timestep="1e-4")", R"(integrator="merson" accuracy="1e-8")"}) {
    World w = Isometric(option);
    w.d->ctrl[0] = 1;
    const double expected[][2] = {{0.02, 1158.69}, {0.05, 2499.71}, {0.1, 3497.28}, {0.2, 4044.60}};
    for (const auto& [time, force] : expected) {
      while (w.d->time < time - 1e-9) mj_step(w.m.get(), w.d.get());
      mj_forward(w.m.get(), w.d.get());
      EXPECT_NEAR(-w.d->actuator_force[0], force, 0.01) << option << time;  // two decimals are given
    }
  }
}

// The activation begins at its lower bound and falls to it, whatever moves it.
TEST(FiberTest, ActivationsStayWithinTheirBounds) {
  for (const char* integrator : {"Euler", "implicit", "implicitfast", "RK4", "merson", "rk3", "euler2"}) {
    for (const char* muscle :
         {R"(minact="0.05")", R"(minact="0.05" curves="hyfydy")", R"(minact=".05" compliance="rigid")"}) {
      World w = Isometric(std::string("timestep=\"5e-4\" integrator=\"") + integrator + '"', muscle);
      const int last = static_cast<int>(w.m->na) - 1;
      double lowest = 1;
      for (int k = 0; k < 3000; ++k) {
        w.d->ctrl[0] = k < 100;
        mj_step(w.m.get(), w.d.get());
        lowest = std::min(lowest, w.d->act[last]);
        if (k == 99) {
          EXPECT_GT(w.d->act[last], 0.9) << integrator << muscle;
        }
      }
      EXPECT_EQ(lowest, 0.05) << integrator << muscle;
      EXPECT_EQ(w.d->act[last], 0.05) << integrator << muscle;
    }
  }
}

TEST(FiberTest, StatesOfDisabledGroupsStandStill) {
  for (const char* integrator : {"Euler", "implicitfast", "RK4", "merson", "rk3", "euler2"}) {
    World w = Isometric(std::string("actuatorgroupdisable=\"2\" integrator=\"") + integrator + '"', R"(group="2")");
    w.d->act[0] = 1.2;
    w.d->act[1] = 0.3;
    w.d->ctrl[0] = 1;
    for (int k = 0; k < 20; ++k) mj_step(w.m.get(), w.d.get());
    EXPECT_EQ(w.d->act[0], 1.2) << integrator;
    EXPECT_EQ(w.d->act[1], 0.3) << integrator;
    EXPECT_EQ(w.d->actuator_force[0], 0) << integrator;
  }
}

// mj_step2 has Euler's method in the place of those with several stages: its fibres move by implicit steps, too.
TEST(FiberTest, StepsInTwoHalvesHold) {
  for (const char* integrator : {"RK4", "merson"}) {
    World w = Isometric(std::string("timestep=\"0.005\" integrator=\"") + integrator + '"');
    World euler = Isometric(R"(timestep="0.005")");
    for (World* world : {&w, &euler}) {
      for (int k = 0; k < 40; ++k) {
        mj_step1(world->m.get(), world->d.get());
        world->d->ctrl[0] = 1;
        mj_step2(world->m.get(), world->d.get());
      }
    }
    EXPECT_EQ(w.d->act[0], euler.d->act[0]) << integrator;
    EXPECT_EQ(w.d->actuator_force[0], euler.d->actuator_force[0]) << integrator;
  }
}

TEST(FiberTest, LargeStepsHold) {
  for (const char* integrator : {"Euler", "implicit", "implicitfast"}) {
    for (double h : {1e-3, 5e-3}) {
      const std::string option =
          std::string("integrator=\"") + integrator + "\" timestep=\"" + std::to_string(h) + "\"";
      World w = Isometric(option);
      w.d->ctrl[0] = 1;
      while (w.d->time < 0.2 - 1e-9) mj_step(w.m.get(), w.d.get());
      mj_forward(w.m.get(), w.d.get());
      // the method is of order one: two percent at five milliseconds
      EXPECT_NEAR(-w.d->actuator_force[0], 4044.60, 0.02 * 4044.60 * h / 5e-3) << option;
    }
  }
}

// The mass swings on the tendon: stiffness 0.6 MN/m at 5 kg is 350 rad/s, beyond the stability of Euler's method at 8
// ms.
TEST(FiberTest, ImplicitIntegratorsHoldStiffTendons) {
  World w(ModelFromText(Slide(0.303, R"(integrator="implicitfast" timestep="0.008")")));
  w.d->ctrl[0] = 0.5;
  for (int k = 0; k < 2000; ++k) {
    w.d->qfrc_applied[0] = 2000;
    mj_step(w.m.get(), w.d.get());
    ASSERT_TRUE(std::isfinite(w.d->qpos[0])) << k;
  }
  // comes to rest where the tendon carries the load
  EXPECT_NEAR(w.d->qvel[0], 0, 1e-6);
  EXPECT_NEAR(w.d->actuator_force[0], -2000, 1e-3);
}

TEST(FiberTest, DerivativeByVelocity) {
  for (const char* compliance : {"elastic", "rigid"}) {
    World w(ModelFromText(
        Slide(0.301, R"(integrator="implicit" timestep="0.002")", std::string("compliance=\"") + compliance + "\"")));
    w.d->ctrl[0] = 0.6;
    for (int k = 0; k < 20; ++k) mj_step(w.m.get(), w.d.get());
    mj_forward(w.m.get(), w.d.get());
    const double v = w.d->qvel[0], dv = 1e-5;
    mj_step(w.m.get(), w.d.get());  // fills qDeriv
    const double analytic = w.d->qDeriv[0];
    mj_resetData(w.m.get(), w.d.get());
    w.d->ctrl[0] = 0.6;
    for (int k = 0; k < 20; ++k) mj_step(w.m.get(), w.d.get());
    double force[2];
    for (int side = 0; side < 2; ++side) {
      w.d->qvel[0] = v + (side ? dv : -dv);
      mj_forward(w.m.get(), w.d.get());
      force[side] = w.d->qfrc_actuator[0];
    }
    EXPECT_NEAR(analytic, (force[1] - force[0]) / (2 * dv), 1e-3 * std::fabs(analytic)) << compliance;
  }
}

TEST(FiberTest, TransitionMatricesAreThoseOfSteps) {
  World w(ModelFromText(Slide(0.301, R"(integrator="implicitfast" timestep="0.002")")));
  w.d->ctrl[0] = 0.6;
  for (int k = 0; k < 10; ++k) mj_step(w.m.get(), w.d.get());
  mj_forward(w.m.get(), w.d.get());
  constexpr int n = 4;  // position, velocity, fibre, activation
  std::vector<double> A(n * n);
  mjd_transitionFD(w.m.get(), w.d.get(), 1e-6, 1, A.data(), nullptr, nullptr, nullptr);
  const double state[n] = {w.d->qpos[0], w.d->qvel[0], w.d->act[0], w.d->act[1]};
  const auto step = [&](int k, double by, double* out) {
    double s[n];
    std::copy_n(state, n, s);
    s[k] += by;
    w.d->qpos[0] = s[0], w.d->qvel[0] = s[1], w.d->act[0] = s[2], w.d->act[1] = s[3];
    mj_step(w.m.get(), w.d.get());
    out[0] = w.d->qpos[0], out[1] = w.d->qvel[0], out[2] = w.d->act[0], out[3] = w.d->act[1];
  };
  for (int k = 0; k < n; ++k) {
    double above[n], below[n];
    step(k, 1e-6, above);
    step(k, -1e-6, below);
    for (int i = 0; i < n; ++i) {
      const double difference = (above[i] - below[i]) / 2e-6;
      EXPECT_NEAR(A[i * n + k], difference, 1e-4 * (1 + std::fabs(difference))) << i << " " << k;
    }
  }
}

TEST(FiberTest, OwnCurvesStandInTheModel) {
  World plain = Isometric(), stiff = Isometric("", R"(tendoncurve="0.02 0 0.6666666667 0.5")");
  ASSERT_EQ(stiff.m->nnumeric, 1);
  EXPECT_STREQ(stiff.m->names + stiff.m->name_numericadr[0], "sinew/curves/0");
  EXPECT_EQ(plain.m->nnumeric, 0);
  for (World* w : {&plain, &stiff}) {
    w->d->ctrl[0] = 1;
    while (w->d->time < 0.3) mj_step(w->m.get(), w->d.get());
  }
  EXPECT_LT(stiff.d->sensordata[4], 0.5 * plain.d->sensordata[4]);
  EXPECT_GT(stiff.d->sensordata[4], 0.01);
}

// What a program writes into the parameters of a model must not lead out of its arrays.
TEST(FiberTest, BadParametersAreSafe) {
  World w = Isometric();
  for (double bad : {1e300, -5.0, double(NAN), 3e9}) {
    for (int k = 0; k < mjNGAIN; ++k) {
      const double kept = w.m->actuator_gainprm[k];
      w.m->actuator_gainprm[k] = bad;
      mj_resetData(w.m.get(), w.d.get());
      mj_forward(w.m.get(), w.d.get());
      w.m->actuator_gainprm[k] = kept;
    }
  }
}

TEST(FiberTest, WrongParametersAreErrors) {
  for (const char* wrong :
       {R"(force="-1")", R"(fiberlength="0")", R"(slacklength="-0.2")", R"(pennation="1.5")", R"(vmax="0")",
        R"(fiberdamping="-1")", R"(minact="1")", R"(timeconst="0 0.04")", R"(fiberdamping="0" minact="0")",
        R"(tendoncurve="0.049 0 0.6 2")", R"(curves="hyfydy" tendoncurve="0.049 0 0.6 0.5")"}) {
    std::string text = Slide(0.3);
    const std::string name(wrong, std::string(wrong).find('='));
    // replaces the attribute, or adds it
    if (const size_t at = text.find(" " + name + "=\""); at != std::string::npos && name != "compliance") {
      const size_t end = text.find('"', at + name.size() + 3) + 1;
      if (text.find("musculotendon") < at) text.erase(at, end - at);
    }
    text.insert(text.find("<musculotendon") + 14, std::string(" ") + wrong);
    EXPECT_THROW(ModelFromText(text), std::runtime_error) << wrong;
  }
}

TEST(FiberTest, ErrorsNameTheElement) {
  std::string text = Slide(0.3);
  text.replace(text.find("5137"), 4, "-1");
  try {
    ModelFromText(text);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("soleus"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("force is -1"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sinew
