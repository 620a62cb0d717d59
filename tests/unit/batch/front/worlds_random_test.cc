#include "batch/front/worlds_random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

// D. E. Shaw Research's known answers for ten rounds: counter and key of zeros, and of ones.
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(Philox({0, 0, 0, 0}, {0, 0}), (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const uint32_t ones = 0xffffffff;
  EXPECT_EQ(Philox({ones, ones, ones, ones}, {ones, ones}),
            (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(Philox, NumbersHaveTheirMoments) {
  double mean = 0, square = 0, uniform = 0;
  constexpr uint32_t kCount = 100000;
  for (uint32_t i = 0; i < kCount; ++i) {
    const double x = NormalAt({1, i, 0, 0, 0});
    mean += x / kCount;
    square += x * x / kCount;
    uniform += UniformAt({1, i, 1, 0, 0}) / kCount;
  }
  // five standard deviations of each mean
  EXPECT_NEAR(mean, 0, 5 / std::sqrt(kCount));
  EXPECT_NEAR(square, 1, 5 * std::sqrt(2. / kCount));
  EXPECT_NEAR(uniform, 0.5, 5 / std::sqrt(12. * kCount));
}

}  // namespace
}  // namespace sinew
