#include "force/dcmotor_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// A motor with every state: position controller with slew and integral limits, thermal resistance, friction,
// inductance.
DcMotor<double> FullMotor() {
  DcMotor<double> motor = {};
  motor.K = 0.063245553203367585;  // sqrt(.05 .08)
  motor.R = 2;
  motor.alpha = 0.004;
  motor.T0 = 25;
  motor.kp = 10;
  motor.ki = 2;
  motor.kd = 0.5;
  motor.Vmax = 24;
  motor.input = MotorInput::kPosition;
  motor.te = 0.02;
  motor.current_rate_max = 12;
  motor.RT = 10;
  motor.C = 5;
  motor.Ta = 30;
  motor.sigma0 = 100;
  motor.sigma1 = 1;
  motor.slew = 100;
  motor.integral_max = 3;
  motor.cogging = 0.01;
  motor.poles = 6;
  motor.phase = 0.2;
  motor.coulomb = 0.1;
  motor.stiction = 0.2;
  motor.stribeck = 0.05;
  motor.slew_state = 0;
  motor.integral_state = 1;
  motor.temperature_state = 2;
  motor.bristle_state = 3;
  motor.current_state = 4;
  return motor;
}
constexpr double kStep = 0.01, kInput = 2;
constexpr MotorMotion<double> kMotion = {0.3, 0.7};
constexpr double kAct[5] = {1.5, 0.2, 12, 0.001, 0.4};

TEST(DcMotorTest, Rates) {
  double rate[5];
  MotorRates(FullMotor(), kAct, kInput, kMotion, kStep, rate);
  const double expected[] = {50, 1.7, -0.171648, 0, 12};
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(rate[k], expected[k], 1e-12);
}

TEST(DcMotorTest, NextStates) {
  const DcMotor<double> motor = FullMotor();
  double rate[5];
  MotorRates(motor, kAct, kInput, kMotion, kStep, rate);
  const double expected[] = {2, 0.217, 11.99828352, 0.001, 0.494432641669};
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(NextMotorState(motor, k, kAct[k], rate[k], kMotion.velocity, kStep), expected[k], 1e-12);
  }
}

TEST(DcMotorTest, TorqueWithoutStates) {
  DcMotor<double> motor = {};
  motor.K = 0.1;
  motor.R = 2;
  motor.slew_state = motor.integral_state = motor.temperature_state = motor.bristle_state = motor.current_state = -1;
  EXPECT_NEAR(SteadyTorque(motor, kAct, kInput, kMotion, kStep), 0.0965, 1e-15);
  EXPECT_EQ(MotorMechanicalTorque(motor, kAct, kMotion), 0);
}

TEST(DcMotorTest, IntegralStopsAtItsBound) {
  DcMotor<double> motor = FullMotor();
  motor.integral_max = 0.2;
  motor.slew_state = -1;  // the input may change at once
  double rate[5];
  MotorRates(motor, kAct, kInput, kMotion, kStep, rate);
  EXPECT_EQ(rate[1], 0);
  MotorRates(motor, kAct, /*input=*/-5.0, kMotion, kStep, rate);  // but may leave it
  EXPECT_LT(rate[1], 0);
}

TEST(DcMotorTest, StandingBristleKeepsItsDeflection) {
  EXPECT_EQ(NextMotorState(FullMotor(), 3, 0.002, 0.0, /*velocity=*/0.0, kStep), 0.002);
}

// ---- the torque law of Mini Cheetah and Cheetah 3

// Torque at the joint for a desired one there.
struct Drive {
  double gear, KT, R, battery, limit, viscous, dry;

  std::string Text() const {
    // K_t = 1.5 K_T, K_e = 2 K_T; the motor has one constant, sqrt(K_t K_e), to which the voltage is scaled
    char text[1000];
    std::snprintf(text, sizeof(text),
                  R"(<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" damping="%g"/>
                  <geom size=".1" mass="1"/></body></worldbody><actuator><dcmotor joint="j" gear="%.17g"
                  motorconst="%.17g %.17g" resistance="%g" input="ff" controller="0 0 0 0 0 %.17g"
                  saturation="%g 0 0" dryfriction="%g"/></actuator></mujoco>)",
                  viscous, gear, 1.5 * KT, 2 * KT, R, battery * std::sqrt(0.75), limit, dry);
    return text;
  }

  double Torque(double desired, double velocity) const {
    World w(ModelFromText(Text()));
    w.d->ctrl[0] = desired / gear;
    w.d->qvel[0] = velocity;
    mj_forward(w.m.get(), w.d.get());
    return w.d->qfrc_actuator[0] + w.d->qfrc_passive[0];
  }
};

