// Contacts that carry things for a long time: stacks stand, piles come to rest, and none gains energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

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

}  // namespace
}  // namespace sinew
