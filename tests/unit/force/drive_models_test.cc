// Models with drives, compliant contacts and steps of bounded error: what they are for, they do.
#include <gtest/gtest.h>
#include <sinew/extensions.h>

#include <algorithm>
#include <cmath>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// Torques that hold the leg in a crouch, stretch it once, and hold it again.
void DriveLeg(const mjModel* m, mjData* d) {
  const bool push = d->time > 0.3 && d->time < 0.42;
  const double hip = push ? 0.3 : 0.8, knee = push ? -0.6 : -1.6, stiffness = push ? 80 : 30;
  const double torque[] = {stiffness * (hip - d->qpos[1]) - 1.0 * d->qvel[1],
                           stiffness * (knee - d->qpos[2]) - 1.0 * d->qvel[2]};
  for (int i = 0; i < 2; ++i) d->ctrl[i] = torque[i] / m->actuator_gear[6 * i];
}

TEST(DriveModelsTest, TheLegHopsWithinItsLimits) {
  World w(ModelFromFile("compliant/hop.xml"));
  mj_resetDataKeyframe(w.m.get(), w.d.get(), 0);
  double highest = -1, lowest_force = 1e9, largest_torque = 0;
  while (w.d->time < 1) {
    DriveLeg(w.m.get(), w.d.get());
    mj_step(w.m.get(), w.d.get());
    ASSERT_TRUE(std::isfinite(w.d->qpos[0]));
    if (w.d->time < 0.4) continue;
    highest = std::max(highest, w.d->qpos[0]);
    lowest_force = std::min(lowest_force, w.d->sensordata[0]);
    for (int i = 0; i < 2; ++i) {
      // the torque limit is that of the winding; friction comes on top
      largest_torque = std::max(largest_torque, std::fabs(w.d->actuator_force[i]) - 0.2 / w.m->actuator_gear[6 * i]);
    }
  }
  EXPECT_EQ(lowest_force, 0);  // it left the floor
  EXPECT_GT(highest, 0.02);
  EXPECT_LE(largest_torque, 3 + 1e-9);
}

TEST(DriveModelsTest, TheArmPushesTheBoxAndLetsItRest) {
  World w(ModelFromFile("compliant/arm.xml"));
  mjData* d = w.d.get();
  const auto run = [&](double time, double shoulder) {
    while (d->time < time) {
      d->ctrl[0] = shoulder;
      mj_step(w.m.get(), d);
      for (int i = 0; i < 2; ++i) ASSERT_LE(std::fabs(d->actuator_force[i]), 60);
    }
  };
  run(0.5, 0);
  // on the table, at the depth that four springs of 2e4 N/m give (a surface of 4e4 on another)
  EXPECT_NEAR(d->qpos[4], 0.1 - 2 * 9.81 / 4 / 2e4, 1e-6);
  const double before = d->qpos[3];
  run(8, 0.8);
  EXPECT_GT(d->qpos[3], before + 0.02);
  // it rests, but for the creep of the friction
  EXPECT_LT(std::hypot(d->qvel[2], d->qvel[3]), 1e-3);
}

TEST(DriveModelsTest, TheWalkerFallsOnItsFeetWithBoundedError) {
  World w(ModelFromFile("muscle/walker18.xml"));
  double touched = 0;
  while (w.d->time < 0.5) {
    for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = 0.1;
    mj_step(w.m.get(), w.d.get());
    for (int i = 0; i < 9; ++i) ASSERT_TRUE(std::isfinite(w.d->qpos[i])) << w.d->time;
    for (int i = 0; i < w.d->ncon; ++i) {
      double force[6];
      mj_contactForce(w.m.get(), w.d.get(), i, force);
      touched = std::max(touched, force[0]);
    }
  }
  // a body of 75 kg
  EXPECT_GT(touched, 300);
  const auto* control = reinterpret_cast<const sinewErrorControl*>(w.d->history + w.m->nhistory - 4);
  EXPECT_GT(control->accepted, 100);
}

}  // namespace
}  // namespace sinew
