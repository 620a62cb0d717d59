#include "inertia/inertia.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "inertia/rne.h"
#include "kinematics/kinematics.h"
#include "kinematics/tendon.h"
#include "kinematics/velocity.h"
#include "tests/support/tree_model.h"
#include "tests/support/two_links.h"

namespace sinew::testing {
namespace {

using Numbers = std::vector<double>;

struct World {
  explicit World(const TreeSpec& spec) : m(MakeTree(spec)), d(MakeData(*m)) {}
  void Update() {
    Kinematics(m.get(), d.get());
    ComPos(m.get(), d.get());
    Tendon(m.get(), d.get());
    MakeM(m.get(), d.get());
    FactorM(m.get(), d.get());
    ComVel(m.get(), d.get());
  }
  int nv() const { return static_cast<int>(m->nv); }
  Numbers Full() const {
    Numbers full(m->nv * m->nv);
    FullM(m.get(), full.data(), d->qM);
    return full;
  }

  ModelPtr m;
  DataPtr d;
};

World RandomWorld(unsigned seed) {
  std::mt19937 random(seed);
  World world(RandomTree(random, 10));
  RandomState(*world.m, world.d.get(), random);
  world.Update();
  return world;
}

// A planar double pendulum of point masses with rods of length one:
//   M11 = m (3 + 2 cos q2),  M12 = m (1 + cos q2),  M22 = m
TEST(MakeM, DoublePendulum) {
  BodySpec link;
  link.mass = 2;
  link.inertia = {0, 0, 0};
  link.ipos = {1, 0, 0};
  link.joints = {{.axis = {0, 1, 0}}};
  BodySpec second = link;
  second.parent = 1;
  second.pos = {1, 0, 0};
  TreeSpec spec;
  spec.bodies = {link, second};
  World world(spec);
  world.d->qpos[0] = 0.3;
  world.d->qpos[1] = 0.7;
  world.Update();
  const Numbers M = world.Full();
  const double c = std::cos(0.7);
  EXPECT_NEAR(M[0], 2 * (3 + 2 * c), 1e-14);
  EXPECT_NEAR(M[1], 2 * (1 + c), 1e-14);
  EXPECT_NEAR(M[3], 2, 1e-14);
}

TEST(MakeM, WorkedModel) {
  const TwoLinks links;
  const double M[] = {
      .8028650755332, .01460226757739, .02833333333333, .1323259020641, 0, .05333333333333, -.0496047619173, 0, 0,
      .02833333333333};
  const double inverse_D[] = {2.630344152957, 35.294117647059, 18.75, 35.294117647059};
  for (int k = 0; k < 10; ++k) EXPECT_NEAR(links.d->M[k], M[k], 1e-13);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(links.d->qLDiagInv[i], inverse_D[i], kTwelveDecimals);
}

// Two slides with a fixed tendon q1 + 2 q2 of armature 3.
TEST(MakeM, TendonArmatureStaysInThePatternOfM) {
  for (const int parent : {0, 1}) {
    TreeSpec spec;
    BodySpec body;
    body.joints = {{.type = mjJNT_SLIDE}};
    spec.bodies = {body, body};
    spec.bodies[1].parent = parent;
    spec.tendons = {{{{mjWRAP_JOINT, 0, 1}, {mjWRAP_JOINT, 1, 2}}, 3}};
    World world(spec);
    world.Update();
    const Numbers M = world.Full();
    const bool one_tree = parent == 1;  // then the first slide also carries the second, along the same axis
    EXPECT_NEAR(M[0], (one_tree ? 2 : 1) + 3, 1e-14);
    EXPECT_NEAR(M[1], one_tree ? 1 + 6 : 0, 1e-14);
    EXPECT_NEAR(M[3], 1 + 12, 1e-14);
  }
}

TEST(MakeM, ActuatorArmatureCountsTimesTheGearSquared) {
  TreeSpec spec;
  BodySpec body;
  body.joints = {{.type = mjJNT_SLIDE, .armature = 0.5}};
  spec.bodies = {body};
  spec.actuators = {{.gear = {3, 0, 0, 0, 0, 0}, .armature = 0.1}, {.gear = {2, 0, 0, 0, 0, 0}, .armature = 0.2}};
  World world(spec);
  world.Update();
  EXPECT_NEAR(world.d->M[0], 1 + 0.5 + 0.9 + 0.8, 1e-15);
}

TEST(MakeM, SimpleDofsHaveConstantInertia) {
  TreeSpec spec;
  BodySpec body;
  body.joints = {{.type = mjJNT_SLIDE}};
  spec.bodies = {body};
  World world(spec);
  world.m->dof_simplenum[0] = 1;
  world.m->dof_M0[0] = 4;
  world.Update();
  EXPECT_EQ(world.d->M[0], 4);
}

TEST(FactorM, SolvesAndMultiplies) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const World world = RandomWorld(seed);
    const int nv = world.nv();
    const mjModel* m = world.m.get();
    mjData* d = world.d.get();
    Numbers x(2 * nv), y(2 * nv), back(nv), half(nv);
    for (int i = 0; i < 2 * nv; ++i) y[i] = std::sin(1.0 + i);
    SolveM(m, d, x.data(), y.data(), 2);
    for (int v = 0; v < 2; ++v) {
      MulM(m, d, back.data(), x.data() + v * nv);
      // the condition of these matrices is below a thousand
      for (int i = 0; i < nv; ++i) EXPECT_NEAR(back[i], y[v * nv + i], 1e-11);
    }

