// What physics conserves, a simulation conserves up to the error of its integrator.
#include <gtest/gtest.h>

#include <cmath>

#include "math/vec3.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

double TotalEnergy(World& w) {
  mj_forward(w.m.get(), w.d.get());
  mj_energyPos(w.m.get(), w.d.get());
  mj_energyVel(w.m.get(), w.d.get());
  return w.d->energy[0] + w.d->energy[1];
}

// Linear momentum, and angular momentum about the centre of mass, of the tree of body 1.
void Momentum(World& w, double linear[3], double angular[3]) {
  mj_forward(w.m.get(), w.d.get());
  mj_subtreeVel(w.m.get(), w.d.get());
  for (int i = 0; i < 3; ++i) {
    linear[i] = w.m->body_subtreemass[1] * w.d->subtree_linvel[3 + i];
    angular[i] = w.d->subtree_angmom[3 + i];
  }
}

constexpr char kDoublePendulum[] = R"(
<mujoco><option timestep="0.001" integrator="RK4"/><worldbody>
  <body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02" contype="0"/>
    <body pos="0 0 -.5"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" contype="0"/></body>
  </body></worldbody></mujoco>)";

TEST(Conservation, RungeKuttaKeepsTheEnergyOfADoublePendulum) {
  World w(ModelFromText(kDoublePendulum));
  w.d->qpos[0] = 1.5;
  w.d->qpos[1] = -0.7;
  const double start = TotalEnergy(w);
  for (int i = 0; i < 10000; ++i) mj_step(w.m.get(), w.d.get());
  // fourth order at h = 1 ms; chaotic, so the bound covers fast phases
  EXPECT_NEAR(TotalEnergy(w), start, 1e-5 * std::fabs(start));
}

constexpr char kFreeTree[] = R"(
<mujoco><option timestep="0.001" integrator="RK4" gravity="0 0 0"/><worldbody>
  <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/>
    <body pos=".1 0 .3"><joint type="ball" damping=".5"/><geom type="capsule" fromto="0 0 0 .2 .1 .3" size=".03"/>
      <body pos=".2 .1 .3"><joint axis="1 1 0" stiffness="3"/><geom type="sphere" pos="0 .1 0" size=".05"/></body></body>
    <body pos="-.1 0 -.3"><joint type="slide" axis="0 0 1" damping="1"/><geom type="sphere" size=".1"/></body>
  </body></worldbody></mujoco>)";

TEST(Conservation, InternalForcesKeepMomentum) {
  World w(ModelFromText(kFreeTree));
  for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = std::sin(1.0 + i);
  double linear[3], angular[3], linear_end[3], angular_end[3];
  Momentum(w, linear, angular);
  for (int i = 0; i < 1000; ++i) mj_step(w.m.get(), w.d.get());
  Momentum(w, linear_end, angular_end);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(linear_end[i], linear[i], 1e-7 * (1 + std::fabs(linear[i])));  // fourth order at h = 1 ms
    EXPECT_NEAR(angular_end[i], angular[i], 1e-7 * (1 + std::fabs(angular[i])));
  }
}

TEST(Conservation, ContactKeepsTheMomentumOfTwoSpheres) {
  World w(ModelFromText(R"(
    <mujoco><option gravity="0 0 0"/><worldbody>
      <body pos="0 0 0"><freejoint/><geom size=".1" mass="1"/></body>
      <body pos=".25 .03 0"><freejoint/><geom size=".1" mass="3"/></body></worldbody></mujoco>)"));
  w.d->qvel[0] = 2;
  for (int i = 0; i < 500; ++i) mj_step(w.m.get(), w.d.get());
  EXPECT_GT(w.d->qvel[6], 0.5);                            // they met
  EXPECT_NEAR(w.d->qvel[0] + 3 * w.d->qvel[6], 2, 1e-12);  // action equals reaction, to rounding
  EXPECT_NEAR(w.d->qvel[1] + 3 * w.d->qvel[7], 0, 1e-12);
}

TEST(Conservation, FrictionHoldsABlockBelowItsConeAndNotAbove) {
  const auto slide = [](double degrees) {
    const double angle = degrees * M_PI / 180;
    World w(ModelFromText(R"(
      <mujoco><option cone="elliptic" impratio="100"/><worldbody><geom type="plane" size="5 5 .1" friction=".5"/>
        <body pos="0 0 .05"><freejoint/><geom type="box" size=".1 .1 .05" friction=".5"/></body></worldbody></mujoco>)"));
    w.m->opt.gravity[0] = 9.81 * std::sin(angle);
    w.m->opt.gravity[2] = -9.81 * std::cos(angle);
    for (int i = 0; i < 500; ++i) mj_step(w.m.get(), w.d.get());
    return w.d->qvel[0];
  };
  EXPECT_LT(slide(20), 0.01);  // tan 20 = 0.36 < mu; soft contacts creep
  const double expected = 9.81 * (std::sin(40 * M_PI / 180) - 0.5 * std::cos(40 * M_PI / 180));
  EXPECT_NEAR(slide(40), expected, 0.03 * expected);
}

}  // namespace
}  // namespace sinew
