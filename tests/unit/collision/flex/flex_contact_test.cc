// Contacts of flexes: where they are, what they act on, and what they conserve.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "math/vec3.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

// Rounding of coordinates of order 1.
constexpr double kRounding = 1e-14;

// A triangle in the plane z = 0 with corners (0, 0), (1, 0), (0, 1) and radius 0.1, and what else is in the world.
World WithTriangle(const std::string& geoms, const std::string& contact = "") {
  World world(ModelFromText(R"(
    <mujoco><worldbody>)" + geoms +
                            R"(
      <flexcomp name="f" type="direct" dim="2" point="0 0 0  1 0 0  0 1 0" element="0 1 2" radius=".1" mass="1">
        <contact selfcollide="none" )" +
                            contact + R"(/></flexcomp>
    </worldbody></mujoco>)"));
  mj_forward(world.m.get(), world.d.get());
  return world;
}

std::string Sphere(double x, double y, double z) {
  return "<geom type='sphere' size='.3' pos='" + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) +
         "'/>";
}

TEST(FlexContact, SphereMeetsFaceEdgeOrCorner) {
  const struct {
    Vec3<double> centre, nearest;
  } cases[] = {
      {{0.25, 0.25, 0.35}, {0.25, 0.25, 0}},  // face
      {{0.5, -0.3, 0.2}, {0.5, 0, 0}},        // edge
      {{0.75, 0.75, 0.1}, {0.5, 0.5, 0}},     // the long edge
      {{-0.2, -0.2, 0.1}, {0, 0, 0}},         // corner
  };
  for (const auto& [centre, nearest] : cases) {
    const World world = WithTriangle(Sphere(centre.x, centre.y, centre.z));
    ASSERT_EQ(world.d->ncon, 1);
    const mjContact& contact = world.d->contact[0];
    const double apart = Norm(nearest - centre);
    EXPECT_NEAR(contact.dist, apart - 0.3 - 0.1, kRounding);
    const Vec3<double> normal = (nearest - centre) * (1 / apart), pos = centre + normal * (0.3 + 0.5 * contact.dist);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(contact.frame[k], normal[k], kRounding);
      EXPECT_NEAR(contact.pos[k], pos[k], kRounding);
    }
  }
}

TEST(FlexContact, NamesWhatTouches) {
  const World world = WithTriangle(Sphere(0.25, 0.25, 0.35));
  const mjContact& contact = world.d->contact[0];
  EXPECT_EQ(contact.geom[0], 0);
  EXPECT_EQ(contact.geom[1], -1);
  EXPECT_EQ(contact.geom2, -1);
  EXPECT_EQ(contact.flex[0], -1);
  EXPECT_EQ(contact.flex[1], 0);
  EXPECT_EQ(contact.elem[1], 0);
  EXPECT_EQ(contact.vert[1], -1);
}

TEST(FlexContact, SphereWhoseCentreIsOnTheTriangleHasANormal) {
  const World world = WithTriangle(Sphere(0.25, 0.25, 0));
  ASSERT_EQ(world.d->ncon, 1);
  EXPECT_NEAR(std::fabs(world.d->contact[0].frame[2]), 1, kRounding);
}

TEST(FlexContact, VerticesMeetPlanes) {
  const World world = WithTriangle("<geom type='plane' size='5 5 .1' pos='0 0 -.08'/>");
  ASSERT_EQ(world.d->ncon, 3);
  for (int i = 0; i < 3; ++i) {
    const mjContact& contact = world.d->contact[i];
    EXPECT_EQ(contact.vert[1], i);
    EXPECT_NEAR(contact.dist, -0.02, kRounding);
    EXPECT_NEAR(contact.pos[2], -0.09, kRounding);
  }
}

