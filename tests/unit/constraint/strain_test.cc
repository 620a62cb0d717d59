// Strain equalities of flexes that are moved by nodes.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

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

// Bodies on slides with friction, whose inverse weights are 100, 101 and so on.
std::string Slides(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "<body><joint type='slide' frictionloss='.1'/><geom size='.1' contype='0' conaffinity='0' mass='" +
            std::to_string(1.0 / (100 + i)) + "'/></body>";
  }
  return text;
}

// As in MuJoCo 3.8.0 (constraint/weight_order.h): a cell of eight nodes has 18 rows and lists 26 weights.
TEST(Strain, RowsBehindTakeItsWeights) {
  const World world(
      ModelFromText("<mujoco><worldbody><flexcomp name='f' type='grid' dof='trilinear' count='2 2 2' "
                    "spacing='.1 .1 .1' dim='3' mass='1'><edge equality='strain'/><contact "
                    "selfcollide='none'/></flexcomp>" +
                    Slides(12) + "</worldbody></mujoco>"));
  mj_forward(world.m.get(), world.d.get());
  ASSERT_EQ(world.d->nefc, 30);
  for (int row = 0; row < 26; ++row) EXPECT_NEAR(world.d->efc_diagApprox[row], 8, 1e-6);
  for (int row = 26; row < 30; ++row) EXPECT_NEAR(world.d->efc_diagApprox[row], 82 + row, 0.01);
}

// Dense rows that move nothing are left out, their weights are not: pinned vertices have the weight 0.
TEST(Strain, PinnedVerticesListTheirWeights) {
  const World world(
      ModelFromText("<mujoco><option jacobian='dense'/><worldbody><flexcomp name='f' type='grid' "
                    "dim='2' count='3 2 1' spacing='.1 .1 .1' mass='1'><edge equality='vert'/><pin "
                    "id='1 3'/><contact selfcollide='none'/></flexcomp>" +
                    Slides(6) + "</worldbody></mujoco>"));
  mj_forward(world.m.get(), world.d.get());
  ASSERT_EQ(world.d->ne, 8);
  for (int row = 0; row < 12; ++row) {
    EXPECT_NEAR(world.d->efc_diagApprox[row], row / 2 == 1 || row / 2 == 3 ? 0 : 6, 1e-6);
  }
  for (int row = 12; row < 14; ++row) EXPECT_NEAR(world.d->efc_diagApprox[row], 92 + row, 0.01);
}

}  // namespace
}  // namespace sinew
