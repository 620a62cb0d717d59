#include "model/files/mjb.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "core/error.h"
#include "model/storage/data.h"
#include "model/view/fields.h"
#include "tests/unit/model/small_model.h"

namespace sinew {
namespace {

constexpr size_t kHeaderBytes = 5 * sizeof(int);

std::vector<char> Write(const mjModel& m) {
  std::vector<char> file(MjbSize(m));
  WriteMjb(m, file.data(), file.size());
  return file;
}

std::string ErrorOf(const std::vector<char>& file) {
  try {
    ReadMjb(file.data(), file.size());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Place of an array in the file.
size_t OffsetOf(const mjModel& m, const char* name) {
  size_t offset =
      kHeaderBytes + std::size(kModelSizes) * sizeof(mjtSize) + sizeof(m.opt) + sizeof(m.vis) + sizeof(m.stat);
  for (const ModelArray& array : kModelFields) {
    if (std::strcmp(array.name, name) == 0) return offset;
    offset += array.Bytes(m);
  }
  ADD_FAILURE() << "no array " << name;
  return 0;
}

TEST(MjbTest, HeaderIsThatOfTheFormat) {
  const std::vector<char> file = Write(*MakeSmallModel());
  int header[5];
  std::memcpy(header, file.data(), sizeof(header));
  // format, bytes of a number, sizes, version, arrays: facts of release 3.8.0
  const int expected[] = {54321, 8, 91, 3008000, 471};
  EXPECT_TRUE(std::equal(header, header + 5, expected));
}

TEST(MjbTest, RoundTripsInMemory) {
  const ModelPtr m = MakeSmallModel();
  const std::vector<char> file = Write(*m);
  const ModelPtr read = ReadMjb(file.data(), file.size());
  EXPECT_EQ(read->qpos0[0], 0.25);
  EXPECT_EQ(read->nbuffer, m->nbuffer);
  EXPECT_EQ(Name2Id(*read, mjOBJ_JOINT, "hinge"), 0);
  EXPECT_EQ(Write(*read), file);
}

TEST(MjbTest, AJointMayHaveSeveralActuatorsWithDamping) {
  const ModelPtr m = MakeSmallModel();
  m->jnt_actuatorid[0] = -2;
  const std::vector<char> file = Write(*m);
  EXPECT_EQ(ReadMjb(file.data(), file.size())->jnt_actuatorid[0], -2);
}

TEST(MjbTest, RoundTripsThroughAFile) {
  const ModelPtr m = MakeSmallModel();
  const std::string path = testing::TempDir() + "sinew_mjb_test.mjb";
  WriteMjbFile(*m, path.c_str());
  EXPECT_EQ(Write(*ReadMjbFile(path.c_str(), nullptr)), Write(*m));
  std::filesystem::remove(path);
}

TEST(MjbTest, MissingFileAndUnwritablePathAreErrors) {
  EXPECT_THROW(ReadMjbFile("/nonexistent/model.mjb", nullptr), Error);
  EXPECT_THROW(WriteMjbFile(*MakeSmallModel(), "/nonexistent/model.mjb"), Error);
}

TEST(MjbTest, SmallBufferIsRefused) {
  const ModelPtr m = MakeSmallModel();
  std::vector<char> file(MjbSize(*m) - 1);
  EXPECT_THROW(WriteMjb(*m, file.data(), file.size()), Error);
}

TEST(MjbTest, EveryTruncationIsRefused) {
  const std::vector<char> file = Write(*MakeSmallModel());
  for (size_t size = 0; size < file.size(); size += 97) {
    EXPECT_THROW(ReadMjb(file.data(), size), Error) << size;
  }
  EXPECT_THROW(ReadMjb(file.data(), file.size() - 1), Error);
}

TEST(MjbTest, TruncationNamesTheArray) {
  const ModelPtr m = MakeSmallModel();
  std::vector<char> file = Write(*m);
  file.resize(OffsetOf(*m, "qpos_spring"));
  EXPECT_EQ(ErrorOf(file), "Truncated model file - ran out of data while reading qpos_spring");
}

TEST(MjbTest, BytesBehindTheModelAreRefused) {
  std::vector<char> file = Write(*MakeSmallModel());
  file.push_back(0);
  EXPECT_EQ(ErrorOf(file), "Model file is too large");
}

TEST(MjbTest, WrongHeaderIsRefused) {
  for (int i = 0; i < 5; ++i) {
    std::vector<char> file = Write(*MakeSmallModel());
    ++file[static_cast<size_t>(i) * sizeof(int)];
    EXPECT_NE(ErrorOf(file), "") << i;
  }
}

// A huge count must be found by comparing it with the length of the file, not by an attempt to allocate.
TEST(MjbTest, WrongSizesAreRefused) {
  const std::vector<char> good = Write(*MakeSmallModel());
  for (size_t i = 0; i < std::size(kModelSizes); ++i) {
    for (const mjtSize wrong : {mjtSize{-2}, mjtSize{1} << 62}) {
      // The arena is no part of the file: mj_makeData finds that it cannot be had.
      if (kModelSizes[i].member == &mjModel::narena && wrong > 0) continue;
      std::vector<char> file = good;
      std::memcpy(file.data() + kHeaderBytes + i * sizeof(mjtSize), &wrong, sizeof(wrong));
      EXPECT_NE(ErrorOf(file), "") << kModelSizes[i].name << " = " << wrong;
    }
  }
}

TEST(MjbTest, HugeArenaIsRefusedWhenAWorldIsMade) {
  const ModelPtr m = MakeSmallModel();
  mju_user_malloc = [](size_t bytes) { return bytes < (size_t{1} << 40) ? std::aligned_alloc(64, bytes) : nullptr; };
  m->narena = mjtSize{1} << 62;
  EXPECT_THROW(MakeData(*m), Error);
  mju_user_malloc = nullptr;
}

TEST(MjbTest, OptionsThatSelectNothingAreRefused) {
  for (int mjOption::*option : {&mjOption::integrator, &mjOption::cone, &mjOption::jacobian, &mjOption::solver}) {
    for (const int wrong : {-1, 4}) {
      // 4 is the integrator `discrete`
      if (option == &mjOption::integrator && wrong == 4) continue;
      const ModelPtr m = MakeSmallModel();
      m->opt.*option = wrong;
      EXPECT_NE(ErrorOf(Write(*m)).find("option"), std::string::npos) << wrong;
    }
  }
}

TEST(MjbTest, MocapBodiesMayBeTheirOwnWelds) {
  const ModelPtr m = MakeSmallModel();
  m->body_weldid[2] = 2;
  EXPECT_EQ(ErrorOf(Write(*m)), "");
  m->body_weldid[2] = 1;
  EXPECT_NE(ErrorOf(Write(*m)).find("body_weldid"), std::string::npos);
}

struct BadReference {
  const char* array;
  int value;
};

class BadReferenceTest : public testing::TestWithParam<BadReference> {};

TEST_P(BadReferenceTest, IsRefusedByName) {
  const ModelPtr m = MakeSmallModel();
  std::vector<char> file = Write(*m);
  ASSERT_EQ(ErrorOf(file), "");
  const auto [array, value] = GetParam();
  std::memcpy(file.data() + OffsetOf(*m, array), &value, sizeof(value));
  EXPECT_NE(ErrorOf(file).find(array), std::string::npos) << ErrorOf(file);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadReferenceTest,
    testing::Values(BadReference{"body_parentid", 2}, BadReference{"body_mocapid", 1}, BadReference{"body_jntnum", -1},
                    BadReference{"body_geomnum", -5}, BadReference{"jnt_type", 4}, BadReference{"jnt_qposadr", 1},
                    BadReference{"jnt_dofadr", -1}, BadReference{"jnt_bodyid", 3}, BadReference{"dof_parentid", 0},
                    BadReference{"dof_Madr", 1}, BadReference{"geom_type", 200}, BadReference{"geom_condim", 2},
                    BadReference{"geom_dataid", 0}, BadReference{"eq_type", 9}, BadReference{"eq_obj1id", 1},
                    BadReference{"actuator_trntype", 17}, BadReference{"actuator_trnid", 1},
                    BadReference{"actuator_actadr", 1}, BadReference{"actuator_history", 4},
                    BadReference{"sensor_type", 49}, BadReference{"sensor_objtype", mjOBJ_GEOM},
                    BadReference{"sensor_dim", 0}, BadReference{"sensor_adr", 1}, BadReference{"M_colind", 1},
                    BadReference{"D_diag", 1}, BadReference{"body_rootid", 1}, BadReference{"body_weldid", 1},
                    BadReference{"tree_dofnum", 0}, BadReference{"dof_simplenum", 2}, BadReference{"B_rownnz", 0},
                    BadReference{"names_map", 3}, BadReference{"name_jntadr", 32}),
    [](const auto& test) {
      const int value = test.param.value;
      return std::string(test.param.array) + "_" + (value < 0 ? "minus" : "") +
             std::to_string(value < 0 ? -value : value);
    });

}  // namespace
}  // namespace sinew
