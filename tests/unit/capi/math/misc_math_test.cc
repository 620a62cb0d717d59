#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "tests/unit/capi/arrays.h"
#include "tests/unit/capi/error_trap.h"

namespace sinew {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kMinInt = std::numeric_limits<int>::min(), kMaxInt = std::numeric_limits<int>::max();

TEST(NumberTest, Limits) {
  EXPECT_EQ(mju_min(1, 2), 1);
  EXPECT_EQ(mju_max(1, 2), 2);
  EXPECT_EQ(mju_clip(3, -1, 2), 2);
  EXPECT_EQ(mju_clip(-3, -1, 2), -1);
  EXPECT_EQ(mju_clip(0.5, -1, 2), 0.5);
}

TEST(NumberTest, Sign) {
  EXPECT_EQ(mju_sign(-0.1), -1);
  EXPECT_EQ(mju_sign(0), 0);
  EXPECT_EQ(mju_sign(1e-300), 1);
}

TEST(NumberTest, RoundTakesHalvesUp) {
  EXPECT_EQ(mju_round(0.5), 1);
  EXPECT_EQ(mju_round(-0.5), 0);
  EXPECT_EQ(mju_round(-1.5), -1);
  EXPECT_EQ(mju_round(2.4999), 2);
}

TEST(NumberTest, RoundIsDefinedForAllNumbers) {
  EXPECT_EQ(mju_round(1e20), kMaxInt);
  EXPECT_EQ(mju_round(-1e20), kMinInt);
  EXPECT_EQ(mju_round(2147483646.5), kMaxInt);
  EXPECT_EQ(mju_round(-2147483648.4), kMinInt);
  EXPECT_EQ(mju_round(kNaN), 0);
}

TEST(NumberTest, BadNumbers) {
  EXPECT_EQ(mju_isBad(kNaN), 1);
  EXPECT_EQ(mju_isBad(-std::numeric_limits<double>::infinity()), 1);
  EXPECT_EQ(mju_isBad(1.0001e10), 1);
  EXPECT_EQ(mju_isBad(-1e10), 0);
}

TEST(NumberTest, Sigmoid) {
  EXPECT_EQ(mju_sigmoid(-1), 0);
  EXPECT_EQ(mju_sigmoid(0.5), 0.5);
  EXPECT_EQ(mju_sigmoid(2), 1);
  EXPECT_NEAR(mju_sigmoid(0.3), 6 * std::pow(.3, 5) - 15 * std::pow(.3, 4) + 10 * std::pow(.3, 3), 1e-15);
}

TEST(SpringDamperTest, WorkedNumber) { EXPECT_NEAR(mju_springDamper(1, .5, 2, .3, .7), .844855799888, 1e-12); }

TEST(SpringDamperTest, AllKindsOfDamping) {
  EXPECT_NEAR(mju_springDamper(1, 0, 4, 0, .3), std::cos(.6), 1e-15);                // none
  EXPECT_NEAR(mju_springDamper(1, 0, 1, 2, .5), 1.5 * std::exp(-.5), 1e-15);         // critical
  EXPECT_NEAR(mju_springDamper(0, 1, 2, 3, 1), std::exp(-1) - std::exp(-2), 1e-15);  // above: roots -1 and -2
  EXPECT_EQ(mju_springDamper(1, .5, 0, 0, 2), 2);                                    // free
  EXPECT_EQ(mju_springDamper(1, .5, 2, .3, 0), 1);
}

// x'' + b x' + k x = 0, by central differences: error of order h^2 = 1e-6.
TEST(SpringDamperTest, SolvesTheEquationOfMotion) {
  for (const auto& [k, b] : {std::pair{2.0, .3}, {1.0, 2.0}, {1.0, 4.0}, {-1.0, .5}}) {
    const double h = 1e-3, t = .7;
    const auto x = [k = k, b = b](double time) { return mju_springDamper(1, .5, k, b, time); };
    const double velocity = (x(t + h) - x(t - h)) / (2 * h), acceleration = (x(t + h) - 2 * x(t) + x(t - h)) / (h * h);
    EXPECT_NEAR(acceleration + b * velocity + k * x(t), 0, 1e-5);
    EXPECT_NEAR((x(h) - x(-h)) / (2 * h), .5, 1e-5);
  }
}

TEST(HaltonTest, FirstEntries) {
  const double third = 1.0 / 3, ninth = 1.0 / 9;
  const double expected[6] = {0, third, 2 * third, ninth, third + ninth, 2 * third + ninth};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(mju_Halton(i, 3), expected[i], 1e-15);
  EXPECT_EQ(mju_Halton(6, 2), 0.375);  // 110 in base two, read backwards: .011
  EXPECT_EQ(mju_Halton(-1, 2), 0);
}

TEST(HaltonTest, ABaseWithoutDigitsIsAnError) {
  const ErrorTrap trap;
  EXPECT_EQ(mju_Halton(5, 1), 0);
  EXPECT_EQ(trap.text(), "mju_Halton: base is 1, must be a prime number");
}

TEST(NormalTest, RepeatsWithTheSeedAndHasTheMoments) {
  constexpr int kPairs = 20000;
  double second, first_of_seed = 0, sum = 0, squares = 0, products = 0;
  std::srand(5);
  for (int i = 0; i < kPairs; ++i) {
    const double first = mju_standardNormal(&second);
    if (i == 0) first_of_seed = first;
    sum += first + second;
    squares += first * first + second * second;
    products += first * second;
  }
  std::srand(5);
  EXPECT_EQ(mju_standardNormal(nullptr), first_of_seed);
  // five standard deviations: 1, sqrt 2 and 1 over the root of the count
  EXPECT_NEAR(sum / (2 * kPairs), 0, 5 / std::sqrt(2.0 * kPairs));
  EXPECT_NEAR(squares / (2 * kPairs), 1, 5 * std::sqrt(2.0) / std::sqrt(2.0 * kPairs));
  EXPECT_NEAR(products / kPairs, 0, 5 / std::sqrt(1.0 * kPairs));
}

TEST(SortTest, NumbersAndInts) {
  double numbers[5] = {3, -1, 2, -1, 0};
  mju_insertionSort(numbers, 5);
  EXPECT_EQ(Of(numbers), (Numbers{-1, -1, 0, 2, 3}));
  int ints[4] = {4, 3, 2, 1};
  mju_insertionSortInt(ints, 4);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(ints[i], i + 1);
  mju_insertionSortInt(nullptr, 0);
}

TEST(TextTest, NumbersOfBytes) {
  EXPECT_STREQ(mju_writeNumBytes(0), "0");
  EXPECT_STREQ(mju_writeNumBytes(1023), "1023");
  EXPECT_STREQ(mju_writeNumBytes(1024), "1K");
  EXPECT_STREQ(mju_writeNumBytes(1536), "1536");
  EXPECT_STREQ(mju_writeNumBytes(size_t{3} << 30), "3G");
  EXPECT_STREQ(mju_writeNumBytes(size_t{1} << 63), "8E");
  EXPECT_STREQ(mju_writeNumBytes(std::numeric_limits<size_t>::max()), "18446744073709551615");
}

TEST(TextTest, CopiesAreTerminated) {
  char text[6] = "abcde";
  EXPECT_EQ(mju_strncpy(text, "uvwxyz", 3), text);
  EXPECT_STREQ(text, "uv");
  EXPECT_EQ(text[3], 'd');
  mju_strncpy(text, "x", 6);
  EXPECT_STREQ(text, "x");
  EXPECT_EQ(text[5], '\0');
  mju_strncpy(text, "y", 0);
  EXPECT_STREQ(text, "x");
}

TEST(RayTest, PrimitivesAndOtherKinds) {
  const double pos[3] = {0, 0, 0}, mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, size[3] = {.5, .4, .3};
  const double point[3] = {.1, .05, 2}, down[3] = {0, 0, -2};
  double normal[3];
  EXPECT_DOUBLE_EQ(mju_rayGeom(pos, mat, size, point, down, mjGEOM_BOX, normal), .85);
  EXPECT_EQ(Of(normal), (Numbers{0, 0, 1}));
  EXPECT_DOUBLE_EQ(mju_rayGeom(pos, mat, size, point, down, mjGEOM_PLANE, nullptr), 1);
  const ErrorTrap trap;
  EXPECT_EQ(mju_rayGeom(pos, mat, size, point, down, mjGEOM_MESH, normal), -1);
  EXPECT_EQ(trap.text(), "mju_rayGeom: unexpected geom type 7");
}

// Two triangles: in the planes z = 0 and y = 0.
class RaySkinTest : public testing::Test {
 protected:
  double Cast(const double (&point)[3], const double (&direction)[3]) {
    return mju_raySkin(2, 4, face, vertex, point, direction, &nearest);
  }

