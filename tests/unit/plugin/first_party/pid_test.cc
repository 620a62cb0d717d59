#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr double kStep = 0.01;

// A servo on a slide that stands still: its mass is huge.
World Servo(const std::string& config, const std::string& actuator = "") {
  return World(ModelFromText(R"(
    <mujoco><option timestep=".01" gravity="0 0 0"/>
      <extension><plugin plugin="mujoco.pid"><instance name="i">)" +
                             config + R"(</instance></plugin></extension>
      <worldbody><body><joint name="j" type="slide"/><geom size=".1" mass="1e12"/></body></worldbody>
      <actuator><plugin plugin="mujoco.pid" instance="i" joint="j" )" +
                             actuator + "/></actuator></mujoco>"));
}
std::string Config(const std::string& key, const std::string& value) {
  return "<config key='" + key + "' value='" + value + "'/>";
}

double ForceOf(World& w) {
  mj_forward(w.m.get(), w.d.get());
  return w.d->actuator_force[0];
}

TEST(PidTest, ProportionalAndDerivative) {
  World w = Servo(Config("kp", "2") + Config("kd", "0.5"));
  w.d->ctrl[0] = 1;
  w.d->qpos[0] = 0.25;
  w.d->qvel[0] = 0.3;
  EXPECT_DOUBLE_EQ(ForceOf(w), 2 * (1 - 0.25) - 0.5 * 0.3);
}

// With a constant error e, the integral after n steps is n h e, and the force uses that of the end of the step.
TEST(PidTest, IntegralGrowsAndIsBounded) {
  World w = Servo(Config("kp", "2") + Config("ki", "3"), "actdim='1'");
  World bounded = Servo(Config("ki", "3") + Config("imax", "0.1"), "actdim='1'");
  w.d->ctrl[0] = bounded.d->ctrl[0] = 1;
  for (int n = 1; n <= 10; ++n) {
    EXPECT_NEAR(ForceOf(w), 2 + 3 * n * kStep, 1e-12);
    EXPECT_NEAR(ForceOf(bounded), std::fmin(3 * n * kStep, 0.1), 1e-12);
    mj_step(w.m.get(), w.d.get());
    mj_step(bounded.m.get(), bounded.d.get());
  }
  EXPECT_NEAR(w.d->act[0], 10 * kStep, 1e-12);
  EXPECT_NEAR(bounded.d->act[0], 0.1 / 3, 1e-12);
}

TEST(PidTest, SlewBoundsTheSetPointFromTheSecondStepOn) {
  World w = Servo(Config("kp", "1") + Config("slewmax", "5"), "actdim='1'");
  w.d->ctrl[0] = 1;
  mj_step(w.m.get(), w.d.get());
  EXPECT_DOUBLE_EQ(w.d->actuator_force[0], 1);
  w.d->ctrl[0] = -1;
  for (int n = 1; n <= 50; ++n) {
    mj_step(w.m.get(), w.d.get());
    EXPECT_NEAR(w.d->actuator_force[0], std::fmax(1 - 5 * kStep * n, -1), 1e-12);
  }
}

TEST(PidTest, ControlRangeAndBadControls) {
  World w = Servo(Config("kp", "2"), "ctrlrange='-0.5 0.5'");
  w.d->ctrl[0] = 3;
  EXPECT_EQ(ForceOf(w), 1);
  World free = Servo(Config("kp", "2"));
  free.d->ctrl[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(ForceOf(free), 0);
}

// Built-in dynamics filter the set point, whose rate enters the derivative part.
TEST(PidTest, FilteredSetPoint) {
  World w = Servo(Config("kp", "2") + Config("kd", "0.5"), "actdim='1' dyntype='filter' dynprm='.1'");
  w.d->ctrl[0] = 1;
  w.d->act[0] = 0.2;
  EXPECT_NEAR(ForceOf(w), 2 * 0.2 + 0.5 * (1 - 0.2) / 0.1, 1e-12);
  w.m->actuator_actearly[0] = 1;
  EXPECT_NEAR(ForceOf(w), 2 * (0.2 + kStep * 8) + 0.5 * 8, 1e-12);
}

TEST(PidTest, RefusesWhatMakesNoSense) {
  static std::string warning;
  mju_user_warning = [](const char* text) { warning = text; };
  static std::string error;
  mju_user_error = [](const char* text) { error = text; };
  const auto refused = [](const std::string& config, const std::string& actuator) {
    warning.clear();
    try {
      const World w = Servo(config, actuator);
      return w.d ? std::string("accepted") : error;
    } catch (const std::runtime_error& failure) {
      return std::string(failure.what());
    }
  };
  EXPECT_NE(refused(Config("ki", "1"), "").find("expected 1"), std::string::npos);
  EXPECT_NE(refused(Config("ki", "1"), "actdim='2'").find("expected 1"), std::string::npos);
  EXPECT_NE(refused(Config("ki", "-1") + Config("imax", "1"), "actdim='1'").find("imax"), std::string::npos);
  EXPECT_NE(refused(Config("slewmax", "-1"), "actdim='1'").find("slewmax"), std::string::npos);
  EXPECT_EQ(refused(Config("kp", "1"), ""), "accepted");
  mju_user_warning = nullptr;
  mju_user_error = nullptr;
}

}  // namespace
}  // namespace sinew