    // x' M x = |D^1/2 L x|^2   and   y' M^-1 y = |D^-1/2 L^-T y|^2
    Numbers sqrt_inverse(nv);
    for (int i = 0; i < nv; ++i) sqrt_inverse[i] = std::sqrt(d->qLDiagInv[i]);
    MulM2(m, d, half.data(), x.data());
    SolveM2(m, d, back.data(), y.data(), sqrt_inverse.data(), 1);
    double energy = 0, from_half = 0, from_solve = 0;
    for (int i = 0; i < nv; ++i) {
      energy += x[i] * y[i];
      from_half += half[i] * half[i];
      from_solve += back[i] * back[i];
    }
    EXPECT_NEAR(from_half, energy, 1e-11 * energy);
    EXPECT_NEAR(from_solve, energy, 1e-11 * energy);

    // in place
    SolveM(m, d, y.data(), y.data(), 1);
    for (int i = 0; i < nv; ++i) EXPECT_EQ(y[i], x[i]);
  }
}

TEST(AddM, FillsTheLowerTriangleOrAPattern) {
  const World world = RandomWorld(2);
  const int nv = world.nv();
  const mjModel* m = world.m.get();
  const Numbers full = world.Full();
  Numbers dense(nv * nv, 1.0), same(m->nC);
  AddM(m, world.d.get(), dense.data(), nullptr, nullptr, nullptr);
  for (int i = 0; i < nv; ++i) {
    for (int j = 0; j < nv; ++j) EXPECT_EQ(dense[i * nv + j], 1 + (j <= i ? full[i * nv + j] : 0));
  }
  AddM(m, world.d.get(), same.data(), m->M_rownnz, m->M_rowadr, m->M_colind);
  for (int k = 0; k < m->nC; ++k) EXPECT_EQ(same[k], world.d->M[k]);

  std::vector<int> empty(nv, 0);
  EXPECT_THROW(AddM(m, world.d.get(), same.data(), empty.data(), m->M_rowadr, m->M_colind), Error);
}

// tau = M q'' + bias; inverse dynamics leaves out the armature.
TEST(Rne, AgreesWithTheInertiaMatrix) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    std::mt19937 random(seed);
    TreeSpec spec = RandomTree(random, 10);
    spec.tendons.clear();
    spec.actuators.clear();
    for (BodySpec& body : spec.bodies) {
      for (JointSpec& joint : body.joints) joint.armature = 0;
    }
    World world(spec);
    RandomState(*world.m, world.d.get(), random);
    world.Update();
    Numbers force(world.nv()), bias(world.nv()), product(world.nv());
    Rne(world.m.get(), world.d.get(), true, force.data());
    Rne(world.m.get(), world.d.get(), false, bias.data());
    MulM(world.m.get(), world.d.get(), product.data(), world.d->qacc);
    for (int i = 0; i < world.nv(); ++i) EXPECT_NEAR(force[i], product[i] + bias[i], 1e-10);  // of sums near 1000
  }
}

TEST(Rne, WorkedModel) {
  const TwoLinks links;
  const double bias[] = {-12.59984254486, -.003384826654, -1.423993691789, 1.272846207364};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(links.d->qfrc_bias[i], bias[i], 1e-11);  // known to 12 digits
}

TEST(Rne, WithoutGravityABodyAtRestNeedsNoForce) {
  World world = RandomWorld(1);
  world.m->opt.disableflags = mjDSBL_GRAVITY;
  for (int i = 0; i < world.nv(); ++i) world.d->qvel[i] = 0;
  world.Update();
  Numbers bias(world.nv(), 1.0);
  Rne(world.m.get(), world.d.get(), false, bias.data());
  for (double force : bias) EXPECT_EQ(force, 0);
}

// A chain of bodies with hinges about all axes, armature included.
TreeSpec Chain(int bodies) {
  TreeSpec spec;
  for (int b = 0; b < bodies; ++b) {
    BodySpec body;
    body.parent = b;
    body.pos = {0.1, 0.02 * (b % 3), 0};
    body.ipos = {0.05, 0, 0.01};
    body.joints = {{.axis = {b % 3 == 0 ? 1.0 : 0, b % 3 == 1 ? 1.0 : 0, b % 3 == 2 ? 1.0 : 0}}};
    spec.bodies.push_back(body);
  }
  return spec;
}

// Both factorizations of one matrix: equal but for rounding, which grows with depth.
TEST(FactorMadeM, DeepTreesHaveTheFactorsOfElimination) {
  World world(Chain(100));
  std::mt19937 random(3);
  RandomState(*world.m, world.d.get(), random);
  world.Update();
  const mjModel& m = *world.m;
  const Numbers factor(world.d->qLD, world.d->qLD + m.nC), inverse(world.d->qLDiagInv, world.d->qLDiagInv + m.nv);
  std::fill_n(world.d->qLD, m.nC, 0.0);
  FactorMadeM(&m, world.d.get());
  for (int k = 0; k < m.nC; ++k) EXPECT_NEAR(world.d->qLD[k], factor[k], 1e-9 * (1 + std::fabs(factor[k])));
  for (int i = 0; i < m.nv; ++i) EXPECT_NEAR(world.d->qLDiagInv[i], inverse[i], 1e-9 * std::fabs(inverse[i]));
}

}  // namespace
}  // namespace sinew::testing
