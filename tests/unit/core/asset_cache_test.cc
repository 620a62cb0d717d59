#include "core/asset_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace sinew {
namespace {

// Files in memory whose content, and so whose timestamp, can change.
class AssetCacheTest : public testing::Test {
 protected:
  AssetCacheTest() { vfs_.impl_ = &files_; }

  std::unique_ptr<Resource> Open(const std::string& name, const std::string& content = "content") {
    files_.Remove(name);
    files_.AddBuffer(name, Bytes(content.begin(), content.end()));
    return Resource::Open(&vfs_, "", name);
  }
  void Insert(const std::string& name, size_t bytes) {
    cache_.Insert(name, *Open(name), std::make_shared<const int>(7), bytes);
  }
  bool Has(const std::string& name) { return cache_.Find<int>(name, *Open(name)) != nullptr; }

  Vfs files_;
  mjVFS vfs_ = {};
  AssetCache cache_;
};

TEST_F(AssetCacheTest, KeepsUntilTheFileChanges) {
  Insert("a", 10);
  EXPECT_EQ(cache_.size(), 10u);
  EXPECT_EQ(*cache_.Find<int>("a", *Open("a")), 7);
  EXPECT_EQ(cache_.Find<int>("a", *Open("a", "other")), nullptr);
  EXPECT_EQ(cache_.size(), 0u);
}

TEST_F(AssetCacheTest, DropsWhatWasNotUsedForTheLongestTime) {
  cache_.SetCapacity(30);
  for (const char* name : {"a", "b", "c"}) Insert(name, 10);
  EXPECT_TRUE(Has("a"));
  Insert("d", 10);
  EXPECT_FALSE(Has("b"));
  EXPECT_TRUE(Has("a"));
  EXPECT_TRUE(Has("c"));
  cache_.SetCapacity(10);
  EXPECT_TRUE(Has("c"));
  EXPECT_EQ(cache_.size(), 10u);
}

TEST_F(AssetCacheTest, KeepsNothingTooLarge) {
  cache_.SetCapacity(30);
  Insert("a", 31);
  EXPECT_FALSE(Has("a"));
  cache_.SetCapacity(0);
  Insert("b", 1);
  EXPECT_FALSE(Has("b"));
}

TEST_F(AssetCacheTest, ReplacesAndClears) {
  Insert("a", 10);
  Insert("a", 20);
  EXPECT_EQ(cache_.size(), 20u);
  const auto held = cache_.Find<int>("a", *Open("a"));
  cache_.Clear();
  EXPECT_EQ(cache_.size(), 0u);
  EXPECT_EQ(*held, 7);
}

}  // namespace
}  // namespace sinew
