#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/unit/capi/arrays.h"
#include "tests/unit/capi/error_trap.h"

namespace sinew {
namespace {

// ---- Cholesky

TEST(CholeskyTest, FactorsTheLowerTriangle) {
  double A[4] = {4, 99, 2, 10}, x[2];
  EXPECT_EQ(mju_cholFactor(A, 2, 0), 2);
  EXPECT_EQ(Of(A), (Numbers{2, 99, 1, 3}));
  const double b[2] = {8, 22};
  mju_cholSolve(x, A, b, 2);
  ExpectNear(Of(x), {1, 2});
}

TEST(CholeskyTest, SmallPivotsAreReplacedAndDoNotCount) {
  double A[9] = {4, 2, 0, 2, 5, 3, 0, 3, 1};
  EXPECT_EQ(mju_cholFactor(A, 3, 1e-10), 2);
  EXPECT_DOUBLE_EQ(A[8], 1e-5);
  EXPECT_EQ(mju_cholFactor(nullptr, 0, 0), 0);
}

TEST(CholeskyTest, SolvesInPlace) {
  const double L[4] = {2, 0, 1, 3};
  double x[2] = {8, 22};
  mju_cholSolve(x, L, x, 2);
  ExpectNear(Of(x), {1, 2});
}

TEST(CholeskyTest, UpdateAndDowndate) {
  double L[4] = {2, 99, 1, 3}, x[2] = {3, 4}, y[2] = {3, 4};
  EXPECT_EQ(mju_cholUpdate(L, x, 2, 1), 2);  // (4 2; 2 10) + (9 12; 12 16)
  ExpectNear({L[0] * L[0], L[0] * L[2], L[2] * L[2] + L[3] * L[3]}, {13, 14, 26});
  EXPECT_EQ(mju_cholUpdate(L, y, 2, 0), 2);
  ExpectNear(Of(L), {2, 99, 1, 3});
}

TEST(CholeskyTest, DowndateToASingularMatrixLosesRank) {
  double L[4] = {2, 0, 1, 1}, x[2] = {2, 1};
  EXPECT_EQ(mju_cholUpdate(L, x, 2, 0), 1);
  EXPECT_DOUBLE_EQ(L[0], std::sqrt(mjMINVAL));
}

// ---- bands

constexpr int kSize = 5, kWidth = 2, kDense = 1;
// unused number first; the last row is dense
constexpr double kBand[13] = {-7, 4, 1, 5, 1, 6, 1, 7, 1, 2, 1, 2, 9};
constexpr double kSymmetric[25] = {4, 1, 0, 0, 1, 1, 5, 1, 0, 2, 0, 1, 6, 1, 1, 0, 0, 1, 7, 2, 1, 2, 1, 2, 9};

TEST(BandTest, Layout) {
  const int places[kSize] = {1, 3, 5, 7, 12};
  for (int i = 0; i < kSize; ++i) EXPECT_EQ(mju_bandDiag(i, kSize, kWidth, kDense), places[i]);
}

TEST(BandTest, ToAndFromDense) {
  double dense[25], band[13] = {-7};
  mju_band2Dense(dense, kBand, kSize, kWidth, kDense, 1);
  EXPECT_EQ(Of(dense), Of(kSymmetric));
  mju_dense2Band(band, kSymmetric, kSize, kWidth, kDense);
  EXPECT_EQ(Of(band), Of(kBand));
  mju_band2Dense(dense, kBand, kSize, kWidth, kDense, 0);
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) EXPECT_EQ(dense[5 * i + j], j <= i ? kSymmetric[5 * i + j] : 0);
  }
}

TEST(BandTest, ProductsAreThoseOfTheDenseMatrix) {
  const double x[10] = {1, 2, 3, 4, 5, 5, 4, 3, 2, 1};
  double y[10], expected[10], lower[25];
  mju_bandMulMatVec(y, kBand, x, kSize, kWidth, kDense, 2, 1);
  for (int k : {0, 5}) mju_mulMatVec(expected + k, kSymmetric, x + k, kSize, kSize);
  EXPECT_EQ(Of(y), Of(expected));
  mju_band2Dense(lower, kBand, kSize, kWidth, kDense, 0);
  mju_bandMulMatVec(y, kBand, x, kSize, kWidth, kDense, 2, 0);
  for (int k : {0, 5}) mju_mulMatVec(expected + k, lower, x + k, kSize, kSize);
  EXPECT_EQ(Of(y), Of(expected));
}

