// Solutions of the constraint problem satisfy its optimality conditions, whichever way they are found.
//
//   minimize 1/2 (a - a_s)' M (a - a_s) + s(J a - aref)     at the minimum:  M (a - a_s) = J' f,  f = -s'(J a - aref)
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int Index(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  std::string Text(double low, double high) { return std::to_string((*this)(low, high)); }

 private:
  std::mt19937 engine_;
};

std::string Geom(Random& random) {
  static constexpr const char* kTypes[] = {"sphere", "capsule", "box", "ellipsoid"};
  return std::string("<geom type='") + kTypes[random.Index(4)] + "' size='" + random.Text(0.08, 0.15) + " " +
         random.Text(0.05, 0.15) + " " + random.Text(0.05, 0.15) + "' friction='" + random.Text(0.2, 1.5) +
         "' condim='" +
         (random.Index(2)   ? "3"
          : random.Index(2) ? "4"
                            : "6") +
         "'/>";
}

// A heap of free bodies and short arms with limits, friction loss and equalities, pressed into each other and the
// floor.
std::string Scene(Random& random, const std::string& option) {
  std::string bodies, equality;
  const int count = 2 + random.Index(6);
  for (int i = 0; i < count; ++i) {
    const std::string name = "b" + std::to_string(i);
    bodies += "<body name='" + name + "' pos='" + random.Text(-0.2, 0.2) + " " + random.Text(-0.2, 0.2) + " " +
              random.Text(0.05, 0.4) + "' euler='" + random.Text(-180, 180) + " " + random.Text(-90, 90) + " 0'>" +
              (random.Index(3) ? "<freejoint/>" : "<joint type='ball' pos='0.3 0 0' damping='0.1'/>") + Geom(random) +
              "<body pos='0.15 0 0'><joint name='j" + std::to_string(i) +
              "' axis='0 1 0' range='-20 20' frictionloss='" + random.Text(0, 0.3) + "'/>" + Geom(random) +
              "</body></body>";
  }
  if (random.Index(2)) equality = "<equality><connect body1='b0' body2='b1' anchor='0 0 0.1'/></equality>";
  return "<mujoco><option " + option + " tolerance='0' iterations='200' ls_iterations='100' impratio='" +
         random.Text(0.5, 4) + "'/><worldbody><geom type='plane' size='5 5 .1'/>" + bodies + "</worldbody>" + equality +
         "</mujoco>";
}

World RandomWorld(unsigned seed, const std::string& option) {
  Random random(seed);
  World world(ModelFromText(Scene(random, option)));
  for (int i = 0; i < world.m->nv; ++i) world.d->qvel[i] = random(-1, 1);
  for (int i = 0; i < world.m->nv; ++i) world.d->qfrc_applied[i] = random(-1, 1);
  mj_forward(world.m.get(), world.d.get());
  return world;
}

double Largest(const std::vector<double>& x) {
  double largest = 0;
  for (const double value : x) largest = std::max(largest, std::fabs(value));
  return largest;
}

// |M (a - a_s) - J' f| relative to the forces.
double OptimalityError(const World& world) {
  const mjModel* m = world.m.get();
  mjData* d = world.d.get();
  std::vector<double> jar(static_cast<size_t>(d->nefc)), Ma(static_cast<size_t>(m->nv)), forces;
  mj_mulJacVec(m, d, jar.data(), d->qacc);
  for (size_t i = 0; i < jar.size(); ++i) jar[i] -= d->efc_aref[i];
  mj_constraintUpdate(m, d, jar.data(), nullptr, 0);
  mj_mulM(m, d, Ma.data(), d->qacc);
  std::vector<double> residual;
  for (size_t i = 0; i < Ma.size(); ++i) {
    residual.push_back(Ma[i] - d->qfrc_smooth[i] - d->qfrc_constraint[i]);
    forces.insert(forces.end(), {Ma[i], d->qfrc_smooth[i], d->qfrc_constraint[i]});
  }
  return Largest(residual) / Largest(forces);
}

double Distance(const World& a, const World& b) {
  std::vector<double> difference, size = {1};
  for (int i = 0; i < a.m->nv; ++i) {
    difference.push_back(a.d->qacc[i] - b.d->qacc[i]);
    size.push_back(a.d->qacc[i]);
  }
  return Largest(difference) / Largest(size);
}

class Optimality : public testing::TestWithParam<const char*> {};

