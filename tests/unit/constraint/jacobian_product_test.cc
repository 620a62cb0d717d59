#include "constraint/jacobian_product.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace sinew {
namespace {

// Random blocks of rows on the same columns, compressed and dense.
struct Jacobian {
  int nrow = 0, ncol;
  std::vector<double> dense, value;
  std::vector<int> rownnz, rowadr, rowsuper, colind;

  Jacobian(int columns, const std::vector<int>& blocks, unsigned seed) : ncol(columns) {
    std::mt19937 random(seed);
    for (int rows : blocks) {
      std::vector<int> used;
      for (int c = 0; c < ncol; ++c) {
        if (random() % 3) used.push_back(c);
      }
      for (int r = 0; r < rows; ++r) AddRow(used, rows - 1 - r, random);
    }
  }
  void AddRow(const std::vector<int>& used, int super, std::mt19937& random) {
    dense.resize(dense.size() + ncol, 0.0);
    rownnz.push_back(static_cast<int>(used.size()));
    rowadr.push_back(static_cast<int>(value.size()));
    rowsuper.push_back(super);
    for (int c : used) {
      colind.push_back(c);
      value.push_back(std::uniform_real_distribution<double>(-1, 1)(random));
      dense[nrow * ncol + c] = value.back();
    }
    ++nrow;
  }
  JacobianRows Sparse() const {
    return {nrow, ncol, value.data(), rownnz.data(), rowadr.data(), rowsuper.data(), colind.data()};
  }
  JacobianRows Dense() const { return {nrow, ncol, dense.data(), nullptr, nullptr, nullptr, nullptr}; }
};

std::vector<double> Ramp(int n) {
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i) x[i] = i % 4 == 2 ? 0 : 0.3 * i - 1;
  return x;
}

TEST(JacobianProduct, SparseEqualsDense) {
  const Jacobian J(17, {1, 3, 4, 6, 2, 10, 1}, 7);
  const std::vector<double> v = Ramp(J.ncol), f = Ramp(J.nrow);
  std::vector<double> sparse(J.nrow), dense(J.nrow), sparse_t(J.ncol), dense_t(J.ncol);
  MulJacobian(J.Sparse(), v.data(), sparse.data());
  MulJacobian(J.Dense(), v.data(), dense.data());
  MulJacobianTransposed(J.Sparse(), f.data(), sparse_t.data());
  MulJacobianTransposed(J.Dense(), f.data(), dense_t.data());
  // sums of at most 27 terms below 10, added in another order
  for (int r = 0; r < J.nrow; ++r) EXPECT_NEAR(sparse[r], dense[r], 1e-13);
  for (int c = 0; c < J.ncol; ++c) EXPECT_NEAR(sparse_t[c], dense_t[c], 1e-13);
}

TEST(JacobianProduct, IsAdjointToItsTranspose) {
  const Jacobian J(11, {4, 4, 3}, 3);
  const std::vector<double> v = Ramp(J.ncol), f = Ramp(J.nrow);
  std::vector<double> Jv(J.nrow), Jtf(J.ncol);
  MulJacobian(J.Sparse(), v.data(), Jv.data());
  MulJacobianTransposed(J.Sparse(), f.data(), Jtf.data());
  double left = 0, right = 0;
  for (int r = 0; r < J.nrow; ++r) left += f[r] * Jv[r];
  for (int c = 0; c < J.ncol; ++c) right += v[c] * Jtf[c];
  EXPECT_NEAR(left, right, 1e-12);
}

TEST(JacobianProduct, WithoutRowsIsZero) {
  const Jacobian J(5, {}, 0);
  std::vector<double> result(5, 7.0);
  MulJacobianTransposed(J.Sparse(), nullptr, result.data());
  for (double x : result) EXPECT_EQ(x, 0);
}

}  // namespace
}  // namespace sinew
