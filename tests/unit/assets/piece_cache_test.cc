// Pieces that are kept on disk are those that were found, and damaged files are as if they were not there.
#include "assets/piece_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace sinew {
namespace {

namespace fs = std::filesystem;

class PieceCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("sinew_pieces_" + std::to_string(::getpid()));
    ::setenv("SINEW_CACHE", folder_.c_str(), 1);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    ::unsetenv("SINEW_CACHE");
  }
  size_t Files() const {
    return fs::exists(folder_) ? static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {})) : 0;
  }

  // A tetrahedron.
  MeshData mesh_ = {{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, {}, {}, {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2}, {}, {}, {}};
  fs::path folder_;
};

TEST_F(PieceCacheTest, FindsThemAgain) {
  const auto first = DecomposeOnce(mesh_, {});
  EXPECT_EQ(Files(), 1u);
  const auto again = DecomposeOnce(mesh_, {});
  ASSERT_EQ(again.size(), first.size());
  for (size_t k = 0; k < first[0].size(); ++k) EXPECT_EQ(Norm(first[0][k] - again[0][k]), 0);
  EXPECT_EQ(Files(), 1u);
}

TEST_F(PieceCacheTest, OtherMeshesAndOptionsAreOthers) {
  DecomposeOnce(mesh_, {});
  DecomposeOptions options;
  options.error = .1;
  DecomposeOnce(mesh_, options);
  mesh_.vertex[3] = 2;
  EXPECT_EQ(DecomposeOnce(mesh_, {})[0].size(), 4u);
  EXPECT_EQ(Files(), 3u);
}

TEST_F(PieceCacheTest, DamagedFilesAreMadeAgain) {
  const auto first = DecomposeOnce(mesh_, {});
  const fs::path file = fs::directory_iterator(folder_)->path();
  std::ifstream in(file, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  for (const std::string& bad : {std::string(), whole.substr(0, 20), whole.substr(0, whole.size() - 8),
                                 whole.substr(0, 30) + "x" + whole.substr(31)}) {
    std::ofstream(file, std::ios::binary) << bad;
    EXPECT_EQ(DecomposeOnce(mesh_, {}).size(), first.size()) << bad.size();
    EXPECT_EQ(fs::file_size(file), whole.size());
  }
}

TEST_F(PieceCacheTest, KeepsNothingWhereNobodyWants) {
  ::setenv("SINEW_CACHE", "", 1);
  EXPECT_EQ(DecomposeOnce(mesh_, {}).size(), 1u);
  ::setenv("SINEW_CACHE", "/proc/none", 1);
  EXPECT_EQ(DecomposeOnce(mesh_, {}).size(), 1u);
}

}  // namespace
}  // namespace sinew