TEST_P(Optimality, NewtonSolvesTheProblemToRounding) {
  int constrained = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    World world = RandomWorld(seed, std::string("cone='") + GetParam() + "'");
    constrained += world.d->nefc > 0;
    EXPECT_LT(OptimalityError(world), 1e-10) << "scene " << seed;
  }
  EXPECT_GT(constrained, 490);
}

TEST_P(Optimality, IslandsDoNotMatter) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    World world = RandomWorld(seed, std::string("cone='") + GetParam() + "'");
    World whole = RandomWorld(seed, std::string("cone='") + GetParam() + "'");
    whole.m->opt.disableflags |= mjDSBL_ISLAND;
    mj_forward(whole.m.get(), whole.d.get());
    EXPECT_LT(Distance(world, whole), 1e-8) << "scene " << seed;  // condition numbers up to 1e6
  }
}

// To rounding, like Newton: 1e6 is the condition number.
TEST_P(Optimality, ConjugateGradientsAgreeWithNewton) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::string option = std::string("cone='") + GetParam() + "' ";
    const World newton = RandomWorld(seed, option);
    World cg = RandomWorld(seed, option + "solver='CG'");
    cg.m->opt.iterations = 2000;
    mj_forward(cg.m.get(), cg.d.get());
    EXPECT_LT(Distance(newton, cg), 1e-9) << "scene " << seed;
  }
}

// Gauss-Seidel converges linearly, and slowly with elliptic cones where a body has more contacts than it needs.
TEST_P(Optimality, GaussSeidelAgreesWithNewton) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const std::string option = std::string("cone='") + GetParam() + "' ";
    const World newton = RandomWorld(seed, option);
    World pgs = RandomWorld(seed, option + "solver='PGS'");
    pgs.m->opt.iterations = GetParam() == std::string("elliptic") ? 200000 : 20000;
    mj_forward(pgs.m.get(), pgs.d.get());
    EXPECT_LT(Distance(newton, pgs), 1e-6) << "scene " << seed;
  }
}

TEST_P(Optimality, InverseReturnsTheAppliedForces) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    World world = RandomWorld(seed, std::string("cone='") + GetParam() + "'");
    const std::vector<double> force(world.d->qfrc_constraint, world.d->qfrc_constraint + world.m->nv);
    mj_inverse(world.m.get(), world.d.get());
    for (int i = 0; i < world.m->nv; ++i) {
      EXPECT_NEAR(world.d->qfrc_inverse[i], world.d->qfrc_applied[i], 1e-8 * (1 + Largest(force))) << "scene " << seed;
    }
  }
}

// A plug that pegs around it hold by interference, pulled and shaken: many contacts are about to slide at once, where
// costs turn sharply along a line. Of 10,000 states, a search along the line that trusts Newton's steps misses 25.
TEST_P(Optimality, PlugsBetweenPegs) {
  constexpr double kTurn = 6.28318530717958648;
  int solved = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    Random random(seed);
    std::string pegs;
    for (int i = random.Index(9) + 4; i > 0; --i) {
      const double angle = random(0, kTurn), distance = .03 - random(.0002, .003);
      pegs += "<geom type='capsule' size='.01 .02' pos='" + std::to_string(distance * std::cos(angle)) + " " +
              std::to_string(distance * std::sin(angle)) + " 0'/>";
    }
    const World world(ModelFromText(
        std::string("<mujoco><option gravity='0 0 0' cone='") + GetParam() + "' impratio='" + random.Text(1, 100) +
        "'/><default><geom friction='" + random.Text(.1, 1.5) + "' solref='.004'/></default><worldbody>" + pegs +
        "<body><freejoint/><geom type='capsule' size='.02 .01' mass='.01'/></body></worldbody></mujoco>"));
    for (int step = 0; step < 40; ++step) {
      for (int k = 0; k < 6; ++k) world.d->xfrc_applied[6 + k] = random(-1, 1) * (k < 3 ? 10 : .1);
      mj_forward(world.m.get(), world.d.get());
      if (world.d->nefc == 0) break;
      ++solved;
      // the solver's tolerance of 1e-8 is relative to inertia, which here is small beside the forces
      ASSERT_LT(OptimalityError(world), 1e-4) << "scene " << seed << ", step " << step;
      mj_step(world.m.get(), world.d.get());
    }
  }
  EXPECT_GT(solved, 4000);
}

INSTANTIATE_TEST_SUITE_P(Cones, Optimality, testing::Values("pyramidal", "elliptic"),
                         [](const auto& cone) { return std::string(cone.param); });

}  // namespace
}  // namespace sinew
