#include "assets/hfield.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "core/error.h"
#include "tests/unit/assets/png_file.h"

namespace sinew {
namespace {

std::vector<std::byte> BinaryFile(int nrow, int ncol, const std::vector<float>& data) {
  const int32_t sizes[2] = {nrow, ncol};
  std::vector<std::byte> file(sizeof(sizes) + data.size() * sizeof(float));
  std::memcpy(file.data(), sizes, sizeof(sizes));
  if (!data.empty()) std::memcpy(file.data() + sizeof(sizes), data.data(), data.size() * sizeof(float));
  return file;
}

std::string ErrorOf(const std::vector<std::byte>& file, std::string_view type, std::string_view name) {
  try {
    LoadHField(file, type, name);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(HFieldTest, FirstRowOfAPictureIsAtTheLargestY) {
  const Elevation elevation = LoadHField(PngFile(3, 2, 0, 8, {1, 2, 3, 4, 5, 6}), "", "hills.png");
  EXPECT_EQ(elevation.nrow, 2);
  EXPECT_EQ(elevation.ncol, 3);
  EXPECT_EQ(elevation.data, (std::vector<float>{4, 5, 6, 1, 2, 3}));
}

TEST(HFieldTest, BinaryFilesAreRowsColumnsAndNumbers) {
  const auto file = BinaryFile(2, 2, {0, 0.5f, 1, 2});
  for (const char* type : {"", "image/vnd.mujoco.hfield"}) {
    const Elevation elevation = LoadHField(file, type, "hills");
    EXPECT_EQ(elevation.nrow, 2);
    EXPECT_EQ(elevation.data, (std::vector<float>{0, 0.5f, 1, 2}));
  }
}

TEST(HFieldTest, DamagedFilesAreRefused) {
  EXPECT_NE(ErrorOf({}, "", "a").find("no complete header"), std::string::npos);
  EXPECT_NE(ErrorOf(BinaryFile(2, 2, {1, 2, 3}), "", "a").find("12 bytes after its header; 2 by 2 numbers take 16"),
            std::string::npos);
  EXPECT_NE(ErrorOf(BinaryFile(0, 2, {}), "", "a").find("0 rows"), std::string::npos);
  EXPECT_NE(ErrorOf(BinaryFile(-1, 2, {}), "", "a").find("-1 rows"), std::string::npos);
  EXPECT_NE(ErrorOf(BinaryFile(1 << 30, 1 << 30, {}), "", "a").find("too large"), std::string::npos);
  EXPECT_NE(ErrorOf(BinaryFile(1, 1, {1}), "image/jpeg", "a").find("'image/jpeg' is not supported"), std::string::npos);
}

TEST(HFieldTest, ElevationsGoFromZeroToOne) {
  std::vector<float> hills = {2, 4, 3}, plain = {7, 7}, none;
  NormalizeElevation(hills);
  NormalizeElevation(plain);
  NormalizeElevation(none);
  EXPECT_EQ(hills, (std::vector<float>{0, 1, 0.5f}));
  EXPECT_EQ(plain, (std::vector<float>{0, 0}));
  constexpr float kMax = std::numeric_limits<float>::max();
  std::vector<float> far = {-kMax, kMax}, bad = {0, std::numeric_limits<float>::quiet_NaN()};
  EXPECT_THROW(NormalizeElevation(far), Error);
  EXPECT_THROW(NormalizeElevation(bad), Error);
}

}  // namespace
}  // namespace sinew
