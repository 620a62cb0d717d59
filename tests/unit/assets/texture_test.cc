#include "assets/texture.h"

#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace sinew {
namespace {

using Pixels = std::vector<mjtByte>;
const double kHalf[3] = {0.5, 0.5, 0.5};  // 127 as a byte

Image Numbered(int width, int height) {
  Image image = MakeImage(width, height, 1, mjCOLORSPACE_LINEAR);
  std::iota(image.pixels.begin(), image.pixels.end(), mjtByte{0});
  return image;
}

std::vector<std::byte> ToBytes(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST(TextureTest, FormatIsThatOfTheMediaTypeElseOfTheName) {
  EXPECT_EQ(FindTextureFormat("", "a/B.PNG"), TextureFormat::kPng);
  EXPECT_EQ(FindTextureFormat("", "a.ktx"), TextureFormat::kKtx);
  EXPECT_EQ(FindTextureFormat("", "a.jpg"), TextureFormat::kRaw);
  EXPECT_EQ(FindTextureFormat("image/png; q=1", "a.ktx"), TextureFormat::kPng);
  EXPECT_EQ(FindTextureFormat("nonsense", "a.png"), TextureFormat::kRaw);
  EXPECT_THROW(FindTextureFormat("image/jpeg", "a.png"), Error);
}

TEST(TextureTest, RawPixelsHaveThreeBytes) {
  const auto file = ToBytes({2, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 5, 6});
  EXPECT_EQ(LoadTexture(file, TextureFormat::kRaw, 3).pixels, Pixels({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(LoadTexture(file, TextureFormat::kRaw, 1).pixels, Pixels({1, 4}));
  EXPECT_EQ(LoadTexture(file, TextureFormat::kRaw, 4).pixels, Pixels({1, 2, 3, 255, 4, 5, 6, 255}));
  EXPECT_THROW(LoadTexture(std::span(file).first(13), TextureFormat::kRaw, 3), Error);
  EXPECT_THROW(LoadTexture(std::span(file).first(5), TextureFormat::kRaw, 3), Error);
}

TEST(TextureTest, KtxStaysAsItIs) {
  const Image image = LoadTexture(ToBytes({0xAB, 'K', 'T', 'X', ' ', '1', '1', 0xBB, '\r', '\n', 0x1A, '\n', 9}),
                                  TextureFormat::kKtx, 3);
  EXPECT_EQ(image.width, 13);
  EXPECT_EQ(image.height, 1);
  EXPECT_EQ(image.channels, 1);
  EXPECT_EQ(image.pixels.back(), 9);
  EXPECT_THROW(LoadTexture({}, TextureFormat::kKtx, 3), Error);
  EXPECT_THROW(LoadTexture(ToBytes({7, 8, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), TextureFormat::kKtx, 3), Error);
}

// The usual cross: up above the front, left and right beside it, the back at the end.
TEST(TextureTest, CrossIsStackedInTheOrderOfFaces) {
  const Image cube = CutFaces(Numbered(4, 3), 3, 4, ".U..LFRB.D..", kHalf);
  EXPECT_EQ(cube.width, 1);
  EXPECT_EQ(cube.height, 6);
  EXPECT_EQ(cube.pixels, Pixels({6, 4, 1, 9, 5, 7}));
}

TEST(TextureTest, MissingFacesHaveTheColor) {
  EXPECT_EQ(CutFaces(Numbered(4, 3), 3, 4, ".U..........", kHalf).pixels, Pixels({127, 127, 1, 127, 127, 127}));
  EXPECT_EQ(CutFaces(Numbered(2, 1), 1, 2, "", kHalf).pixels, Pixels(6, 127));
}

TEST(TextureTest, OneSquareServesForAllFaces) {
  const Image image = CutFaces(Numbered(2, 2), 1, 1, ".", kHalf);
  EXPECT_EQ(image.height, 2);
  EXPECT_EQ(image.pixels, Pixels({0, 1, 2, 3}));
}

TEST(TextureTest, BadGridsAreRefused) {
  EXPECT_THROW(CutFaces(Numbered(2, 1), 1, 1, ".", kHalf), Error);
  EXPECT_THROW(CutFaces(Numbered(4, 3), 1, 2, "RL", kHalf), Error);
  EXPECT_THROW(CutFaces(Numbered(4, 4), 4, 4, "", kHalf), Error);
  EXPECT_THROW(CutFaces(Numbered(4, 3), 0, 1, "", kHalf), Error);
  EXPECT_THROW(CutFaces(Numbered(4, 3), 3, 4, "X", kHalf), Error);
}

TEST(TextureTest, FacesMustBeEqualSquares) {
  CubeFaces faces;
  faces[1] = Numbered(1, 1);
  faces[4] = Numbered(1, 1);
  EXPECT_EQ(StackFaces(faces, kHalf).pixels, Pixels({127, 0, 127, 127, 0, 127}));
  faces[4] = Numbered(2, 2);
  EXPECT_THROW(StackFaces(faces, kHalf), Error);
  faces[4] = Numbered(1, 2);
  EXPECT_THROW(StackFaces(faces, kHalf), Error);
}

}  // namespace
}  // namespace sinew
