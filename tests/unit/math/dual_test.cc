#include "math/dual.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

using D = Dual<double, 2>;

TEST(DualTest, RulesOfDifferentiation) {
  const D x = D::Variable(1.5, 0), y = D::Variable(-0.4, 1);
  const D f = (x * y - Sqrt(x) / y) * Abs(y) + D(3) * x;
  const auto value = [](double a, double b) { return (a * b - std::sqrt(a) / b) * std::fabs(b) + 3 * a; };
  EXPECT_DOUBLE_EQ(f.value, value(1.5, -0.4));
  const double h = 1e-6;  // error h^2 and 1e-16 / h
  EXPECT_NEAR(f.slope[0], (value(1.5 + h, -0.4) - value(1.5 - h, -0.4)) / (2 * h), 1e-9);
  EXPECT_NEAR(f.slope[1], (value(1.5, -0.4 + h) - value(1.5, -0.4 - h)) / (2 * h), 1e-9);
}

TEST(DualTest, ChoicesTakeTheSlopeOfWhatTheyChoose) {
  const D x = D::Variable(1, 0), y = D::Variable(2, 1);
  EXPECT_EQ(Max(x, y).slope[1], 1);
  EXPECT_EQ(Max(x, y).slope[0], 0);
}

TEST(DualTest, LengthOfAZeroVectorHasNoSlope) {
  const D x = D::Variable(0, 0);
  EXPECT_EQ(Sqrt(x * x).slope[0], 0);
}

}  // namespace
}  // namespace sinew
