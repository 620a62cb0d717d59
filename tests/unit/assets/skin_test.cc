#include "assets/skin.h"

#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"

namespace sinew {
namespace {

// A triangle that follows two bodies.
SkinData Triangle() {
  SkinData skin;
  skin.vertex = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  skin.face = {0, 1, 2};
  skin.bones = {{"a", {0, 0, 0}, {2, 0, 0, 0}, {0, 1, 2}, {1, 3, 4}}, {"b", {1, 0, 0}, {1, 0, 0, 0}, {1}, {1}}};
  return skin;
}

class SknWriter {
 public:
  template <class T>
  SknWriter& Put(const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    bytes_.insert(bytes_.end(), bytes, bytes + values.size() * sizeof(T));
    return *this;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

std::vector<std::byte> Write(const SkinData& skin) {
  SknWriter writer;
  writer.Put<int>({static_cast<int>(skin.vertex.size() / 3), static_cast<int>(skin.texcoord.size() / 2),
                   static_cast<int>(skin.face.size() / 3), static_cast<int>(skin.bones.size())});
  writer.Put(skin.vertex).Put(skin.texcoord).Put(skin.face);
  for (const SkinBone& bone : skin.bones) {
    std::vector<char> name(40);
    std::copy(bone.body.begin(), bone.body.end(), name.begin());
    writer.Put(name).Put(std::vector<float>(bone.bindpos, bone.bindpos + 3));
    writer.Put(std::vector<float>(bone.bindquat, bone.bindquat + 4));
    writer.Put<int>({static_cast<int>(bone.vertex.size())}).Put(bone.vertex).Put(bone.weight);
  }
  return writer.bytes();
}

TEST(SkinTest, FileRoundTrips) {
  SkinData skin = Triangle();
  skin.texcoord = {0, 0, 1, 0, 0, 1};
  const SkinData read = LoadSkn(Write(skin));
  EXPECT_EQ(read.vertex, skin.vertex);
  EXPECT_EQ(read.texcoord, skin.texcoord);
  EXPECT_EQ(read.face, skin.face);
  ASSERT_EQ(read.bones.size(), 2u);
  EXPECT_EQ(read.bones[1].body, "b");
  EXPECT_EQ(read.bones[0].vertex, skin.bones[0].vertex);
  EXPECT_EQ(read.bones[0].weight, skin.bones[0].weight);
}

TEST(SkinTest, EveryOtherLengthIsRefused) {
  std::vector<std::byte> file = Write(Triangle());
  for (size_t size = 0; size < file.size(); ++size) EXPECT_THROW(LoadSkn(std::span(file).first(size)), Error) << size;
  file.push_back(std::byte{0});
  EXPECT_THROW(LoadSkn(file), Error);
}

TEST(SkinTest, CountsThatLieAreRefused) {
  for (size_t count = 0; count < 4; ++count) {
    for (const int value : {-1, 1000000000, std::numeric_limits<int>::max()}) {
      std::vector<std::byte> file = Write(Triangle());
      std::memcpy(file.data() + count * sizeof(int), &value, sizeof(value));
      EXPECT_THROW(LoadSkn(file), Error) << count << ' ' << value;
    }
  }
}

TEST(SkinTest, WeightsOfAVertexAddUpToOne) {
  SkinData skin = Triangle();
  FinishSkin(skin);
  EXPECT_EQ(skin.bones[0].weight, std::vector<float>({1, 0.75f, 1}));
  EXPECT_EQ(skin.bones[1].weight, std::vector<float>({0.25f}));
  EXPECT_EQ(skin.bones[0].bindquat[0], 1);
}

TEST(SkinTest, WhatCannotBeDrawnIsRefused) {
  const auto refuse = [](auto&& spoil) {
    SkinData skin = Triangle();
    spoil(skin);
    EXPECT_THROW(FinishSkin(skin), Error);
  };
  refuse([](SkinData& skin) { skin.face[1] = 3; });
  refuse([](SkinData& skin) { skin.face[1] = -1; });
  refuse([](SkinData& skin) { skin.face.pop_back(); });
  refuse([](SkinData& skin) { skin.vertex.pop_back(); });
  refuse([](SkinData& skin) { skin.vertex[0] = std::numeric_limits<float>::quiet_NaN(); });
  refuse([](SkinData& skin) { skin.texcoord = {1, 2}; });
  refuse([](SkinData& skin) { skin.bones.clear(); });
  refuse([](SkinData& skin) { skin.bones[0].vertex[0] = 3; });
  refuse([](SkinData& skin) { skin.bones[0].weight[0] = 0; });
  refuse([](SkinData& skin) { skin.bones[0].weight.pop_back(); });
}

}  // namespace
}  // namespace sinew