TEST(DcMotorTest, MiniCheetahsTorques) {
  Drive hip = {6, 0.05, 0.173, 24, 3, 0, 0};
  EXPECT_NEAR(hip.Torque(30, 0), 18, 1e-9);
  EXPECT_NEAR(hip.Torque(-30, 0), -18, 1e-9);
  EXPECT_NEAR(hip.Torque(18, 28.4), 18, 1e-9);
  EXPECT_LT(hip.Torque(18, 28.48), 18 - 1e-3);
  EXPECT_NEAR(hip.Torque(18, 40), 0, 1e-9);
  // six decimals are given
  EXPECT_NEAR(hip.Torque(18, 30), 15.606936, 6e-7);
  EXPECT_NEAR(hip.Torque(18, 35), 7.803468, 6e-7);
  EXPECT_NEAR(hip.Torque(0, 45), -7.803468, 6e-7);
  hip.viscous = 0.01;
  hip.dry = 0.2;
  EXPECT_NEAR(hip.Torque(18, 30), 15.106936, 6e-7);
  EXPECT_NEAR(hip.Torque(18, 35), 7.253468, 6e-7);
  EXPECT_NEAR(hip.Torque(0, 45), -8.453468, 6e-7);

  // reflected inertia of the rotors, hip and knee
  EXPECT_NEAR(63e-6 * 6 * 6, 2.268e-3, 1e-9);
  EXPECT_NEAR(63e-6 * 9.33 * 9.33, 5.48408e-3, 1e-8);

  const Drive cheetah3 = {7.66666666667, 0.266, 0.45, 65, 27.2, 0, 0};
  // "208.6" is given with four digits, and 8.44 and 15.94 rad/s with two decimals
  EXPECT_NEAR(cheetah3.Torque(1000, 0), 208.6, 0.1);
  EXPECT_NEAR(cheetah3.Torque(208.5, 8.41), 208.5, 1e-9);
  // by the formula the torque begins to fall at 8.415 rad/s, and at 8.44 is half a percent below its limit
  EXPECT_NEAR(cheetah3.Torque(208.5, 8.44), 208.6, 1.0);
  EXPECT_NEAR(cheetah3.Torque(208.5, 15.94), 0, 0.3);
}

// Drake's joint actuator: reflected inertia is armature, the limit of effort a range of force.
TEST(DcMotorTest, DrakesActuatorNeedsNoElementOfItsOwn) {
  World w(ModelFromText(R"(<mujoco><option gravity="0 0 0"/><worldbody><body>
      <inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/><joint name="j" armature="0.5"/></body></worldbody>
      <actuator><general joint="j" gear="1" forcerange="-2 2"/></actuator></mujoco>)"));
  w.d->ctrl[0] = 5;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_NEAR(w.d->qacc[0], 2 / 0.6, 1e-12);
}

// Its control law, clip(-kp (q - q_d) - kd (v - v_d) + u, +-e): three actuators of a joint whose sum has a range.
TEST(DcMotorTest, DrakesControlLawIsClippedAsAWhole) {
  World w(ModelFromText(R"(<mujoco><option gravity="0 0 0"/><worldbody><body>
      <inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/><joint name="j" actuatorfrcrange="-2 2"/></body></worldbody>
      <actuator><position joint="j" kp="10"/><velocity joint="j" kv="3"/><motor joint="j"/></actuator></mujoco>)"));
  for (const double q : {0.0, 0.3}) {
    for (const double v : {-1.0, 0.2}) {
      for (const double u : {-1.0, 5.0}) {
        const double target = 0.1, speed = 0.5;
        w.d->qpos[0] = q, w.d->qvel[0] = v;
        w.d->ctrl[0] = target, w.d->ctrl[1] = speed, w.d->ctrl[2] = u;
        mj_forward(w.m.get(), w.d.get());
        const double wanted = -10 * (q - target) - 3 * (v - speed) + u;
        EXPECT_NEAR(w.d->qfrc_actuator[0], std::min(2.0, std::max(-2.0, wanted)), 1e-12);
      }
    }
  }
}

TEST(DcMotorTest, SlopesOfTheExtendedMotorAreDerivatives) {
  Drive hip = {6, 0.05, 0.173, 24, 3, 0, 0.2};
  std::string text = hip.Text();
  text.replace(text.find("dryfriction=\"0.2\""), 17, "dryfriction=\"0.2 0.5\"");
  text.replace(text.find("<option"), 7, "<option integrator=\"implicit\"");
  World w(ModelFromText(text));
  for (const double v : {0.1, 30.0}) {
    const auto force = [&](double velocity) {
      w.d->ctrl[0] = 2.9;
      w.d->qvel[0] = velocity;
      mj_forward(w.m.get(), w.d.get());
      return w.d->qfrc_actuator[0];
    };
    const double difference = (force(v + 1e-6) - force(v - 1e-6)) / 2e-6;
    force(v);
    mj_step(w.m.get(), w.d.get());
    EXPECT_NEAR(w.d->qDeriv[0], difference, 1e-5 * (1 + std::fabs(difference))) << v;
  }
}

TEST(DcMotorTest, ExtendedMotorsAreWrittenAndMarked) {
  const Drive hip = {6, 0.05, 0.173, 24, 3, 0.01, 0.2};
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(hip.Text().c_str(), nullptr, error, sizeof(error));
  ASSERT_TRUE(spec) << error;
  World w(ModelPtr(mj_compile(spec, nullptr)));
  std::vector<char> written(100000);
  ASSERT_EQ(mj_saveXMLString(spec, written.data(), static_cast<int>(written.size()), error, sizeof(error)), 0) << error;
  mj_deleteSpec(spec);
  World again(ModelFromText(written.data()));
  for (World* world : {&w, &again}) {
    world->d->ctrl[0] = 3;
    world->d->qvel[0] = 35;
    mj_forward(world->m.get(), world->d.get());
  }
  // files have as many digits as they need for six
  EXPECT_NEAR(w.d->qfrc_actuator[0], again.d->qfrc_actuator[0], 1e-3) << written.data();
  std::vector<char> bytes(static_cast<size_t>(mj_sizeModel(w.m.get())));
  mj_saveModel(w.m.get(), nullptr, bytes.data(), static_cast<int>(bytes.size()));
  EXPECT_EQ(std::string(bytes.end() - 8, bytes.end()), "SINEWEX1");
}

}  // namespace
}  // namespace sinew
