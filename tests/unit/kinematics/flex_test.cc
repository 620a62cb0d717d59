// Vertices, edges and strains of flexes.
#include "kinematics/flex.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

World Deformed(const std::string& file) {
  World world(ModelFromFile(file));
  for (int i = 0; i < world.m->nq; ++i) world.d->qpos[i] += 0.01 * std::sin(1.0 + 3 * i);
  for (int i = 0; i < world.m->nv; ++i) world.d->qvel[i] = std::cos(2.0 * i);
  mj_forward(world.m.get(), world.d.get());
  return world;
}

// Change of an array of mjData along qvel, by central differences.
std::vector<double> Rate(const World& world, const mjtNum* values, size_t count) {
  constexpr double kStep = 1e-6;
  const mjModel* m = world.m.get();
  mjData* d = world.d.get();
  const std::vector<mjtNum> qpos(d->qpos, d->qpos + m->nq);
  std::vector<double> rate(count);
  for (const double sign : {-1.0, 1.0}) {
    std::copy(qpos.begin(), qpos.end(), d->qpos);
    mj_integratePos(m, d->qpos, d->qvel, sign * kStep);
    mj_fwdKinematics(m, d);
    for (size_t i = 0; i < count; ++i) rate[i] += sign * values[i] / (2 * kStep);
  }
  std::copy(qpos.begin(), qpos.end(), d->qpos);
  mj_forward(m, d);
  return rate;
}

// Error of central differences at a step of 1e-6, for lengths of order 0.1 and rates of order 1.
constexpr double kDifference = 1e-7;

TEST(Flex, EdgesChangeAsTheirJacobianSays) {
  const World world = Deformed("flex/shells.xml");
  const mjModel* m = world.m.get();
  const auto rate = Rate(world, world.d->flexedge_length, static_cast<size_t>(m->nflexedge));
  int compared = 0;
  for (int e = 0; e < m->nflexedge; ++e) {
    if (m->flexedge_J_rownnz[e] == 0 || m->flexedge_rigid[e] || world.d->flexedge_velocity[e] == 0) continue;
    EXPECT_NEAR(world.d->flexedge_velocity[e], rate[static_cast<size_t>(e)], kDifference);
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TEST(Flex, StrainsChangeAsTheirJacobianSays) {
  const World world = Deformed("flex/shells.xml");
  const mjModel* m = world.m.get();
  const mjData* d = world.d.get();
  const auto rate = Rate(world, d->flexvert_length, 2 * static_cast<size_t>(m->nflexvert));
  int compared = 0;
  for (int row = 0; row < 2 * m->nflexvert; ++row) {
    if (m->flexvert_J_rownnz[row] == 0) continue;
    double product = 0;
    for (int k = 0; k < m->flexvert_J_rownnz[row]; ++k) {
      const int at = m->flexvert_J_rowadr[row] + k;
      product += d->flexvert_J[at] * d->qvel[m->flexvert_J_colind[at]];
    }
    EXPECT_NEAR(product, rate[static_cast<size_t>(row)], 100 * kDifference);  // strains change a hundredfold faster
    ++compared;
  }
  EXPECT_EQ(compared, 32);
}

TEST(Flex, NothingIsStrainedAtRest) {
  World world(ModelFromFile("flex/shells.xml"));
  mj_forward(world.m.get(), world.d.get());
  for (int v = 0; v < 2 * world.m->nflexvert; ++v) EXPECT_NEAR(world.d->flexvert_length[v], 0, 1e-13);
}

// The rounding of MuJoCo 3.8.0, by which equal axes of a flex stay equal.
TEST(Flex, BoxesOfElementsAreThoseOfVerticesAndTheRadius) {
  World world(
      ModelFromText("<mujoco><worldbody><flexcomp name='f' type='direct' dim='2' radius='.01' point='0 0 0 .15 0 0 "
                    "0 .15 .1' element='0 1 2'><contact selfcollide='none'/></flexcomp></worldbody></mujoco>"));
  mj_forward(world.m.get(), world.d.get());
  for (int k = 0; k < 3; ++k) {
    const double size = k == 2 ? .1 : .15;
    EXPECT_EQ(world.d->flexelem_aabb[k], .5 * size);
    EXPECT_EQ(world.d->flexelem_aabb[3 + k], .5 * size + .01);
  }
}

// Nodes that move by an affine map carry the vertices along by the same map.
TEST(Flex, VerticesFollowTheirNodes) {
  World world(
      ModelFromText("<mujoco><worldbody><flexcomp name='f' type='grid' dof='quadratic' count='3 4 3' "
                    "spacing='.1 .1 .1' radius='.01' dim='3'><contact selfcollide='none'/></flexcomp>"
                    "</worldbody></mujoco>"));
  const mjModel* m = world.m.get();
  mjData* d = world.d.get();
  mj_forward(m, d);
  const std::vector<mjtNum> rest(d->flexvert_xpos, d->flexvert_xpos + 3 * m->nflexvert);
  for (int n = 0; n < m->nflexnode; ++n) {
    const int body = m->flex_nodebodyid[n];
    d->qpos[m->body_dofadr[body]] = 0.3 * d->xpos[3 * body + 1] + 0.1 * d->xpos[3 * body];
  }
  mj_forward(m, d);
  for (int v = 0; v < m->nflexvert; ++v) {
    EXPECT_NEAR(d->flexvert_xpos[3 * v],
                1.1 * rest[static_cast<size_t>(3 * v)] + 0.3 * rest[static_cast<size_t>(3 * v + 1)],
                1e-14);  // rounding of sums of 27 terms below one
  }
}

// The root of the tree over the elements holds every vertex.
TEST(Flex, BoxesHoldTheVertices) {
  const World world = Deformed("flex/cells.xml");
  const mjModel* m = world.m.get();
  const mjData* d = world.d.get();
  for (int f = 0; f < m->nflex; ++f) {
    const mjtNum* box = d->bvh_aabb_dyn + 6 * (m->flex_bvhadr[f] - m->nbvhstatic);
    for (int v = m->flex_vertadr[f]; v < m->flex_vertadr[f] + m->flex_vertnum[f]; ++v) {
      for (int a = 0; a < 3; ++a) {
        EXPECT_LE(std::abs(d->flexvert_xpos[3 * v + a] - box[a]), box[3 + a] - m->flex_radius[f] + 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
