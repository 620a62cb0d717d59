#include "inertia/ldl.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "inertia/ldl_kernel.h"

namespace sinew {
namespace {

// A forest of dofs, a matrix A = L'D L with its pattern, and what it was made of.
class Forest {
 public:
  // parent[i] < i, or -1
  Forest(const std::vector<int>& parent, unsigned seed) : n_(static_cast<int>(parent.size())) {
    for (int i = 0; i < n_; ++i) {
      std::vector<int> row = {i};
      for (int j = parent[static_cast<size_t>(i)]; j >= 0; j = parent[static_cast<size_t>(j)])
        row.insert(row.begin(), j);
      rowadr.push_back(static_cast<int>(column.size()));
      rownnz.push_back(static_cast<int>(row.size()));
      column.insert(column.end(), row.begin(), row.end());
    }
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int i = 0; i < n_; ++i) {
      for (int k = 1; k < rownnz[static_cast<size_t>(i)]; ++k) factor.push_back(0.5 * number(random));
      factor.push_back(2 + number(random));
    }
    MakeMatrix();
  }

  int n() const { return n_; }
  RowPattern Pattern() const { return {n_, rownnz.data(), rowadr.data(), column.data()}; }
  // L_ij or D_i, zero outside of the pattern
  double Entry(const std::vector<double>& values, int i, int j) const {
    for (int k = rowadr[static_cast<size_t>(i)], end = k + rownnz[static_cast<size_t>(i)]; k < end; ++k) {
      if (column[static_cast<size_t>(k)] == j) return values[static_cast<size_t>(k)];
    }
    return 0;
  }
  double Symmetric(int i, int j) const { return i < j ? Entry(matrix, j, i) : Entry(matrix, i, j); }

  std::vector<int> rownnz, rowadr, column;
  std::vector<double> factor;  // L below the diagonal, D on it
  std::vector<double> matrix;  // A

 private:
  // A_ij = sum_k L_ki D_k L_kj
  void MakeMatrix() {
    const auto unit_factor = [&](int k, int i) { return k == i ? 1.0 : Entry(factor, k, i); };
    for (int i = 0; i < n_; ++i) {
      for (int k = rowadr[static_cast<size_t>(i)], end = k + rownnz[static_cast<size_t>(i)]; k < end; ++k) {
        const int j = column[static_cast<size_t>(k)];
        double sum = 0;
        for (int r = i; r < n_; ++r) sum += unit_factor(r, i) * Entry(factor, r, r) * unit_factor(r, j);
        matrix.push_back(sum);
      }
    }
  }

  int n_;
};

// Chains of all lengths, limbs, and dofs without relations: dof i hangs on the one before it, on an earlier one, or on
// nothing.
std::vector<int> RandomParents(std::mt19937& random) {
  const auto below = [&](int end) { return std::uniform_int_distribution<int>(0, end - 1)(random); };
  std::vector<int> parent = {-1};
  for (int i = 1, n = 1 + below(30); i < n; ++i) {
    const int choice = below(10);
    parent.push_back(choice == 0 ? -1 : choice < 7 ? i - 1 : below(i));
  }
  return parent;
}

TEST(LDL, FactorsAreThoseTheMatrixWasMadeOf) {
  std::mt19937 random(1);
  for (unsigned trial = 0; trial < 300; ++trial) {
    const Forest forest(RandomParents(random), trial);
    std::vector<double> factor = forest.matrix, inverse(static_cast<size_t>(forest.n()));
    FactorLDL(factor.data(), forest.n(), inverse.data(), forest.rownnz.data(), forest.rowadr.data(),
              forest.column.data());
    // eliminating 30 dofs whose pivots are at least one loses a few digits at most
    for (size_t k = 0; k < factor.size(); ++k) EXPECT_NEAR(factor[k], forest.factor[k], 1e-9) << trial;
    for (int i = 0; i < forest.n(); ++i) {
      EXPECT_EQ(inverse[static_cast<size_t>(i)], 1 / forest.Entry(factor, i, i)) << trial;
    }
  }
}

TEST(LDL, SolutionsHaveTheRightSide) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (unsigned trial = 0; trial < 300; ++trial) {
    const Forest forest(RandomParents(random), trial);
    const size_t n = static_cast<size_t>(forest.n());
    std::vector<double> inverse, x, y;
    for (int i = 0; i < forest.n(); ++i) inverse.push_back(1 / forest.Entry(forest.factor, i, i));
    for (size_t i = 0; i < 2 * n; ++i) x.push_back(normal(random));
    y = x;
    SolveLDL(x.data(), forest.factor.data(), inverse.data(), 2, forest.n(), forest.rownnz.data(), forest.rowadr.data(),
             forest.column.data());
    for (size_t v = 0; v < 2; ++v) {
      for (int i = 0; i < forest.n(); ++i) {
        double sum = 0, size = 1;
        for (int j = 0; j < forest.n(); ++j) {
          const double term = forest.Symmetric(i, j) * x[v * n + static_cast<size_t>(j)];
          sum += term;
          size += std::fabs(term);
        }
        EXPECT_NEAR(sum, y[v * n + static_cast<size_t>(i)], 1e-12 * size) << trial;
      }
    }
  }
}

TEST(LDL, KnowsADiagonalMatrix) {
  EXPECT_TRUE(Forest({-1, -1, -1}, 1).Pattern().IsDiagonal());
  EXPECT_FALSE(Forest({-1, -1, 1}, 1).Pattern().IsDiagonal());
  EXPECT_FALSE((RowPattern{0, nullptr, nullptr, nullptr}).IsDiagonal());
  const Forest forest({-1, 0, -1, -1}, 1);
  RowPattern last_two = forest.Pattern();
  last_two.begin = 2;
  EXPECT_TRUE(last_two.IsDiagonal());
}

}  // namespace
}  // namespace sinew
