// Passive forces of flexes.
#include "force/flex_force.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

World Load(const std::string& flexcomp) {
  return World(ModelFromText("<mujoco><option gravity='0 0 0'/><worldbody>" + flexcomp + "</worldbody></mujoco>"));
}

constexpr char kShell[] =
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .15 .1' radius='.01' dim='2' mass='1'>"
    "<elasticity young='1e3' poisson='.2' thickness='.02' elastic2d='both'/>"
    "<contact selfcollide='none' contype='0' conaffinity='0'/></flexcomp>";
constexpr char kSolid[] =
    "<flexcomp name='f' type='grid' dof='trilinear' cellcount='2 1 1' count='3 3 3' spacing='.1 .1 .1' radius='.01' "
    "dim='3' mass='1'><elasticity young='1e3' poisson='.2'/>"
    "<contact selfcollide='none' contype='0' conaffinity='0'/></flexcomp>";

void Bend(const World& world) {
  for (int i = 0; i < world.m->nq; ++i) world.d->qpos[i] = 0.02 * std::sin(1.0 + 2 * i);
}

double Largest(const mjtNum* values, int count) {
  double largest = 0;
  for (int i = 0; i < count; ++i) largest = std::max(largest, std::fabs(values[i]));
  return largest;
}

// Every body slides along x, y, z, so that forces stand in qfrc_spring three by three.
TEST(FlexForce, InternalForcesBalance) {
  for (const char* flexcomp : {kShell, kSolid}) {
    const World world = Load(flexcomp);
    Bend(world);
    mj_forward(world.m.get(), world.d.get());
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < world.m->nv; ++i) sum[i % 3] += world.d->qfrc_spring[i];
    const double largest = Largest(world.d->qfrc_spring, static_cast<int>(world.m->nv));
    EXPECT_GT(largest, 0.01);
    for (const double component : sum) EXPECT_NEAR(component, 0, 1e-12 * largest);  // rounding of sums
  }
}

TEST(FlexForce, NothingPullsAtRest) {
  for (const char* flexcomp : {kShell, kSolid}) {
    const World world = Load(flexcomp);
    mj_forward(world.m.get(), world.d.get());
    EXPECT_LT(Largest(world.d->qfrc_spring, static_cast<int>(world.m->nv)), 1e-11);
  }
}

// A flex that is turned as a whole is not deformed: stretch sees lengths, bending angles, cells are turned back.
TEST(FlexForce, RotationsMeetNoResistance) {
  const double c = std::cos(1.0), s = std::sin(1.0);
  for (const char* flexcomp : {kShell, kSolid}) {
    const World world = Load(flexcomp);
    const mjModel* m = world.m.get();
    mjData* d = world.d.get();
    for (int b = 1; b < m->nbody; ++b) {
      const mjtNum* p = m->body_pos + 3 * b;
      mjtNum* q = d->qpos + m->jnt_qposadr[m->body_jntadr[b]];
      q[0] = (c - 1) * p[0] - s * p[2];
      q[2] = s * p[0] + (c - 1) * p[2];
    }
    mj_forward(m, d);
    // Rotations of cells are found to 1e-9 rad; forces are 1e3 Pa over a length of 0.1 m.
    EXPECT_LT(Largest(d->qfrc_spring, static_cast<int>(m->nv)), 1e-7);
  }
}

// Forces of shells come from an energy: work does not depend on the way, so the stiffness is symmetric.
TEST(FlexForce, TheStiffnessOfAShellIsSymmetric) {
  constexpr double kStep = 1e-6;
  const World world = Load(kShell);
  const mjModel* m = world.m.get();
  mjData* d = world.d.get();
  Bend(world);
  const auto slope = [&](int i, int j) {
    double difference = 0;
    for (const double sign : {-1.0, 1.0}) {
      d->qpos[j] += sign * kStep;
      mj_forward(m, d);
      difference += sign * d->qfrc_spring[i] / (2 * kStep);
      d->qpos[j] -= sign * kStep;
    }
    return difference;
  };
  for (const auto& [i, j] : {std::pair(0, 5), std::pair(2, 14), std::pair(13, 25), std::pair(7, 12)}) {
    EXPECT_NEAR(slope(i, j), slope(j, i), 1e-4);  // central differences of forces of order 10
  }
}

TEST(FlexForce, AnEdgeIsASpringAndADamper) {
  const World world = Load(
      "<flexcomp name='f' type='grid' count='2 1 1' spacing='.1 .1 .1' radius='.01' dim='1' mass='1'>"
      "<edge stiffness='10' damping='3'/><contact selfcollide='none' contype='0' conaffinity='0'/></flexcomp>");
  world.d->qpos[3] = 0.02;
  world.d->qvel[3] = 0.5;
  mj_forward(world.m.get(), world.d.get());
  EXPECT_NEAR(world.d->qfrc_spring[3], -10 * 0.02, 1e-14);
  EXPECT_NEAR(world.d->qfrc_spring[0], 10 * 0.02, 1e-14);
  EXPECT_NEAR(world.d->qfrc_damper[3], -3 * 0.5, 1e-14);
  mj_energyPos(world.m.get(), world.d.get());
  EXPECT_NEAR(world.d->energy[0], 0.5 * 10 * 0.02 * 0.02, 1e-15);
}

// A jelly pinned to a body that slides without turning: the body feels what its own nodes feel, as in MuJoCo 3.8.0, and
// where it may turn, all of them: internal forces, which add up to nothing.
TEST(FlexForce, ParentsFeelTheirOwnNodes) {
  const auto on_parent = [](const std::string& joint, bool pinned) {
    std::string flexcomp = kSolid;
    if (pinned) flexcomp.insert(flexcomp.find("<elasticity"), "<pin id='0 1'/>");
    const World world =
        Load("<body name='b'>" + joint + "<geom size='.1' contype='0' conaffinity='0'/>" + flexcomp + "</body>");
    for (int i = 1; i < world.m->nq; ++i) world.d->qpos[i] = 0.02 * std::sin(1.0 + 2 * i);
    mj_forward(world.m.get(), world.d.get());
    double sum = world.d->qfrc_spring[0];
    for (int i = 1; i < world.m->nv; i += 3) sum += pinned ? world.d->qfrc_spring[i] : 0;
    return std::pair<double, double>(world.d->qfrc_spring[0], sum);
  };
  const std::string slide = "<joint type='slide' axis='1 0 0'/>";
  EXPECT_EQ(on_parent(slide, false).first, 0);
  EXPECT_GT(std::fabs(on_parent(slide, true).first), 0.01);
  EXPECT_NEAR(on_parent(slide, true).second, 0, 1e-12);  // rounding of sums
}

// Damping takes energy out: its power is negative.
TEST(FlexForce, DampersDissipate) {
  std::string flexcomp = kSolid;
  flexcomp.replace(flexcomp.find("poisson='.2'"), 12, "poisson='.2' damping='.1'");
  const World world = Load(flexcomp);
  for (int i = 0; i < world.m->nv; ++i) world.d->qvel[i] = std::sin(3.0 * i);
  mj_forward(world.m.get(), world.d.get());
  double power = 0;
  for (int i = 0; i < world.m->nv; ++i) power += world.d->qfrc_damper[i] * world.d->qvel[i];
  EXPECT_LT(power, -0.01);
}

}  // namespace
}  // namespace sinew
