#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// A ball that carries the site, and a smaller one that touches it in a direction given by azimuth and elevation.
World Touched(double azimuth, double elevation, const std::string& config, const std::string& attach = "site") {
  const double r = 0.1199, deg = mjPI / 180, a = azimuth * deg, e = elevation * deg;
  const std::string pos = std::to_string(r * std::cos(e) * std::sin(a)) + " " + std::to_string(r * std::sin(e)) + " " +
                          std::to_string(-r * std::cos(e) * std::cos(a));
  return World(ModelFromText(R"(
    <mujoco><option gravity="0 0 0"/><extension><plugin plugin="mujoco.sensor.touch_grid"/></extension>
      <worldbody><body><geom name="ball" size=".1"/><site name="s"/></body>
        <body pos=")" + pos + R"("><freejoint/><geom size=".02" mass="1"/></body></worldbody>
      <sensor><plugin plugin="mujoco.sensor.touch_grid" objtype=")" +
                             attach + "\" objname=\"" + (attach == "site" ? "s" : "ball") + "\">" + config +
                             "</plugin></sensor></mujoco>"));
}
std::string Grid(const std::string& size, const std::string& fov, const std::string& gamma = "0",
                 const std::string& nchannel = "1") {
  return "<config key='size' value='" + size + "'/><config key='fov' value='" + fov + "'/><config key='gamma' value='" +
         gamma + "'/><config key='nchannel' value='" + nchannel + "'/>";
}

// The cell that is touched, -1 for none.
int CellTouched(World w) {
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->ncon, 1);
  int cell = -1;
  for (int i = 0; i < w.m->nsensordata; ++i) {
    if (w.d->sensordata[i] != 0) cell = i;
  }
  return cell;
}

TEST(TouchGridTest, CellsByAzimuthAndElevation) {
  const std::string grid = Grid("3 3", "45 45");
  EXPECT_EQ(CellTouched(Touched(0, 0, grid)), 4);
  EXPECT_EQ(CellTouched(Touched(16, 0, grid)), 5);
  EXPECT_EQ(CellTouched(Touched(-16, 0, grid)), 3);
  EXPECT_EQ(CellTouched(Touched(0, 16, grid)), 7);
  EXPECT_EQ(CellTouched(Touched(40, 14, grid)), 5);  // elevation is that above the plane of x and z
  EXPECT_EQ(CellTouched(Touched(40, -16, grid)), 2);
  EXPECT_EQ(CellTouched(Touched(46, 0, grid)), -1);
  EXPECT_EQ(CellTouched(Touched(0, -46, grid)), -1);
  EXPECT_EQ(CellTouched(Touched(180, 0, grid)), -1);
  EXPECT_EQ(CellTouched(Touched(179, 0, Grid("4 1", "180 90"))), 3);
}

// Edges at (1 - gamma) s + gamma s^5.
TEST(TouchGridTest, FoveationNarrowsTheMiddle) {
  const std::string grid = Grid("5 1", "80 80", "0.5");
  const double edge = 80 * (0.5 * 0.2 + 0.5 * std::pow(0.2, 5));
  EXPECT_EQ(CellTouched(Touched(edge - 0.1, 0, grid)), 2);
  EXPECT_EQ(CellTouched(Touched(edge + 0.1, 0, grid)), 3);
}

// Channels hold the force on the body in the site's axes: along z, x, y.
TEST(TouchGridTest, ChannelsAreTheContactForce) {
  World w = Touched(20, 10, Grid("2 2", "80 80", "0", "6"));
  w.d->qvel[0] = 0.2;
  w.d->qvel[2] = 0.3;
  mj_forward(w.m.get(), w.d.get());
  ASSERT_EQ(w.d->ncon, 1);
  double force[6], world[3];
  mj_contactForce(w.m.get(), w.d.get(), 0, force);
  mju_mulMatTVec(world, w.d->contact[0].frame, force, 3, 3);
  const double* sensed = w.d->sensordata + 3;  // right and above
  EXPECT_NEAR(sensed[0], -world[2], 1e-12);
  EXPECT_NEAR(sensed[4], -world[0], 1e-12);
  EXPECT_NEAR(sensed[8], -world[1], 1e-12);
  EXPECT_GT(sensed[0], 1);
}

TEST(TouchGridTest, DrawsATileForATouchedCell) {
  World w = Touched(0, 0, Grid("3 2", "45 30"));
  mj_forward(w.m.get(), w.d.get());
  mjvScene scene;
  mjv_defaultScene(&scene);
  mjv_makeScene(w.m.get(), &scene, 10);
  mjvOption option;
  mjv_defaultOption(&option);
  mjvCamera camera;
  mjv_defaultCamera(&camera);
  mjv_updateScene(w.m.get(), w.d.get(), &option, nullptr, &camera, mjCAT_ALL, &scene);
  int tiles = 0;
  for (int i = 0; i < scene.ngeom; ++i) {
    if (scene.geoms[i].type != mjGEOM_BOX) continue;
    ++tiles;
    EXPECT_NEAR(scene.geoms[i].size[0], 0.1 * 15 * mjPI / 180, 1e-3);  // half a cell, at the ball's surface
    EXPECT_EQ(scene.geoms[i].rgba[0], 1);
  }
  EXPECT_EQ(tiles, 1);
  mjv_freeScene(&scene);
}

TEST(TouchGridTest, ErrorsNameTheAttribute) {
  const auto text = [](const std::string& config, const std::string& attach = "site") -> std::string {
    try {
      Touched(0, 0, config, attach);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(text(Grid("3", "45 45")).find("'size' must be two"), std::string::npos);
  EXPECT_NE(text(Grid("", "45 45")).find("'size' must be two"), std::string::npos);
  EXPECT_NE(text(Grid("3 3 3", "45 45")).find("'size' must be two"), std::string::npos);
  EXPECT_NE(text(Grid("0 3", "45 45")).find("'size' must be positive"), std::string::npos);
  EXPECT_NE(text(Grid("1e9 1e9", "45 45")).find("at most 2^24"), std::string::npos);
  EXPECT_NE(text(Grid("3 3", "45")).find("'fov' must be two"), std::string::npos);
  EXPECT_NE(text(Grid("3 3", "181 45")).find("'fov' by azimuth"), std::string::npos);
  EXPECT_NE(text(Grid("3 3", "45 0")).find("'fov' by elevation"), std::string::npos);
  EXPECT_NE(text(Grid("3 3", "45 45", "2")).find("'gamma'"), std::string::npos);
  EXPECT_NE(text(Grid("3 3", "45 45", "x")).find("'gamma'"), std::string::npos);
  EXPECT_NE(text(Grid("3 3", "45 45", "0", "7")).find("'nchannel'"), std::string::npos);
  EXPECT_NE(text(Grid("3 3", "45 45", "0", "0")).find("'nchannel'"), std::string::npos);
  EXPECT_NE(text(Grid("3 3", "45 45"), "geom").find("site"), std::string::npos);
}

}  // namespace
}  // namespace sinew
