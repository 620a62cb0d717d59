// Signed distance fields: contacts hold things apart, and moving along them separates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "math/vec3.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

// The deepest contact, -1 without any.
int Deepest(const World& w) {
  int deepest = -1;
  for (int i = 0; i < w.d->ncon; ++i) {
    if (deepest < 0 || w.d->contact[i].dist < w.d->contact[deepest].dist) deepest = i;
  }
  return deepest;
}

World Pair(const std::string& geom) {
  return World(ModelFromText(
      "<mujoco><asset><mesh name='block' vertex='-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 "
      ".1 .1 .1 .1 .1'/></asset><worldbody><geom name='fixed' type='sdf' mesh='block'/><body><freejoint/><geom " +
      geom + "/></body></worldbody></mujoco>"));
}

// A contact is as deep as the smaller of the two depths midway, half of what separates at best. So twice the depth,
// again and again, and a micrometre: from poses with up to 3 cm of overlap, 40 moves are enough, and they go as far as
// the shapes are large at most.
TEST(SdfProperty, MovingAlongTheNormalSeparates) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (const char* geom : {"size='.1'", "type='capsule' size='.06 .08'", "type='ellipsoid' size='.1 .08 .06'",
                           "type='cylinder' size='.08 .06'", "type='sdf' mesh='block'"}) {
    World w = Pair(geom);
    for (int pose = 0; pose < 10; ++pose) {
      const Vec direction = Normalized(Vec{normal(generator), normal(generator), normal(generator)});
      StoreVec3(direction * .19, w.d->qpos);
      for (int k = 0; k < 4; ++k) w.d->qpos[3 + k] = normal(generator);
      mj_forward(w.m.get(), w.d.get());
      double moved = 0;
      int moves = 0;
      for (int deepest = Deepest(w); deepest >= 0 && moves < 40; deepest = Deepest(w), ++moves) {
        const mjContact& contact = w.d->contact[deepest];
        ASSERT_TRUE(std::isfinite(contact.dist));
        ASSERT_NEAR(Norm(LoadVec3(contact.frame)), 1, 1e-9);
        const double sign = contact.geom[0] == 0 ? 1 : -1, step = 2 * std::fabs(contact.dist) + 1e-6;
        for (int k = 0; k < 3; ++k) w.d->qpos[k] += sign * step * contact.frame[k];
        moved += step;
        mj_forward(w.m.get(), w.d.get());
      }
      EXPECT_EQ(w.d->ncon, 0) << geom << ", pose " << pose;
      EXPECT_LT(moved, .3) << geom << ", pose " << pose;
    }
  }
}

// It hangs by its thread, with a hundredth of a pitch of play; friction keeps it from turning out.
TEST(SdfProperty, ABoltStaysInItsNut) {
  World w(ModelFromFile("sdf/nut_bolt.xml"));
  w.m->opt.enableflags |= mjENBL_ENERGY;
  mj_forward(w.m.get(), w.d.get());
  const double start = w.d->energy[0] + w.d->energy[1], weight = 9.81 * w.m->body_mass[2];
  double most = start;
  for (int i = 0; i < 1000; ++i) {
    mj_step(w.m.get(), w.d.get());
    most = std::max(most, w.d->energy[0] + w.d->energy[1]);
  }
  EXPECT_GT(w.d->ncon, 2);
  EXPECT_NEAR(w.d->qpos[2], -1.005, 1e-3);  // play between the threads
  EXPECT_NEAR(w.d->qpos[0], 0, 1e-3);
  EXPECT_NEAR(w.d->qpos[1], 0, 1e-3);
  EXPECT_GT(std::fabs(w.d->qpos[4]), 1 - 1e-4);  // it has not turned
  EXPECT_LT(most, start + 1e-4 * weight);        // contacts appear within a step, up to a tenth of a millimetre deep
}

// A mesh of triangles rests on a field as on a floor.
TEST(SdfProperty, AMeshRestsOnAField) {
  World w(ModelFromText(
      "<mujoco><option integrator='implicitfast' sdf_initpoints='4'/><asset>"
      "<mesh name='slab' vertex='-.3 -.3 -.1 .3 -.3 -.1 -.3 .3 -.1 .3 .3 -.1 -.3 -.3 .1 .3 -.3 .1 -.3 .3 .1 .3 .3 .1'/>"
      "<mesh name='ball' builtin='sphere' params='2' scale='.1 .1 .1'/></asset>"
      "<worldbody><geom type='sdf' mesh='slab' pos='0 0 -.1'/>"
      "<body pos='.01 .02 .11'><freejoint/><geom type='mesh' mesh='ball' condim='6' friction='1 .01 .01'/></body>"
      "</worldbody></mujoco>"));
  for (int i = 0; i < 1500; ++i) mj_step(w.m.get(), w.d.get());
  EXPECT_NEAR(w.d->qpos[2], .1, .006);  // facets are up to 5 mm inside of the ball
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(w.d->qvel[i], 0, .02);
}

}  // namespace
}  // namespace sinew
