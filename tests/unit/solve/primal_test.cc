#include "solve/primal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "solve/hessian.h"
#include "tests/unit/solve/random_problem.h"
#include "tests/unit/solve/scratch.h"

namespace sinew {
namespace {

constexpr SolverOptions kTight = {200, 100, 0, 0};

struct Shape {
  bool branches, elliptic;
};

class Primal : public testing::TestWithParam<Shape> {};

// M a - qfrc_smooth - J' f, which vanishes at the minimum
double Stationarity(const RandomProblem& random) {
  const Problem& p = random.problem();
  double worst = 0;
  for (int i = 0; i < p.nv; ++i) {
    double residual = -p.qfrc_smooth[i];
    for (int j = 0; j < p.nv; ++j) residual += random.M(i, j) * p.qacc[j];
    for (int r = 0; r < p.rows.nefc; ++r) residual -= random.J(r, i) * p.force[r];
    worst = std::max(worst, std::fabs(residual));
  }
  return worst;
}

TEST_P(Primal, NewtonReachesStationarity) {
  Scratch scratch;
  for (unsigned seed = 0; seed < 20; ++seed) {
    StackFrame frame(scratch.data());
    RandomProblem random(frame, 24, GetParam().branches, GetParam().elliptic, seed);
    ASSERT_TRUE(SolveNewton(random.problem(), kTight, scratch.data()));
    EXPECT_LT(Stationarity(random), 1e-9) << "seed " << seed;  // forces of size 1..100, double rounding
  }
}

TEST_P(Primal, NewtonOnSlotsReachesStationarity) {
  Scratch scratch;
  for (unsigned seed = 0; seed < 20; ++seed) {
    StackFrame frame(scratch.data());
    RandomProblem random(frame, 24, GetParam().branches, GetParam().elliptic, seed);
    random.UseSlots(frame);
    ASSERT_TRUE(SolveNewton(random.problem(), kTight, scratch.data()));
    EXPECT_LT(Stationarity(random), 1e-9) << "seed " << seed;  // as above
  }
}

// The same minimum and the same rows as with supernodes, within rounding of accelerations of size 1..10.
TEST_P(Primal, SlotsAgreeWithSupernodes) {
  Scratch scratch;
  for (unsigned seed = 0; seed < 20; ++seed) {
    StackFrame frame(scratch.data());
    RandomProblem slots(frame, 24, GetParam().branches, GetParam().elliptic, seed);
    RandomProblem supernodes(frame, 24, GetParam().branches, GetParam().elliptic, seed);
    slots.UseSlots(frame);
    ASSERT_TRUE(SolveNewton(slots.problem(), kTight, scratch.data()));
    ASSERT_TRUE(SolveNewton(supernodes.problem(), kTight, scratch.data()));
    const Problem &a = slots.problem(), &b = supernodes.problem();
    for (int i = 0; i < 24; ++i) EXPECT_NEAR(a.qacc[i], b.qacc[i], 1e-9) << "seed " << seed;
    for (int r = 0; r < slots.nefc(); ++r) {
      EXPECT_EQ(a.state[r], b.state[r]) << "seed " << seed << ", row " << r;
      EXPECT_NEAR(a.force[r], b.force[r], 1e-8) << "seed " << seed << ", row " << r;  // D up to 100
    }
  }
}

TEST_P(Primal, StartingOnSlotsAtTheMinimumTakesNoIteration) {
  Scratch scratch;
  StackFrame frame(scratch.data());
  RandomProblem random(frame, 24, GetParam().branches, GetParam().elliptic, 5);
  random.UseSlots(frame);
  ASSERT_TRUE(SolveNewton(random.problem(), kTight, scratch.data()));
  const std::vector<double> before(random.problem().qacc, random.problem().qacc + 24);
  ASSERT_TRUE(SolveNewton(random.problem(), {100, 50, 1e-8, 0.01}, scratch.data()));
  EXPECT_EQ(before, std::vector<double>(random.problem().qacc, random.problem().qacc + 24));
}

TEST_P(Primal, ConjugateGradientsAgreeWithNewton) {
  Scratch scratch;
  for (unsigned seed = 0; seed < 10; ++seed) {
    StackFrame frame(scratch.data());
    RandomProblem newton(frame, 16, GetParam().branches, GetParam().elliptic, seed);
    RandomProblem cg(frame, 16, GetParam().branches, GetParam().elliptic, seed);
    ASSERT_TRUE(SolveNewton(newton.problem(), kTight, scratch.data()));
    ASSERT_TRUE(SolveCG(cg.problem(), {2000, 100, 0, 0}, scratch.data()));
    for (int i = 0; i < 16; ++i) {
      // conjugate gradients stop where the cost no longer changes: half of the digits
      EXPECT_NEAR(cg.problem().qacc[i], newton.problem().qacc[i], 1e-5 * (1 + std::fabs(newton.problem().qacc[i])));
    }
  }
}

TEST_P(Primal, HessianSolvesTheDenseSystem) {
  Scratch scratch;
  for (unsigned seed = 0; seed < 20; ++seed) {
    StackFrame frame(scratch.data());
    const int nv = seed % 3 == 0 ? 20 : seed % 3 == 1 ? 9 : 90;  // sparse; dense; with supernodes of many rows
    RandomProblem random(frame, nv, GetParam().branches, GetParam().elliptic, seed);
    const Problem& p = random.problem();
    EvaluateRows(p.rows, p.jar, p.force, p.state, true);

    Hessian hessian(p, scratch.data(), frame);
    hessian.Assemble(p.state);
    std::vector<double> x(static_cast<size_t>(nv));
    hessian.Solve(x.data(), p.qfrc_smooth);
    const std::vector<double> H = random.DenseHessian();
    for (int i = 0; i < nv; ++i) {
      double sum = 0;
      for (int j = 0; j < nv; ++j) sum += H[static_cast<size_t>(i * nv + j)] * x[static_cast<size_t>(j)];
      EXPECT_NEAR(sum, p.qfrc_smooth[i], 1e-9);  // condition number below 1e5
    }
  }
}

TEST_P(Primal, UpdatedHessianEqualsAssembledOne) {
  Scratch scratch;
  StackFrame frame(scratch.data());
  RandomProblem random(frame, 20, GetParam().branches, /*elliptic=*/false, 3);
  const Problem& p = random.problem();
  const auto rows = static_cast<size_t>(p.rows.nefc);
  std::vector<int> all(rows, mjCNSTRSTATE_QUADRATIC), half(rows, mjCNSTRSTATE_SATISFIED);
  for (size_t r = 0; r < rows; r += 2) half[r] = mjCNSTRSTATE_QUADRATIC;

  Hessian updated(p, scratch.data(), frame), assembled(p, scratch.data(), frame);
  updated.Assemble(all.data());
  updated.Update(all.data(), half.data());
  assembled.Assemble(half.data());
  std::vector<double> x(20), y(20);
  updated.Solve(x.data(), p.qfrc_smooth);
  assembled.Solve(y.data(), p.qfrc_smooth);
  for (size_t i = 0; i < 20; ++i) EXPECT_NEAR(x[i], y[i], 1e-11 * (1 + std::fabs(y[i])));
}

TEST_P(Primal, StartingAtTheMinimumStaysThere) {
  Scratch scratch;
  StackFrame frame(scratch.data());
  RandomProblem random(frame, 24, GetParam().branches, GetParam().elliptic, 5);
  ASSERT_TRUE(SolveNewton(random.problem(), kTight, scratch.data()));
  const std::vector<double> before(random.problem().qacc, random.problem().qacc + 24);
  ASSERT_TRUE(SolveNewton(random.problem(), {100, 50, 1e-8, 0.01}, scratch.data()));
  for (size_t i = 0; i < 24; ++i) EXPECT_NEAR(random.problem().qacc[i], before[i], 1e-10 * (1 + std::fabs(before[i])));
}

INSTANTIATE_TEST_SUITE_P(Shapes, Primal,
                         testing::Values(Shape{false, false}, Shape{true, false}, Shape{false, true},
                                         Shape{true, true}));

// Contacts between branches put one branch above the other: the entries of M and all products of columns have a place.
TEST(Slots, PatternHoldsInertiaAndAllProducts) {
  Scratch scratch;
  for (unsigned seed = 0; seed < 20; ++seed) {
    StackFrame frame(scratch.data());
    RandomProblem random(frame, 30, /*branches=*/true, /*elliptic=*/false, seed);
    const SlotProblem<double>* slots = MakeSlots(random.problem(), frame);
    const SlotPattern& pattern = slots->pattern;
    const auto has = [&](int i, int j) {
      const int place = pattern.depth[j];
      return place < pattern.rownnz[i] && pattern.colind[pattern.rowadr[i] + place] == j;
    };
    const Problem& p = random.problem();
    for (int i = 0; i < p.nv; ++i) {
      for (int k = 0; k < p.M_rownnz[i]; ++k) EXPECT_TRUE(has(i, p.M_colind[p.M_rowadr[i] + k]));
    }
    for (int s = 0; s < slots->count; ++s) {
      const Slot& slot = slots->slot[s];
      for (int r = 0; r < slot.ncol; ++r) {
        for (int c = 0; c <= r; ++c) EXPECT_TRUE(has(slot.col[r], slot.col[c])) << "seed " << seed;
      }
    }
  }
}

// Contacts with the world lie on one path of the kinematic tree: the factors are as sparse as those of the inertia.
TEST(Hessian, PathConstraintsAddNoFill) {
  Scratch scratch;
  StackFrame frame(scratch.data());
  RandomProblem random(frame, 24, /*branches=*/false, /*elliptic=*/false, 11);
  const Problem& p = random.problem();
  Hessian hessian(p, scratch.data(), frame);
  int inertia = 0;
  for (int i = 0; i < p.nv; ++i) inertia += p.M_rownnz[i];
  EXPECT_EQ(hessian.nonzeros(), inertia);
}

}  // namespace
}  // namespace sinew
