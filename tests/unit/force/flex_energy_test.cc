// The elastic energy of flexes: forces are its negative gradient, it is zero at rest, and kinetic energy plus it stay
// in free vibration.
#include "force/flex_energy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// Without gravity, damping and contacts with itself. `options`: of the option element.
std::string Floating(const std::string& flex, const std::string& options = "") {
  return "<mujoco><option gravity='0 0 0' " + options + R"(><flag energy="enable"/></option><worldbody>)" + flex +
         "</worldbody><sensor><e_potential/></sensor></mujoco>";
}

std::string Grid(int dim, const std::string& count, const std::string& elasticity, const std::string& more = "",
                 const std::string& attributes = "") {
  return "<body name='p' euler='20 30 40'><flexcomp name='f' type='grid' count='" + count +
         "' spacing='.1 .1 .1' dim='" + std::to_string(dim) + "' mass='1' radius='.01' " + attributes +
         "><contact selfcollide='none' internal='false' contype='0' conaffinity='0'/>" + more + elasticity +
         "</flexcomp></body>";
}

constexpr char kSolid[] = "<elasticity young='1e4' poisson='.3'/>";
constexpr char kShell[] = "<elasticity young='1e5' poisson='.2' thickness='.02' elastic2d='both'/>";
constexpr char kBends[] = "<elasticity young='1e6' poisson='.2' thickness='.02' elastic2d='bend'/>";

void Shake(World& world, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  for (int i = 0; i < world.m->nv; ++i) world.d->qpos[i] += uniform(random);  // slides alone
}

double Energy(World& world) {
  mj_forward(world.m.get(), world.d.get());
  EXPECT_EQ(world.d->energy[0], world.d->sensordata[0]);
  return world.d->energy[0];
}

// Central differences over 2e-6 m have errors of 1e-11 of the curvature's scale and 1e-10 of rounding.
void ExpectGradient(World& world, double tolerance) {
  constexpr double kStep = 1e-6;
  Energy(world);
  const std::vector<double> force(world.d->qfrc_spring, world.d->qfrc_spring + world.m->nv);
  double largest = 0;
  for (const double f : force) largest = std::max(largest, std::abs(f));
  ASSERT_GT(largest, 0);
  for (int i = 0; i < world.m->nv; ++i) {
    double& q = world.d->qpos[i];
    const double at = q;
    q = at + kStep;
    const double above = Energy(world);
    q = at - kStep;
    const double below = Energy(world);
    q = at;
    EXPECT_NEAR((below - above) / (2 * kStep), force[static_cast<size_t>(i)], tolerance * largest) << i;
  }
}

TEST(FlexEnergy, ForcesAreItsGradient) {
  for (const std::string& flex :
       {Grid(3, "3 3 2", kSolid), Grid(2, "3 4 1", kShell), Grid(2, "3 4 1", kBends),
        Grid(1, "6 1 1", "<edge stiffness='300'/>"), Grid(2, "4 4 1", kBends, "<pin gridrange='0 0 1 0'/>")}) {
    World world(ModelFromText(Floating(flex)));
    EXPECT_NEAR(Energy(world), 0, 1e-12);
    Shake(world, .02, 3);
    EXPECT_GT(Energy(world), 1e-4);
    ExpectGradient(world, 1e-6);
  }
}

// Curved at rest: its bending energy is zero there, though 1/2 x'B x is not.
TEST(FlexEnergy, OfCurvedShellsIsZeroAtRest) {
  const std::string dome =
      "<flexcomp name='f' type='direct' dim='2' mass='1' radius='.01' point='0 0 0 .1 0 .02 .2 0 0 0 .1 .02 .1 .1 .05 "
      ".2 "
      ".1 .02 0 .2 0 .1 .2 .02 .2 .2 0' element='0 1 4 0 4 3 1 2 5 1 5 4 3 4 7 3 7 6 4 5 8 4 8 7'>"
      "<contact selfcollide='none' contype='0' conaffinity='0'/>" +
      std::string(kShell) + "</flexcomp>";
  World world(ModelFromText(Floating(dome)));
  EXPECT_NEAR(Energy(world), 0, 1e-12);
  Shake(world, .01, 5);
  ExpectGradient(world, 1e-6);
}

// Forces of cells leave out how strain turns the cell, which is of second order in a strain of 1e-3.
TEST(FlexEnergy, OfCells) {
  for (const char* dof : {"trilinear", "quadratic"}) {
    World world(
        ModelFromText(Floating(Grid(3, "3 3 3", kSolid, "", "dof='" + std::string(dof) + "' cellcount='1 1 1'"))));
    EXPECT_NEAR(Energy(world), 0, 1e-12);
    Shake(world, 1e-4, 7);
    ExpectGradient(world, 1e-2);
  }
}

// A solid is stretched by 5 % and let go: over 0.5 s, many periods, RK4 at 0.2 ms keeps the sum.
TEST(FlexEnergy, IsExchangedWithKineticEnergy) {
  for (const std::string& flex : {Grid(3, "3 3 3", kSolid), Grid(2, "4 4 1", kShell)}) {
    World world(ModelFromText(Floating(flex, "integrator='RK4' timestep='.0002'")));
    Shake(world, .005, 11);
    const double total = Energy(world);
    double most = 0;
    for (int i = 0; i < 2500; ++i) {
      mj_step(world.m.get(), world.d.get());
      most = std::max(most, world.d->energy[1]);
    }
    mj_forward(world.m.get(), world.d.get());
    EXPECT_GT(most, .3 * total);
    EXPECT_NEAR(world.d->energy[0] + world.d->energy[1], total, 1e-5 * total);
  }
}

TEST(FlexEnergy, FollowsTheFlagsOfForces) {
  World world(ModelFromText(Floating(Grid(2, "3 4 1", kBends))));
  Shake(world, .01, 13);
  EXPECT_GT(Energy(world), 0);
  world.m->opt.disableflags = mjDSBL_SPRING;
  EXPECT_EQ(Energy(world), 0);
}

}  // namespace
}  // namespace sinew
