#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/testing/model.h"
#include "tests/unit/derivatives/finite_difference/trees.h"

namespace sinew {
namespace {

constexpr double kEps = 1e-6;
using Matrix = std::vector<double>;

// With `sensors`, every dof is moved alone through all stages; without, trees that do not feel each other are together.
struct Rows {
  Matrix DfDq, DfDv, DfDa, DmDq, DsDq;
  Rows(World& w, bool sensors, bool actuators = true, double eps = kEps) {
    const size_t nv = static_cast<size_t>(w.m->nv);
    for (Matrix* matrix : {&DfDq, &DfDv, &DfDa}) matrix->resize(nv * nv);
    DmDq.resize(nv * static_cast<size_t>(w.m->nM));
    DsDq.resize(std::max<size_t>(1, nv * static_cast<size_t>(w.m->nsensordata)));
    for (int i = 0; i < w.m->nv; ++i) w.d->qacc[i] = std::sin(i);
    mjd_inverseFD(w.m.get(), w.d.get(), eps, actuators, DfDq.data(), DfDv.data(), DfDa.data(),
                  sensors ? DsDq.data() : nullptr, nullptr, nullptr, DmDq.data());
  }
};

void ExpectEqual(const Rows& expected, const Rows& actual) {
  EXPECT_EQ(expected.DfDq, actual.DfDq);
  EXPECT_EQ(expected.DfDv, actual.DfDv);
  EXPECT_EQ(expected.DfDa, actual.DfDa);
  EXPECT_EQ(expected.DmDq, actual.DmDq);
}

// Forces of a tree do not depend on the others that move with it, to the last bit.
TEST(InverseDifferenceTest, TreesTogetherEqualTreesAlone) {
  for (const char* option : {"", R"(<flag island="disable"/>)", R"(<flag contact="disable"/>)"}) {
    World together = Scene(option), alone = Scene(option);
    ExpectEqual(Rows(alone, true), Rows(together, false));
  }
}

TEST(InverseDifferenceTest, LeavesTheForceOfInverseDynamics) {
  World w = Scene(), differentiated = Scene();
  const Rows rows(differentiated, false);
  mju_copy(w.d->qacc, differentiated.d->qacc, static_cast<int>(w.m->nv));
  mj_inverse(w.m.get(), w.d.get());
  const double tolerance = 1e-3;  // the last evaluation is one of a perturbed world
  for (int i = 0; i < w.m->nv; ++i) EXPECT_NEAR(differentiated.d->qfrc_inverse[i], w.d->qfrc_inverse[i], tolerance);
}

TEST(InverseDifferenceTest, ThreadsChangeNothing) {
  for (bool sensors : {false, true}) {
    World serial = Scene();
    const Rows expected(serial, sensors);
    for (int threads : {1, 3}) {
      World pooled = Scene();
      mjThreadPool* pool = mju_threadPoolCreate(static_cast<size_t>(threads));
      mju_bindThreadPool(pooled.d.get(), pool);
      ExpectEqual(expected, Rows(pooled, sensors));
      pooled.d.reset();
      mju_threadPoolDestroy(pool);
    }
  }
}

// Callbacks may couple anything, and are called in one thread alone.
TEST(InverseDifferenceTest, CallbacksSeeOneTreeMove) {
  mjcb_passive = [](const mjModel*, mjData* d) { d->qfrc_passive[0] += d->qpos[9]; };
  World w = Scene();
  mjThreadPool* pool = mju_threadPoolCreate(2);
  mju_bindThreadPool(w.d.get(), pool);
  const Rows rows(w, false);
  mjcb_passive = nullptr;
  const size_t second_height = 6 + 2, nv = static_cast<size_t>(w.m->nv);
  EXPECT_NEAR(rows.DfDq[second_height * nv] + 1, Rows(w, false).DfDq[second_height * nv], 1e-3);  // of forces near 1e3
  w.d.reset();
  mju_threadPoolDestroy(pool);
}

// Two balls that touch only when the upper one is moved down: the lower one then feels it, though there was no contact.
TEST(InverseDifferenceTest, ContactThatAppears) {
  const auto balls = [] {
    return World(ModelFromText(R"(
      <mujoco><worldbody>
        <body pos=".1200003 0 .1600004"><joint type="slide" axis="0 0 1"/><geom size=".1"/></body>
        <body pos="0 0 0"><joint type="slide" axis="0 0 1"/><geom size=".1"/></body>
        <body pos="5 0 0"><joint type="slide" axis="0 0 1"/><geom size=".1"/></body></worldbody></mujoco>)"));
  };
  World together = balls(), alone = balls();
  const Rows rows(together, false, true, -kEps);
  EXPECT_GT(std::abs(rows.DfDq[1]), 1);  // of the lower ball by the upper; their accelerations approach
  EXPECT_EQ(rows.DfDq[2], 0);
  ExpectEqual(Rows(alone, true, true, -kEps), rows);
}

TEST(InverseDifferenceTest, StateIsLeftAlone) {
  World w = Scene();
  const Matrix qpos(w.d->qpos, w.d->qpos + w.m->nq), qvel(w.d->qvel, w.d->qvel + w.m->nv);
  const Rows rows(w, false);
  EXPECT_EQ(qpos, Matrix(w.d->qpos, w.d->qpos + w.m->nq));
  EXPECT_EQ(qvel, Matrix(w.d->qvel, w.d->qvel + w.m->nv));
  for (int i = 0; i < w.m->nv; ++i) EXPECT_EQ(w.d->qacc[i], std::sin(i));
}

// Rows of a turning pair of bodies: the force's derivative by acceleration is the inertia matrix.
TEST(InverseDifferenceTest, AccelerationGivesTheInertia) {
  World w(ModelFromText(R"(
    <mujoco><worldbody><body><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/>
      <body pos=".5 0 0"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></body></worldbody></mujoco>)"));
  const int nv = static_cast<int>(w.m->nv);
  for (int i = 0; i < nv; ++i) w.d->qvel[i] = 0.1 * i;
  mj_forward(w.m.get(), w.d.get());
  std::vector<double> DfDa(nv * nv), M(nv * nv);
  mjd_inverseFD(w.m.get(), w.d.get(), 1e-4, 0, nullptr, nullptr, DfDa.data(), nullptr, nullptr, nullptr, nullptr);
  mj_fullM(w.m.get(), M.data(), w.d->qM);
  for (int k = 0; k < nv * nv; ++k) EXPECT_NEAR(DfDa[k], M[k], 1e-8 * (1 + M[0]));  // linear: rounding only
}

}  // namespace
}  // namespace sinew
