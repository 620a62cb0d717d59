#include "simd/four.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

TEST(Four, TheSameNumberInAllLanes) {
  const Four x = InAllLanes(-0.0);
  for (int lane = 0; lane < 4; ++lane) {
    EXPECT_EQ(x[lane], 0);
    EXPECT_TRUE(std::signbit(x[lane]));
  }
}

TEST(Four, BitsOfAMaskAreItsLanes) {
  for (unsigned bits = 0; bits < 16; ++bits) {
    Four x;
    for (int lane = 0; lane < 4; ++lane) x.Set(lane, bits >> lane & 1 ? 1 : -1);
    EXPECT_EQ(LaneBits(x > Four(0.0)), bits);
  }
}

}  // namespace
}  // namespace sinew
