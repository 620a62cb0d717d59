// Rates of change of the Jacobians of tendons that wrap around geoms.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kinematics/tendon.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

// The rate of a Jacobian around a sphere and a cylinder against central differences. The points of contact slide over
// the surface in space; the path leaves the plane of any section. The tendon of the last site runs through the inside
// of a sphere.
TEST(Tendon, DotFollowsPointsOfContact) {
  const World world(ModelFromText(R"(<mujoco><worldbody>
      <site name="start" pos="-.4 .03 .02"/><site name="high" pos="-.3 0 .15"/>
      <body><joint axis="0 1 .2"/><joint axis="1 0 .3"/>
        <geom name="ball" size=".1" mass="1"/><site name="in" pos=".02 .03 0" size=".01"/>
        <body pos=".3 0 0"><joint axis="0 1 0"/><joint axis=".2 0 1"/><geom size=".01" pos=".1 0 0" mass="1"/>
          <geom name="drum" type="cylinder" size=".05 .3" euler="80 10 0" mass="1"/>
          <site name="middle" pos="-.12 .05 .03"/><site name="higher" pos="-.1 0 .15"/><site name="above" pos="0 0 .3"/>
          <body pos=".3 .2 0"><joint axis="0 1 1"/><geom size=".02" mass="1"/><site name="end" pos="0 .05 -.02"/></body>
        </body></body></worldbody>
      <tendon><spatial><site site="start"/><geom geom="ball"/><site site="middle"/>
          <geom geom="drum" sidesite="above"/><site site="end"/></spatial>
        <spatial><site site="high"/><geom geom="ball" sidesite="in"/><site site="higher"/></spatial></tendon></mujoco>)"));
  const mjModel* m = world.m.get();
  mjData* d = world.d.get();
  const int nv = static_cast<int>(m->nv);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto jacobian_at = [&](int tendon, double time) {
    for (int i = 0; i < nv; ++i) d->qpos[i] += time * d->qvel[i];
    mj_forward(m, d);
    for (int i = 0; i < nv; ++i) d->qpos[i] -= time * d->qvel[i];
    std::vector<double> row(nv);
    for (int k = 0; k < m->ten_J_rownnz[tendon]; ++k) {
      row[m->ten_J_colind[m->ten_J_rowadr[tendon] + k]] = d->ten_J[m->ten_J_rowadr[tendon] + k];
    }
    return row;
  };
  int around_both = 0, through_inside = 0;
  for (int state = 0; state < 20; ++state) {
    for (int i = 0; i < nv; ++i) d->qpos[i] = 0.2 * number(random), d->qvel[i] = number(random);
    for (int tendon = 0; tendon < 2; ++tendon) {
      constexpr double h = 1e-5;
      const std::vector<double> before = jacobian_at(tendon, -h), after = jacobian_at(tendon, h);
      mj_forward(m, d);
      (tendon == 0 ? around_both : through_inside) += d->ten_wrapnum[tendon] == (tendon == 0 ? 7 : 4);
      std::vector<double> dot(nv);
      TendonDot(m, d, tendon, dot.data());
      // Differences are wrong by h^2 times curvatures of up to 1 / (5 cm)^2, and rounding / h.
      for (int i = 0; i < nv; ++i) EXPECT_NEAR(dot[i], (after[i] - before[i]) / (2 * h), 1e-6) << tendon << " " << i;
    }
  }
  EXPECT_GT(around_both, 3);
  EXPECT_GT(through_inside, 3);
}

// Armature set while the model runs counts on a path around a geom, too: the energy of a tendon with inertia, without
// gravity and other forces, is conserved.
TEST(Tendon, ArmatureOnWrappedTendonsConservesEnergy) {
  const World world(ModelFromText(R"(<mujoco><option timestep="1e-4" integrator="RK4" gravity="0 0 0"/><worldbody>
      <site name="start" pos="-.2 .05 .05"/><geom name="ball" size=".05"/>
      <body><joint axis="0 1 0"/><joint axis="1 0 0"/><geom size=".02" pos=".2 0 0" mass="1"/>
        <site name="end" pos=".2 0 .03"/></body></worldbody>
      <tendon><spatial><site site="start"/><geom geom="ball"/><site site="end"/></spatial></tendon></mujoco>)"));
  world.m->tendon_armature[0] = 2;
  mjData* d = world.d.get();
  d->qvel[0] = 1;
  d->qvel[1] = 0.4;
  const auto energy = [&] {
    mj_forward(world.m.get(), d);
    double Mv[2];
    mj_mulM(world.m.get(), d, Mv, d->qvel);
    return 0.5 * (Mv[0] * d->qvel[0] + Mv[1] * d->qvel[1]);
  };
  const double before = energy();
  for (int i = 0; i < 1000; ++i) mj_step(world.m.get(), d);
  ASSERT_EQ(d->ten_wrapnum[0], 4) << "the path still touches";
  EXPECT_NEAR(energy(), before, 1e-7 * before);  // rounding of the slide, over 1,000 steps
}

}  // namespace
}  // namespace sinew