TEST(BandTest, FactorsAndSolvesAsTheDenseMatrix) {
  double band[13], dense[25], expected[5], x[5], smallest = std::numeric_limits<double>::max();
  mju_copy(band, kBand, 13);
  mju_copy(dense, kSymmetric, 25);
  for (int i = 0; i < kSize; ++i) dense[6 * i] += 0.5 + 0.1 * dense[6 * i];
  const double pivot = mju_cholFactorBand(band, kSize, kWidth, kDense, 0.5, 0.1);
  EXPECT_EQ(mju_cholFactor(dense, kSize, 0), kSize);
  for (int i = 0; i < kSize; ++i) smallest = std::fmin(smallest, dense[6 * i] * dense[6 * i]);
  EXPECT_NEAR(pivot, smallest, 1e-14);
  const double b[5] = {1, 2, 3, 4, 5};
  mju_cholSolve(expected, dense, b, kSize);
  mju_cholSolveBand(x, band, b, kSize, kWidth, kDense);
  ExpectNear(Of(x), Of(expected));
}

TEST(BandTest, ASingularMatrixHasNoSmallestPivot) {
  double A[3] = {1, 0, 1};
  EXPECT_EQ(mju_cholFactorBand(A, 3, 1, 0, 0, 0), 0);
}

// ---- eigenvalues

TEST(EigenvalueTest, WorkedMatrix) {
  const double A[9] = {2, .3, .1, .3, 1, .2, .1, .2, 3};
  double values[3], vectors[9], quat[4];
  mju_eig3(values, vectors, quat, A);
  ExpectNear(Of(values), {3.036531022556, 2.059837057009, .903631920435}, 2e-12);
  ExpectNear(Of(quat), {.491413201779, .56812109795, -.370676261649, .546214785804}, 2e-12);

  // A V = V diag(values), but for a rotation below 1.4e-6 rad (1 - cosine < 1e-12) that the iteration leaves
  double AV[9];
  mju_mulMatMat(AV, A, vectors, 3, 3, 3);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(AV[i], vectors[i] * values[i % 3], 3e-6);
}

TEST(EigenvalueTest, DiagonalMatricesAreSorted) {
  const double A[9] = {1, 0, 0, 0, 3, 0, 0, 0, 2}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double values[3], vectors[9], quat[4];
  EXPECT_EQ(mju_eig3(values, vectors, quat, A), 0);
  EXPECT_EQ(Of(values), (Numbers{3, 2, 1}));
  mju_eig3(values, vectors, quat, identity);
  EXPECT_EQ(Of(quat), (Numbers{1, 0, 0, 0}));
}

// ---- quadratic programs in a box

constexpr double kH[9] = {3, 1, 0, 1, 2, .5, 0, .5, 1}, kG[3] = {-5, 1, 2};
constexpr double kLower[3] = {-1, -1, -1}, kUpper[3] = {1, 1, 1};

TEST(BandTest, WithoutEntriesItMayBeNull) {
  const ErrorTrap trap;
  const double dense[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  mju_dense2Band(nullptr, dense, 3, 0, 0);
  double back[9], product[3] = {1, 1, 1};
  std::fill_n(back, 9, 1.0);
  mju_band2Dense(back, nullptr, 3, 0, 0, 1);
  EXPECT_EQ(Of(back), Numbers(9, 0.0));
  mju_bandMulMatVec(product, nullptr, dense, 3, 0, 0, 1, 1);
  EXPECT_EQ(Of(product), Numbers(3, 0.0));
  mju_bandMulMatVec(nullptr, nullptr, nullptr, 0, 0, 0, 1, 1);
  mju_bandMulMatVec(nullptr, nullptr, nullptr, 3, 1, 0, 0, 1);
  EXPECT_EQ(mju_malloc(0), nullptr);
  EXPECT_EQ(trap.text(), "");
}

TEST(BandTest, WithoutADiagonalThereIsNoFactor) {
  const ErrorTrap trap;
  double A[3] = {1, 1, 1};
  mju_cholFactorBand(A, 3, 0, 1, 0, 0);
  EXPECT_NE(trap.text().find("'nband' is 0"), std::string::npos) << trap.text();
}

TEST(BoxQPTest, WorkedProblem) {
  double x[3] = {0, 0, 0}, R[30];
  int index[3];
  ASSERT_EQ(mju_boxQP(x, R, index, kH, kG, 3, kLower, kUpper), 1);
  ExpectNear(Of(x), {1, -.75, -1});
  EXPECT_EQ(index[0], 1);
  EXPECT_DOUBLE_EQ(R[0], std::sqrt(2.0));
}

TEST(BoxQPTest, WithoutBoundsTheGradientVanishes) {
  double x[3] = {9, 9, 9}, R[30], gradient[3];
  ASSERT_EQ(mju_boxQP(x, R, nullptr, kH, kG, 3, nullptr, nullptr), 3);
  mju_mulMatVec(gradient, kH, x, 3, 3);
  mju_addTo3(gradient, kG);
  ExpectNear(Of(gradient), {0, 0, 0});
}

TEST(BoxQPTest, RandomProblemsMeetTheOptimalityConditions) {
  constexpr int n = 8;
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 50; ++trial) {
    double A[n * n], H[n * n], g[n], lower[n], upper[n], x[n], R[n * (n + 7)], gradient[n];
    for (double& a : A) a = normal(random);
    mju_mulMatMatT(H, A, A, n, n, n);
    for (int i = 0; i < n; ++i) {
      H[i * (n + 1)] += 1;
      g[i] = 10 * normal(random);
      x[i] = normal(random);
      lower[i] = -std::fabs(normal(random));
      upper[i] = lower[i] + 0.1 + std::fabs(normal(random));
    }
    ASSERT_GE(mju_boxQP(x, R, nullptr, H, g, n, lower, upper), 0);
    mju_mulMatVec(gradient, H, x, n, n);
    mju_addTo(gradient, g, n);
    for (int i = 0; i < n; ++i) {
      if (x[i] == lower[i]) {
        EXPECT_GE(gradient[i], -1e-8);  // the squared gradient ends below 1e-16
      } else if (x[i] == upper[i]) {
        EXPECT_LE(gradient[i], 1e-8);
      } else {
        EXPECT_NEAR(gradient[i], 0, 1e-8);
      }
    }
  }
}

