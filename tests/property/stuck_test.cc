// A contact whose rows can move nothing makes no motion. The centre of a sphere on a ball joint is fixed, and the force
// of a contact without friction passes through it: its moment is zero, however stiff the row is and wherever the scene
// stands, in worlds alone, in packs, in double and single precision.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "batch/pack/lane_pack.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

std::string Sphere(double x, double y, double z) {
  return "<body pos='" + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) +
         "'><joint type='ball'/><geom size='.1' mass='2' condim='1'/></body>";
}

// Two spheres that press each other in a random direction, somewhere within ten metres; no gravity.
ModelPtr PressedSpheres(std::mt19937& random) {
  std::normal_distribution<double> normal;
  double direction[3], length = 0, at[3];
  for (double& x : direction) x = normal(random);
  for (const double x : direction) length += x * x;
  std::uniform_real_distribution<double> place(-10, 10), gap(0.05, 0.19);
  for (double& x : at) x = place(random);
  const double scale = gap(random) / std::sqrt(length);
  return ModelFromText(
      "<mujoco><option gravity='0 0 0'/><worldbody>" + Sphere(at[0], at[1], at[2]) +
      Sphere(at[0] + scale * direction[0], at[1] + scale * direction[1], at[2] + scale * direction[2]) +
      "</worldbody></mujoco>");
}

double LargestAcceleration(const mjModel& m, const mjData& d) {
  double largest = 0;
  for (int i = 0; i < m.nv; ++i) largest = std::max(largest, std::fabs(d.qacc[i]));
  return largest;
}

TEST(Stuck, SpheresOnBallJointsAreNotTurnedByWhatPressesThem) {
  std::mt19937 random(1);
  for (int scene = 0; scene < 200; ++scene) {
    const ModelPtr m = PressedSpheres(random);
    const DataPtr d(mj_makeData(m.get()));
    mj_forward(m.get(), d.get());
    ASSERT_EQ(d->ncon, 1);
    ASSERT_EQ(d->nefc, 1);
    EXPECT_EQ(LargestAcceleration(*m, *d), 0) << "scene " << scene;
  }
}

TEST(Stuck, PacksTurnNoneEither) {
  std::mt19937 random(2);
  for (int scene = 0; scene < 50; ++scene) {
    const ModelPtr m = PressedSpheres(random);
    for (const Precision precision : {Precision::kDouble, Precision::kSingle}) {
      LanePack pack(*m, precision);
      std::vector<DataPtr> worlds;
      for (int lane = 0; lane < pack.width(); ++lane) {
        worlds.emplace_back(mj_makeData(m.get()));
        pack.Load(lane, *worlds.back());
      }
      pack.Forward();
      for (int lane = 0; lane < pack.width(); ++lane) {
        mjData& d = *worlds[static_cast<size_t>(lane)];
        pack.Save(lane, &d);
        EXPECT_EQ(LargestAcceleration(*m, d), 0) << "scene " << scene << ", lane " << lane;
      }
    }
  }
}

// Friction has an arm, and turns the sphere: what is rounding is judged by the terms of an entry.
TEST(Stuck, FrictionStillTurnsTheSphere) {
  const ModelPtr m = ModelFromText(
      "<mujoco><option gravity='0 0 0'/><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .09'>"
      "<joint type='ball'/><geom size='.1' mass='2' condim='3'/></body></worldbody></mujoco>");
  const DataPtr d(mj_makeData(m.get()));
  d->qvel[0] = 3;
  mj_step(m.get(), d.get());
  EXPECT_LT(d->qvel[0], 3 - 1e-3);
}

}  // namespace
}  // namespace sinew
