// The field lists (model/view/fields.h) and the X macros of the public headers come from the same tables: they must
// agree with each other and with the structs.
#include "model/view/fields.h"

#include <gtest/gtest.h>
#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace sinew {
namespace {

const DataArray& ArenaField(const std::string& name) {
  return *std::find_if(std::begin(kArenaFields), std::end(kArenaFields),
                       [&](const DataArray& field) { return name == field.name; });
}

TEST(Fields, ModelArraysAreThoseOfTheMacrosInTheSameOrder) {
  const std::vector<std::string> names = {
#define X(type, name, rows, columns) #name,
      MJMODEL_POINTERS
#undef X
  };
  ASSERT_EQ(names.size(), std::size(kModelFields));
  for (size_t i = 0; i < names.size(); ++i) EXPECT_EQ(names[i], kModelFields[i].name);
}

TEST(Fields, ExtentsOfModelArraysAreThoseOfTheMacros) {
  mjModel model = {};
  mjtSize next = 1;
  for (const ModelSize& size : kModelSizes) model.*size.member = next++;  // all different
  const mjModel* m = &model;
  MJMODEL_POINTERS_PREAMBLE(m)
  size_t i = 0;
#define X(type, field, rows_, columns_)                                                       \
  EXPECT_EQ(kModelFields[i].rows(model), model.rows_) << #field;                              \
  EXPECT_EQ(kModelFields[i].columns(model), static_cast<mjtSize>(columns_)) << #field;        \
  EXPECT_EQ(kModelFields[i].Bytes(model), sizeof(type) * model.rows_ * (columns_)) << #field; \
  EXPECT_EQ(kModelFields[i].offset, offsetof(mjModel, field)) << #field;                      \
  ++i;
  MJMODEL_POINTERS
#undef X
}

TEST(Fields, SizesEndWithTheBuffer) {
  EXPECT_STREQ(kModelSizes[0].name, "nq");
  EXPECT_STREQ(kModelSizes[std::size(kModelSizes) - 1].name, "nbuffer");
  // The sizes fill the start of mjModel without gaps: an MJB file holds them as one block.
  EXPECT_EQ(offsetof(mjModel, opt), std::size(kModelSizes) * sizeof(mjtSize));
}

TEST(Fields, PointersAreReadAndSetThroughTheList) {
  mjData data = {};
  mjtNum positions[3];
  ASSERT_STREQ(kDataFields[0].name, "qpos");
  kDataFields[0].SetPointer(data, positions);
  EXPECT_EQ(data.qpos, positions);
  EXPECT_EQ(kDataFields[0].Pointer(data), positions);
}

TEST(Fields, RowsOfArenaArraysFollowDataOrModel) {
  mjModel model = {};
  mjData data = {};
  model.nv = 5;
  data.nefc = 7;
  data.nidof = 3;
  EXPECT_EQ(ArenaField("efc_force").rows(model, data), 7);
  EXPECT_EQ(ArenaField("efc_KBIP").Count(model, data), 28u);
  EXPECT_EQ(ArenaField("dof_island").rows(model, data), 5);
  EXPECT_EQ(ArenaField("ifrc_smooth").rows(model, data), 3);
}

TEST(Fields, MembersOfOptionsCoverTheStruct) {
  // mjOption holds nothing but its listed members, up to padding at the end.
  size_t bytes = 0;
  for (const StructMember& member : kOptionFields) {
    EXPECT_EQ(member.offset, bytes) << member.name;
    bytes += member.Bytes();
  }
  EXPECT_LT(sizeof(mjOption) - bytes, alignof(mjOption));
}

}  // namespace
}  // namespace sinew
