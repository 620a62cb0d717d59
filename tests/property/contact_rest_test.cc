// What lies or stands on flat ground stays where it is, whatever its shape and that of the ground, and what falls on it
// gains no energy. SINEW_REST_SECONDS=60 watches for a minute.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/testing/longer.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr double kRadius = .02, kHalf = .05;

std::string Vertex(double x, double y, double z) {
  return std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + " ";
}

// A prism with that many sides, standing on one end.
std::string Prism(const std::string& name, int sides, double radius, double half) {
  std::string vertices;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * M_PI * (i + .3) / sides;
    for (const double z : {-half, half}) vertices += Vertex(radius * std::cos(angle), radius * std::sin(angle), z);
  }
  return "<mesh name='" + name + "' vertex='" + vertices + "'/>";
}

struct Rest {
  std::string body, ground;
  double height;  // of the body's centre over the ground
};

const std::string kPlane = "<geom type='plane' size='1 1 1'/>";
const std::string kBox = "<geom type='box' size='.5 .4 .1' pos='0 0 -.1'/>";
const std::string kMesh = "<geom type='mesh' mesh='slab'/>";
const std::string kCylinder = "<geom type='cylinder' size='.5 .1' pos='0 0 -.1'/>";
const std::string kField = "<geom type='hfield' hfield='flat'/>";

const std::string kLying = "euler='0 90 20'", kUpright = "euler='0 0 20'";

std::string Body(const std::string& pose, const std::string& geom) {
  return pose + "><freejoint/><geom mass='.1' " + geom + "/></body>";
}

World WorldOf(const Rest& rest, double height) {
  return World(ModelFromText(
      "<mujoco><option timestep='.004'><flag energy='enable'/></option><asset>" + Prism("three", 3, .05, .04) +
      Prism("six", 6, .05, .01) + Prism("sixteen", 16, .05, .03) + Prism("lamp", 8, .02, .1) +
      "<mesh name='slab' vertex='-.5 -.4 0 .5 -.4 0 -.5 .4 0 .5 .4 0 -.5 -.4 -.2 .5 -.4 -.2 -.5 .4 -.2 .5 .4 -.2'/>"
      "<hfield name='flat' nrow='7' ncol='9' size='.5 .4 .1 .1'/></asset><worldbody>" +
      rest.ground + "<body pos='.011 .023 " + std::to_string(height) + "' " + rest.body + "</worldbody></mujoco>"));
}

std::vector<Rest> Rests() {
  const std::string cylinder = "type='cylinder' size='.02 .05'", capsule = "type='capsule' size='.02 .05'",
                    disc = "type='cylinder' size='.05 .01'", box = "type='box' size='.05 .04 .02'";
  std::vector<Rest> rests;
  for (const std::string& ground : {kPlane, kBox, kMesh, kCylinder, kField}) {
    rests.push_back({Body(kLying, cylinder), ground, kRadius});
    rests.push_back({Body(kLying, capsule), ground, kRadius});
    rests.push_back({Body(kUpright, cylinder), ground, kHalf});
    rests.push_back({Body(kUpright, disc), ground, .01});
    rests.push_back({Body(kUpright, box), ground, .02});
    rests.push_back({Body(kUpright, "type='mesh' mesh='three'"), ground, .04});
    rests.push_back({Body(kUpright, "type='mesh' mesh='sixteen'"), ground, .03});
  }
  for (const std::string& ground : {kPlane, kBox, kMesh}) {
    rests.push_back({Body(kUpright, "type='mesh' mesh='six'"), ground, .01});
  }
  rests.push_back({Body(kUpright, "type='mesh' mesh='lamp'"), kPlane, .1});
  return rests;
}

constexpr double kTimestep = .004;  // of WorldOf

int StepsAfterTheFirstSecond() { return static_cast<int>((CountOr("SINEW_REST_SECONDS", 10) - 1) / kTimestep); }

// Contacts give way by less than a millimetre in the first second. What is left then does not move: by 0.2 mm in a
// minute, a hundredth of the smallest shape: what is round and has once been pushed rolls on.
TEST(Rest, WhatLiesOnFlatGroundLiesStill) {
  for (const Rest& rest : Rests()) {
    SCOPED_TRACE(rest.body + " on " + rest.ground);
    World w = WorldOf(rest, rest.height);
    for (int i = 0; i < 250; ++i) mj_step(w.m.get(), w.d.get());
    const std::vector<double> settled(w.d->qpos, w.d->qpos + 7);
    EXPECT_NEAR(settled[0], .011, 1e-3);
    EXPECT_NEAR(settled[1], .023, 1e-3);
    EXPECT_NEAR(settled[2], rest.height, 1e-3);
    for (int i = 0; i < StepsAfterTheFirstSecond(); ++i) mj_step(w.m.get(), w.d.get());
    for (int i = 0; i < 7; ++i) EXPECT_NEAR(w.d->qpos[i], settled[static_cast<size_t>(i)], i < 3 ? 2e-4 : 5e-3) << i;
  }
}

// A part of 1e-6 of the energy of the fall is room for rounding, and for the velocity of a step of gravity.
TEST(Rest, WhatFallsGainsNoEnergy) {
  for (const Rest& rest : Rests()) {
    SCOPED_TRACE(rest.body + " on " + rest.ground);
    World w = WorldOf(rest, rest.height + .05);
    mj_forward(w.m.get(), w.d.get());
    const double start = w.d->energy[0] + w.d->energy[1];
    double most = start;
    for (int i = 0; i < 500; ++i) {
      mj_step(w.m.get(), w.d.get());
      mj_forward(w.m.get(), w.d.get());  // energy of the state that the step has led to
      most = std::max(most, w.d->energy[0] + w.d->energy[1]);
    }
    EXPECT_LE(most, start + 1e-6 * .1 * 9.81 * .05);
  }
}

}  // namespace
}  // namespace sinew
