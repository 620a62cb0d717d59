#include "force/dcmotor_kernel.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sinew
