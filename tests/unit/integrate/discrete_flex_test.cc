// Flexes under the integrator `discrete`: stiff and damped ones are stable at steps that explicit forces do not bear,
// rest in the shape of statics, and inverse dynamics knows them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

struct Material {
  double young, damping;
};

std::string Scene(int dim, const std::string& count, const Material& material, const std::string& options,
                  const std::string& more = "") {
  return "<mujoco><option " + options + R"(><flag energy="enable"/></option><worldbody>
      <geom type="plane" size="5 5 .1"/><flexcomp name="f" type="grid" pos="0 0 .1" spacing=".05 .05 .05" count=")" +
         count + "\" mass=\".5\" radius=\".005\" dim=\"" + std::to_string(dim) +
         "\"><contact selfcollide=\"none\" internal=\"false\"/><elasticity poisson=\".2\" young=\"" +
         std::to_string(material.young) + "\" damping=\"" + std::to_string(material.damping) + "\" " + more +
         "/></flexcomp></worldbody></mujoco>";
}

double Highest(const World& world) {
  double z = 0;
  for (int v = 0; v < world.m->nflexvert; ++v) z = std::max(z, world.d->flexvert_xpos[3 * v + 2]);
  return z;
}

double Speed(const World& world) {
  double most = 0;
  for (int i = 0; i < world.m->nv; ++i) most = std::max(most, std::abs(world.d->qvel[i]));
  return most;
}

// Under Euler at 2 ms, all of these but the first diverge within 0.1 s. Here energy is never above that of the start.
TEST(DiscreteFlexes, DampedSolidsComeToRestInOneShape) {
  for (const double young : {1e4, 1e6}) {
    std::vector<double> height;
    for (const double damping : {.002, .01, .1}) {
      World world(ModelFromText(Scene(3, "3 3 3", {young, damping}, "integrator='discrete'")));
      mj_forward(world.m.get(), world.d.get());
      const double energy = world.d->energy[0];
      while (world.d->time < 1.5) {
        mj_step(world.m.get(), world.d.get());
        ASSERT_LT(world.d->energy[0] + world.d->energy[1], energy + 1e-6) << young << " " << damping;
      }
      EXPECT_LT(Speed(world), 1e-3) << young << " " << damping;
      EXPECT_EQ(world.d->warning[mjWARN_BADQACC].number, 0);
      height.push_back(Highest(world));
    }
    for (const double h : height) EXPECT_NEAR(h, height[0], 1e-4) << young;  // as slow as 1e-3 m/s
  }
}

// With a step that goes to zero, velocities after a step are those of Euler's method: differences fall with its square.
TEST(DiscreteFlexes, AreThoseOfSmallSteps) {
  const auto difference = [](double h) {
    const std::string step = "timestep='" + std::to_string(h) + "' gravity='0 0 0' ";
    std::vector<double> ends[2];
    for (const bool discrete : {false, true}) {
      World world(ModelFromText(Scene(2, "4 3 1", {1e4, .001}, step + (discrete ? "integrator='discrete'" : ""),
                                      "thickness='.01' elastic2d='both'")));
      for (int i = 0; i < world.m->nv; ++i) {
        world.d->qpos[i] += .005 * std::sin(3. * i);
        world.d->qvel[i] = .3 * std::cos(2. * i);
      }
      mj_step(world.m.get(), world.d.get());
      ends[discrete].assign(world.d->qvel, world.d->qvel + world.m->nv);
    }
    double most = 0;
    for (size_t i = 0; i < ends[0].size(); ++i) most = std::max(most, std::abs(ends[0][i] - ends[1][i]));
    return most;
  };
  const double coarse = difference(1e-4), fine = difference(5e-5);
  EXPECT_GT(coarse, 1e-9);
  EXPECT_NEAR(coarse / fine, 4, 1);  // damping, whose weight falls with h alone, is of the order h^2 by the change of v
}

// Forces from outside are what inverse dynamics finds for the acceleration of the step.
TEST(DiscreteFlexes, InverseDynamicsKnowThem) {
  for (const char* more : {"elastic2d='both' thickness='.01'", "elastic2d='stretch' thickness='.01'"}) {
    World world(ModelFromText(Scene(2, "4 4 1", {1e5, .01}, "integrator='discrete'", more)));
    for (int i = 0; i < 100; ++i) mj_step(world.m.get(), world.d.get());
    for (int i = 0; i < world.m->nv; ++i) world.d->qfrc_applied[i] = .01 * std::sin(i);
    world.m->opt.tolerance = 0;
    mj_forward(world.m.get(), world.d.get());
    mj_inverse(world.m.get(), world.d.get());
    for (int i = 0; i < world.m->nv; ++i) EXPECT_NEAR(world.d->qfrc_inverse[i], world.d->qfrc_applied[i], 1e-8) << i;
  }
}

// Rows of flexes have no tendon's number.
TEST(DiscreteFlexes, RowsAreNotThoseOfTendons) {
  World world(ModelFromText(R"(<mujoco><option integrator="discrete"/><worldbody>
      <body name="b"><joint name="j" type="slide" axis="0 0 1"/><geom size=".05" contype="0" conaffinity="0"/></body>
      <flexcomp name="f" type="grid" count="3 3 1" spacing=".05 .05 .05" dim="2" mass=".1" radius=".005">
      <contact selfcollide="none"/><elasticity young="1e5" thickness=".01" elastic2d="both"/></flexcomp></worldbody>
      <tendon><fixed name="t" frictionloss=".1"><joint joint="j" coef="1"/></fixed></tendon></mujoco>)"));
  mj_forward(world.m.get(), world.d.get());
  int of_tendon = 0, of_flex = 0;
  for (int row = 0; row < world.d->nefc; ++row) {
    of_tendon += world.d->efc_id[row] == 0;
    of_flex += world.d->efc_id[row] < 0;
  }
  EXPECT_EQ(of_tendon, 1);
  EXPECT_EQ(of_flex, 8 * 3 + 8 * 3);  // triangles, and hinges between two of them
  EXPECT_EQ(world.d->tendon_efcadr[0], 0);
}

}  // namespace
}  // namespace sinew
