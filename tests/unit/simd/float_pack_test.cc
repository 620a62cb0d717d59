#include "simd/float_pack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sinew {
namespace {

// Every lane has the function of double, rounded.
template <int W>
void ExpectLanesEqualRoundedDouble() {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<float> uniform(-50, 50);
  for (int i = 0; i < 2000; ++i) {
    Floats<W> x(0.0f), y(0.0f);
    for (int lane = 0; lane < W; ++lane) {
      x.Set(lane, uniform(random));
      y.Set(lane, uniform(random));
    }
    const Floats<W> e = Exp(x), l = Log(Abs(x)), a = Atan2(y, x), p = Pow(Abs(x), y), r = Sqrt(Abs(x));
    const Floats<W> c = Acos(x * Floats<W>(0.02f)), s = Asin(x * Floats<W>(0.02f)), signs = CopySign(x, y);
    for (int lane = 0; lane < W; ++lane) {
      const double of = double(x[lane]), other = double(y[lane]);
      EXPECT_EQ(e[lane], float(Exp(of)));
      EXPECT_EQ(l[lane], float(Log(Abs(of))));
      EXPECT_EQ(a[lane], float(Atan2(other, of)));
      EXPECT_EQ(p[lane], float(Pow(Abs(of), other)));
      EXPECT_EQ(r[lane], std::sqrt(std::fabs(x[lane])));
      EXPECT_EQ(c[lane], float(Acos(double(x[lane] * 0.02f))));
      EXPECT_EQ(s[lane], float(Asin(double(x[lane] * 0.02f))));
      EXPECT_EQ(signs[lane], std::copysign(x[lane], y[lane]));
    }
  }
}

TEST(FloatPack, LanesEqualRoundedDouble) {
  ExpectLanesEqualRoundedDouble<4>();
  ExpectLanesEqualRoundedDouble<8>();
  ExpectLanesEqualRoundedDouble<16>();
}

// Two units of the last place of one: the polynomials are good to one, and what is subtracted of the angle rounds once.
// Every lane is the same at any width, whoever is beside it: beyond 8192, some take another way.
TEST(FloatPack, SinesAreGoodToFloats) {
  constexpr double kTolerance = 1.2e-7;
  std::mt19937_64 random(11);
  for (const float range : {1.0f, 50.0f, 8191.0f, 1e6f}) {
    std::uniform_real_distribution<float> uniform(-range, range);
    for (int i = 0; i < 2000; ++i) {
      Floats<16> x(0.0f), sine(0.0f), cosine(0.0f);
      for (int lane = 0; lane < 16; ++lane) x.Set(lane, lane == 15 && i % 2 == 0 ? 1e7f : uniform(random));
      SinCos(x, sine, cosine);
      for (int lane = 0; lane < 16; ++lane) {
        const double of = double(x[lane]);
        ASSERT_NEAR(double(sine[lane]), std::sin(of), kTolerance) << of;
        ASSERT_NEAR(double(cosine[lane]), std::cos(of), kTolerance) << of;
        ASSERT_EQ(Sin(Floats<4>(x[lane]))[0], sine[lane]);
        ASSERT_EQ(Cos(Floats<8>(x[lane]))[3], cosine[lane]);
      }
    }
  }
}

TEST(FloatPack, MasksKnowEachLane) {
  for (int lane = 0; lane < 16; ++lane) {
    Floats<16> x(0.0f);
    x.Set(lane, 1.0f);
    EXPECT_EQ(LaneBits(x > Floats<16>(0.5f)), 1u << lane);
    EXPECT_TRUE(Any(x > Floats<16>(0.5f)));
    EXPECT_FALSE(All(x > Floats<16>(0.5f)));
  }
  EXPECT_FALSE(Any(Floats<16>(0.0f) > Floats<16>(0.5f)));
}

}  // namespace
}  // namespace sinew
