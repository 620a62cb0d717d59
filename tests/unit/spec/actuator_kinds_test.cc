#include "spec/actuator_kinds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "spec/struct_defaults.h"

namespace sinew {
namespace {

class Kinds : public testing::Test {
 protected:
  Kinds() { SetDefaults(&actuator); }
  mjsActuator actuator;
};

TEST_F(Kinds, MotorKeepsWhatItDoesNotUse) {
  actuator.gainprm[0] = 7;
  actuator.biasprm[1] = -7;
  EXPECT_STREQ(SetToMotor(&actuator), "");
  EXPECT_EQ(actuator.gainprm[0], 1);
  EXPECT_EQ(actuator.biasprm[1], -7);
  EXPECT_EQ(actuator.biastype, mjBIAS_NONE);
}

TEST_F(Kinds, PositionHasOneKindOfDamping) {
  const double kv = 2, ratio = 0.5, filter = 0.1, off = 0, negative = -1;
  EXPECT_STREQ(SetToPosition(&actuator, 3, &kv, nullptr, nullptr, 0), "");
  EXPECT_EQ(actuator.gainprm[0], 3);
  EXPECT_EQ(actuator.biasprm[1], -3);
  EXPECT_EQ(actuator.biasprm[2], -2);
  EXPECT_STREQ(SetToPosition(&actuator, 3, nullptr, &ratio, &filter, 0), "");
  EXPECT_EQ(actuator.biasprm[2], 0.5);
  EXPECT_EQ(actuator.dyntype, mjDYN_FILTEREXACT);
  EXPECT_STREQ(SetToPosition(&actuator, 3, nullptr, nullptr, &off, 0), "");
  EXPECT_EQ(actuator.dyntype, mjDYN_NONE);

  EXPECT_STRNE(SetToPosition(&actuator, 3, &kv, &ratio, nullptr, 0), "");
  EXPECT_STRNE(SetToPosition(&actuator, 3, &negative, nullptr, nullptr, 0), "");
  EXPECT_STRNE(SetToPosition(&actuator, 3, nullptr, nullptr, &negative, 0), "");
  actuator.ctrlrange[1] = 1;
  EXPECT_STRNE(SetToPosition(&actuator, 3, nullptr, nullptr, nullptr, 1), "");
}

TEST_F(Kinds, VelocityServosAndDampers) {
  EXPECT_STREQ(SetToVelocity(&actuator, 2), "");
  EXPECT_EQ(actuator.gainprm[0], 2);
  EXPECT_EQ(actuator.biasprm[2], -2);
  EXPECT_STREQ(SetToDamper(&actuator, 2), "");
  EXPECT_EQ(actuator.gainprm[0], 0);
  EXPECT_EQ(actuator.gainprm[2], -2);
  EXPECT_EQ(actuator.ctrllimited, mjLIMITED_TRUE);
  EXPECT_STRNE(SetToDamper(&actuator, -1), "");
  EXPECT_STREQ(SetToIntVelocity(&actuator, 3, nullptr, nullptr, nullptr, 0), "");
  EXPECT_EQ(actuator.dyntype, mjDYN_INTEGRATOR);
  EXPECT_EQ(actuator.actlimited, mjLIMITED_TRUE);
}

TEST_F(Kinds, CylinderAreaFromDiameter) {
  EXPECT_STREQ(SetToCylinder(&actuator, 0.1, 1, 5, 3), "");
  EXPECT_NEAR(actuator.gainprm[0], 7.06858347, 1e-8);  // pi 3^2 / 4, to the digits given
  EXPECT_STREQ(SetToCylinder(&actuator, 0.1, 1, 5, -1), "");
  EXPECT_EQ(actuator.gainprm[0], 5);
}

TEST_F(Kinds, MuscleFillsWhatNobodySet) {
  const double none[2] = {-1, -1}, times[2] = {0.3, -1};
  actuator.gainprm[4] = 0.1;  // lmin, from a class
  EXPECT_STREQ(SetToMuscle(&actuator, times, 0, none, -1, -1, -1, -1, 2, -1, -1), "");
  const double expected[9] = {0.75, 1.05, -1, 200, 0.1, 1.6, 2, 1.3, 1.2};
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(actuator.gainprm[i], expected[i]) << i;
    EXPECT_EQ(actuator.biasprm[i], expected[i]) << i;
  }
  EXPECT_EQ(actuator.dynprm[0], 0.3);
  EXPECT_EQ(actuator.dynprm[1], 0.04);
  EXPECT_STRNE(SetToMuscle(&actuator, none, -1, none, -1, -1, -1, -1, -1, -1, -1), "");
}

TEST_F(Kinds, AdhesionDoesNotPush) {
  EXPECT_STREQ(SetToAdhesion(&actuator, 2), "");
  EXPECT_EQ(actuator.gainprm[0], 2);
  EXPECT_STRNE(SetToAdhesion(&actuator, -1), "");
  actuator.ctrlrange[0] = -1;
  EXPECT_STRNE(SetToAdhesion(&actuator, 1), "");
}

TEST_F(Kinds, MotorConstantIsTheGeometricMean) {
  const double constants[2] = {0.1, 0.2}, inductance[2] = {0.01, 0}, current[3] = {0, 3, 0};
  EXPECT_STREQ(
      SetToDCMotor(&actuator, constants, 2, nullptr, current, inductance, nullptr, nullptr, nullptr, nullptr, 0), "");
  EXPECT_NEAR(actuator.gainprm[1], 0.14142136, 1e-8);
  EXPECT_EQ(actuator.dynprm[0], 0.005);  // L / R
  EXPECT_NEAR(actuator.forcerange[1], 0.42426407, 1e-8);
  EXPECT_EQ(actuator.actdim, 1);
}

// Data sheet: 12 V, stall torque 0.5 N m, 300 rad/s without load.
TEST_F(Kinds, MotorFromNominalValues) {
  const double nominal[3] = {12, 0.5, 300};
  const auto set = [&](double resistance) {
    return SetToDCMotor(&actuator, nullptr, resistance, nominal, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                        0);
  };
  EXPECT_STREQ(set(0), "");
  EXPECT_NEAR(actuator.gainprm[1], 0.04, 1e-15);
  EXPECT_NEAR(actuator.gainprm[0], 0.96, 1e-15);
  EXPECT_EQ(actuator.actdim, 0);

  actuator.damping[0] = 1e-3;
  EXPECT_STREQ(set(0), "");
  EXPECT_NEAR(actuator.gainprm[1], 0.016, 1e-15);
  EXPECT_NEAR(actuator.gainprm[0], 0.384, 1e-15);
  EXPECT_STREQ(set(1), "");
  EXPECT_NEAR(actuator.gainprm[1], 0.04, 1e-15);  // the no-load point cannot be reached with this damping
}

TEST_F(Kinds, MotorCountsItsStates) {
  const double constants[2] = {0.1, 0}, controller[6] = {1, 2, 3, 4, 5, 6};
  const double thermal[6] = {0, 2, 5, 0.004, 25, 20}, lugre[5] = {100, 1, 0.1, 0.2, 0.01};
  EXPECT_STREQ(SetToDCMotor(&actuator, constants, 2, nullptr, nullptr, nullptr, nullptr, controller, thermal, lugre, 1),
               "");
  EXPECT_EQ(actuator.actdim, 4);  // slew, integral, temperature, bristle
  EXPECT_EQ(actuator.dynprm[2], 2.5);
  EXPECT_EQ(actuator.gainprm[8], 1);
}

TEST_F(Kinds, MotorNeedsItsConstants) {
  const double constants[2] = {0.1, 0.1}, thermal[6] = {1, 0, 0, 0, 0, 0};
  const auto set = [&](const double* motorconst, double resistance, const double* heat) {
    return std::string(
        SetToDCMotor(&actuator, motorconst, resistance, nullptr, nullptr, nullptr, nullptr, nullptr, heat, nullptr, 0));
  };
  EXPECT_EQ(set(nullptr, 2, nullptr), "DC motor: motor constant K must be positive");
  EXPECT_EQ(set(constants, 0, nullptr), "DC motor: resistance R must be positive");
  EXPECT_EQ(set(constants, 2, thermal), "DC motor: thermal capacitance must be positive");
}

}  // namespace
}  // namespace sinew
