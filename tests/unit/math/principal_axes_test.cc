// Principal axes: they diagonalize, values decrease, and axes are unit vectors unless the last turns are kept.
#include "math/principal_axes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

const Mat3<double> kMatrix = {{2, 0.1, 0.2, 0.1, 2.5, 0.3, 0.2, 0.3, 3}};

double NormOf(const Quat<double>& q) { return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); }

// Worked numbers.
TEST(PrincipalAxes, OfAFullMatrix) {
  for (const AxesNorm norm : {AxesNorm::kUnit, AxesNorm::kAsFound}) {
    const PrincipalAxes p = FindPrincipalAxes(kMatrix, norm);
    EXPECT_NEAR(p.values.x, 3.18276017, 1e-8);
    EXPECT_NEAR(p.values.y, 2.35956498, 1e-8);
    EXPECT_NEAR(p.values.z, 1.95767486, 1e-8);
    const Mat3<double> R = ToMat3(p.axes), D = Transpose(R) * kMatrix * R;
    // A rotation of less than 1.5e-6 rad, where 1 - cosine is 1e-12, is not made any more.
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(D(i, j), i == j ? p.values[i] : 0, 2e-6);
    }
  }
}

// Three exchanges by quaternions of 15 digits: each adds 7e-16 to the norm, which normalizing keeps below 1e-15.
TEST(PrincipalAxes, NormAfterExchanges) {
  const Mat3<double> increasing = {{1, 0, 0, 0, 2, 0, 0, 0, 3}};
  EXPECT_NEAR(NormOf(FindPrincipalAxes(increasing).axes), 1, 1e-15);
  const double norm = NormOf(FindPrincipalAxes(increasing, AxesNorm::kAsFound).axes);
  EXPECT_GT(norm, 1 + 1.5e-15);
  EXPECT_LT(norm, 1 + 3e-15);
}

}  // namespace
}  // namespace sinew
