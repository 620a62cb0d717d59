#include "model/kinds/names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/model/small_model.h"

namespace sinew {
namespace {

TEST(NamesTest, FindsObjectsByNameAndBack) {
  const ModelPtr m = MakeSmallModel();
  EXPECT_EQ(Name2Id(*m, mjOBJ_BODY, "world"), 0);
  EXPECT_EQ(Name2Id(*m, mjOBJ_BODY, "b"), 2);
  EXPECT_EQ(Name2Id(*m, mjOBJ_XBODY, "b"), 2);
  EXPECT_EQ(Name2Id(*m, mjOBJ_JOINT, "hinge"), 0);
  EXPECT_STREQ(Id2Name(*m, mjOBJ_BODY, 1), "a");
  EXPECT_STREQ(Id2Name(*m, mjOBJ_JOINT, 0), "hinge");
}

TEST(NamesTest, WhatDoesNotExistHasNoIdAndNoName) {
  const ModelPtr m = MakeSmallModel();
  EXPECT_EQ(Name2Id(*m, mjOBJ_BODY, "c"), -1);
  EXPECT_EQ(Name2Id(*m, mjOBJ_BODY, ""), -1);
  EXPECT_EQ(Name2Id(*m, mjOBJ_GEOM, "a"), -1);
  EXPECT_EQ(Name2Id(*m, mjOBJ_DOF, "hinge"), -1);
  EXPECT_EQ(Name2Id(*m, 1000, "a"), -1);
  EXPECT_EQ(Id2Name(*m, mjOBJ_GEOM, 0), nullptr) << "unnamed";
  EXPECT_EQ(Id2Name(*m, mjOBJ_BODY, 3), nullptr);
  EXPECT_EQ(Id2Name(*m, mjOBJ_BODY, -1), nullptr);
  EXPECT_EQ(Id2Name(*m, mjOBJ_DOF, 0), nullptr);
}

// Three bodies hash to the slots 1, 4, 1 of 6; the table is part of the file format.
TEST(NamesTest, HashTableIsThatOfTheFormat) {
  const ModelPtr m = MakeSmallModel();
  const std::vector<int> block(m->names_map, m->names_map + 6);
  EXPECT_EQ(block, (std::vector<int>{-1, 0, 2, -1, 1, -1}));
}

TEST(NamesTest, FullTableEndsTheSearch) {
  const ModelPtr m = MakeSmallModel();
  std::fill_n(m->names_map, 6, 1);
  EXPECT_EQ(Name2Id(*m, mjOBJ_BODY, "c"), -1);
}

// Programs may write to these arrays: what leads out of them is no name.
TEST(NamesTest, OverwrittenPlacesNameNothing) {
  const ModelPtr m = MakeSmallModel();
  for (const int address : {1000000000, static_cast<int>(m->nnames), -1}) {
    m->name_bodyadr[1] = address;
    EXPECT_EQ(Id2Name(*m, mjOBJ_BODY, 1), nullptr) << address;
    EXPECT_EQ(Name2Id(*m, mjOBJ_BODY, "a"), -1) << address;
  }
  std::fill_n(m->names_map, 6, 1000000000);
  EXPECT_EQ(Name2Id(*m, mjOBJ_BODY, "b"), -1);
  m->names[m->nnames - 1] = 'x';
  EXPECT_EQ(Id2Name(*m, mjOBJ_JOINT, 0), nullptr) << "a text without an end";
}

TEST(NamesTest, TypesHaveNames) {
  EXPECT_STREQ(TypeToString(mjOBJ_XBODY), "xbody");
  EXPECT_STREQ(TypeToString(mjOBJ_FRAME), "frame");
  EXPECT_EQ(TypeToString(mjOBJ_UNKNOWN), nullptr);
  EXPECT_EQ(TypeToString(mjNOBJECT), nullptr);
  for (int type = 1; type < mjNOBJECT; ++type) EXPECT_EQ(StringToType(TypeToString(type)), type);
  EXPECT_EQ(StringToType("frame"), mjOBJ_UNKNOWN);
  EXPECT_EQ(StringToType("nonsense"), mjOBJ_UNKNOWN);
  EXPECT_EQ(StringToType(nullptr), mjOBJ_UNKNOWN);
}

}  // namespace
}  // namespace sinew
