#include "math/eigen.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

void ExpectEigenpairs(const Mat3<double>& A) {
  constexpr double kTolerance = 1e-13;
  const Eigen3 eigen = SymmetricEigen(A);
  EXPECT_GE(eigen.values.x, eigen.values.y);
  EXPECT_GE(eigen.values.y, eigen.values.z);
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> v = eigen.vectors.Column(i);
    EXPECT_NEAR(Norm(A * v - v * eigen.values[i]), 0, kTolerance);
    EXPECT_NEAR(Norm(v), 1, kTolerance);
  }
  const Vec3<double> z = Cross(eigen.vectors.Column(0), eigen.vectors.Column(1));
  EXPECT_NEAR(Norm(z - eigen.vectors.Column(2)), 0, kTolerance);
}

TEST(SymmetricEigen, PairsInDescendingOrder) {
  ExpectEigenpairs({{2, .3, .1, .3, 1, .2, .1, .2, 3}});
  ExpectEigenpairs({{1, 0, 0, 0, 2, 0, 0, 0, 3}});
  ExpectEigenpairs({{1, 1, 1, 1, 1, 1, 1, 1, 1}});  // rank one
}

TEST(SymmetricEigen, KnownValues) {
  const Vec3<double> values = SymmetricEigen({{2, .3, .1, .3, 1, .2, .1, .2, 3}}).values;
  EXPECT_NEAR(values.x, 3.036531022556, 1e-12);
  EXPECT_NEAR(values.y, 2.059837057009, 1e-12);
  EXPECT_NEAR(values.z, .903631920435, 1e-12);
}

TEST(SymmetricEigen, ZeroIsItsOwnDecomposition) {
  const Eigen3 eigen = SymmetricEigen({});
  EXPECT_EQ(Norm(eigen.values), 0);
  EXPECT_EQ(eigen.vectors(0, 0), 1);
}

}  // namespace
}  // namespace sinew
