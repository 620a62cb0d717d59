// Contacts of flexes with passive="true" come to rest, carry what lies on them, and do not pull.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "force/flex_force.h"
#include "model/kinds/contact_exclude.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

std::string OnPlane(const std::string& flex, const std::string& options = "") {
  return "<mujoco><option " + options + "/><worldbody><geom type='plane' size='5 5 .1'/>" + flex +
         "</worldbody></mujoco>";
}

std::string Flex(const std::string& shape, const std::string& elasticity, const std::string& contact = "") {
  return "<flexcomp name='f' " + shape +
         " radius='.01' pos='0 0 .2'><contact selfcollide='none' internal='false' "
         "passive='true' " +
         contact + "/>" + elasticity + "</flexcomp>";
}

// Of vertices up and down: there is no friction that would stop a sheet from sliding.
double Speed(const World& world) {
  double most = 0;
  for (int i = 2; i < world.m->nv; i += 3) most = std::max(most, std::abs(world.d->qvel[i]));
  return most;
}

double Lowest(const World& world) {
  double z = 1;
  for (int v = 0; v < world.m->nflexvert; ++v) z = std::min(z, world.d->flexvert_xpos[3 * v + 2]);
  return z;
}

// Sheets, solids and cells, heavy and light, at short and long steps, fall by 0.2 m. At rest, the lowest vertices are
// as deep in the plane as their springs carry the weight: by at most 4 h^2 g times the layers above, below 2 mm here.
TEST(PassiveContacts, ComeToRest) {
  const std::string sheet = "<elasticity young='1e4' poisson='.2' thickness='.01' elastic2d='both' damping='.01'/>";
  const std::string light = "<elasticity young='50' poisson='.2' thickness='.01' elastic2d='both' damping='.002'/>";
  const std::string flexes[] = {
      Flex("type='grid' dim='2' count='6 6 1' spacing='.05 .05 .05' mass='1'", sheet),
      Flex("type='grid' dim='2' count='6 6 1' spacing='.05 .05 .05' mass='.01'", light),
      Flex("type='grid' dim='2' count='6 6 1' spacing='.05 .05 .05' mass='.1' euler='20 10 0'", light),
      Flex("type='grid' dim='3' count='3 3 3' spacing='.05 .05 .05' mass='1' dof='trilinear'",
           "<elasticity young='1e4' poisson='.2' damping='.01'/>"),
      Flex("type='grid' dim='3' count='3 3 3' spacing='.05 .05 .05' mass='3'",
           "<elasticity young='5e3' poisson='.2' damping='.005'/>"),
  };
  for (const std::string& flex : flexes) {
    for (const char* options : {"timestep='.002'", "timestep='.0005'", "timestep='.002' integrator='implicitfast'"}) {
      World world(ModelFromText(OnPlane(flex, options)));
      while (world.d->time < 4) mj_step(world.m.get(), world.d.get());
      EXPECT_EQ(world.d->nefc, 0);
      EXPECT_LT(Speed(world), 1e-3) << flex << options;
      EXPECT_NEAR(Lowest(world), .01, 3e-3) << flex << options;
      for (const mjWarningStat& warning : world.d->warning) EXPECT_EQ(warning.number, 0);
    }
  }
}

// Several contacts share what carries a body, but not more than its weight.
TEST(PassiveContacts, CarryTheWeight) {
  World world(ModelFromText(OnPlane(Flex("type='grid' dim='2' count='6 6 1' spacing='.05 .05 .05' mass='1'",
                                         "<elasticity young='1e4' poisson='.2' thickness='.01' damping='.01' "
                                         "elastic2d='both'/>"))));
  while (world.d->time < 4) mj_step(world.m.get(), world.d.get());
  mj_forward(world.m.get(), world.d.get());
  double sum = 0;
  for (int v = 0; v < world.m->nflexvert; ++v) sum += world.d->qfrc_passive[3 * v + 2];
  EXPECT_NEAR(sum, 9.81, 1e-3);
}

// Within a margin, but apart: MuJoCo 3.8.0 pulls the sides together.
TEST(PassiveContacts, DoNotPull) {
  World world(
      ModelFromText("<mujoco><option gravity='0 0 0'/><worldbody><geom type='plane' size='5 5 .1' margin='.5'/>" +
                    Flex("type='grid' dim='2' count='3 3 1' spacing='.05 .05 .05' mass='1'",
                         "<elasticity young='1e4' poisson='.2' thickness='.01' elastic2d='both'/>") +
                    "</worldbody></mujoco>"));
  mj_forward(world.m.get(), world.d.get());
  ASSERT_GT(world.d->ncon, 0);
  EXPECT_EQ(world.d->contact[0].exclude, contact_exclude::kPassive);
  EXPECT_GT(world.d->contact[0].dist, 0);
  EXPECT_LT(mju_norm(world.d->qfrc_passive, static_cast<int>(world.m->nv)), 1e-9);
  // in the plane, and leaving it fast: the damper takes no more than the spring gives
  for (int v = 0; v < world.m->nflexvert; ++v) {
    world.d->qpos[3 * v + 2] = -.191;
    world.d->qvel[3 * v + 2] = 100;
  }
  mj_forward(world.m.get(), world.d.get());
  EXPECT_LT(world.d->contact[0].dist, 0);
  for (int v = 0; v < world.m->nflexvert; ++v) EXPECT_NEAR(world.d->qfrc_passive[3 * v + 2], 0, 1e-9);
}

// Slow bodies of some mass, which a step bears, feel the spring of MuJoCo 3.8.0.
TEST(PassiveContacts, HaveTheStiffnessOfTheReference) {
  World world(ModelFromText(OnPlane(Flex("type='grid' dim='2' count='3 3 1' spacing='.05 .05 .05' mass='20'",
                                         "<elasticity young='1e4' poisson='.2' thickness='.01' elastic2d='both'/>"),
                                    "timestep='.0002' gravity='0 0 0'")));
  for (int v = 0; v < world.m->nflexvert; ++v) world.d->qpos[3 * v + 2] = -.191;
  mj_forward(world.m.get(), world.d.get());
  double expected = 0, sum = 0;
  for (int c = 0; c < world.d->ncon; ++c) expected -= 1e4 * world.d->contact[c].dist;
  for (int v = 0; v < world.m->nflexvert; ++v) sum += world.d->qfrc_spring[3 * v + 2];
  EXPECT_GT(expected, 10);
  EXPECT_NEAR(sum, expected, 1e-9 * expected);
}

}  // namespace
}  // namespace sinew
