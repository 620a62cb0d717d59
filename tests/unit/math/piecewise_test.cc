// Functions in pieces: splines against their equations and against OpenSim, derivatives, and numbers that make no
// sense.
#include "math/piecewise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace sinew {
namespace {

const std::vector<double> kX = {0, 0.3, 1, 1.2, 2}, kY = {1, 0.2, 0.5, -1, 2};

Jet<double> At(const std::vector<double>& numbers, double x) { return Evaluate(PiecewiseAt(numbers, 0), x); }

TEST(Piecewise, PolynomialsAreThoseOfTheirCoefficients) {
  const std::vector<double> cubic = PolynomialPieces(std::vector<double>{1, -2, 0.5, 3});
  for (const double x : {-2.0, 0.0, 0.7}) {
    EXPECT_DOUBLE_EQ(At(cubic, x).value, 1 - 2 * x + 0.5 * x * x + 3 * x * x * x);
    EXPECT_DOUBLE_EQ(At(cubic, x).slope, -2 + x + 9 * x * x);
    EXPECT_DOUBLE_EQ(At(cubic, x).curvature, 1 + 18 * x);
  }
  EXPECT_EQ(At(PolynomialPieces(std::vector<double>{5}), 3).value, 5);
}

// Through the points, with continuous slope and curvature, which is zero at the ends.
TEST(Piecewise, NaturalSplinesSatisfyTheirEquations) {
  const std::vector<double> spline = SplinePieces(kX, kY, SplineEnds::kNatural);
  for (size_t i = 0; i < kX.size(); ++i) {
    EXPECT_NEAR(At(spline, kX[i]).value, kY[i], 1e-15);
    const Jet<double> left = At(spline, std::nextafter(kX[i], -1)), right = At(spline, kX[i]);
    // rounding of curvatures of up to 100
    EXPECT_NEAR(left.value, right.value, 1e-14);
    EXPECT_NEAR(left.slope, right.slope, 1e-13);
    EXPECT_NEAR(left.curvature, right.curvature, 1e-12);
  }
  EXPECT_NEAR(At(spline, kX.front()).curvature, 0, 1e-13);
  EXPECT_EQ(At(spline, kX.back()).curvature, 0);
  EXPECT_NEAR(At(spline, 3).value, kY.back() + At(spline, kX.back()).slope, 1e-14) << "straight on beyond the ends";
}

// Value, first and second derivative of SimmSpline of OpenSim 4.6 at the same points.
TEST(Piecewise, SimmSplinesAreThoseOfOpenSim) {
  constexpr double kReference[][4] = {{-1, 7.857859316712468, -6.857859316712468, 0},
                                      {0.15, 0.3191426941037079, -2.4434523809523805, 24.965093857448203},
                                      {0.6, 0.7906772898732957, 2.237956853357458, -5.327935676640326},
                                      {1.1, -0.19131516795106762, -7.867948556792388, -11.736966409786646},
                                      {1.7, -2.2014414029829954, 6.081963887450714, 45.739106661622},
                                      {3, 24.989620255685217, 22.989620255685217, 0}};
  const std::vector<double> spline = SplinePieces(kX, kY, SplineEnds::kNearestPoints);
  for (const auto& [x, value, slope, curvature] : kReference) {
    // both solve the same system, in a few operations each
    EXPECT_NEAR(At(spline, x).value, value, 1e-13) << x;
    EXPECT_NEAR(At(spline, x).slope, slope, 1e-12) << x;
    EXPECT_NEAR(At(spline, x).curvature, curvature, 1e-11) << x;
  }
}

TEST(Piecewise, FewPointsMakeStraightLinesAndParabolas) {
  const std::vector<double> x = {0, 1, 3}, y = {1, 3, 3};
  for (const SplineEnds ends : {SplineEnds::kNatural, SplineEnds::kNearestPoints}) {
    const std::vector<double> line = SplinePieces({x.data(), 2}, {y.data(), 2}, ends);
    EXPECT_EQ(At(line, 0.25).value, 1.5);
    EXPECT_EQ(At(line, -1).slope, 2);
  }
  const std::vector<double> parabola = SplinePieces(x, y, SplineEnds::kNearestPoints);
  EXPECT_NEAR(At(parabola, 0.5).curvature, At(parabola, 2).curvature, 1e-14);
  const std::vector<double> polyline = PolylinePieces(x, y);
  EXPECT_EQ(At(polyline, -1).value, -1);
  EXPECT_EQ(At(polyline, 0.5).value, 2);
  EXPECT_EQ(At(polyline, 9).value, 3);
}

// What a program or a file has written may be anything.
TEST(Piecewise, NumbersOutsideOfTheArrayMakeTheZeroFunction) {
  const std::vector<double> good = SplinePieces(kX, kY, SplineEnds::kNatural);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double place : {-1.0, 1e300, nan, static_cast<double>(good.size())}) {
    EXPECT_EQ(PiecewiseAt(good, place).pieces, 0) << place;
  }
  for (const size_t entry : {size_t{0}, size_t{1}}) {
    for (const double wrong : {-3.0, 0.5, 1e9, nan, 100.0}) {
      if (entry == 1 && wrong == 0.5) continue;  // a degree that is cut off is still inside
      std::vector<double> bad = good;
      bad[entry] = wrong;
      EXPECT_EQ(Evaluate(PiecewiseAt(bad, 0), 1.0).value, 0) << entry << " " << wrong;
    }
  }
  std::vector<double> shorter = good;
  shorter.pop_back();
  EXPECT_EQ(PiecewiseAt(shorter, 0).pieces, 0);
}

}  // namespace
}  // namespace sinew
