// Contacts that carry things for a long time: stacks stand, piles come to rest, and none gains energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>

#include "tests/testing/model.h"

namespace sinew {
namespace {

double Energy(const World& w) { return w.d->energy[0] + w.d->energy[1]; }

double LargestVelocity(const World& w) {
  double most = 0;
  for (int i = 0; i < w.m->nv; ++i) most = std::max(most, std::fabs(w.d->qvel[i]));
  return most;
}

// Ten boxes of a kilogram for a minute.
TEST(Resting, AStackOfTenBoxesStands) {
  std::string bodies;
  for (int i = 0; i < 10; ++i) {
    bodies += "<body pos='0 0 " + std::to_string(.1 + .2 * i) + "'><freejoint/>";
    bodies += "<geom type='box' size='.1 .1 .1' mass='1'/></body>";
  }
  World w(
      ModelFromText("<mujoco><option timestep='.005' integrator='implicitfast'><flag energy='enable'/></option>"
                    "<worldbody><geom type='plane' size='1 1 1'/>" +
                    bodies + "</worldbody></mujoco>"));
  mj_forward(w.m.get(), w.d.get());
  const double start = Energy(w);
  double most = start;
  for (int i = 0; i < 12000; ++i) {
    mj_step(w.m.get(), w.d.get());
    most = std::max(most, Energy(w));
  }
  // soft contacts give way: by 6 mm at the top
  for (int i = 0; i < 10; ++i) {
    EXPECT_NEAR(w.d->qpos[7 * i], 0, 1e-3) << i;
    EXPECT_NEAR(w.d->qpos[7 * i + 2], .1 + .2 * i, 1e-2) << i;
  }
  EXPECT_LT(LargestVelocity(w), 1e-3);
  EXPECT_LE(most, start + 1e-6);  // 90 J: rounding and the first steps' compression
}

// Capsules that fall into a box lie still after some seconds.
TEST(Resting, APileOfCapsulesComesToRest) {
  std::mt19937 generator(2);
  std::uniform_real_distribution<double> angle(0, 180);
  std::string bodies;
  for (int i = 0; i < 45; ++i) {
    const auto place = [](int k) { return std::to_string(.2 * (k % 3 - 1)) + " "; };
    bodies += "<body pos='" + place(i) + place(i / 3) + std::to_string(.2 + .25 * (i / 9)) + "' euler='";
    bodies += std::to_string(angle(generator)) + " " + std::to_string(angle(generator)) + " 0'><freejoint/>";
    bodies += "<geom type='capsule' size='.05 .05' condim='6' friction='1 .01 .01'/></body>";
  }
  World w(
      ModelFromText("<mujoco><option timestep='.004'><flag energy='enable'/></option><worldbody>"
                    "<geom type='plane' size='1 1 1'/><geom type='box' size='.05 .5 .5' pos='.45 0 .5'/>"
                    "<geom type='box' size='.05 .5 .5' pos='-.45 0 .5'/>"
                    "<geom type='box' size='.5 .05 .5' pos='0 .45 .5'/>"
                    "<geom type='box' size='.5 .05 .5' pos='0 -.45 .5'/>" +
                    bodies + "</worldbody></mujoco>"));
  mj_forward(w.m.get(), w.d.get());
  double energy = Energy(w), gain = 0;
  for (int i = 0; i < 2500; ++i) {
    mj_step(w.m.get(), w.d.get());
    gain = std::max(gain, Energy(w) - energy);
    energy = Energy(w);
  }
  EXPECT_LT(w.d->energy[1], 1e-2);  // of some 60 kg, 2 cm/s: the last ones roll out
  EXPECT_LT(gain, 1);               // of some 150 J per step: springs of deep contacts give back what they took
  EXPECT_EQ(w.d->warning[mjWARN_BADQACC].number, 0);
}

// A thousand of them, in three layers.
TEST(Resting, AThousandCapsulesComeToRest) {
  constexpr int kCapsules = 1000, kSide = 20;
  std::mt19937 generator(2);
  std::uniform_real_distribution<double> angle(0, 180), shift(-.04, .04);
  std::string bodies;
  for (int i = 0; i < kCapsules; ++i) {
    const auto place = [&](int k) { return std::to_string(.21 * (k % kSide - 9.5) + shift(generator)) + " "; };
    bodies +=
        "<body pos='" + place(i) + place(i / kSide) + std::to_string(.2 + .25 * (i / (kSide * kSide))) + "' euler='";
    bodies += std::to_string(angle(generator)) + " " + std::to_string(angle(generator)) + " 0'><freejoint/>";
    bodies += "<geom type='capsule' size='.05 .05' condim='6' friction='1 .03 .03'/></body>";
  }
  World w(ModelFromText(
      "<mujoco><size memory='300M'/><option timestep='.005' integrator='implicitfast'><flag "
      "energy='enable'/></option><worldbody><geom type='plane' size='1 1 1'/>"
      "<geom type='box' size='.05 2.4 2' pos='2.3 0 2'/><geom type='box' size='.05 2.4 2' pos='-2.3 0 2'/>"
      "<geom type='box' size='2.4 .05 2' pos='0 2.3 2'/><geom type='box' size='2.4 .05 2' pos='0 -2.3 2'/>" +
      bodies + "</worldbody></mujoco>"));
  mj_forward(w.m.get(), w.d.get());
  double energy = Energy(w), gain = 0, fastest = 0;
  for (int i = 0; i < 800; ++i) {
    mj_step(w.m.get(), w.d.get());
    gain = std::max(gain, Energy(w) - energy);
    energy = Energy(w);
    fastest = std::max(fastest, w.d->energy[1]);
  }
  EXPECT_LT(w.d->energy[1], 1e-3 * fastest);
  EXPECT_LT(w.d->energy[1], .1);  // of 1.3 tons: 12 mm/s in the mean
  EXPECT_LT(gain, 1);             // of 1,600 J per step: as above
  EXPECT_EQ(w.d->warning[mjWARN_BADQACC].number + w.d->warning[mjWARN_CONTACTFULL].number, 0);
}

// ---- a bolt in its nut, either of them many convex meshes

constexpr int kSegments = 12;  // of a turn of thread
constexpr double kPitch = .006, kThickness = .002;

std::string Point(double r, double a, double z) {
  return std::to_string(r * std::cos(a)) + " " + std::to_string(r * std::sin(a)) + " " + std::to_string(z) + " ";
}

// A piece of a thread between two radii, at z = 0 on the x axis.
std::string ThreadSegment(const std::string& name, double inner, double outer) {
  const double step = 2 * M_PI / kSegments;
  std::string vertices;
  for (const double a : {0.0, step}) {
    for (const double r : {inner, outer}) {
      for (const double side : {-.5, .5}) vertices += Point(r, a, kPitch * a / (2 * M_PI) + side * kThickness);
    }
  }
  return "<mesh name='" + name + "' vertex='" + vertices + "'/>";
}

std::string Thread(const std::string& mesh, int turns, double z) {
  std::string geoms;
  for (int i = 0; i < turns * kSegments; ++i) {
    geoms += "<geom type='mesh' mesh='" + mesh + "' pos='0 0 " + std::to_string(z + kPitch * i / kSegments) +
             "' euler='0 0 " + std::to_string(360.0 * i / kSegments) + "'/>";
  }
  return geoms;
}

World BoltInNut() {
  std::string core;
  for (int i = 0; i < kSegments; ++i) {
    for (const double z : {-.012, .012}) core += Point(.01, 2 * M_PI * i / kSegments, z);
  }
  return World(
      ModelFromText("<mujoco><option timestep='.001' integrator='implicitfast'><flag energy='enable'/></option>"
                    "<default><geom friction='.5'/></default><asset><mesh name='core' vertex='" +
                    core + "'/>" + ThreadSegment("bolt", .009, .014) + ThreadSegment("nut", .0115, .018) +
                    "</asset><worldbody><body>" + Thread("nut", 2, -kPitch) +
                    "</body><body><freejoint/><geom type='mesh' mesh='core'/>" + Thread("bolt", 3, -1.5 * kPitch) +
                    "</body></worldbody></mujoco>"));
}

// It hangs by its thread, and stays in whatever way is down: the lead angle is below that of friction.
TEST(Resting, ABoltStaysInItsNut) {
  World w = BoltInNut();
  mj_forward(w.m.get(), w.d.get());
  const double start = Energy(w);
  double most = start;
  for (int i = 0; i < 2000; ++i) {
    mj_step(w.m.get(), w.d.get());
    most = std::max(most, Energy(w));
  }
  EXPECT_GT(w.d->ncon, 3);
  EXPECT_LE(most, start + 1e-9);
  const double play = kPitch - 2 * kThickness;  // of the threads, along the axis
  for (const auto& [x, z] : {std::pair{0.0, -9.81}, {9.81, 0.0}, {0.0, 9.81}}) {
    w.m->opt.gravity[0] = x;
    w.m->opt.gravity[2] = z;
    for (int i = 0; i < 1000; ++i) mj_step(w.m.get(), w.d.get());
    EXPECT_LT(std::fabs(w.d->qpos[2]), play);
    EXPECT_LT(std::hypot(w.d->qpos[0], w.d->qpos[1]),
              .003);                                // of the core in the nut's thread, 1.5 mm, and its softness
    EXPECT_GT(w.d->xmat[9 * 2 + 8], std::cos(.2));  // upright
    EXPECT_LT(LargestVelocity(w), .1);
  }
  EXPECT_EQ(w.d->warning[mjWARN_BADQACC].number, 0);
}

}  // namespace
}  // namespace sinew
