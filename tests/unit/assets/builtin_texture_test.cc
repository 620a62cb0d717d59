#include "assets/builtin_texture.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "assets/hfield.h"
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

TEST(BuiltinTexture, SizesMustBePositive) {
  EXPECT_THROW(RenderBuiltin(MakeTexture(mjTEXTURE_2D, mjBUILTIN_FLAT, 0, 1)), Error);
  EXPECT_THROW(RenderBuiltin(MakeTexture(mjTEXTURE_2D, mjBUILTIN_FLAT, 1, 0)), Error);
  EXPECT_THROW(RenderBuiltin(MakeTexture(mjTEXTURE_CUBE, mjBUILTIN_FLAT, 1 << 20, 1)), Error);
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
