// Bits of lanes and of bytes, against their definitions.
#include "simd/bits.h"

#include <gtest/gtest.h>

#include <random>

namespace sinew {
namespace {

TEST(Bits, OfEightLanes) {
  using Eight = Pack<double, 8>;
  for (unsigned bits = 0; bits < 256; ++bits) {
    Eight x(0.0);
    for (int lane = 0; lane < 8; ++lane) x.Set(lane, bits >> lane & 1 ? 1.0 : -1.0);
    EXPECT_EQ(LaneBits(x > Eight(0.0)), bits);
  }
}

TEST(Bits, ColumnsOfBytes) {
  std::mt19937 random(3);
  alignas(16) uint8_t bytes[32];
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  for (int bit = 0; bit < 8; ++bit) {
    const unsigned column = ColumnOfBits(bytes, bit);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(column >> i & 1U, bytes[i] >> bit & 1U) << i << " " << bit;
  }
}

}  // namespace
}  // namespace sinew
