#include "assets/image.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/load_limits.h"
#include "tests/unit/assets/png_file.h"

namespace sinew {
namespace {

using Pixels = std::vector<int>;

Pixels Decode(const std::vector<std::byte>& file, int channels) {
  const Image image = DecodePng(file, channels);
  return Pixels(image.pixels.begin(), image.pixels.end());
}

struct Kind {
  const char* name;
  int color_type, depth;
  std::vector<uint8_t> row;  // two pixels
  Pixels grey, rgb, rgba;
};

class PngKindTest : public testing::TestWithParam<Kind> {};

TEST_P(PngKindTest, GivesOneThreeOrFourChannels) {
  const Kind& kind = GetParam();
  const auto file = PngFile(2, 1, kind.color_type, kind.depth, kind.row);
  EXPECT_EQ(Decode(file, 1), kind.grey);
  EXPECT_EQ(Decode(file, 3), kind.rgb);
  EXPECT_EQ(Decode(file, 4), kind.rgba);
}

// Samples of 16 bits keep the upper byte; of a coloured picture, one channel is the red.
INSTANTIATE_TEST_SUITE_P(
    Kinds, PngKindTest,
    testing::Values(
        Kind{"grey", 0, 8, {10, 200}, {10, 200}, {10, 10, 10, 200, 200, 200}, {10, 10, 10, 255, 200, 200, 200, 255}},
        Kind{"grey1", 0, 1, {0x40}, {0, 255}, {0, 0, 0, 255, 255, 255}, {0, 0, 0, 255, 255, 255, 255, 255}},
        Kind{"grey16",
             0,
             16,
             {10, 255, 200, 128},
             {10, 200},
             {10, 10, 10, 200, 200, 200},
             {10, 10, 10, 255, 200, 200, 200, 255}},
        Kind{"grey_alpha",
             4,
             8,
             {10, 20, 200, 210},
             {10, 200},
             {10, 10, 10, 200, 200, 200},
             {10, 10, 10, 20, 200, 200, 200, 210}},
        Kind{"rgb", 2, 8, {1, 2, 3, 4, 5, 6}, {1, 4}, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 255, 4, 5, 6, 255}},
        Kind{"rgba", 6, 8, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 5}, {1, 2, 3, 5, 6, 7}, {1, 2, 3, 4, 5, 6, 7, 8}}),
    [](const auto& test) { return test.param.name; });

TEST(PngTest, PaletteAndTransparency) {
  const auto file = PngFile(2, 1, 3, 8, {0, 1}, {{"PLTE", {9, 8, 7, 6, 5, 4}}, {"tRNS", {33, 44}}});
  EXPECT_EQ(Decode(file, 1), Pixels({9, 6}));
  EXPECT_EQ(Decode(file, 3), Pixels({9, 8, 7, 6, 5, 4}));
  EXPECT_EQ(Decode(file, 4), Pixels({9, 8, 7, 33, 6, 5, 4, 44}));
}

TEST(PngTest, OnlyTheChunkForSrgbMakesItSrgb) {
  const std::vector<uint8_t> gamma = {0, 0, 0xb1, 0x8f};  // 1 / 2.2
  EXPECT_EQ(DecodePng(PngFile(1, 1, 0, 8, {0}), 3).colorspace, mjCOLORSPACE_LINEAR);
  EXPECT_EQ(DecodePng(PngFile(1, 1, 0, 8, {0}, {{"gAMA", gamma}}), 3).colorspace, mjCOLORSPACE_LINEAR);
  EXPECT_EQ(DecodePng(PngFile(1, 1, 0, 8, {0}, {{"sRGB", {0}}}), 3).colorspace, mjCOLORSPACE_SRGB);
}

TEST(PngTest, DamagedFilesAreRefused) {
  const auto good = PngFile(2, 1, 2, 8, {1, 2, 3, 4, 5, 6});
  for (size_t size = 0; size < good.size() - 16; ++size) {  // a checksum and the last chunk may be missing
    EXPECT_THROW(DecodePng(std::span(good).first(size), 3), Error) << size;
  }
  auto changed = good;
  changed[good.size() - 18] ^= std::byte{1};
  EXPECT_THROW(DecodePng(changed, 3), Error);
}

TEST(PngTest, MorePixelsThanAFileCanHoldAreRefused) {
  EXPECT_THROW(DecodePng(PngFile(8000, 8000, 2, 8, {}), 3), Error);
  EXPECT_THROW(DecodePng(PngFile(0x7fffffff, 0x7fffffff, 6, 16, {}), 3), Error);
}

TEST(ImageTest, FlipMirrorsColumnsAndRows) {
  Image image = MakeImage(3, 2, 1, mjCOLORSPACE_LINEAR);
  std::iota(image.pixels.begin(), image.pixels.end(), mjtByte{0});
  Flip(image, true, false);
  EXPECT_EQ(image.pixels, (std::vector<mjtByte>{2, 1, 0, 5, 4, 3}));
  Flip(image, true, true);
  EXPECT_EQ(image.pixels, (std::vector<mjtByte>{3, 4, 5, 0, 1, 2}));
}

// A cube of 11,000 has 2.18e9 bytes, more than an int counts; so has a picture of 40,000 by 20,000.
TEST(ImageTest, ImagesMayHaveMoreThanTwoGigabytes) {
  SetLoadLimits({-1, -1});
  EXPECT_EQ(FrameImage(11000, 66000, 3, mjCOLORSPACE_AUTO).bytes(), 2178000000u);
  EXPECT_EQ(FrameImage(40000, 20000, 3, mjCOLORSPACE_AUTO).bytes(), 2400000000u);
  SetLoadLimits({2e9, 0});
  EXPECT_THROW(FrameImage(40000, 20000, 3, mjCOLORSPACE_AUTO), Error);
  SetLoadLimits({0, 0});
}

TEST(ImageTest, SizesAreChecked) {
  EXPECT_THROW(MakeImage(0, 1, 3, mjCOLORSPACE_AUTO), Error);
  EXPECT_THROW(MakeImage(1, -1, 3, mjCOLORSPACE_AUTO), Error);
  EXPECT_THROW(MakeImage(int64_t{1} << 40, int64_t{1} << 40, 4, mjCOLORSPACE_AUTO), Error);
}

}  // namespace
}  // namespace sinew
