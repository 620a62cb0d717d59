#include "sensor/sensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// Value of a sensor by name.
const double* Value(const World& w, const char* name) {
  return w.d->sensordata + w.m->sensor_adr[mj_name2id(w.m.get(), mjOBJ_SENSOR, name)];
}

TEST(Sensor, ABoxAtRestWeighsOnTheFloorAndFeelsGravity) {
  World w(ModelFromText(R"(
    <mujoco><worldbody><geom type="plane" size="1 1 .1"/>
      <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/>
        <site name="s" type="box" size=".11 .11 .11"/></body></worldbody>
      <sensor><touch name="touch" site="s"/><accelerometer name="acc" site="s"/><clock name="clock"/></sensor></mujoco>)"));
  for (int i = 0; i < 1000; ++i) mj_step(w.m.get(), w.d.get());
  EXPECT_NEAR(*Value(w, "touch"), 2 * 9.81, 1e-3);  // at rest up to the creep of soft contact
  EXPECT_NEAR(Value(w, "acc")[2], 9.81, 1e-3);
  EXPECT_NEAR(*Value(w, "clock"), 999 * w.m->opt.timestep, 1e-12);  // sensors belong to the start of the step
}

TEST(Sensor, GyroAndVelocimeterOfASpinningBody) {
  World w(ModelFromText(R"(
    <mujoco><option gravity="0 0 0"/><worldbody>
      <body><joint axis="0 0 1"/><geom size=".1"/><site name="s" pos="1 0 0" euler="0 0 90"/></body></worldbody>
      <sensor><gyro name="gyro" site="s"/><velocimeter name="vel" site="s"/>
        <accelerometer name="acc" site="s"/></sensor></mujoco>)"));
  w.d->qvel[0] = 3;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_NEAR(Value(w, "gyro")[2], 3, 1e-12);
  EXPECT_NEAR(Value(w, "vel")[0], 3, 1e-12);  // the site's x axis points along the motion
  EXPECT_NEAR(Value(w, "acc")[1], 9, 1e-12);  // centripetal, towards the axis: v^2 / r
}

TEST(Sensor, CutoffBoundsBothSidesAndDisablingKeepsValues) {
  World w(ModelFromText(R"(
    <mujoco><worldbody><body><joint name="j" type="slide"/><geom size=".1"/></body></worldbody>
      <sensor><jointpos name="p" joint="j" cutoff=".5"/></sensor></mujoco>)"));
  w.d->qpos[0] = -2;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(*Value(w, "p"), -0.5);
  w.m->opt.disableflags |= mjDSBL_SENSOR;
  w.d->qpos[0] = 0.1;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(*Value(w, "p"), -0.5);
}

TEST(Sensor, DistanceOfTwoSpheres) {
  World w(ModelFromText(R"(
    <mujoco><worldbody><geom name="a" size=".1" pos="3 0 0"/><geom name="b" size=".1" pos="10 0 0"/></worldbody>
      <sensor><distance name="d" geom1="a" geom2="b" cutoff="20"/><normal name="n" geom1="a" geom2="b" cutoff="20"/>
        <distance name="far" geom1="a" geom2="b" cutoff="5"/></sensor></mujoco>)"));
  mj_forward(w.m.get(), w.d.get());
  EXPECT_NEAR(*Value(w, "d"), 6.8, 1e-12);
  EXPECT_NEAR(Value(w, "n")[0], 1, 1e-12);
  EXPECT_EQ(*Value(w, "far"), 5);
}

TEST(Sensor, KindsWithoutAValueAreNamedInAWarning) {
  static std::string text;
  text.clear();
  mju_user_warning = [](const char* message) { text = message; };
  const ModelPtr m = ModelFromText(
      "<mujoco><worldbody><site name='s'/></worldbody>\n<sensor><rangefinder site='s'/></sensor></mujoco>");
  mju_user_warning = nullptr;
  EXPECT_NE(text.find("test.xml:2"), std::string::npos) << text;
  EXPECT_NE(text.find("rangefinder"), std::string::npos) << text;
}

}  // namespace
}  // namespace sinew
