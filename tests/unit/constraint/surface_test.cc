// Surfaces that move and that stick: rows of contacts, and what bodies on them do.
#include <gtest/gtest.h>
#include <sinew/extensions.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

std::string Scene(const std::string& option, const std::string& bodies, const std::string& more = "") {
  return "<mujoco><option " + option + "/><worldbody>" + bodies + "</worldbody>" + more + "</mujoco>";
}

void RunFor(World& w, double seconds) {
  const auto steps = static_cast<int>(std::lround(seconds / w.m->opt.timestep));
  for (int i = 0; i < steps; ++i) mj_step(w.m.get(), w.d.get());
}

std::vector<double> NormalForces(const World& w) {
  std::vector<double> forces;
  for (int i = 0; i < w.d->ncon; ++i) {
    double force[6];
    mj_contactForce(w.m.get(), w.d.get(), i, force);
    forces.push_back(force[0]);
  }
  return forces;
}

constexpr const char* kCones[] = {"cone='elliptic'", "cone='pyramidal'"};

// ---- rows

// A sphere that moves on a plane, both with surfaces that move in all ways.
World Rows(const std::string& cone, int condim) {
  World w(ModelFromText(Scene("cone='" + cone + "'", R"(
    <geom type='plane' size='1 1 1' pos='.3 .1 0' euler='0 0 30' surfacevel='1 .2 .7 .1 .2 3' friction='.8 .1 .05'/>
    <body pos='0 0 .09'><freejoint/><geom size='.1' pos='.02 0 0' euler='20 30 40' condim=')" +
                                                         std::to_string(condim) +
                                                         R"(' friction='.8 .1 .05'
      surfacevel='.1 .2 .3 .4 .5 .6'/></body>)")));
  for (int i = 0; i < 6; ++i) w.d->qvel[i] = 0.1 * (i + 1);
  mj_forward(w.m.get(), w.d.get());
  return w;
}

void ExpectRows(const World& w, const std::vector<double>& velocity) {
  ASSERT_EQ(w.d->nefc, static_cast<int>(velocity.size()));
  // what MuJoCo 4.0.0 has, printed with six decimals
  for (int i = 0; i < w.d->nefc; ++i) EXPECT_NEAR(w.d->efc_vel[i], velocity[static_cast<size_t>(i)], 6e-7) << i;
}

TEST(SurfaceRowsTest, VelocitiesAreThoseOfMuJoCo4) {
  ExpectRows(Rows("elliptic", 6), {0.29, 0.550757, 0.947421, -1.685745, 0.5, -0.4});
  ExpectRows(Rows("elliptic", 3), {0.29, 0.550757, 0.947421});
  ExpectRows(Rows("pyramidal", 4), {0.730606, -0.150606, 1.047937, -0.467937, 0.121425, 0.458575});
  ExpectRows(Rows("pyramidal", 6),
             {0.730606, -0.150606, 1.047937, -0.467937, 0.121425, 0.458575, 0.315, 0.265, 0.27, 0.31});
}

TEST(SurfaceRowsTest, NothingMovesAlongTheNormal) {
  World w(ModelFromText(Scene("",
                              "<geom type='plane' size='1 1 1' surfacevel='0 0 5'/><body pos='0 0 .09'>"
                              "<freejoint/><geom size='.1' condim='1'/></body>")));
  mj_forward(w.m.get(), w.d.get());
  ASSERT_EQ(w.d->nefc, 4);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(w.d->efc_vel[i], 0);
}

// The field is about the origin of the element, wherever the mesh has its centre and axes.
TEST(SurfaceRowsTest, MeshesTakeTheirFieldAlong) {
  const World w(ModelFromText(
      "<mujoco><asset><mesh name='m' vertex='0 0 0  1 0 0  0 .5 0  0 0 .3  1 .5 .1'/></asset><worldbody><geom "
      "type='mesh' mesh='m' surfacevel='1 2 3 4 5 6'/></worldbody></mujoco>"));
  const int array = mj_name2id(w.m.get(), mjOBJ_NUMERIC, sinewSURFACES);
  ASSERT_GE(array, 0);
  const mjtNum* numbers = w.m->numeric_data + w.m->numeric_adr[array];
  mjtNum linear[3], angular[3], at_origin[3];
  mju_rotVecQuat(linear, numbers, w.m->geom_quat);
  mju_rotVecQuat(angular, numbers + 3, w.m->geom_quat);
  mju_cross(at_origin, w.m->geom_pos, angular);  // w x (0 - pos)
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(linear[i] + at_origin[i], 1 + i, 1e-12) << i;
    EXPECT_NEAR(angular[i], 4 + i, 1e-12) << i;
  }
  // MuJoCo 4.0.0, whose meshes have their axes in floats
  const double expected[] = {2.238838, -3.742704, 0.607552, 6.652357, -3.889211, 4.19764};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(numbers[i], expected[i], 1e-5) << i;
}

// ---- belts

// A block of 1 kg at rest on a belt of 0.5 m/s, friction 0.4.
World OnBelt(const std::string& option, const std::string& geom = "") {
  return World(ModelFromText(Scene(option,
                                   "<geom type='box' size='5 .5 .1' pos='0 0 -.1' friction='.4' surfacevel='.5'"
                                   "/><body pos='0 0 .05'><freejoint/><geom type='box' size='.1 .1 .05' "
                                   "mass='1' friction='.4' " +
                                       geom + "/></body>")));
}

TEST(BeltTest, ABlockSlipsAndThenMovesAlong) {
  for (const char* cone : kCones) {
    World w = OnBelt(cone);
    RunFor(w, 0.5);
    // while it slips, it gains mu g t; first it sinks in for some time constants of 20 ms, which is made up for
    World early = OnBelt(cone);
    RunFor(early, 0.1);
    EXPECT_NEAR(early.d->qvel[0], 0.4 * 9.81 * 0.1, 0.03 * 0.4 * 9.81 * 0.1) << cone;
    // there is no force at the speed of the belt, so that nothing is left of the difference
    RunFor(w, 1.5);
    EXPECT_NEAR(w.d->qvel[0], 0.5, 1e-9) << cone;
    EXPECT_NEAR(w.d->qvel[1], 0, 1e-9) << cone;
  }
}

// At some 0.1 m/s: faster belts make soft contacts hop.
TEST(BeltTest, ABlockThatIsHeldFeelsFriction) {
  for (const char* cone : kCones) {
    World w(ModelFromText(Scene(std::string(cone) + " tolerance='0'", R"(
      <geom type='plane' size='5 5 1' friction='.4' surfacevel='0 .1 0'/>
      <body pos='0 0 .05'><joint type='slide' axis='0 1 0' stiffness='100' damping='20'/><joint type='slide' axis='0 0 1'/>
        <geom type='box' size='.1 .1 .05' mass='2' friction='.4'/></body>)")));
    RunFor(w, 5);
    // mu m g = k x; soft contacts that slip never come to rest entirely
    EXPECT_NEAR(100 * w.d->qpos[0], 0.4 * 2 * 9.81, 1e-4 * 0.4 * 2 * 9.81) << cone;
  }
}

// What moves with a vehicle adds to the velocity of the vehicle.
TEST(BeltTest, BeltsOnVehiclesAddUp) {
  World w(ModelFromText(Scene("", R"(
    <body><joint type='slide' axis='1 0 0'/><geom type='box' size='5 .5 .1' pos='0 0 -.1' mass='100' surfacevel='.5'/></body>
    <body pos='0 0 .05'><freejoint/><geom type='box' size='.1 .1 .05' mass='1'/></body>)")));
  w.d->qvel[0] = -0.5;
  w.d->qvel[1] = 0.02;
  RunFor(w, 2);
  EXPECT_NEAR(w.d->qvel[1] - w.d->qvel[0], 0.5, 1e-9);
  // momentum: 100 v + 1 (v + 0.5) is that of the start
  EXPECT_NEAR(100 * w.d->qvel[0] + w.d->qvel[1], -50 + 0.02, 1e-9);
}

TEST(BeltTest, TwoBeltsThatTouchAddUp) {
  World w(ModelFromText(Scene("",
                              "<geom type='plane' size='5 5 1' surfacevel='.5 0 0'/><body pos='0 0 .05'><freejoint/>"
                              "<geom type='box' size='.1 .1 .05' mass='1' surfacevel='.2 0 0'/></body>")));
  RunFor(w, 2);
  // its own material moves by 0.2 m/s in its frame, which is that of the world
  EXPECT_NEAR(w.d->qvel[0], 0.5 - 0.2, 1e-9);
}

// ---- turntables

// A point on a turntable that does not slip moves on a circle. Friction has to bend its path, so that it creeps
// outwards with a = w^2 r = B u, R f small: 2 / (0.95 * 0.02) u.
TEST(TurntableTest, AnObjectRides) {
  World w(
      ModelFromText(Scene("cone='elliptic' timestep='.001'",
                          "<geom type='cylinder' size='.5 .05' pos='0 0 -.05' surfacevel='0 0 0 0 0 2'/>"
                          "<body pos='.2 0 .03'><freejoint/><geom type='box' size='.03 .03 .03' mass='.1'/></body>")));
  w.d->qvel[1] = 0.4;
  w.d->qvel[5] = 2;
  RunFor(w, 1);
  const double *x = w.d->qpos, *v = w.d->qvel, r = std::hypot(x[0], x[1]);
  EXPECT_NEAR((x[0] * v[1] - x[1] * v[0]) / (r * r), 2, 0.02);  // the creep winds its path by less than 1 %
  EXPECT_NEAR(v[5], 2, 0.02);
  EXPECT_NEAR(r, 0.2, 0.2 * 0.05);
}

TEST(TurntableTest, SpinDrivesTorsion) {
  World w(
      ModelFromText(Scene("",
                          "<geom type='cylinder' size='.5 .05' pos='0 0 -.05' surfacevel='0 0 0 0 0 3'/>"
                          "<body pos='0 0 .05'><freejoint/><geom size='.05' condim='4' friction='1 .05'/></body>")));
  RunFor(w, 2);
  EXPECT_NEAR(w.d->qvel[5], 3, 1e-9);
  // a contact of three directions does not feel the spin at its middle
  World smooth(ModelFromText(Scene("",
                                   "<geom type='cylinder' size='.5 .05' pos='0 0 -.05' surfacevel='0 0 0 0 0 3'/>"
                                   "<body pos='0 0 .05'><freejoint/><geom size='.05'/></body>")));
  RunFor(smooth, 2);
  EXPECT_NEAR(smooth.d->qvel[5], 0, 1e-9);
}

// ---- surfaces that stick

// A ball of 1 kg under a ceiling. A contact that hangs is open by the depth that it would have under its load, so that
// there has to be a gap.
World UnderCeiling(const std::string& option, double adhesion, const std::string& more = "margin='.002' gap='.002'") {
  return World(ModelFromText(
      Scene(option, "<geom type='box' size='1 1 .1' pos='0 0 1.1' adhesion='" + std::to_string(adhesion) + "' " + more +
                        "/><body pos='0 0 .9001'><freejoint/><geom size='.1' mass='1'/></body>")));
}

TEST(AdhesionTest, ACeilingHoldsUpToItsForce) {
  for (const char* cone : kCones) {
    World holds = UnderCeiling(cone, 9.9), drops = UnderCeiling(cone, 9.7);
    holds.d->qpos[2] = drops.d->qpos[2] = 0.89963;  // where it hangs
    RunFor(holds, 2);
    ASSERT_EQ(holds.d->ncon, 1) << cone;
    EXPECT_NEAR(NormalForces(holds)[0], -9.81, 1e-6) << cone;
    EXPECT_NEAR(holds.d->qpos[2], 0.899632818, 1e-9) << cone;  // as in MuJoCo 4.0.0
    RunFor(drops, 2);
    EXPECT_LT(drops.d->qpos[2], 0) << cone;
  }
}

TEST(AdhesionTest, BodiesRestAsDeepAsWithout) {
  for (const char* cone : kCones) {
    double depth[2];
    for (int sticks = 0; sticks < 2; ++sticks) {
      World w(
          ModelFromText(Scene(cone, std::string("<geom type='plane' size='1 1 1' adhesion='") + (sticks ? "30" : "0") +
                                        "'/><body pos='0 0 .1'><freejoint/><geom size='.1' mass='1'/></body>")));
      RunFor(w, 2);
      ASSERT_EQ(w.d->ncon, 1);
      EXPECT_NEAR(NormalForces(w)[0], 9.81, 1e-6);
      depth[sticks] = w.d->contact[0].dist;
      mj_rnePostConstraint(w.m.get(), w.d.get());
      EXPECT_NEAR(w.d->cfrc_ext[6 + 5], 9.81, 1e-6);
    }
    EXPECT_NEAR(depth[0], depth[1], 1e-10);
  }
}

// Friction is at most mu (f + adhesion): 5 N press the ball to the wall.
TEST(AdhesionTest, FrictionGrowsWithIt) {
  for (const char* cone : kCones) {
    // pyramids open a contact as its force nears an edge
    const double near_edge = std::string(cone) == kCones[0] ? 0.03 : 0.4;
    for (const double budget : {1 - near_edge, 1 + near_edge}) {
      const double adhesion = budget * 9.81 / 0.5 - 5;
      World w(ModelFromText(Scene(
          cone, "<geom type='box' size='.1 1 1' pos='-.1 0 0' friction='.5' adhesion='" + std::to_string(adhesion) +
                    "'/><body pos='.1 0 0'><joint type='slide' axis='1 0 0' damping='50'/><joint type='slide' "
                    "axis='0 0 1'/><geom size='.1' mass='1' friction='.5'/></body>")));
      w.d->qpos[0] = -1e-4;  // in touch
      w.d->qfrc_applied[0] = -5;
      RunFor(w, 1);
      // a soft contact creeps by some cm/s; beyond its budget, the ball falls with what is left of its weight
      EXPECT_EQ(w.d->qvel[1] > -0.2, budget > 1) << cone << budget << " " << w.d->qvel[1];
    }
  }
}

// In the gap, from 10 to 30 mm, a contact pulls that would exert nothing without adhesion.
TEST(AdhesionTest, MagnetsPullAcrossTheGap) {
  for (const char* cone : kCones) {
    const auto start = [&](double adhesion) {
      World w = UnderCeiling(cone, adhesion, "margin='.03' gap='.02'");
      w.d->qpos[2] = 0.88;  // 20 mm away
      return w;
    };
    World magnet = start(40), stone = start(0);
    mj_forward(magnet.m.get(), magnet.d.get());
    ASSERT_EQ(magnet.d->ncon, 1);
    EXPECT_EQ(magnet.d->nefc, 1);  // along the normal alone
    EXPECT_LT(NormalForces(magnet)[0], -9.81);
    RunFor(magnet, 2);
    EXPECT_NEAR(NormalForces(magnet)[0], -9.81, 1e-6);
    EXPECT_GT(magnet.d->qpos[2], 0.88);
    mj_forward(stone.m.get(), stone.d.get());
    ASSERT_EQ(stone.d->ncon, 1);
    EXPECT_EQ(stone.d->nefc, 0);
    EXPECT_NEAR(stone.d->qacc[2], -9.81, 1e-12);
  }
}

TEST(AdhesionTest, PairsAndPrioritiesDecide) {
  const auto force = [](const std::string& first, const std::string& second, const std::string& pair) {
    World w(
        ModelFromText(Scene("",
                            "<geom name='f' type='plane' size='1 1 1' " + first +
                                "/><body pos='0 0 .09'><freejoint/><geom name='s' size='.1' " + second + "/></body>",
                            pair.empty() ? "" : "<contact><pair geom1='f' geom2='s' " + pair + "/></contact>")));
    mj_forward(w.m.get(), w.d.get());
    return -w.d->qfrc_passive[2];
  };
  EXPECT_EQ(force("adhesion='2'", "adhesion='5'", ""), 7);
  EXPECT_EQ(force("adhesion='2'", "adhesion='5' priority='1'", ""), 5);
  EXPECT_EQ(force("adhesion='2' priority='1'", "adhesion='5'", ""), 2);
  EXPECT_EQ(force("adhesion='2'", "adhesion='5'", "adhesion='3'"), 3);
  EXPECT_EQ(force("adhesion='2'", "adhesion='5'", "margin='0'"), 0);  // a pair that does not say has none
}

// A block on a belt that sticks, after 100 steps of MuJoCo 4.0.0, by both cones.
TEST(AdhesionTest, StepsAreThoseOfMuJoCo4) {
  const double expected[2][2][3] = {{{0.07675317, 0.01639694, 0.04989145}, {0.49696399, 0.11435848, 0.00002882}},
                                    {{0.07698935, 0.01263284, 0.04999026}, {0.49766825, 0.11440764, 0.00010084}}};
  for (int cone = 0; cone < 2; ++cone) {
    World w(ModelFromText(Scene(kCones[cone],
                                "<geom type='plane' size='9 9 1' friction='.4' surfacevel='.5 .1 0 0 0 .2'"
                                "/><body pos='0 0 .0499'><freejoint/><geom type='box' size='.1 .1 .05' "
                                "mass='1' friction='.4' condim='4' adhesion='2'/></body>")));
    RunFor(w, 0.2);
    for (int i = 0; i < 3; ++i) {
      // printed with eight decimals; solvers end within their tolerance
      EXPECT_NEAR(w.d->qpos[i], expected[cone][0][i], 1e-6) << kCones[cone] << i;
      EXPECT_NEAR(w.d->qvel[i], expected[cone][1][i], 1e-5) << kCones[cone] << i;
    }
  }
}

// ---- inverse dynamics

TEST(SurfaceInverseTest, ForcesComeBack) {
  for (const char* cone : kCones) {
    World w(ModelFromText(Scene(std::string(cone) + " tolerance='0' iterations='200'", R"(
      <geom type='plane' size='5 5 1' friction='.4 .1 .1' surfacevel='.3 .5 0 0 0 2' adhesion='3'/>
      <body pos='.1 0 .045'><freejoint/><geom type='box' size='.1 .1 .05' friction='.4 .1 .1' condim='4'/></body>)")));
    RunFor(w, 1);
    w.d->qfrc_applied[0] = 0.7;
    w.m->opt.enableflags |= mjENBL_FWDINV;
    mj_forward(w.m.get(), w.d.get());
    ASSERT_GT(w.d->nefc, 0);
    mj_compareFwdInv(w.m.get(), w.d.get());
    // of forces of 10 N
    EXPECT_LT(w.d->solver_fwdinv[0], 1e-8) << cone;
    EXPECT_LT(w.d->solver_fwdinv[1], 1e-8) << cone;
  }
}

}  // namespace
}  // namespace sinew
