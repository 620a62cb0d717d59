#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <iterator>
#include <numeric>
#include <vector>

#include "tests/unit/capi/arrays.h"

namespace sinew {
namespace {

TEST(Vector3Test, ArithmeticAllowsTheResultToBeAnOperand) {
  double a[3] = {1, 2, 3};
  const double b[3] = {4, 6, 8};
  double r[3];
  mju_add3(r, a, b);
  EXPECT_EQ(Of(r), (Numbers{5, 8, 11}));
  mju_sub3(r, b, a);
  EXPECT_EQ(Of(r), (Numbers{3, 4, 5}));
  mju_addScl3(r, a, b, 0.5);
  EXPECT_EQ(Of(r), (Numbers{3, 5, 7}));
  mju_scl3(r, a, -2);
  EXPECT_EQ(Of(r), (Numbers{-2, -4, -6}));
  mju_addTo3(a, b);
  EXPECT_EQ(Of(a), (Numbers{5, 8, 11}));
  mju_subFrom3(a, b);
  EXPECT_EQ(Of(a), (Numbers{1, 2, 3}));
  mju_addToScl3(a, a, 2);
  EXPECT_EQ(Of(a), (Numbers{3, 6, 9}));
  mju_cross(a, a, b);
  EXPECT_EQ(Of(a), (Numbers{-6, 12, -6}));
  mju_copy3(r, a);
  EXPECT_EQ(Of(r), (Numbers{-6, 12, -6}));
  mju_zero3(r);
  EXPECT_EQ(Of(r), Numbers(std::size(r)));
}

TEST(Vector3Test, LengthsAndProducts) {
  const double a[3] = {2, 3, 6}, b[3] = {1, 1, 1};
  EXPECT_EQ(mju_norm3(a), 7);
  EXPECT_EQ(mju_dot3(a, b), 11);
  EXPECT_EQ(mju_dist3(a, b), std::sqrt(1 + 4 + 25));
}

TEST(Vector3Test, NormalizeReplacesAVectorThatHasNoDirection) {
  double a[3] = {0, 3, 4};
  EXPECT_EQ(mju_normalize3(a), 5);
  ExpectNear(Of(a), {0, 0.6, 0.8});
  double tiny[3] = {0, 1e-16, 0};
  EXPECT_EQ(mju_normalize3(tiny), 1e-16);
  EXPECT_EQ(Of(tiny), (Numbers{1, 0, 0}));
}

TEST(Vector3Test, MatricesAreRowByRow) {
  const double A[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  double v[3] = {1, 0, -1};
  mju_mulMatVec3(v, A, v);
  EXPECT_EQ(Of(v), (Numbers{-2, -2, -2}));
  mju_mulMatTVec3(v, A, v);
  EXPECT_EQ(Of(v), (Numbers{-24, -30, -36}));
}

TEST(Vector4Test, NormalizeKeepsUnitQuaternionsBitForBit) {
  double q[4] = {1, 1e-8, 0, 0};
  EXPECT_EQ(mju_normalize4(q), 1);
  EXPECT_EQ(Of(q), (Numbers{1, 1e-8, 0, 0}));
  double zero[4] = {0, 0, 0, 0};
  EXPECT_EQ(mju_normalize4(zero), 0);
  EXPECT_EQ(Of(zero), (Numbers{1, 0, 0, 0}));
  double p[4] = {0, 0, 3, 4};
  EXPECT_EQ(mju_normalize4(p), 5);
  ExpectNear(Of(p), {0, 0, 0.6, 0.8});
}

TEST(Vector4Test, SetAndCopy) {
  double q[4], p[4];
  mju_unit4(q);
  EXPECT_EQ(Of(q), (Numbers{1, 0, 0, 0}));
  mju_copy4(p, q);
  EXPECT_EQ(Of(p), (Numbers{1, 0, 0, 0}));
  mju_zero4(p);
  EXPECT_EQ(Of(p), Numbers(std::size(p)));
}

class VectorTest : public testing::TestWithParam<int> {
 protected:
  // 1, 2, ..., n and one number behind, which no function may touch.
  Numbers Counting() const {
    Numbers v(static_cast<size_t>(n) + 1);
    std::iota(v.begin(), v.end(), 1);
    v.back() = kGuard;
    return v;
  }
  // What f does to the entries 1, 2, ..., n.
  template <class F>
  Numbers Expected(const F& f) const {
    Numbers v = Counting();
    for (int i = 0; i < n; ++i) v[static_cast<size_t>(i)] = f(i + 1);
    return v;
  }

  static constexpr double kGuard = -77;
  const int n = GetParam();
};

// Whole multiples of the four accumulators, remainders, and nothing.
INSTANTIATE_TEST_SUITE_P(Lengths, VectorTest, testing::Values(0, 1, 3, 4, 5, 8, 11, 64));

TEST_P(VectorTest, EntryByEntry) {
  const Numbers a = Counting();
  Numbers r = a;
  mju_add(r.data(), a.data(), a.data(), n);
  EXPECT_EQ(r, Expected([](int i) { return 2 * i; }));
  mju_sub(r.data(), r.data(), a.data(), n);
  EXPECT_EQ(r, a);
  mju_scl(r.data(), a.data(), 3, n);
  EXPECT_EQ(r, Expected([](int i) { return 3 * i; }));
  mju_addTo(r.data(), a.data(), n);
  EXPECT_EQ(r, Expected([](int i) { return 4 * i; }));
  mju_subFrom(r.data(), a.data(), n);
  mju_addToScl(r.data(), a.data(), -2, n);
  EXPECT_EQ(r, a);
  mju_addScl(r.data(), a.data(), a.data(), 10, n);
  EXPECT_EQ(r, Expected([](int i) { return 11 * i; }));
  mju_copy(r.data(), a.data(), n);
  EXPECT_EQ(r, a);
  mju_fill(r.data(), 2.5, n);
  EXPECT_EQ(r, Expected([](int) { return 2.5; }));
  mju_zero(r.data(), n);
  EXPECT_EQ(r, Expected([](int) { return 0; }));
}

TEST_P(VectorTest, Sums) {
  Numbers a = Counting();
  const double sum = n * (n + 1) / 2.0, squares = n * (n + 1) * (2 * n + 1) / 6.0;
  EXPECT_EQ(mju_sum(a.data(), n), sum);
  EXPECT_EQ(mju_dot(a.data(), a.data(), n), squares);
  EXPECT_EQ(mju_norm(a.data(), n), std::sqrt(squares));
  mju_scl(a.data(), a.data(), -1, n);
  EXPECT_EQ(mju_L1(a.data(), n), sum);
}

TEST_P(VectorTest, Normalize) {
  Numbers a = Counting();
  const double norm = mju_norm(a.data(), n);
  EXPECT_EQ(mju_normalize(a.data(), n), norm);
  EXPECT_NEAR(mju_norm(a.data(), n), n > 0, 1e-15);  // one rounding per entry
  mju_zero(a.data(), n);
  EXPECT_EQ(mju_normalize(a.data(), n), 0);
  EXPECT_EQ(a, Expected([](int i) { return i == 1; }));
}

TEST_P(VectorTest, IsZeroLooksAtTheVectorAlone) {
  Numbers a(static_cast<size_t>(n) + 1, 0.0);
  a.back() = kGuard;
  EXPECT_EQ(mju_isZero(a.data(), n), 1);
  if (n == 0) return;
  a[static_cast<size_t>(n - 1)] = 1e-300;
  EXPECT_EQ(mju_isZero(a.data(), n), 0);
}

TEST_P(VectorTest, ConversionsBetweenKindsOfNumbers) {
  const Numbers a = Counting();
  Numbers b(a.size(), kGuard);
  std::vector<float> f(a.size(), static_cast<float>(kGuard));
  mju_n2f(f.data(), a.data(), n);
  EXPECT_EQ(Numbers(f.begin(), f.end()), a);
  mju_f2n(b.data(), f.data(), n);
  EXPECT_EQ(b, a);
  Numbers c(a.size(), kGuard), d = c;
  mju_d2n(c.data(), a.data(), n);
  mju_n2d(d.data(), c.data(), n);
  EXPECT_EQ(d, a);
}

}  // namespace
}  // namespace sinew
