#include "derivatives/finite_difference/residual_difference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/stack.h"
#include "derivatives/finite_difference/step_difference.h"
#include "derivatives/finite_difference/tree_coupling.h"
#include "tests/testing/model.h"
#include "tests/unit/derivatives/finite_difference/trees.h"

namespace sinew {
namespace {

using Matrix = std::vector<double>;

struct Transition {
  Matrix A, B;
  explicit Transition(const mjModel& m)
      : A(static_cast<size_t>((2 * m.nv + m.na) * (2 * m.nv + m.na))),
        B(static_cast<size_t>((2 * m.nv + m.na) * m.nu)) {}
  TransitionMatrices pointers() { return {A.data(), B.data(), nullptr, nullptr}; }
};

void ExpectNear(const Matrix& expected, const Matrix& actual, double tolerance) {
  if (expected.empty()) return;  // no controls
  const double scale = std::abs(*std::max_element(expected.begin(), expected.end(),
                                                  [](double a, double b) { return std::abs(a) < std::abs(b); }));
  for (size_t k = 0; k < expected.size(); ++k) ASSERT_NEAR(expected[k], actual[k], tolerance * scale) << k;
}

void ExpectSameAsSteps(World w, bool centered) {
  constexpr double kEps = 1e-6;
  Transition balance(*w.m), steps(*w.m);
  ASSERT_TRUE(DifferenceResidual(w.m.get(), w.d.get(), kEps, centered, balance.pointers()));
  StackFrame frame(w.d.get());
  StepDifferences(w.m.get(), w.d.get(), kEps, centered, steps.pointers(), frame).Run();
  // contacts are stiff: third derivatives times eps^2, and the rounding of differences of solutions
  constexpr double kTolerance = 5e-6;
  ExpectNear(steps.A, balance.A, kTolerance);
  ExpectNear(steps.B, balance.B, kTolerance);
}

TEST(ResidualDifferenceTest, EqualsRepeatedSteps) {
  for (bool centered : {false, true}) {
    ExpectSameAsSteps(Scene(), centered);
    ExpectSameAsSteps(Scene(R"(<flag island="disable"/>)"), centered);
    ExpectSameAsSteps(Scene(R"(<flag eulerdamp="disable"/>)"), centered);
    ExpectSameAsSteps(Scene(R"(<flag contact="disable"/>)"), centered);
  }
}

// In the middle zone of a cone, forces are not quadratic.
TEST(ResidualDifferenceTest, EllipticCones) {
  World w = Scene();
  w.m->opt.cone = mjCONE_ELLIPTIC;
  w.d->qvel[0] = 0.5;
  ExpectSameAsSteps(std::move(w), true);
}

TEST(ResidualDifferenceTest, ImplicitIntegratorsWithoutFreeBodies) {
  for (int integrator : {mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    World w(ModelFromText(R"(
      <mujoco><option tolerance="1e-14" density="1000" viscosity="1"/>
        <worldbody><geom type="plane" size="5 5 .1"/>
          <body pos="0 0 .3"><joint type="slide" axis="0 0 1"/><joint type="ball" damping=".1"/>
            <geom type="box" size=".1 .2 .3"/>
            <body pos=".2 0 0"><joint axis="0 1 0" stiffness="3"/><geom type="capsule" size=".05 .2"/></body></body>
        </worldbody></mujoco>)"));
    w.m->opt.integrator = integrator;
    for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 0.3 * i - 0.5;
    for (int i = 0; i < 20; ++i) mj_step(w.m.get(), w.d.get());
    ExpectSameAsSteps(std::move(w), true);
  }
}

// Actuators that share the limit of a joint's force cannot be perturbed together.
TEST(ResidualDifferenceTest, SharedLimits) {
  World w(ModelFromText(R"(
    <mujoco><worldbody><body><joint name="x" actuatorfrclimited="true" actuatorfrcrange="-1 1"/><geom size=".1"/></body>
      </worldbody>
      <actuator><motor joint="x"/><motor joint="x"/></actuator></mujoco>)"));
  w.d->ctrl[0] = 0.75;
  w.d->ctrl[1] = 0.25 - 5e-7;  // half a difference below the limit: of both together, a quarter would be left
  ExpectSameAsSteps(std::move(w), false);
}

TEST(ResidualDifferenceTest, StateIsLeftAlone) {
  World w = Scene();
  const auto state = [&] {
    Matrix x(static_cast<size_t>(mj_stateSize(w.m.get(), mjSTATE_INTEGRATION)));
    mj_getState(w.m.get(), w.d.get(), x.data(), mjSTATE_INTEGRATION);
    return x;
  };
  const Matrix before = state();
  Transition result(*w.m);
  ASSERT_TRUE(DifferenceResidual(w.m.get(), w.d.get(), 1e-6, true, result.pointers()));
  EXPECT_EQ(before, state());
}

TEST(ResidualDifferenceTest, LeavesToStepsWhatTheBalanceDoesNotDetermine) {
  Transition result(*Scene().m);
  const auto applies = [&](World w) {
    return DifferenceResidual(w.m.get(), w.d.get(), 1e-6, false, result.pointers());
  };
  EXPECT_TRUE(applies(Scene()));
  World pgs = Scene(), noslip = Scene(), midpoint = Scene(), asleep = Scene();
  pgs.m->opt.solver = mjSOL_PGS;
  noslip.m->opt.noslip_iterations = 3;
  midpoint.m->opt.integrator = mjINT_IMPLICITFAST;
  asleep.m->opt.enableflags |= mjENBL_SLEEP;
  for (World* w : {&pgs, &noslip, &midpoint, &asleep}) EXPECT_FALSE(applies(std::move(*w)));

  // a solver that was stopped early
  World stopped = Scene();
  stopped.m->opt.iterations = 1;
  stopped.d->qvel[2] = -3;
  std::fill_n(stopped.d->qacc_warmstart, stopped.m->nv, 0.0);
  EXPECT_FALSE(applies(std::move(stopped)));
}

// A ball that touches the ground only when it is moved down: that column comes from whole steps.
TEST(ResidualDifferenceTest, ContactThatAppears) {
  World w(ModelFromText(R"(
    <mujoco><worldbody><geom type="plane" size="5 5 .1"/>
      <body pos="0 0 .1000005"><freejoint/><geom size=".1"/></body></worldbody></mujoco>)"));
  w.d->qvel[2] = -0.01;
  Transition balance(*w.m), steps(*w.m);
  constexpr double kEps = -1e-6;
  ASSERT_TRUE(DifferenceResidual(w.m.get(), w.d.get(), kEps, false, balance.pointers()));
  StackFrame frame(w.d.get());
  StepDifferences(w.m.get(), w.d.get(), kEps, false, steps.pointers(), frame).Run();
  EXPECT_GT(std::abs(steps.A[8 * 12 + 2]), 100);  // the velocity jumps
  ExpectNear(steps.A, balance.A, 1e-9);
}

TEST(ResidualDifferenceTest, ThreadsChangeNothing) {
  Transition serial(*Scene().m), parallel(*Scene().m);
  World alone = Scene();
  mjd_transitionFD(alone.m.get(), alone.d.get(), 1e-6, 1, serial.A.data(), serial.B.data(), nullptr, nullptr);
  World pooled = Scene();
  mjThreadPool* pool = mju_threadPoolCreate(3);
  mju_bindThreadPool(pooled.d.get(), pool);
  mjd_transitionFD(pooled.m.get(), pooled.d.get(), 1e-6, 1, parallel.A.data(), parallel.B.data(), nullptr, nullptr);
  EXPECT_EQ(serial.A, parallel.A);
  EXPECT_EQ(serial.B, parallel.B);
  pooled.d.reset();
  mju_threadPoolDestroy(pool);
}

TEST(TreeCouplingTest, ContactsTendonsAndActuatorsJoinTrees) {
  World w = Scene();
  mj_forward(w.m.get(), w.d.get());
  StackFrame frame(w.d.get());
  const TreeCoupling coupling(w.m.get(), w.d.get(), frame);
  enum { kLower, kUpper, kCapsule, kSwing, kArm };
  EXPECT_TRUE(coupling.DependsOn(kLower, kUpper));
  EXPECT_TRUE(coupling.DependsOn(kArm, kSwing));
  EXPECT_TRUE(coupling.DependsOn(kCapsule, kCapsule));
  for (int tree : {kLower, kUpper, kSwing, kArm}) EXPECT_FALSE(coupling.DependsOn(tree, kCapsule));
  EXPECT_FALSE(coupling.DependsOn(kArm, kLower));
  EXPECT_TRUE(coupling.Drives(kSwing, 0) && coupling.Drives(kArm, 0) && coupling.Drives(kSwing, 1));
  EXPECT_FALSE(coupling.Drives(kArm, 1));

  // one of each pair, and the capsule, at once
  EXPECT_EQ(coupling.groups(), 2);
  EXPECT_NE(coupling.GroupOf(kLower), coupling.GroupOf(kUpper));
  EXPECT_EQ(coupling.GroupOf(kLower), coupling.GroupOf(kSwing));
}

// In a row of spheres that touch, the neighbours of a neighbour have a constraint of their own with it.
TEST(TreeCouplingTest, TreesWithACommonNeighborAreNotPerturbedTogether) {
  std::string bodies;
  for (int i = 0; i < 6; ++i) {
    bodies += "<body pos='" + std::to_string(0.19 * i) + " 0 1'><freejoint/><geom size='.1'/></body>";
  }
  World w(ModelFromText("<mujoco><worldbody>" + bodies + "</worldbody></mujoco>"));
  mj_forward(w.m.get(), w.d.get());
  StackFrame frame(w.d.get());
  const TreeCoupling coupling(w.m.get(), w.d.get(), frame);
  EXPECT_EQ(coupling.groups(), 3);
  for (int tree = 0; tree < 6; ++tree) EXPECT_EQ(coupling.GroupOf(tree), tree % 3);
}

}  // namespace
}  // namespace sinew
