// Meshes that collide by their triangles: what rolls, slides, hangs and turns on them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/mesh_text.h"
#include "tests/testing/model.h"

namespace sinew::testing {
namespace {

std::string MeshElement(const std::string& name, const MeshText& mesh, const char* inertia = "exact") {
  return "<mesh name='" + name + "' inertia='" + inertia + "' collision='triangles' " + mesh.Attributes() + "/>";
}

const double* PlaceOf(const World& w, const char* body) {
  return w.d->xpos + 3 * mj_name2id(w.m.get(), mjOBJ_BODY, body);
}

void RunFor(World& w, double seconds) {
  for (const double end = w.d->time + seconds; w.d->time < end - 1e-9;) mj_step(w.m.get(), w.d.get());
}

// The same body on a plane and on a floor of 1,800 triangles, which have nothing to tell them apart.
struct OnFloor {
  World plane, floor;

  static std::string Text(bool by_triangles, const std::string& body) {
    const std::string ground = by_triangles ? "<geom type='mesh' mesh='floor'/>" : "<geom type='plane' size='2 2 .1'/>";
    return "<mujoco><option timestep='.002'/><asset>" + MeshElement("floor", FlatFloor(30, 2), "shell") +
           "</asset><default><geom friction='.1'/></default><worldbody>" + ground + "<body name='it'><freejoint/>" +
           body + "</body></worldbody></mujoco>";
  }
  explicit OnFloor(const std::string& body)
      : plane(ModelFromText(Text(false, body))), floor(ModelFromText(Text(true, body))) {}

  void Begin(double z, double vx, double vy, double turn_x, double turn_y) {
    for (World* w : {&plane, &floor}) {
      w->d->qpos[2] = z;
      const double v[] = {vx, vy, 0, turn_x, turn_y, 0};
      std::copy_n(v, 6, w->d->qvel);
    }
  }
};

double KineticEnergy(const World& w) {
  mj_energyVel(w.m.get(), w.d.get());
  return w.d->energy[1];
}

TEST(TrianglesTest, ABallRollsOverATessellatedFloorWithoutABump) {
  OnFloor w("<geom size='.1' mass='1'/>");
  w.Begin(.0999, 1, .37, -3.7, 10);
  RunFor(w.plane, .2);
  RunFor(w.floor, .2);  // it has settled
  const double before = KineticEnergy(w.floor);
  double lowest = 1, highest = 0;
  for (int i = 0; i < 500; ++i) {
    RunFor(w.floor, .002);
    lowest = std::min(lowest, w.floor.d->qpos[2]);
    highest = std::max(highest, w.floor.d->qpos[2]);
    ASSERT_EQ(w.floor.d->ncon, 1) << i;
  }
  RunFor(w.plane, 1);
  EXPECT_GT(w.floor.d->qpos[0], 1.1);
  EXPECT_NEAR(KineticEnergy(w.floor) / before, 1, 1e-4);
  EXPECT_LT(highest - lowest, 5e-7);  // vertices are rounded to floats of 2 m
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(w.floor.d->qpos[k], w.plane.d->qpos[k], 1e-6) << k;
}

// Four corners touch, as on the plane: of a triangulated box too.
TEST(TrianglesTest, ABoxSlidesOverATessellatedFloor) {
  for (const char* body :
       {"<geom type='box' size='.1 .08 .05' mass='1'/>", "<geom type='cylinder' size='.1 .05' mass='1'/>"}) {
    SCOPED_TRACE(body);
    OnFloor w(body);
    w.Begin(.0499, 2, .5, 0, 0);
    for (int i = 0; i < 300; ++i) {
      RunFor(w.plane, .002);
      RunFor(w.floor, .002);
      ASSERT_EQ(w.floor.d->ncon, w.plane.d->ncon) << i;
    }
    EXPECT_GT(w.floor.d->qpos[0], .9);
    for (int k = 0; k < 7; ++k) EXPECT_NEAR(w.floor.d->qpos[k], w.plane.d->qpos[k], 1e-5) << k;
  }
}

// The arm of models/hands/peg.xml, with holes that are one mesh each.
std::string PegInHole(const MeshText& hole, const std::string& peg) {
  return "<mujoco><option timestep='.001' integrator='implicitfast' cone='elliptic'/><asset>" +
         MeshElement("block", hole) +
         R"(<mesh name='peg' vertex='-.01 -.01 -.036 -.01 .01 -.036 .01 -.01 -.036 .01 .01 -.036 -.01 -.01 .04 -.01 .01 .04
.01 -.01 .04 .01 .01 .04 -.007 -.007 -.04 -.007 .007 -.04 .007 -.007 -.04 .007 .007 -.04'/>
</asset><default><geom friction='.2' solref='.004 1'/>
<default class='give'><joint type='slide' stiffness='400' damping='8'/></default>
<default class='bend'><joint type='hinge' stiffness='.8' damping='.02'/></default></default>
<worldbody><geom type='plane' size='.3 .3 .01'/><geom type='mesh' mesh='block' pos='0 0 .02'/>
<body name='arm' pos='.0006 -.0005 .12'><joint name='arm' type='slide' axis='0 0 1' damping='20'/><geom size='.01' mass='.5' contype='0' conaffinity='0'/>
<body name='peg' euler='1 -1 2'><joint class='give' axis='1 0 0'/><joint class='give' axis='0 1 0'/>
<joint class='bend' axis='1 0 0' pos='0 0 .05'/><joint class='bend' axis='0 1 0' pos='0 0 .05'/><joint class='bend' axis='0 0 1'/>)" +
         peg + R"(</body></body></worldbody>
<actuator><position joint='arm' kp='1500' kv='60' forcerange='-60 60'/></actuator></mujoco>)";
}

