#include "solve/qcqp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "simd/unroll.h"

namespace sinew {
namespace {

constexpr QcqpLimits kLimits = {.singular = 1e-10, .violation = 1e-10, .step = 1e-10, .iterations = 20};

TEST(QCQP, InsideTheBoundIsTheUnconstrainedMinimum) {
  const double A[4] = {2, 0.5, 0.5, 1}, b[2] = {-1, 0.3}, mu[2] = {1, 1};
  double x[2];
  EXPECT_FALSE(SolveQCQP<2>(x, A, b, mu, 10, kLimits));
  EXPECT_NEAR(A[0] * x[0] + A[1] * x[1], 1, 1e-14);
  EXPECT_NEAR(A[2] * x[0] + A[3] * x[1], -0.3, 1e-14);
}

TEST(QCQP, IsotropicProblemProjectsRadially) {
  const double A[4] = {2, 0, 0, 2}, b[2] = {-6, -8}, mu[2] = {0.5, 0.5};
  double x[2];
  EXPECT_TRUE(SolveQCQP<2>(x, A, b, mu, 4, kLimits));
  // |x| = mu r = 2 along -b; the bound holds to the solver's 1e-10 on the squared radius
  EXPECT_NEAR(x[0], 1.2, 1e-9);
  EXPECT_NEAR(x[1], 1.6, 1e-9);
}

TEST(QCQP, ActiveBoundSatisfiesTheOptimalityConditions) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int n = 1; n <= 5; ++n) {
    double L[25] = {}, A[25] = {}, b[5], mu[5], x[5];
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) L[i * n + j] = uniform(random) + (i == j ? 2 : 0);
      b[i] = 20 + uniform(random);
      mu[i] = 1 + 0.5 * uniform(random);
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) A[i * n + j] += L[i * n + k] * L[j * n + k];
      }
    }
    WithCount<5>(n, [&](auto count) { ASSERT_TRUE(SolveQCQP<count>(x, A, b, mu, 0.1, kLimits)); });

    // A x + b = -lambda x / mu^2 with one lambda > 0 for all components
    double lambda = 0;
    for (int i = 0; i < n; ++i) {
      double gradient = b[i];
      for (int j = 0; j < n; ++j) gradient += A[i * n + j] * x[j];
      const double ratio = -gradient * mu[i] * mu[i] / x[i];
      if (i == 0) lambda = ratio;
      EXPECT_NEAR(ratio / lambda, 1, 1e-9);
    }
    EXPECT_GT(lambda, 0);
  }
}

// MuJoCo 3.8.0 takes directions for dependent by the determinant of two and three, and by the pivots of five.
// Friction of a milligram: the bound is far below the unconstrained minimum, and its square below any fixed tolerance.
TEST(QCQP, LimitsThatFollowTheBoundKeepTheDirectionOfSmallForces) {
  const double A[4] = {2, 0.5, 0.5, 1}, b[2] = {-300, 40}, mu[2] = {1, 0.5}, r = 1e-8;
  double x[2];
  EXPECT_TRUE(SolveQCQP<2>(x, A, b, mu, r, {.singular = 0, .violation = 1e-10 * r * r, .step = 0, .iterations = 100}));
  // A x is nothing beside b: x = -r mu^2 b / |mu b|
  const double size = std::hypot(mu[0] * b[0], mu[1] * b[1]);
  EXPECT_NEAR(x[0] / r, -mu[0] * mu[0] * b[0] / size, 1e-9);
  EXPECT_NEAR(x[1] / r, -mu[1] * mu[1] * b[1] / size, 1e-9);
}

TEST(QCQP, TheDeterminantSaysWhetherFewDirectionsAreSingular) {
  const double b[3] = {-1e-9, -1e-9, -1e-9}, mu[3] = {1, 1, 1};
  double x[3];
  const double small[4] = {1e-4, 0, 0, 1e-7};  // determinant 1e-11, pivots far above 1e-10
  SolveQCQP<2>(x, small, b, mu, 1, kLimits);
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(x[1], 0);
  const double uneven[4] = {1e5, 0, 0, 5e-11};  // determinant 5e-6, with a pivot below 1e-10
  SolveQCQP<2>(x, uneven, b, mu, 100, kLimits);
  EXPECT_NEAR(x[1], 20, 1e-9);
  const double three[9] = {1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1e-3};
  SolveQCQP<3>(x, three, b, mu, 1, kLimits);
  EXPECT_EQ(x[2], 0);
  const double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1e-9};
  SolveQCQP<3>(x, flat, b, mu, 100, kLimits);
  EXPECT_NEAR(x[2], 1, 1e-9);
}

TEST(QCQP, PivotsSayWhetherFiveDirectionsAreSingular) {
  const double mu[5] = {1, 1, 1, 1, 1}, b[5] = {-1e-3, -1e-3, -1e-3, -1e-3, -1e-3};
  double A[25] = {}, x[5];
  for (int i = 0; i < 5; ++i) A[6 * i] = 1e-3;  // determinant 1e-15
  SolveQCQP<5>(x, A, b, mu, 100, kLimits);
  for (const double force : x) EXPECT_NEAR(force, 1, 1e-12);
  A[24] = 1e-11;
  SolveQCQP<5>(x, A, b, mu, 100, kLimits);
  for (const double force : x) EXPECT_EQ(force, 0);
}

TEST(QCQP, SingularMatrixGivesNoForce) {
  const double A[4] = {0, 0, 0, 0}, b[2] = {1, 1}, mu[2] = {1, 1};
  double x[2] = {7, 7};
  EXPECT_FALSE(SolveQCQP<2>(x, A, b, mu, 1, kLimits));
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(x[1], 0);
}

}  // namespace
}  // namespace sinew