TEST(BoxQPTest, LargeNumbersEndWhereRoundingAllows) {
  double H[9], g[3], x[3] = {0, 0, 0}, R[30];
  mju_scl(H, kH, 1e12, 9);
  mju_scl(g, kG, 1e12, 3);
  ASSERT_EQ(mju_boxQP(x, R, nullptr, H, g, 3, nullptr, nullptr), 3);
  ExpectNear(Of(x), {35.0 / 17, -20.0 / 17, -24.0 / 17});
}

TEST(BoxQPTest, OnlyTheLowerTriangleIsRead) {
  double H[9];
  mju_copy(H, kH, 9);
  H[1] = H[2] = H[5] = NAN;
  for (const bool bounded : {false, true}) {
    double x[3] = {0, 0, 0}, y[3] = {0, 0, 0}, R[30];
    const double *lower = bounded ? kLower : nullptr, *upper = bounded ? kUpper : nullptr;
    const int free = mju_boxQP(x, R, nullptr, kH, kG, 3, lower, upper);
    ASSERT_EQ(mju_boxQP(y, R, nullptr, H, kG, 3, lower, upper), free);
    EXPECT_EQ(Of(y), Of(x));
  }
}

TEST(BoxQPTest, AnIndefiniteMatrixFails) {
  const double H[4] = {-1, 0, 0, 1}, g[2] = {1, 1};
  double x[2] = {0, 0}, R[18];
  EXPECT_EQ(mju_boxQP(x, R, nullptr, H, g, 2, kLower, kUpper), -1);
}

TEST(BoxQPTest, MisuseIsAnError) {
  double x[1] = {0}, R[8];
  const double one[1] = {1};
  const ErrorTrap trap;
  EXPECT_EQ(mju_boxQP(x, R, nullptr, one, one, 1, one, one), -1);
  EXPECT_EQ(trap.text(), "mju_boxQP: upper[0] = 1 must be larger than lower[0] = 1");
  EXPECT_EQ(mju_boxQP(x, R, nullptr, one, one, 0, nullptr, nullptr), -1);
  EXPECT_EQ(trap.text(), "mju_boxQP: problem size n is 0, must be positive");
}

TEST(BoxQPTest, AllocatesWhatItNeeds) {
  double *x, *R, *H, *g, *lower;
  int* index;
  mju_boxQPmalloc(&x, &R, &index, &H, &g, 3, &lower, nullptr);
  mju_zero(x, 3);
  mju_copy(H, kH, 9);
  mju_copy(g, kG, 3);
  mju_copy(lower, kLower, 3);
  EXPECT_EQ(mju_boxQP(x, R, index, H, g, 3, lower, nullptr), 1);
  EXPECT_DOUBLE_EQ(x[0], 2);
  for (void* memory : {static_cast<void*>(x), static_cast<void*>(R), static_cast<void*>(H), static_cast<void*>(g),
                       static_cast<void*>(lower), static_cast<void*>(index)}) {
    mju_free(memory);
  }
}

}  // namespace
}  // namespace sinew