  const int face[6] = {0, 1, 2, 0, 1, 3};
  const float vertex[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  int nearest = -5;
};

TEST_F(RaySkinTest, BothSidesAreHit) {
  EXPECT_DOUBLE_EQ(Cast({.2, .6, 1}, {0, 0, -2}), .5);
  EXPECT_EQ(nearest, 2);
  EXPECT_DOUBLE_EQ(Cast({.7, .1, -1}, {0, 0, 1}), 1);
  EXPECT_EQ(nearest, 1);
}

TEST_F(RaySkinTest, TheFirstSurfaceIsHit) { EXPECT_DOUBLE_EQ(Cast({.2, -.2, .2}, {0, 1, -1}), .2); }

TEST_F(RaySkinTest, MissesLeaveTheVertex) {
  EXPECT_EQ(Cast({2, 2, 1}, {0, 0, -1}), -1);
  EXPECT_EQ(Cast({.2, .2, 1}, {0, 0, 1}), -1);
  EXPECT_EQ(Cast({.2, .2, 1}, {0, 0, 0}), -1);
  EXPECT_EQ(nearest, -5);
}

TEST_F(RaySkinTest, FacesWithoutVerticesAreErrors) {
  const int bad[3] = {0, 1, 4};
  const double point[3] = {0, 0, 1}, direction[3] = {0, 0, -1};
  const ErrorTrap trap;
  EXPECT_EQ(mju_raySkin(1, 4, bad, vertex, point, direction, nullptr), -1);
  EXPECT_EQ(trap.text(), "mju_raySkin: face[2] is 4, must be a vertex from 0 to 3");
}

}  // namespace
}  // namespace sinew
