#include "math/wide.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace sinew {
namespace {

using Vector = Vec3<double>;
using Quaternion = Quat<double>;

const Quaternion kA = {0.3, -0.7, 0.2, 0.6}, kB = {-0.1, 0.4, 0.8, -0.43};
const Vector kU = {0.7, -1.3, 2.1}, kV = {-0.2, 3.3, 0.9};

// Results equal those of the narrow types bit for bit.
template <class T>
void ExpectSame(const Wide<T>& wide, const T& narrow) {
  T stored;
  StoreRow(wide, stored);
  EXPECT_EQ(std::memcmp(&stored, &narrow, sizeof(T)), 0);
}

TEST(Wide, Vectors) {
  ExpectSame<Vector>(Widened(kU), kU);
  ExpectSame<Vector>(Widened(kU) + Widened(kV), kU + kV);
  ExpectSame<Vector>(Widened(kU) - Widened(kV), kU - kV);
  ExpectSame<Vector>(Widened(kU) * 0.3, kU * 0.3);
  ExpectSame<Vector>(Cross(Widened(kU), Widened(kV)), Cross(kU, kV));
}

TEST(Wide, ZeroOfAnySign) {
  EXPECT_TRUE(AllZero(Vector{0, -0.0, 0}));
  EXPECT_FALSE(AllZero(Vector{0, 0, 5e-324}));
  EXPECT_FALSE(AllZero(Vector{std::nan(""), 0, 0}));
}

TEST(Wide, Quaternions) {
  ExpectSame<Quaternion>(Widened(kA) * Widened(kB), kA * kB);
  ExpectSame<Quaternion>(Normalized(Widened(kA)), Normalized(kA));
  ExpectSame<Quaternion>(Normalized(Widened(Quaternion{1, 0, 0, 0})), {1, 0, 0, 0});
  ExpectSame<Quaternion>(Normalized(Widened(Quaternion{0, 0, 0, 0})), {1, 0, 0, 0});
  ExpectSame<Quaternion>(AxisAngle(Widened(kU), Half(0.7)), AxisAngle(kU, 0.7));
}

TEST(Wide, Rotations) {
  ExpectSame<Vector>(Rotate(Widened(kA), Widened(kU)), Rotate(kA, kU));
  ExpectSame<Vector>(ToMat3(Widened(kA)) * kU, ToMat3(kA) * kU);
  for (int k = 0; k < 3; ++k) ExpectSame<Vector>(ToMat3(Widened(kA)).column[k], ToMat3(kA).Column(k));
}

TEST(Wide, Motions) {
  const Spatial<double> a = {kU, kV}, b = {kV, kU};
  ExpectSame<Spatial<double>>(CrossMotion(Widened(a), Widened(b)), CrossMotion(a, b));
  Wide<Spatial<double>> sum = Widened(a);
  sum += Widened(b) * 0.3;
  ExpectSame<Spatial<double>>(sum, a + b * 0.3);
}

TEST(Wide, PacksOfWorldsStayAsTheyAre) {
  using Four = Pack<double, 4>;
  static_assert(std::is_same_v<Wide<Quat<Four>>, Quat<Four>>);
  const Vec3<Four> v = {Four(1), Four(2), Four(3)};
  EXPECT_EQ(Widened(v).y[2], 2);
}

}  // namespace
}  // namespace sinew
