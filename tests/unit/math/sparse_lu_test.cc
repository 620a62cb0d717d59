#include "math/sparse_lu.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace sinew {
namespace {

// Dofs of a tree with two branches, 0-1-2 and 0-3: rows hold ancestors and descendants.
constexpr int kRownnz[] = {4, 3, 3, 2}, kRowadr[] = {0, 4, 7, 10}, kDiag[] = {0, 1, 2, 1};
constexpr int kColind[] = {0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 0, 3};
constexpr SquarePattern kPattern = {4, kRownnz, kRowadr, kDiag, kColind};

std::vector<double> RandomMatrix() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> mat(12);
  for (double& x : mat) x = uniform(random);
  for (int i = 0; i < 4; ++i) mat[kRowadr[i] + kDiag[i]] += 4;  // dominant diagonal
  return mat;
}

TEST(SparseLUTest, SolvesAnUnsymmetricSystem) {
  const std::vector<double> A = RandomMatrix();
  std::vector<double> lu = A, x = {1, -2, 3, 0.5}, b(4);
  for (int i = 0; i < 4; ++i) b[i] = SparseDot(A.data() + kRowadr[i], kColind + kRowadr[i], kRownnz[i], x.data());
  FactorLU(kPattern, lu.data());
  SolveLU(kPattern, lu.data(), b.data());
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(b[i], x[i], 1e-14);
}

TEST(SparseLUTest, FactorsAreUpperTimesLower) {
  const std::vector<double> A = RandomMatrix();
  std::vector<double> lu = A;
  FactorLU(kPattern, lu.data());
  const auto entry = [&](int i, int j) {
    for (int k = kRowadr[i]; k < kRowadr[i] + kRownnz[i]; ++k) {
      if (kColind[k] == j) return lu[k];
    }
    return 0.0;
  };
  for (int i = 0; i < 4; ++i) {
    for (int k = kRowadr[i]; k < kRowadr[i] + kRownnz[i]; ++k) {
      const int j = kColind[k];
      double product = 0;
      for (int r = std::max(i, j); r < 4; ++r) product += (r == i ? 1 : entry(i, r)) * entry(r, j);
      EXPECT_NEAR(product, A[k], 1e-14);
    }
  }
}

}  // namespace
}  // namespace sinew
