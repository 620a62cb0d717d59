#include "math/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <vector>

namespace sinew {
namespace {

TEST(SymmetricEigen, DecomposesAMatrix) {
  constexpr int kSize = 6;
  std::vector<double> matrix(kSize * kSize), vectors(kSize * kSize);
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) matrix[i * kSize + j] = 1.0 / (1 + i + j) + (i == j ? i : 0);
  }
  std::vector<double> values = matrix;
  SymmetricEigen(values.data(), vectors.data(), kSize);
  constexpr double kRounding = 1e-13;  // of sums of six products of order one
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) {
      double product = 0, sum = 0;  // V'V and V diag V'
      for (int k = 0; k < kSize; ++k) {
        product += vectors[k * kSize + i] * vectors[k * kSize + j];
        sum += vectors[i * kSize + k] * values[k * kSize + k] * vectors[j * kSize + k];
      }
      EXPECT_NEAR(product, i == j, kRounding);
      EXPECT_NEAR(sum, matrix[i * kSize + j], kRounding);
    }
  }
}

TEST(SymmetricEigen, LeavesADiagonalMatrixAlone) {
  double matrix[] = {2, 0, 0, 1}, vectors[4];
  SymmetricEigen(matrix, vectors, 2);
  EXPECT_EQ(matrix[0], 2);
  EXPECT_EQ(matrix[3], 1);
  EXPECT_EQ(vectors[0], 1);
  EXPECT_EQ(vectors[1], 0);
}

}  // namespace
}  // namespace sinew