TEST(TrianglesTest, APegWithAFifthOfAMillimetreOfPlayFindsItsHole) {
  // the tips of pegs are narrower
  const std::string round =
      "<geom type='cylinder' size='.01 .03' pos='0 0 .007' mass='.2'/><geom size='.01' pos='0 0 -.023' mass='0'/>";
  const std::string square = "<geom type='mesh' mesh='peg' mass='.2'/>";
  const struct {
    const char* name;
    MeshText hole;
    const std::string& peg;
  } cases[] = {{"round", BlockWithHole(48, .0101, .04, .02), round},
               {"square", BlockWithHole(4, .0101, .04, .02), square}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    World w(ModelFromText(PegInHole(c.hole, c.peg)));
    double deepest = 0;
    while (w.d->time < 4) {
      w.d->ctrl[0] = -.03 * std::min(w.d->time, 2.4);
      mj_step(w.m.get(), w.d.get());
      for (int i = 0; i < w.d->ncon; ++i) deepest = std::min(deepest, w.d->contact[i].dist);
    }
    EXPECT_LT(PlaceOf(w, "peg")[2], .05);  // in the hole, which ends at 0.04
    EXPECT_LT(std::fabs(PlaceOf(w, "peg")[0]), 3e-4);
    EXPECT_LT(std::fabs(PlaceOf(w, "peg")[1]), 3e-4);
    EXPECT_GT(deepest, -4e-4);
  }
}

TEST(TrianglesTest, AMugHangsByItsHandle) {
  const std::string text = "<mujoco><option timestep='.002'/><compiler meshdir='" + ModelsFile("hands/shapes") +
                           R"('/><asset><mesh file='mug.obj' inertia='exact' collision='triangles'/></asset><worldbody>
<geom type='capsule' fromto='.053 -.1 .05 .053 .1 .05' size='.005'/>
<body name='mug'><joint type='free' damping='1e-3'/><geom type='mesh' mesh='mug' density='600'/></body></worldbody></mujoco>)";
  World w(ModelFromText(text));
  RunFor(w, 5);
  const int geom = mj_name2id(w.m.get(), mjOBJ_BODY, "mug");
  const double* centre = w.d->xipos + 3 * geom;
  // its mass is below the rod, which is in the handle
  EXPECT_NEAR(centre[0], .053, 2e-3);
  EXPECT_LT(centre[2], .03);
  EXPECT_GT(centre[2], -.02);
  double speed = 0;
  for (int i = 0; i < 6; ++i) speed = std::max(speed, std::fabs(w.d->qvel[i]));
  EXPECT_LT(speed, .3);  // it still swings a little: nothing but friction stops it
}

// A turn of the key moves the nut by 4 mm, up to the play of the thread.
TEST(TrianglesTest, ANutTurnsOnItsBolt) {
  World w(ModelFromFile("hands/bolt.xml"));
  RunFor(w, .3);
  double turned = 0, deepest = 0;
  const double* z = w.d->qpos + 2;
  const double start = *z;
  const auto turn = [&](double torque, double seconds) {
    for (const double end = w.d->time + seconds; w.d->time < end;) {
      w.d->ctrl[0] = torque;
      mj_step(w.m.get(), w.d.get());
      turned += w.d->qvel[5] * w.m->opt.timestep;
      for (int k = 0; k < w.d->ncon; ++k) deepest = std::min(deepest, w.d->contact[k].dist);
      ASSERT_NEAR(*z - start, .004 * turned / (2 * M_PI), 5e-4) << w.d->time;
    }
  };
  turn(-.003, .3);
  if (HasFatalFailure()) return;
  EXPECT_LT(turned, -M_PI);
  turn(.006, .4);
  EXPECT_GT(deepest, -5e-4);  // half a tooth
}

}  // namespace
}  // namespace sinew::testing
