#include "simd/functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace sinew {
namespace {

// Distance in units in the last place of the exact result.
double Ulps(double x, double exact) {
  if (x == exact || (std::isnan(x) && std::isnan(exact))) return 0;
  const double size = std::fabs(exact);
  return std::fabs(x - exact) / (std::nextafter(size, INFINITY) - size);
}

template <class F>
double WorstUlps(F&& f, double (*exact)(double), double low, double high) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(low, high);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = uniform(random);
    worst = std::max(worst, Ulps(f(x), exact(x)));
  }
  return worst;
}

// The C library is within an ulp itself, hence 3 for our 2.
constexpr double kBound = 3;

TEST(Functions, AgreeWithTheCLibrary) {
  EXPECT_LE(WorstUlps([](double x) { return Sin(x); }, std::sin, -1e6, 1e6), kBound);
  EXPECT_LE(WorstUlps([](double x) { return Cos(x); }, std::cos, -1e6, 1e6), kBound);
  EXPECT_LE(WorstUlps([](double x) { return Sin(x); }, std::sin, -1e-3, 1e-3), kBound);
  EXPECT_LE(WorstUlps([](double x) { return Exp(x); }, std::exp, -740, 709), kBound);
  EXPECT_LE(WorstUlps([](double x) { return Log(x); }, std::log, 1e-300, 1e3), kBound);
  EXPECT_LE(WorstUlps([](double x) { return Log(x); }, std::log, 0.5, 2), kBound);
  EXPECT_LE(WorstUlps([](double x) { return Asin(x); }, std::asin, -1, 1), kBound);
  EXPECT_LE(WorstUlps([](double x) { return Acos(x); }, std::acos, -1, 0.9), kBound);
}

// How many of many random sines and cosines are not the double nearest to the exact one, in parts; `worst` in ulp.
double PartNotNearest(double range, double& worst) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-range, range);
  constexpr int kSamples = 200000;
  int others = 0;
  const auto compare = [&](double found, long double exact) {
    const double nearest = static_cast<double>(exact);
    others += found != nearest;
    const double size = std::fabs(nearest), ulp = std::nextafter(size, INFINITY) - size;
    worst = std::max(worst, static_cast<double>(std::fabs(found - exact)) / ulp);
  };
  for (int i = 0; i < kSamples; ++i) {
    const double x = uniform(random);
    compare(Sin(x), std::sin(static_cast<long double>(x)));
    compare(Cos(x), std::cos(static_cast<long double>(x)));
  }
  return others / (2.0 * kSamples);
}

TEST(Functions, SinesAndCosinesAreNearlyAlwaysTheNearestDoubles) {
  if (std::numeric_limits<long double>::digits <= 53) GTEST_SKIP() << "no wider type to compare with";
  for (const double range : {0.1, 0.7854, 3.15, 1000.0}) {
    double worst = 0;
    EXPECT_LE(PartNotNearest(range, worst), 0.003) << range;  // 0.0021 measured
    EXPECT_LE(worst, 0.56) << range;                          // as the comment of SinCos says
  }
}

TEST(Functions, AngleOfAPointInEveryQuadrant) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 200000; ++i) {
    const double x = uniform(random), y = uniform(random);
    EXPECT_LE(Ulps(Atan2(y, x), std::atan2(y, x)), kBound);
  }
  EXPECT_EQ(Atan2(0.0, 0.0), 0);
  EXPECT_EQ(Atan2(0.0, -1.0), kPi);
  EXPECT_EQ(Atan2(1.0, 0.0), kPi / 2);
  EXPECT_EQ(Atan2(-1.0, 0.0), -kPi / 2);
}

TEST(Functions, SpecialValues) {
  EXPECT_EQ(Exp(0.0), 1);
  EXPECT_EQ(Exp(1000.0), INFINITY);
  EXPECT_EQ(Exp(-1000.0), 0);
  EXPECT_TRUE(std::isnan(Exp(double{NAN})));
  EXPECT_EQ(Log(1.0), 0);
  EXPECT_EQ(Log(0.0), -INFINITY);
  EXPECT_TRUE(std::isnan(Log(-1.0)));
  EXPECT_EQ(Log(kInfinity), kInfinity);
  EXPECT_EQ(Pow(0.0, 0.0), 1);
  EXPECT_EQ(Pow(0.0, 2.0), 0);
  EXPECT_NEAR(Pow(0.3, 2.5), std::pow(0.3, 2.5), 1e-16);
  EXPECT_EQ(Acos(2.0), 0);
  EXPECT_EQ(Asin(-2.0), -kPi / 2);
}

// Every lane of a pack equals the scalar function, bit for bit.
template <int W>
void ExpectLanesEqualScalar() {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-50, 50);
  for (int i = 0; i < 20000; ++i) {
    Pack<double, W> x(0.0), y(0.0);
    for (int lane = 0; lane < W; ++lane) {
      x.Set(lane, uniform(random));
      y.Set(lane, uniform(random));
    }
    Pack<double, W> sine, cosine;
    SinCos(x, sine, cosine);
    const Pack<double, W> e = Exp(x), l = Log(Abs(x)), a = Atan2(y, x), p = Pow(Abs(x), y * Pack<double, W>(0.1));
    for (int lane = 0; lane < W; ++lane) {
      double s, c;
      SinCos(x[lane], s, c);
      EXPECT_EQ(ToBits(sine[lane]), ToBits(s));
      EXPECT_EQ(ToBits(cosine[lane]), ToBits(c));
      EXPECT_EQ(ToBits(e[lane]), ToBits(Exp(x[lane])));
      EXPECT_EQ(ToBits(l[lane]), ToBits(Log(Abs(x[lane]))));
      EXPECT_EQ(ToBits(a[lane]), ToBits(Atan2(y[lane], x[lane])));
      EXPECT_EQ(ToBits(p[lane]), ToBits(Pow(Abs(x[lane]), y[lane] * 0.1)));
    }
  }
}

TEST(Functions, LanesEqualScalar) {
  ExpectLanesEqualScalar<1>();
  ExpectLanesEqualScalar<2>();
  ExpectLanesEqualScalar<4>();
  ExpectLanesEqualScalar<8>();
}

}  // namespace
}  // namespace sinew