TEST(FlexContact, MarginDetectsAndGapExcludes) {
  const std::string plane = "<geom type='plane' size='5 5 .1' pos='0 0 -.15'/>";
  EXPECT_EQ(WithTriangle(plane).d->ncon, 0);
  const World near = WithTriangle(plane, "margin='.06' gap='.02'");
  ASSERT_EQ(near.d->ncon, 3);
  EXPECT_NEAR(near.d->contact[0].includemargin, 0.04, kRounding);
  EXPECT_EQ(near.d->contact[0].exclude, 1);
  EXPECT_EQ(near.d->contact[0].efc_address, -1);
}

// As in MuJoCo 3.8.0: the boxes of a ball and of a diagonal rope overlap, but not along the axes of the sweep.
TEST(FlexContact, TreesAreComparedWhereTheSweepFindsThem) {
  const auto marked = [](const std::string& place) {
    const World world(ModelFromText(R"(
      <mujoco><worldbody>
        <flexcomp name="f" type="direct" dim="1" point="0 0 0  .5 .5 0  1 1 0" element="0 1 1 2" radius=".01" mass="1">
          <contact selfcollide="none" internal="false"/></flexcomp>
        <body pos=")" + place + R"("><freejoint/><geom name="ball" size=".2"/></body>
      </worldbody></mujoco>)"));
    mj_forward(world.m.get(), world.d.get());
    const mjModel* m = world.m.get();
    return world.d->bvh_active[m->body_bvhadr[m->geom_bodyid[0]]] + world.d->bvh_active[m->flex_bvhadr[0]];
  };
  EXPECT_EQ(marked(".9 .1 0"), 0);
  EXPECT_EQ(marked(".6 .5 0"), 2);
}

// The rounding of an element alone does not touch a height field, as in MuJoCo 3.8.0.
TEST(FlexContact, HeightFieldsMeetWhatReachesThemWithoutRounding) {
  const auto contacts = [](const std::string& height) {
    const World world(ModelFromText(R"(
      <mujoco><asset><hfield name="h" nrow="2" ncol="2" size="2 2 .1 .1" elevation="0 0 0 0"/></asset><worldbody>
        <geom type="hfield" hfield="h"/>
        <body name="b" pos="0 0 )" + height +
                                    R"("><flexcomp name="f" type="direct" dim="2" point="0 0 0  1 0 0  0 1 0"
          element="0 1 2" radius=".1" mass="1"><contact selfcollide="none"/></flexcomp></body>
      </worldbody></mujoco>)"));
    mj_forward(world.m.get(), world.d.get());
    return world.d->ncon;
  };
  EXPECT_EQ(contacts(".01"), 0);
  EXPECT_GT(contacts("-.01"), 0);
}

// Where a triangle touches the side of a cylinder, the normal is that of the side, wherever the nearest cap is.
TEST(FlexContact, SidesOfCylindersHaveRadialNormals) {
  const World world = WithTriangle("<geom type='cylinder' size='.3 1' pos='-.35 .3 .2' euler='20 0 0'/>");
  ASSERT_EQ(world.d->ncon, 1);
  const Vec3<double> normal = LoadVec3(world.d->contact[0].frame);
  const Vec3<double> axis = {0, -std::sin(20 * M_PI / 180), std::cos(20 * M_PI / 180)};
  EXPECT_NEAR(Dot(normal, axis), 0, kRounding);
  EXPECT_GT(normal.x, 0.9);
}

// Four triangles share a corner inside of the field, which is the deepest point of each.
TEST(FlexContact, ADistanceFieldMeetsASharedCornerOnce) {
  const World world(ModelFromText(R"(
    <mujoco><asset><mesh name="cube" vertex="-1 -1 -1  1 -1 -1  -1 1 -1  1 1 -1  -1 -1 1  1 -1 1  -1 1 1  1 1 1"/></asset>
    <worldbody>
      <geom type="sdf" mesh="cube"/>
      <body name="b" pos="0 0 .8">
        <flexcomp name="f" type="direct" dim="2" point="0 0 0  1 0 .5  0 1 .5  -1 0 .5  0 -1 .5"
            element="0 1 2  0 2 3  0 3 4  0 4 1" radius=".01" mass="1"><contact selfcollide="none"/></flexcomp>
      </body>
    </worldbody></mujoco>)"));
  mj_forward(world.m.get(), world.d.get());
  ASSERT_EQ(world.d->ncon, 1);
  EXPECT_LT(world.d->contact[0].dist, -0.1);
  EXPECT_EQ(world.d->contact[0].elem[1], world.m->bvh_nodeid[world.m->flex_bvhadr[0] + world.m->flex_bvhnum[0] - 1]);
}

// A triangle deep inside of an ellipsoid, where few iterations stop short of the least depth. Of all directions of a
// fine grid, none asks for a shorter way out.
TEST(FlexContact, DepthInAnEllipsoidIsTheLeast) {
  const World world(ModelFromText(R"(
    <mujoco><worldbody>
      <geom type="ellipsoid" size=".06786 .06735 .09715"/>
      <body name="b"><flexcomp name="f" type="direct" dim="2" element="0 1 2" radius=".01" mass="1"
        point="-.07621 -.04786 .07856  -.01073 .0072 .05043  -.02115 -.04786 .07856"><contact selfcollide="none"/>
      </flexcomp></body>
    </worldbody></mujoco>)"));
  mj_forward(world.m.get(), world.d.get());
  ASSERT_EQ(world.d->ncon, 1);
  const Vec3<double> size = LoadVec3(world.m->geom_size);
  double depth = 1;
  constexpr int kSteps = 2000;
  for (int i = 0; i <= kSteps; ++i) {
    for (int j = 0; j < 2 * kSteps; ++j) {
      const double a = M_PI * i / kSteps, b = M_PI * j / kSteps;
      const Vec3<double> u = {std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)};
      double nearest = 1;
      for (int v = 0; v < 3; ++v) nearest = std::min(nearest, Dot(u, LoadVec3(world.d->flexvert_xpos + 3 * v)));
      const double reach = Norm(Vec3<double>{u.x * size.x, u.y * size.y, u.z * size.z});
      depth = std::min(depth, reach + 0.01 - nearest);
    }
  }
  EXPECT_NEAR(world.d->contact[0].dist, -depth, 1e-6);  // half a step of 1.6 mrad, squared, over sizes of 0.1 m
}

TEST(FlexContact, MarginsDoNotCountInsideOfAFlex) {
  const World world(ModelFromText(R"(
    <mujoco><worldbody>
      <flexcomp name="f" type="direct" dim="3" point="0 0 0  1 0 0  0 1 0  0 0 1" element="0 1 2 3" radius=".01" mass="1">
        <contact selfcollide="none" internal="true" margin=".06" gap=".02"/></flexcomp>
    </worldbody></mujoco>)"));
  world.d->qpos[11] = -2;  // the top is below: the tetrahedron is inside out
  mj_forward(world.m.get(), world.d.get());
  ASSERT_EQ(world.d->ncon, 4);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(world.d->contact[i].includemargin, 0);
}

TEST(FlexContact, MasksOfTheFlexCount) {
  EXPECT_EQ(WithTriangle(Sphere(0.25, 0.25, 0.35), "contype='2' conaffinity='2'").d->ncon, 0);
}

TEST(FlexContact, PassiveOnesPushLikeSprings) {
  const World world = WithTriangle("<geom type='plane' size='5 5 .1' pos='0 0 -.08'/>", "passive='true'");
  ASSERT_EQ(world.d->ncon, 3);
  EXPECT_EQ(world.d->contact[0].exclude, 4);
  EXPECT_EQ(world.d->nefc, 0);
  for (int vertex = 0; vertex < 3; ++vertex) EXPECT_NEAR(world.d->qfrc_spring[3 * vertex + 2], 1e4 * 0.02, 1e-9);
}

// Contacts that a program brings, or changes, are passive by their flex, and so are those in the gap.
TEST(FlexContact, RowsTellThatAFlexIsPassive) {
  const World world =
      WithTriangle("<geom type='plane' size='5 5 .1' pos='0 0 -.13'/>", "passive='true' margin='.1' gap='.1'");
  mj_collision(world.m.get(), world.d.get());
  ASSERT_EQ(world.d->ncon, 3);
  EXPECT_EQ(world.d->contact[0].exclude, 1);
  world.d->contact[1].exclude = 0;
  mj_makeConstraint(world.m.get(), world.d.get());
  EXPECT_EQ(world.d->nefc, 0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(world.d->contact[i].exclude, 4);
}

// A cloth of n x n vertices at a height over the given geoms.
World Cloth(int n, double height, const std::string& rest, const std::string& inside = "") {
  World world(ModelFromText(
      "<mujoco><size memory='50M'/><worldbody>" + rest + "<flexcomp name='f' type='grid' dim='2' count='" +
      std::to_string(n) + " " + std::to_string(n) + " 1' spacing='.1 .1 .1' radius='.01' mass='1' pos='0 0 " +
      std::to_string(height) + "'><contact selfcollide='none'/>" + inside + "</flexcomp></worldbody></mujoco>"));
  mj_forward(world.m.get(), world.d.get());
  return world;
}

constexpr char kBox[] = "<geom type='box' size='1 1 .1'/>";

TEST(FlexContact, EachTriangleOnABoxHasItsCorners) {
  const World world = Cloth(3, 0.105, kBox);
  ASSERT_EQ(world.d->ncon, 24);
  for (int i = 0; i < 24; ++i) {
    EXPECT_NEAR(world.d->contact[i].dist, -0.005, kRounding);
    EXPECT_NEAR(world.d->contact[i].pos[2], 0.0975, kRounding);
  }
}

TEST(FlexContact, ElementsThatHangOnABodyPassThroughIt) {
  EXPECT_EQ(Cloth(3, 0.105, kBox, "<pin id='0'/>").d->ncon, 18);
}

TEST(FlexContact, OfManyTheDeepestAreAmongFifty) {
  const World world = Cloth(12, 0.005, "<geom type='plane' size='5 5 .1' euler='1 0 0'/>");
  ASSERT_EQ(world.d->ncon, 50);
  double deepest = 0;
  for (int v = 0; v < world.m->nflexvert; ++v) {
    const double* x = world.d->flexvert_xpos + 3 * v;
    const double* axes = world.d->geom_xmat;
    deepest = std::min(deepest, axes[2] * x[0] + axes[5] * x[1] + axes[8] * x[2] - 0.01);
  }
  double found = 0;
  for (int i = 0; i < 50; ++i) found = std::min(found, world.d->contact[i].dist);
  EXPECT_NEAR(found, deepest, kRounding);
}

// The shares of an element's bodies add up to one: whatever the contact does, it does to both sides.
TEST(FlexContact, ConservesMomentum) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    World world(ModelFromText(std::string("<mujoco><option gravity='0 0 0' cone='") + cone + R"('/>
      <worldbody>
        <body pos=".13 .12 .3"><freejoint/><geom type="sphere" size=".1" mass=".5"/></body>
        <flexcomp name="f" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" radius=".01" mass="1" pos="0 0 0">
          <contact selfcollide="none" condim="3"/><edge equality="true"/></flexcomp>
      </worldbody></mujoco>)"));
    mjModel* m = world.m.get();
    mjData* d = world.d.get();
    d->qvel[0] = 0.3;
    d->qvel[2] = -1;
    for (int i = 0; i < 300; ++i) mj_step(m, d);
    mj_subtreeVel(m, d);
    EXPECT_GT(d->qvel[2], -0.8) << "the cloth did not slow the sphere down";
    // The sphere's 0.5 kg at (0.3, 0, -1) m/s, over 1.5 kg; tolerances of the solver over 300 steps.
    EXPECT_NEAR(d->subtree_linvel[0] * 1.5, 0.15, 1e-6);
    EXPECT_NEAR(d->subtree_linvel[2] * 1.5, -0.5, 1e-6);
  }
}

// All vertices of the touched element come into the island of the sphere, with dense rows and with sparse ones.
TEST(FlexContact, ConnectsTreesToIslands) {
  for (const char* jacobian : {"dense", "sparse"}) {
    World world(ModelFromText(std::string("<mujoco><option jacobian='") + jacobian + R"('/><worldbody>
        <body pos=".2 .2 .15"><freejoint/><geom type="sphere" size=".1" mass=".5"/></body>
        <flexcomp name="f" type="direct" dim="2" point="0 0 0  1 0 0  0 1 0" element="0 1 2" radius=".1" mass="1">
          <contact selfcollide="none"/></flexcomp>
      </worldbody></mujoco>)"));
    mj_forward(world.m.get(), world.d.get());
    ASSERT_EQ(world.d->ncon, 1);
    ASSERT_EQ(world.d->nisland, 1);
    for (int tree = 0; tree < world.m->ntree; ++tree) EXPECT_EQ(world.d->tree_island[tree], 0);
  }
}

// A solid whose vertices are moved by nodes rests on a plane instead of falling through.
// A rigid flex and a body of the same weld, and two such flexes, never part; MuJoCo 3.8.0 ends the process there.
TEST(FlexContact, WhatMovesAsOneDoesNotMeet) {
  for (const std::string jacobian : {"dense", "sparse"}) {
    World world(ModelFromText("<mujoco><option jacobian='" + jacobian + R"('/><worldbody>
      <body name='b' pos='0 0 3'><joint type='slide'/><geom size='.1'/><body pos='.05 0 0'><geom size='.1'/></body>
        <flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.02' dim='2' mass='1' rigid='true'/>
        <flexcomp name='g' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.02' dim='2' mass='1' rigid='true'/>
      </body></worldbody></mujoco>)"));
    for (int i = 0; i < 3; ++i) mj_step(world.m.get(), world.d.get());
    EXPECT_EQ(world.d->ncon, 0) << jacobian;
  }
}

// Vertices that are pinned to the world touch the floor with rows that move nothing; they have an island like others.
TEST(FlexContact, RowsThatMoveNothingHaveAnIsland) {
  for (const std::string jacobian : {"dense", "sparse"}) {
    World world(
        ModelFromText("<mujoco><option jacobian='" + jacobian + R"('/><worldbody><geom type='plane' size='1 1 1'/>
      <flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.02' dim='2' mass='1' pos='0 0 .01'>
        <edge equality='true'/><pin id='0 1'/></flexcomp></worldbody></mujoco>)"));
    for (int i = 0; i < 3; ++i) mj_step(world.m.get(), world.d.get());
    ASSERT_GT(world.d->ncon, 0);
    for (int row = 0; row < world.d->nefc; ++row) {
      EXPECT_GE(world.d->efc_island[row], 0) << jacobian;
      EXPECT_LT(world.d->efc_island[row], world.d->nisland) << jacobian;
    }
  }
}

TEST(FlexContact, SoftBodyRestsOnThePlane) {
  for (const char* dof : {"full", "trilinear"}) {
    World world(ModelFromText(std::string(R"(
      <mujoco><option timestep=".0005"/><size memory="50M"/><worldbody><geom type="plane" size="1 1 .1"/>
        <flexcomp name="f" type="grid" dim="3" count="3 3 3" spacing=".1 .1 .1" radius=".005" mass="1" pos="0 0 .12" dof=")") +
                              dof +
                              R"("><contact selfcollide="none"/><elasticity young="5e3" damping=".05" poisson=".1"/>
        </flexcomp></worldbody></mujoco>)"));
    for (int i = 0; i < 3000; ++i) mj_step(world.m.get(), world.d.get());
    EXPECT_EQ(world.d->warning[mjWARN_BADQACC].number, 0) << dof;
    for (int v = 0; v < world.m->nflexvert; ++v) {
      EXPECT_GT(world.d->flexvert_xpos[3 * v + 2], -0.005) << dof;
      EXPECT_LT(world.d->flexvert_xpos[3 * v + 2], 0.3) << dof;
    }
  }
}

TEST(FlexContact, NeighboursOfAFoldedCableMeetOnlyWhenAskedTo) {
  const auto count = [](const char* contact) {
    World world(ModelFromText(std::string(R"(
      <mujoco><worldbody><flexcomp name="f" type="direct" dim="1" point="0 0 0  .1 0 0  .1 .01 0  0 .01 0"
        element="0 1  1 2  2 3" radius=".02" mass="1"><contact )") +
                              contact + "/></flexcomp></worldbody></mujoco>"));
    mj_forward(world.m.get(), world.d.get());
    return world.d->ncon;
  };
  EXPECT_EQ(count("selfcollide='none'"), 0);
  EXPECT_GT(count("selfcollide='none' internal='true'"), 0);
  EXPECT_GT(count("selfcollide='narrow'"), 0);
  EXPECT_EQ(count("selfcollide='narrow'"), count("selfcollide='auto'"));
}

// The apex is nearer to the face below it than twice the radius, 0.04: the contact moves it away from there.
TEST(FlexContact, FlatTetrahedraAreOpened) {
  World world(ModelFromText(R"(
      <mujoco><option gravity="0 0 0"/><worldbody><flexcomp name="f" type="direct" dim="3" radius=".02" mass="1"
        point="0 0 0  1 0 0  0 1 0  .3 .3 .03" element="0 1 2 3"><edge equality="false"/>
        <contact selfcollide="none" internal="true"/></flexcomp></worldbody></mujoco>)"));
  mj_forward(world.m.get(), world.d.get());
  ASSERT_GT(world.d->ncon, 0);
  const auto about_apex = [](const mjContact& contact) { return contact.vert[1] == 3; };
  const mjContact* contact = std::find_if(world.d->contact, world.d->contact + world.d->ncon, about_apex);
  ASSERT_NE(contact, world.d->contact + world.d->ncon);
  EXPECT_EQ(contact->elem[0], 0);
  EXPECT_NEAR(contact->dist, -0.01, kRounding);
  EXPECT_GT(world.d->qacc[3 * 3 + 2], 0);
  for (int vertex = 0; vertex < 3; ++vertex) EXPECT_LT(world.d->qacc[3 * vertex + 2], 0);
}

// What quadratic cells weigh negatively at a contact does not carry it.
TEST(FlexContact, NodesOfQuadraticCellsPushOrAreLeftOut) {
  World world(ModelFromText(R"(
      <mujoco><option cone="elliptic" jacobian="dense"/><worldbody><geom type="box" size="1 1 .05" pos="0 0 -.05"/>
        <flexcomp name="f" type="grid" count="4 4 4" spacing=".1 .1 .1" pos="0 0 .15" dim="3" radius=".02" mass="1" dof="quadratic">
        <contact selfcollide="none"/></flexcomp></worldbody></mujoco>)"));
  mj_forward(world.m.get(), world.d.get());
  int rows = 0;
  for (int i = 0; i < world.d->ncon; ++i) {
    const mjContact& contact = world.d->contact[i];
    if (contact.efc_address < 0 || contact.elem[1] < 0) continue;
    ++rows;
    const double* row = world.d->efc_J + contact.efc_address * world.m->nv;
    double sum = 0;
    for (int node = 0; node < world.m->nv / 3; ++node) {
      const double share = Dot(LoadVec3(row + 3 * node), LoadVec3(contact.frame));
      EXPECT_GE(share, 0);
      sum += share;
    }
    EXPECT_GE(sum, 1 - kRounding);
  }
  EXPECT_GT(rows, 0);
}

}  // namespace
}  // namespace sinew
