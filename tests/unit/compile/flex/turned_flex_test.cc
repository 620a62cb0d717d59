// Vertices that nodes move are where those with bodies of their own are, however the bodies that carry them are turned.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

std::string Numbers(std::mt19937& random, int count) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += std::to_string(uniform(random));
    text += " ";
  }
  return text;
}

// A flex without self-contacts below two turned bodies, the inner of them free.
World TurnedFlex(const std::string& shape, const std::string& dof, unsigned seed) {
  std::mt19937 random(seed);
  const std::string outer = "<body name='outer' pos='" + Numbers(random, 3) + "' quat='" + Numbers(random, 4) + "'>";
  const std::string inner = "<body name='inner' pos='" + Numbers(random, 3) + "' quat='" + Numbers(random, 4) +
                            "'><joint type='ball'/><geom size='.01' contype='0' conaffinity='0'/>";
  const std::string pose = "pos='" + Numbers(random, 3) + "' quat='" + Numbers(random, 4) + "'";
  return World(
      ModelFromText("<mujoco>"
                    "<worldbody>" +
                    outer + inner + "<flexcomp name='f' " + shape + " " + pose + " mass='1' radius='.001' dof='" + dof +
                    "'><contact selfcollide='none' internal='false'/></flexcomp></body></body></worldbody>"
                    "</mujoco>"));
}

void ExpectSameVertices(World& nodes, World& full) {
  for (World* world : {&nodes, &full}) mj_kinematics(world->m.get(), world->d.get());
  for (World* world : {&nodes, &full}) mj_comPos(world->m.get(), world->d.get());
  for (World* world : {&nodes, &full}) mj_flex(world->m.get(), world->d.get());
  ASSERT_EQ(nodes.m->nflexvert, full.m->nflexvert);
  // of order one, with coordinates that are rounded once
  for (int i = 0; i < 3 * full.m->nflexvert; ++i) {
    ASSERT_NEAR(nodes.d->flexvert_xpos[i], full.d->flexvert_xpos[i], 1e-13) << i;
  }
}

TEST(TurnedFlex, VerticesAreWhereThoseOfFullFlexesAre) {
  const std::string shapes[] = {
      "type='direct' dim='3' point='0 0 0 .3 0 0 0 .2 0 0 0 .1' element='0 1 2 3'",
      "type='grid' dim='3' count='4 3 2' spacing='.1 .2 .15'",
      "type='ellipsoid' dim='3' count='5 5 5' spacing='.1 .1 .1'",
      "type='grid' dim='2' count='4 3 1' spacing='.1 .2 .1'",
  };
  for (const std::string& shape : shapes) {
    for (const char* dof : {"trilinear", "quadratic", "trilinear' cellcount='2 3 1", "quadratic' cellcount='1 2 2"}) {
      for (unsigned seed = 0; seed < 5; ++seed) {
        World nodes = TurnedFlex(shape, dof, seed), full = TurnedFlex(shape, "full", seed);
        SCOPED_TRACE(shape + dof);
        ExpectSameVertices(nodes, full);
        // the ball turns all bodies alike
        const double turn[4] = {.3, -.2, .8, .1};
        for (World* world : {&nodes, &full}) mju_copy4(world->d->qpos, turn);
        ExpectSameVertices(nodes, full);
      }
    }
  }
}

// Coordinates of flexes that are not turned are those that they were, bit for bit: 0, 1 and what is between them.
TEST(TurnedFlex, CoordinatesDoNotChangeWithTheTurn) {
  const auto coordinates = [](const char* quat) {
    const ModelPtr m = ModelFromText(std::string("<mujoco><worldbody><body name='p' quat='") + quat +
                                     R"('><flexcomp name="f" type="grid"
        count="4 3 2" spacing=".1 .2 .15" dim="3" mass="1" dof="trilinear" radius=".001"><contact selfcollide="none"
        internal="false"/></flexcomp></body></worldbody></mujoco>)");
    return std::vector<double>(m->flex_vert0, m->flex_vert0 + 3 * m->nflexvert);
  };
  const std::vector<double> straight = coordinates("1 0 0 0"), turned = coordinates(".5 .1 -.7 .2");
  for (size_t i = 0; i < straight.size(); ++i) EXPECT_NEAR(turned[i], straight[i], 1e-14);
  EXPECT_EQ(straight[0], 0);
  EXPECT_EQ(straight.back(), 1);
}

// A sheet of 0.25 m by 0.1 m of which the first two rows of vertices are pinned.
World PinnedSheet(const std::string& body, double young) {
  return World(ModelFromText(R"(<mujoco><option integrator="discrete"/><worldbody><body name="b" pos="0 0 1">)" + body +
                             R"(<flexcomp name="f" type="grid" count="6 3 1" spacing=".05 .05 .05" dim="2" mass=".1"
      radius=".005"><contact selfcollide="none" contype="0" conaffinity="0"/><edge equality="true" damping=".01"/>
      <elasticity poisson="0" thickness=".02" elastic2d="bend" damping=".02" young=")" +
                             std::to_string(young) +
                             R"("/><pin gridrange="0 0 1 2"/></flexcomp></body></worldbody></mujoco>)"));
}

// Bending acts at pinned vertices as it does at others: what is clamped sags under its weight, a sheet of twice the
// stiffness by half of it. Without bending forces at the pins it would hang down.
TEST(PinnedFlex, SagsByItsStiffness) {
  double sag[2];
  for (int k = 0; k < 2; ++k) {
    World world = PinnedSheet("", k == 0 ? 3e6 : 6e6);
    for (int i = 0; i < 3000; ++i) mj_step(world.m.get(), world.d.get());
    sag[k] = 1 - world.d->flexvert_xpos[3 * (world.m->nflexvert - 1) + 2];
    EXPECT_LT(mju_norm(world.d->qvel, static_cast<int>(world.m->nv)), 1e-3);
  }
  EXPECT_GT(sag[1], .001);
  EXPECT_NEAR(sag[0] / sag[1], 2, .02);  // slopes are below a tenth
}

// Bending forces have no sum, and the body that pins a sheet feels theirs.
TEST(PinnedFlex, KeepsMomentumOnAFreeBody) {
  World world = PinnedSheet("<freejoint/><geom size='.05' mass='.1' contype='0' conaffinity='0'/>", 3e6);
  mju_zero3(world.m->opt.gravity);
  world.d->qpos[7 + 3 * 5 + 2] += .01;  // a vertex is pulled out of the plane
  for (int i = 0; i < 200; ++i) mj_step(world.m.get(), world.d.get());
  mj_forward(world.m.get(), world.d.get());
  mj_subtreeVel(world.m.get(), world.d.get());
  EXPECT_GT(mju_norm(world.d->qvel, static_cast<int>(world.m->nv)), 1e-4);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(world.d->subtree_linvel[k], 0, 1e-6) << k;
}

}  // namespace
}  // namespace sinew
