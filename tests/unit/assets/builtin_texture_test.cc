#include "assets/builtin_texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "assets/hfield.h"
#include "assets/mersenne_twister.h"
#include "core/error.h"
#include "spec/elements.h"

namespace sinew {
namespace {

using Bytes = std::vector<int>;

// A texture from black to white, with white marks.
Texture MakeTexture(mjtTexture type, int builtin, int width, int height) {
  Texture texture;
  texture.type = type;
  texture.builtin = builtin;
  texture.width = width;
  texture.height = height;
  std::fill_n(texture.rgb1, 3, 0);
  std::fill_n(texture.rgb2, 3, 1);
  std::fill_n(texture.markrgb, 3, 1);
  return texture;
}

Image RenderBuiltin(const Texture& texture) {
  Image image = FrameBuiltin(texture);
  image.pixels.resize(image.bytes());
  DrawBuiltin(texture, image.pixels.data());
  return image;
}

// The first channel.
Bytes Red(const Image& image) {
  Bytes red;
  for (size_t i = 0; i < image.pixels.size(); i += 3) red.push_back(image.pixels[i]);
  return red;
}

TEST(BuiltinTexture, FlatCubeHasItsSecondColorBelow) {
  const Image image = RenderBuiltin(MakeTexture(mjTEXTURE_CUBE, mjBUILTIN_FLAT, 1, 1));
  EXPECT_EQ(image.height, 6);
  EXPECT_EQ(Red(image), Bytes({0, 0, 0, 255, 0, 0}));
}

TEST(BuiltinTexture, CheckerSplitsAtHalf) {
  const Image image = RenderBuiltin(MakeTexture(mjTEXTURE_2D, mjBUILTIN_CHECKER, 3, 3));
  EXPECT_EQ(Red(image), Bytes({0, 255, 255, 255, 0, 0, 255, 0, 0}));
}

TEST(BuiltinTexture, CubeGradientFollowsElevation) {
  const Bytes red = Red(RenderBuiltin(MakeTexture(mjTEXTURE_CUBE, mjBUILTIN_GRADIENT, 3, 3)));
  EXPECT_EQ(Bytes(red.begin(), red.begin() + 9), Bytes({61, 46, 61, 127, 127, 127, 193, 208, 193}));           // a side
  EXPECT_EQ(Bytes(red.begin() + 18, red.begin() + 27), Bytes({61, 46, 61, 46, 0, 46, 61, 46, 61}));            // above
  EXPECT_EQ(Bytes(red.begin() + 27, red.begin() + 36), Bytes({193, 208, 193, 208, 255, 208, 193, 208, 193}));  // below
}

TEST(BuiltinTexture, FacesFollowEachOther) {
  const Bytes red = Red(RenderBuiltin(MakeTexture(mjTEXTURE_SKYBOX, mjBUILTIN_GRADIENT, 4, 4)));
  const Bytes side = {61, 49, 49, 61, 101, 92, 92, 101, 153, 162, 162, 153, 193, 205, 205, 193};
  for (const int face : {0, 1, 4, 5}) EXPECT_EQ(Bytes(red.begin() + 16 * face, red.begin() + 16 * (face + 1)), side);
}

// The closed form of a cube's gradient, for every texel: the weight of the first colour at an elevation.
double Weight(double elevation) {
  const double p = elevation / (std::numbers::pi / 2);
  return 0.5 * (1 + std::sqrt(2.0) * p / std::sqrt(1 + p * p));
}

TEST(BuiltinTexture, CubeGradientHasItsClosedForm) {
  for (const int size : {2, 5, 64, 101}) {
    const Image image = RenderBuiltin(MakeTexture(mjTEXTURE_CUBE, mjBUILTIN_GRADIENT, size, size));
    for (int face = 0; face < 6; ++face) {
      for (int row = 0; row < size; ++row) {
        for (int col = 0; col < size; ++col) {
          const double x = 2.0 * col / (size - 1) - 1, y = 2.0 * row / (size - 1) - 1;
          const double vertical = face == 2 ? 1 : face == 3 ? -1 : -y;
          const double elevation = std::atan2(vertical, std::sqrt(1 + x * x + y * y - vertical * vertical));
          // A level near a whole number may be rounded down to either side.
          EXPECT_NEAR(image.Pixel(face * size + row, col)[0], 255 * (1 - Weight(elevation)) - 0.5, 0.5 + 1e-9);
        }
      }
    }
  }
}

TEST(BuiltinTexture, FlatGradientIsTheSameInAllDirections) {
  const Bytes red = Red(RenderBuiltin(MakeTexture(mjTEXTURE_2D, mjBUILTIN_GRADIENT, 5, 4)));
  EXPECT_EQ(red, Bytes({255, 255, 255, 255, 255, 255, 163, 70,  163, 255,  //
                        255, 163, 70,  163, 255, 255, 255, 255, 255, 255}));
}

// Bytes of MuJoCo 3.8.0. Both colours have 51/255, which some weights round to a bit less.
TEST(BuiltinTexture, LastBitsOfEqualColors) {
  Texture texture = MakeTexture(mjTEXTURE_CUBE, mjBUILTIN_GRADIENT, 4, 4);
  texture.rgb1[0] = texture.rgb2[0] = .2;
  const Bytes red = Red(RenderBuiltin(texture));
  EXPECT_EQ(Bytes(red.begin(), red.begin() + 16),
            Bytes({51, 51, 51, 51, 51, 51, 51, 51, 51, 51, 51, 51, 50, 51, 51, 50}));
  EXPECT_EQ(std::count(red.begin() + 32, red.begin() + 64, 51), 32);
}

TEST(BuiltinTexture, GradientOfOneColumnIsBlack) {
  EXPECT_EQ(Red(RenderBuiltin(MakeTexture(mjTEXTURE_2D, mjBUILTIN_GRADIENT, 1, 3))), Bytes({0, 0, 0}));
  EXPECT_EQ(Red(RenderBuiltin(MakeTexture(mjTEXTURE_CUBE, mjBUILTIN_GRADIENT, 1, 1))), Bytes(6, 0));
}

TEST(BuiltinTexture, ColorsOutsideOfTheirRangeAreCut) {
  Texture texture = MakeTexture(mjTEXTURE_2D, mjBUILTIN_FLAT, 1, 1);
  std::ranges::copy(std::array{-1.0, 300.0, std::numeric_limits<double>::quiet_NaN()}, texture.rgb1);
  EXPECT_EQ(RenderBuiltin(texture).pixels, std::vector<mjtByte>({0, 255, 0}));
}

TEST(BuiltinTexture, Marks) {
  Texture texture = MakeTexture(mjTEXTURE_2D, mjBUILTIN_FLAT, 3, 3);
  texture.mark = mjMARK_CROSS;
  EXPECT_EQ(Red(RenderBuiltin(texture)), Bytes({0, 255, 0, 255, 255, 255, 0, 255, 0}));
  texture.mark = mjMARK_EDGE;
  EXPECT_EQ(Red(RenderBuiltin(texture)), Bytes({255, 255, 255, 255, 0, 255, 255, 255, 255}));
}

TEST(BuiltinTexture, RandomMarksAreTheSameEveryTime) {
  Texture texture = MakeTexture(mjTEXTURE_2D, mjBUILTIN_FLAT, 8, 2);
  texture.mark = mjMARK_RANDOM;
  texture.random = .5;
  EXPECT_EQ(Red(RenderBuiltin(texture)), Bytes({0, 0, 0, 255, 0, 255, 0, 255, 255, 255, 255, 0, 0, 0, 0, 0}));
}

TEST(BuiltinTexture, RandomMarksOfACubeGoOnFromFaceToFace) {
  Texture texture = MakeTexture(mjTEXTURE_CUBE, mjBUILTIN_CHECKER, 17, 17);
  texture.mark = mjMARK_RANDOM;
  texture.random = .3;
  std::fill_n(texture.markrgb, 3, .5);
  std::mt19937_64 random(42);
  const Bytes red = Red(RenderBuiltin(texture));
  for (const int level : red) EXPECT_EQ(level == 127, static_cast<double>(random()) * 0x1p-64 < .3);
  texture.random = 1;
  const Image all = RenderBuiltin(texture);
  EXPECT_EQ(std::count(all.pixels.begin(), all.pixels.end(), 127), std::ssize(all.pixels));
  texture.random = 0;
  const Image none = RenderBuiltin(texture);
  EXPECT_EQ(std::count(none.pixels.begin(), none.pixels.end(), 127), 0);
}

TEST(MersenneTwister, HasTheNumbersOfTheStandard) {
  MersenneTwister blocks(42);
  std::mt19937_64 numbers(42);
  for (int i = 0; i < 5; ++i) {
    for (const uint64_t number : blocks.Next()) EXPECT_EQ(number, numbers());
  }
}

TEST(BuiltinTexture, SizesMustBePositive) {
  EXPECT_THROW(FrameBuiltin(MakeTexture(mjTEXTURE_2D, mjBUILTIN_FLAT, 0, 1)), Error);
  EXPECT_THROW(FrameBuiltin(MakeTexture(mjTEXTURE_2D, mjBUILTIN_FLAT, 1, 0)), Error);
  EXPECT_THROW(FrameBuiltin(MakeTexture(mjTEXTURE_CUBE, mjBUILTIN_FLAT, 1 << 20, 1)), Error);
}

TEST(HeightField, ElevationIsScaledToOne) {
  std::vector<float> elevation = {-3, 1, 7};
  NormalizeElevation(elevation);
  EXPECT_EQ(elevation, std::vector<float>({0, .4f, 1}));
  elevation = {5, 5};
  NormalizeElevation(elevation);
  EXPECT_EQ(elevation, std::vector<float>({0, 0}));
}

}  // namespace
}  // namespace sinew
