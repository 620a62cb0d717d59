#include "sensor/sensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "math/signed_distance.h"
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

// Each sensor of a stack sums what its own body feels from both sides, whether or not it keeps a history.
TEST(Sensor, TouchOfAStack) {
  World w(ModelFromText(R"(
    <mujoco><option timestep=".002"/><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/><site name="low" size=".3"/></body>
        <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/><site name="high" size=".3"/>
          <site name="away" pos="3 0 0"/></body>
      </worldbody>
      <sensor><touch name="low" site="low"/><touch name="high" site="high"/><touch name="away" site="away"/>
        <touch name="cut" site="low" cutoff="5"/><touch name="history" site="low" nsample="1"/></sensor></mujoco>)"));
  for (int i = 0; i < 2000; ++i) mj_step(w.m.get(), w.d.get());
  constexpr double kCreep = 1e-3;  // contacts are soft
  EXPECT_NEAR(*Value(w, "low"), (3 + 1) * 9.81, kCreep);
  EXPECT_NEAR(*Value(w, "high"), 9.81, kCreep);
  EXPECT_EQ(*Value(w, "away"), 0);
  EXPECT_EQ(*Value(w, "cut"), 5);
  EXPECT_EQ(*Value(w, "history"), *Value(w, "low"));
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

TEST(Sensor, RangefinderOfASite) {
  World w(ModelFromText(R"(
    <mujoco><worldbody><geom type="plane" size="5 5 1"/>
      <body pos="0 0 1"><freejoint/><geom size=".1" pos="0 -.1 -.2"/><site name="s" euler="150 0 0"/>
        <site name="up"/></body></worldbody>
      <sensor><rangefinder name="r" site="s" data="dist dir origin point normal depth"/>
        <rangefinder name="miss" site="up" data="dist point depth"/></sensor></mujoco>)"));
  mj_forward(w.m.get(), w.d.get());
  // 30 degrees from straight down, one metre over the floor; the body's own geom is not in the way
  const double sine = .5, cosine = std::sqrt(.75), x = 1 / cosine;
  const double expected[14] = {x, 0, -sine, -cosine, 0, 0, 1, 0, -sine * x, 0, 0, 0, 1, x};
  for (int i = 0; i < 14; ++i) EXPECT_NEAR(Value(w, "r")[i], expected[i], 1e-12) << i;
  const double missed[5] = {-1, 0, 0, 0, -1};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Value(w, "miss")[i], missed[i]) << i;
}

// A wall at a distance of 2 in front of a camera: depth is 2 in every pixel, distance grows to the corners. Rays of an
// orthographic camera are parallel.
TEST(Sensor, RangefinderOfACamera) {
  for (const bool perspective : {true, false}) {
    const std::string projection = perspective ? "perspective" : "orthographic", fovy = perspective ? "90" : "1";
    World w(ModelFromText(R"(
      <mujoco><worldbody><geom type="box" size="9 9 1" pos="0 0 -3"/>
        <body><freejoint/><geom size=".1"/>
          <camera name="c" resolution="4 2" fovy=")" +
                          fovy + R"(" projection=")" + projection + R"("/></body></worldbody>
        <sensor><rangefinder name="r" camera="c" data="dist dir depth"/></sensor></mujoco>)"));
    mj_forward(w.m.get(), w.d.get());
    const double* first = Value(w, "r");  // upper left pixel: x = -1.5, y = .5 focal lengths of one pixel
    EXPECT_NEAR(first[4], 2, 1e-12);
    EXPECT_NEAR(first[0], perspective ? 2 * std::sqrt(1 + 1.5 * 1.5 + .25) : 2, 1e-12);
    EXPECT_NEAR(first[1] / first[3], perspective ? 1.5 : 0, 1e-12);
    EXPECT_NEAR(first[2] / first[3], perspective ? -.5 : 0, 1e-12);
  }
}

// A patch of taxels in the middle of a ball that two others push into. The meshes of builtin plates have tangents.
World TactileWorld() {
  return World(ModelFromText(R"(
    <mujoco><option gravity="0 0 0"/>
      <asset><mesh name="pad" builtin="plate" params="3 4" scale=".05 .05 .1"/></asset>
      <worldbody><geom name="skin" size=".1"/>
        <body pos=".02 0 .12"><freejoint/><geom name="ball" size=".1"/></body>
        <body pos="-.08 0 0"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body></worldbody>
      <sensor><tactile name="touch" geom="skin" mesh="pad"/></sensor></mujoco>)"));
}

TEST(Sensor, TactilePressureGrowsWithDepthAndSumsOverGeoms) {
  World w = TactileWorld();
  mj_forward(w.m.get(), w.d.get());
  const int taxels = w.m->mesh_vertnum[0];
  ASSERT_EQ(w.m->sensor_dim[0], 3 * taxels);
  const auto pressure = [](double distance) {
    const double depth = std::min(distance, 0.0);
    return depth / (0.05 - depth);
  };
  for (int i = 0; i < taxels; ++i) {
    const float* v = w.m->mesh_vert + 3 * i;
    const Vec3<double> taxel = {v[0], v[1], v[2]}, ball = {0.02, 0, 0.12}, box = {-0.08, 0, 0};
    const double expected =
        pressure(SphereDistance(taxel - ball, 0.1)) + pressure(BoxDistance(taxel - box, {0.1, 0.1, 0.1}));
    EXPECT_NEAR(Value(w, "touch")[i], expected, 1e-12) << i;  // poses are rounded
  }
}

TEST(Sensor, TactileSlipIsTheSpeedAlongTheTangents) {
  World w = TactileWorld();
  w.d->qvel[1] = 2;   // the ball slides along y, the first tangent,
  w.d->qvel[4] = 30;  // and spins, which is not felt
  mj_forward(w.m.get(), w.d.get());
  const int taxels = w.m->mesh_vertnum[0];
  const double* touch = Value(w, "touch");
  int touched = 0;
  for (int i = 0; i < taxels; ++i) {
    const float* v = w.m->mesh_vert + 3 * i;
    const bool felt = SphereDistance({v[0] - 0.02, v[1], v[2] - 0.12}, 0.1) < 0;
    touched += felt;
    EXPECT_NEAR(touch[taxels + i], felt ? 2 : 0, 1e-6) << i;  // tangents are floats
    EXPECT_NEAR(touch[2 * taxels + i], 0, 1e-6) << i;
  }
  EXPECT_GT(touched, 0);
  EXPECT_LT(touched, taxels);
}

}  // namespace
}  // namespace sinew
