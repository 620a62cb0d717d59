// Strain equalities of flexes that are moved by nodes.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr char kBrick[] =
    "<mujoco><option gravity='0 0 0'/><worldbody><flexcomp name='f' type='grid' dof='trilinear' cellcount='2 1 1' "
    "count='3 2 2' spacing='.1 .13 .17' radius='.01' dim='3' mass='1'><edge equality='strain'/>"
    "<contact selfcollide='none' contype='0' conaffinity='0'/></flexcomp></worldbody></mujoco>";

double LargestResidual(const mjData* d) {
  double largest = 0;
  for (int i = 0; i < d->nefc; ++i) largest = std::max(largest, std::fabs(d->efc_pos[i]));
  return largest;
}

// 24 directions of 8 nodes, less 6 rigid ones, for each of two cells.
TEST(Strain, ACellHasARowForEachMode) {
  const World world(ModelFromText(kBrick));
  mj_forward(world.m.get(), world.d.get());
  EXPECT_EQ(world.d->nefc, 2 * 18);
  EXPECT_LT(LargestResidual(world.d.get()), 1e-14);  // rounding of sums of numbers below one
}

TEST(Strain, MovingAndTurningIsNoStrain) {
  const World world(ModelFromText(kBrick));
  const mjModel* m = world.m.get();
  mjData* d = world.d.get();
  const double c = std::cos(0.8), s = std::sin(0.8);
  for (int b = 1; b < m->nbody; ++b) {
    const mjtNum* p = m->body_pos + 3 * b;
    mjtNum* q = d->qpos + m->jnt_qposadr[m->body_jntadr[b]];
    q[0] = (c - 1) * p[0] - s * p[1] + 3;
    q[1] = s * p[0] + (c - 1) * p[1];
  }
  mj_forward(m, d);
  EXPECT_LT(LargestResidual(d), 1e-9);  // rotations of cells are found to 1e-9 rad
}

// A brick that is thrown and stretched keeps its shape and its momentum.
TEST(Strain, ABrickKeepsItsShape) {
  const World world(ModelFromText(kBrick));
  const mjModel* m = world.m.get();
  mjData* d = world.d.get();
  for (int i = 0; i < m->nv; ++i) d->qvel[i] = 0.3 * std::sin(2.0 * i);
  const auto momentum = [&] {
    double sum = 0;
    for (int i = 0; i < m->nv; i += 3) sum += m->body_mass[m->dof_bodyid[i]] * d->qvel[i];
    return sum;
  };
  const double before = momentum();
  for (int i = 0; i < 500; ++i) mj_step(m, d);
  EXPECT_LT(LargestResidual(d), 1e-3);  // constraints are soft; 0.01 in the first steps
  EXPECT_NEAR(momentum(), before, 1e-8);
}

}  // namespace
}  // namespace sinew
