#include "force/actuation.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// A unit mass on a slide, with actuators on it.
World Slide(const std::string& actuators, const std::string& joint = "", const std::string& rest = "") {
  return World(ModelFromText(R"(
    <mujoco>
      <option timestep=".01" gravity="0 0 0"/>
      <worldbody><body><joint name="x" type="slide" axis="1 0 0" )" +
                             joint + R"(/><geom size=".1" mass="1"/></body></worldbody>
      <tendon><fixed name="t" )" +
                             rest + R"(><joint joint="x" coef="1"/></fixed></tendon>
      <actuator>)" + actuators +
                             R"(</actuator>
    </mujoco>)"));
}

TEST(ActuationTest, ControlsAreLimitedWhereTheyAct) {
  World w = Slide(R"(<motor joint="x" ctrlrange="-1 1" gear="3"/>)");
  w.d->ctrl[0] = 5;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->qfrc_actuator[0], 3);
  EXPECT_EQ(w.d->ctrl[0], 5);  // the user's value stays
  w.m->opt.disableflags |= mjDSBL_CLAMPCTRL;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->qfrc_actuator[0], 15);
}

TEST(ActuationTest, ABadControlSwitchesAllControlsOff) {
  World w = Slide(R"(<motor joint="x"/><motor joint="x"/><motor joint="x" ctrlrange="-1 1"/>)");
  w.d->ctrl[0] = 1;
  w.d->ctrl[2] = std::numeric_limits<double>::infinity();  // the limit makes a good control of it
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->qfrc_actuator[0], 2);
  EXPECT_EQ(w.d->warning[mjWARN_BADCTRL].number, 0);

  w.d->ctrl[1] = std::numeric_limits<double>::quiet_NaN();
  mju_user_warning = [](const char*) {};
  mj_forward(w.m.get(), w.d.get());
  mju_user_warning = nullptr;
  EXPECT_EQ(w.d->qfrc_actuator[0], 0);
  EXPECT_EQ(w.d->warning[mjWARN_BADCTRL].number, 1);
  EXPECT_EQ(w.d->warning[mjWARN_BADCTRL].lastinfo, 1);
}

TEST(ActuationTest, ExactFilterStaysWithinItsRange) {
  World w = Slide(R"(<general joint="x" dyntype="filterexact" dynprm=".05" actlimited="true" actrange="0 .305"/>)");
  w.d->act[0] = 0.3;
  w.d->ctrl[0] = 1;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_DOUBLE_EQ(w.d->act_dot[0], 14);
  EXPECT_EQ(NextActivation(w.m.get(), w.d.get(), 0, 0, w.d->act_dot[0]), 0.305);
}

TEST(ActuationTest, EarlyActivationIsThatOfTheStepsEnd) {
  World w = Slide(R"(<general joint="x" dyntype="integrator" actearly="true" gainprm="2"/>)");
  w.d->ctrl[0] = 3;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_DOUBLE_EQ(w.d->actuator_force[0], 2 * 0.01 * 3);
}

TEST(ActuationTest, TendonLimitScalesTheForcesOfItsActuators) {
  World w = Slide(R"(<motor tendon="t" gear="2"/><motor tendon="t"/>)", "",
                  R"(actuatorfrclimited="true" actuatorfrcrange="-1 2")");
  w.d->ctrl[0] = 3;
  w.d->ctrl[1] = 1;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_DOUBLE_EQ(w.d->actuator_force[0], 1.5);
  EXPECT_DOUBLE_EQ(w.d->actuator_force[1], 0.5);
  EXPECT_DOUBLE_EQ(w.d->qfrc_actuator[0], 3.5);
}

TEST(ActuationTest, JointLimitBoundsTheSum) {
  World w = Slide(R"(<motor joint="x"/><motor joint="x" forcerange="-1 1"/>)",
                  R"(actuatorfrclimited="true" actuatorfrcrange="-2 2")");
  w.d->ctrl[0] = w.d->ctrl[1] = 5;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->actuator_force[1], 1);
  EXPECT_EQ(w.d->qfrc_actuator[0], 2);
}

TEST(ActuationTest, DisabledGroupsDoNotActAndDoNotMove) {
  World w = Slide(R"(<general joint="x" dyntype="integrator" group="2"/><motor joint="x" group="40"/>)");
  w.m->opt.disableactuator = -1;  // groups beyond 30 cannot be disabled
  w.d->ctrl[0] = w.d->ctrl[1] = 1;
  w.d->act[0] = 0.5;
  mj_step(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->actuator_force[0], 0);
  EXPECT_EQ(w.d->actuator_force[1], 1);
  EXPECT_EQ(w.d->act_dot[0], 1);  // shown, not used
  EXPECT_EQ(w.d->act[0], 0.5);
}

TEST(ActuationTest, DelayedControlComesFromTheHistory) {
  World w = Slide(R"(<motor joint="x" delay=".025" nsample="4" interp="linear"/>)");
  const double expected[] = {0, 0, 0.5, 1.5, 3.5, 7.5, 13.5};
  for (int k = 0; k < 7; ++k) {
    w.d->ctrl[0] = k * k + 1;
    mj_step(w.m.get(), w.d.get());
    EXPECT_NEAR(w.d->actuator_force[0], expected[k], 1e-12);  // rounding of the times
  }
}

TEST(ActuationTest, UserDynamicsGainAndBias) {
  World w = Slide(R"(<general joint="x" dyntype="user" gaintype="user" biastype="user"/>)");
  w.d->act[0] = 2;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->actuator_force[0], 2);  // gain 1 and bias 0 without callbacks
  mjcb_act_dyn = [](const mjModel*, const mjData*, int) { return 7.0; };
  mjcb_act_gain = [](const mjModel*, const mjData*, int) { return 3.0; };
  mjcb_act_bias = [](const mjModel*, const mjData*, int) { return 0.5; };
  mj_forward(w.m.get(), w.d.get());
  mjcb_act_dyn = mjcb_act_gain = mjcb_act_bias = nullptr;
  EXPECT_EQ(w.d->actuator_force[0], 6.5);
  EXPECT_EQ(w.d->act_dot[0], 7);
}

TEST(ActuationTest, CompensationThroughActuatorsNeedsNoActuatorOnTheJoint) {
  World w(ModelFromText(R"(
    <mujoco>
      <worldbody>
        <body gravcomp="1"><joint name="z" type="slide" axis="0 0 1" actuatorgravcomp="true"/><geom size=".1" mass="1"/></body>
        <body pos="1 0 0"><joint name="other" type="slide"/><geom size=".1"/></body>
      </worldbody>
      <actuator><motor joint="other"/></actuator>
    </mujoco>)"));
  mj_forward(w.m.get(), w.d.get());
  EXPECT_NEAR(w.d->qfrc_actuator[0], 9.81, 1e-14);
  EXPECT_EQ(w.d->qfrc_passive[0], 0);
}

}  // namespace
}  // namespace sinew
