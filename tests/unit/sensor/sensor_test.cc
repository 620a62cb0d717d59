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

// ---- what is fixed

// At rest an accelerometer reads gravity upwards, wherever it is: on the world, on a body without joints, on a mocap
// body and its child, on a joint.
TEST(Sensor, AccelerometersAtRestReadGravity) {
  World w(ModelFromText(R"(
    <mujoco><option gravity="1 2 -9"/><worldbody><site name="world"/>
      <body pos="0 0 1" euler="20 30 40"><geom name="g" size=".1"/><site name="fixed" euler="90 0 0"/></body>
      <body mocap="true" pos="0 0 2"><geom size=".1"/><site name="mocap"/>
        <body pos="1 0 0" euler="0 50 0"><geom size=".1"/><site name="child"/></body></body>
      <body pos="1 0 9"><joint type="hinge" damping="1" stiffness="1e9" axis="0 0 1"/><geom size=".1"/>
        <site name="joint"/></body></worldbody>
      <sensor><accelerometer site="world"/><accelerometer site="fixed"/><accelerometer site="mocap"/>
        <accelerometer site="child"/><accelerometer site="joint"/><framelinacc objtype="geom" objname="g"/>
        <frameangacc objtype="geom" objname="g"/></sensor></mujoco>)"));
  mj_forward(w.m.get(), w.d.get());
  for (int site = 0; site < 5; ++site) {
    double world[3];
    mju_mulMatVec(world, w.d->site_xmat + 9 * site, w.d->sensordata + 3 * site, 3, 3);
    const double up[3] = {-1, -2, 9};
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(world[i], up[i], 1e-12) << mj_id2name(w.m.get(), mjOBJ_SITE, site);
  }
  EXPECT_NEAR(w.d->sensordata[17], 9, 1e-12) << "framelinacc";
  EXPECT_EQ(w.d->sensordata[18], 0) << "frameangacc";
  double motion[6];
  mj_objectAcceleration(w.m.get(), w.d.get(), mjOBJ_XBODY, 1, motion, 0);
  EXPECT_NEAR(motion[5], 9, 1e-12);
}

// ---- images of cameras

struct Lens {
  const char* attributes;
  bool orthographic;
};
constexpr Lens kLenses[] = {
    {R"(fovy="50" resolution="6 4")", false},
    {R"(sensorsize=".02 .01" focal=".02 .02" resolution="4 2")", false},
    {R"(sensorsize=".02 .01" focal=".02 .03" principal=".004 -.001" resolution="5 3")", false},
    {R"(sensorsize=".03 .03" focalpixel="7 6" principalpixel="1 -2" resolution="8 8")", false},
    {R"(projection="orthographic" fovy="3" resolution="6 3")", true},
};

World CameraWorld(const Lens& lens) {
  return World(ModelFromText(std::string(R"(
    <mujoco><worldbody><geom type="plane" size="0 0 1"/>
      <body pos="0 0 2" euler="10 20 30"><freejoint/><geom size=".01" pos="0 0 5"/><camera name="c" )") +
                             lens.attributes +
                             R"(/></body><body name="b"><joint type="slide"/><geom size=".01" pos="0 0 -9"/>
      <site name="s"/></body></worldbody>
    <sensor><rangefinder name="r" camera="c" data="dist dir origin point depth"/>
      <camprojection name="p" camera="c" site="s"/></sensor></mujoco>)"));
}

// The ray of a pixel goes through the middle of that pixel in the picture that the camera takes.
TEST(Sensor, RaysOfACameraGoThroughThePixelsOfItsPicture) {
  for (const Lens& lens : kLenses) {
    World w = CameraWorld(lens);
    mj_forward(w.m.get(), w.d.get());
    const int width = w.m->cam_resolution[0], height = w.m->cam_resolution[1];
    mjvScene scene;
    mjv_defaultScene(&scene);
    mjv_makeScene(w.m.get(), &scene, 10);
    mjvCamera camera;
    mjv_defaultCamera(&camera);
    camera.type = mjCAMERA_FIXED;
    camera.fixedcamid = 0;
    mjv_updateCamera(w.m.get(), w.d.get(), &camera, &scene);
    const mjvGLCamera& view = scene.camera[0];
    const double top = view.frustum_top, bottom = view.frustum_bottom, middle = view.frustum_center;
    const double half = view.frustum_width > 0 ? double(view.frustum_width) : (top - bottom) / 2 * width / height;
    const double* ray = Value(w, "r");
    for (int pixel = 0; pixel < width * height; ++pixel, ray += 11) {
      const double x = middle - half + 2 * half * (pixel % width + 0.5) / width;
      const double y = top - (top - bottom) * (pixel / width + 0.5) / height;
      // from the camera to the point, in its axes, moved to the near plane
      double way[3], local[3];
      mju_sub3(way, ray + 7, w.d->cam_xpos);
      mju_mulMatTVec(local, w.d->cam_xmat, way, 3, 3);
      const double scale = lens.orthographic ? 1 : -double(view.frustum_near) / local[2];
      const double tolerance = 1e-5 * half;  // floats
      ASSERT_GT(ray[0], 0) << "the plane is met";
      EXPECT_NEAR(local[0] * scale, x, tolerance) << lens.attributes << " pixel " << pixel;
      EXPECT_NEAR(local[1] * scale, y, tolerance) << lens.attributes << " pixel " << pixel;
    }
    mjv_freeScene(&scene);
  }
}

// A site at a point that a pixel's ray meets is projected to the middle of that pixel.
TEST(Sensor, ProjectionIsTheInverseOfTheRays) {
  for (const Lens& lens : kLenses) {
    World w = CameraWorld(lens);
    const int width = w.m->cam_resolution[0], height = w.m->cam_resolution[1];
    for (int pixel = 0; pixel < width * height; ++pixel) {
      mj_forward(w.m.get(), w.d.get());
      const double* ray = Value(w, "r") + 11 * pixel;
      for (int i = 0; i < 3; ++i) w.m->body_pos[6 + i] = ray[7 + i] - 0.1 * ray[1 + i];
      mj_forward(w.m.get(), w.d.get());
      EXPECT_NEAR(Value(w, "p")[0], pixel % width + 0.5, 1e-6) << lens.attributes;  // the sensor's sizes are floats
      EXPECT_NEAR(Value(w, "p")[1], pixel / width + 0.5, 1e-6) << lens.attributes;
    }
  }
}

// ---- taxels

// A patch of taxels in the middle of a ball that two others push into, in a world that is turned. The meshes of builtin
// plates have tangents; they lie at z = -1 times their scale.
World TactileWorld(const char* turn = "0 0 0") {
  return World(ModelFromText(std::string(R"(
    <mujoco><option gravity="0 0 0"/>
      <asset><mesh name="pad" builtin="plate" params="3 4" scale=".05 .05 .001"/></asset>
      <worldbody><frame euler=")") +
                             turn + R"("><geom name="skin" size=".1"/>
        <body pos=".02 0 .09"><freejoint/><geom name="ball" size=".1"/></body>
        <body pos="-.08 0 0"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body></frame></worldbody>
      <sensor><tactile name="touch" geom="skin" mesh="pad"/></sensor></mujoco>)"));
}

// A vertex of a mesh as its file has it: models keep them in principal axes.
Vec3<double> VertexOfFile(const World& w, int mesh, int vertex) {
  double place[3];
  const float* v = w.m->mesh_vert + 3 * (w.m->mesh_vertadr[mesh] + vertex);
  const double local[3] = {v[0], v[1], v[2]};
  mju_rotVecQuat(place, local, w.m->mesh_quat + 4 * mesh);
  mju_addTo3(place, w.m->mesh_pos + 3 * mesh);
  return {place[0], place[1], place[2]};
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
    const Vec3<double> taxel = VertexOfFile(w, 0, i), ball = {0.02, 0, 0.09}, box = {-0.08, 0, 0};
    EXPECT_NEAR(taxel.z, -0.001, 1e-7) << "the plate lies flat in the frame of its file";
    const double expected =
        pressure(SphereDistance(taxel - ball, 0.1)) + pressure(BoxDistance(taxel - box, {0.1, 0.1, 0.1}));
    EXPECT_NEAR(Value(w, "touch")[i], expected, 1e-12) << i;  // poses are rounded
  }
}

TEST(Sensor, TactileSlipIsTheSpeedAlongTheTangents) {
  World w = TactileWorld();
  w.d->qvel[1] = 2;   // the ball slides along y, one of the tangents,
  w.d->qvel[4] = 30;  // and spins, which is not felt
  mj_forward(w.m.get(), w.d.get());
  const int taxels = w.m->mesh_vertnum[0];
  const double* touch = Value(w, "touch");
  int touched = 0;
  for (int i = 0; i < taxels; ++i) {
    const bool felt = SphereDistance(VertexOfFile(w, 0, i) - Vec3<double>{0.02, 0, 0.09}, 0.1) < 0;
    touched += felt;
    const double first = touch[taxels + i], second = touch[2 * taxels + i];
    EXPECT_NEAR(std::max(first, second), felt ? 2 : 0, 1e-6) << i;  // tangents are floats
    EXPECT_NEAR(std::min(first, second), 0, 1e-6) << i;
  }
  EXPECT_GT(touched, 0);
  EXPECT_LT(touched, taxels);
}

// Whichever way the world is turned, a skin feels the same.
TEST(Sensor, TaxelsTurnWithTheirGeom) {
  World straight = TactileWorld(), turned = TactileWorld("20 -50 110");
  double quat[4], turn[9];
  mju_mat2Quat(quat, turned.d->geom_xmat);
  for (World* w : {&straight, &turned}) mj_forward(w->m.get(), w->d.get());
  mju_copy(turn, turned.d->geom_xmat, 9);
  const double velocity[3] = {0.3, 2, 0.1};
  mju_copy3(straight.d->qvel, velocity);
  mju_mulMatVec(turned.d->qvel, turn, velocity, 3, 3);
  for (World* w : {&straight, &turned}) mj_forward(w->m.get(), w->d.get());
  double most = 0;
  for (int i = 0; i < straight.m->nsensordata; ++i) {
    EXPECT_NEAR(turned.d->sensordata[i], straight.d->sensordata[i], 1e-9) << i;
    most = std::max(most, std::abs(straight.d->sensordata[i]));
  }
  EXPECT_GT(most, 0.1);
}

// A geom that shows the mesh has its taxels on its vertices: the same as a frame of the mesh's file that stands there.
TEST(Sensor, TaxelsOfAMeshAreItsVertices) {
  const auto world = [](const char* skin) {
    return World(ModelFromText(std::string(R"(
      <mujoco><option gravity="0 0 0"/><asset><mesh name="pad" vertex="0 0 0 .3 0 0 0 .2 0 0 0 .1 .3 .2 .05"/></asset>
        <worldbody>)") + skin + R"(<body pos=".24 .28 .1"><freejoint/><geom size=".1"/></body></worldbody>
        <sensor><tactile geom="skin" mesh="pad"/></sensor></mujoco>)"));
  };
  World shown = world(R"(<geom name="skin" type="mesh" mesh="pad" pos=".01 .02 .03" euler="5 10 15"/>)");
  World held = world(R"(<geom name="skin" type="box" size=".5 .5 .1" pos=".01 .02 .03" euler="5 10 15"/>)");
  for (World* w : {&shown, &held}) mj_forward(w->m.get(), w->d.get());
  double most = 0;
  for (int i = 0; i < shown.m->nsensordata; ++i) {
    const float* v = shown.m->mesh_vert + 3 * i;
    const double local[3] = {v[0], v[1], v[2]};
    double place[3];
    mju_mulMatVec(place, shown.d->geom_xmat, local, 3, 3);
    mju_addTo3(place, shown.d->geom_xpos);
    const double depth =
        std::min(SphereDistance(Vec3<double>{place[0], place[1], place[2]} - Vec3<double>{0.24, 0.28, 0.1}, 0.1), 0.0);
    EXPECT_NEAR(shown.d->sensordata[i], depth / (0.05 - depth), 1e-9) << i;
    EXPECT_NEAR(held.d->sensordata[i], shown.d->sensordata[i], 1e-6) << i;  // vertices are floats
    most = std::max(most, std::abs(shown.d->sensordata[i]));
  }
  EXPECT_GT(most, 0.1);
}

}  // namespace
}  // namespace sinew
