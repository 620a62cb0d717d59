#include "math/quat.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

// The norm need not be taken to tell.
TEST(Quat, ASquareIsOfAUnitNormWhenItsRootIs) {
  double square = 1;
  for (int below = 0; below < 60; ++below) square = std::nextafter(square, 0);
  for (; square < 1 + 60 * 0x1p-52; square = std::nextafter(square, 2)) {
    EXPECT_EQ(IsUnit(square), std::fabs(std::sqrt(square) - 1) <= kMinVal) << square - 1;
  }
  EXPECT_FALSE(IsUnit(std::nan("")));
}

TEST(Quat, AUnitQuaternionStaysAsItIs) {
  const Quat<double> almost = {1 + 0x1p-52, 0, 0, 0}, longer = {1 + 0x1p-49, 0, 0, 0};
  EXPECT_EQ(Normalized(almost).w, almost.w);
  EXPECT_EQ(Normalized(longer).w, 1);
}

}  // namespace
}  // namespace sinew
