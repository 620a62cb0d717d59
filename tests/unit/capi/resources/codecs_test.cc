#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "tests/unit/capi/error_trap.h"

namespace sinew {
namespace {

// ---- codecs of a format whose files say how many bodies a model has

int Accept(const mjResource*) { return 1; }
int Refuse(const mjResource*) { return 0; }
void Free(mjResource* resource) { std::free(resource->data); }

mjSpec* DecodeBodies(mjResource* resource, const mjVFS*) {
  const void* bytes = nullptr;
  const int size = mju_readResource(resource, &bytes);
  const int count = size > 0 ? std::atoi(std::string(static_cast<const char*>(bytes), 1).c_str()) : 0;
  if (count == 0) return nullptr;
  mjSpec* spec = mj_makeSpec();
  for (int i = 0; i < count; ++i) mjs_addBody(mjs_findBody(spec, "world"), nullptr);
  return spec;
}

// Writes the number of bodies below the world, nothing for a model without any, and fails without a model.
int EncodeBodies(const mjSpec*, const mjModel* model, const mjVFS*, mjResource* resource) {
  if (!model) return -1;
  if (model->nbody == 1) return 0;
  resource->data = strdup(std::to_string(model->nbody - 1).c_str());
  return 1;
}

// Registers for this media type and these extensions; returns the text of the error.
std::string AddDecoder(const char* type, const char* extension, mjfCanDecode can = Accept) {
  ErrorTrap trap;
  mjpDecoder decoder;
  mjp_defaultDecoder(&decoder);
  decoder.content_type = type;
  decoder.extension = extension;
  decoder.can_decode = can;
  decoder.decode = DecodeBodies;
  mjp_registerDecoder(&decoder);
  return ErrorTrap::text();
}
std::string AddEncoder(const char* type, const char* extension, mjfCloseResource close = Free) {
  ErrorTrap trap;
  mjpEncoder encoder;
  mjp_defaultEncoder(&encoder);
  encoder.content_type = type;
  encoder.extension = extension;
  encoder.encode = EncodeBodies;
  encoder.close_resource = close;
  mjp_registerEncoder(&encoder);
  return ErrorTrap::text();
}

const mjpDecoder* FindDecoder(std::string file, const char* type) {
  mjResource resource = {};
  resource.name = file.data();
  return mjp_findDecoder(&resource, type);
}

// Counts warnings while it lives.
class WarningTrap {
 public:
  WarningTrap() {
    count() = 0;
    mju_user_warning = [](const char*) { ++count(); };
  }
  ~WarningTrap() { mju_user_warning = nullptr; }
  static int& count() {
    static int warnings;
    return warnings;
  }
};

// A virtual file system with one file.
class OneFile {
 public:
  OneFile(const char* name, const std::string& content) {
    mj_defaultVFS(&vfs_);
    mj_addBufferVFS(&vfs_, name, content.data(), static_cast<int>(content.size()));
  }
  ~OneFile() { mj_deleteVFS(&vfs_); }
  const mjVFS* get() const { return &vfs_; }

 private:
  mjVFS vfs_;
};

// ---- look-up

TEST(DecoderTest, IsFoundByMediaTypeThenByExtension) {
  EXPECT_EQ(AddDecoder("test/found", ".fnd|.Other"), "");
  EXPECT_STREQ(FindDecoder("a", "Test/Found")->content_type, "test/found");
  EXPECT_STREQ(FindDecoder("dir.x/a.FND", "unknown/type")->extension, ".fnd");
  EXPECT_STREQ(FindDecoder("a.other", nullptr)->extension, ".Other");
  EXPECT_EQ(FindDecoder("a.fnd.gz", ""), nullptr);
  EXPECT_EQ(FindDecoder("a", ""), nullptr);
  EXPECT_EQ(mjp_findDecoder(nullptr, "test/found"), nullptr);
  const mjResource unnamed = {};
  EXPECT_EQ(mjp_findDecoder(&unnamed, "test/found"), nullptr);
}

TEST(DecoderTest, OneThatRefusesIsPassedOver) {
  AddDecoder("test/refused", nullptr, Refuse);
  AddDecoder(nullptr, ".rfs");
  EXPECT_EQ(FindDecoder("a", "test/refused"), nullptr);
  EXPECT_STREQ(FindDecoder("a.rfs", "test/refused")->extension, ".rfs");
}

TEST(DecoderTest, ANameBelongsToOneDecoder) {
  EXPECT_EQ(AddDecoder("test/one", ".one"), "");
  EXPECT_EQ(AddDecoder("test/one", ".one|.uno"), "") << "the same callbacks, another extension";
  EXPECT_NE(FindDecoder("a.uno", ""), nullptr);
  EXPECT_NE(AddDecoder("TEST/ONE", nullptr, Refuse).find("decoder 'TEST/ONE' is already registered"),
            std::string::npos);
  EXPECT_NE(AddDecoder(nullptr, ".one", Refuse).find("already registered"), std::string::npos);
  EXPECT_NE(AddDecoder("model/stl", nullptr).find("already registered"), std::string::npos) << "a built-in format";
}

TEST(DecoderTest, IncompleteOnesAreWarnings) {
  WarningTrap trap;
  AddDecoder(nullptr, nullptr);
  AddDecoder("", "");
  AddDecoder("test/none", ".none", nullptr);
  mjp_registerDecoder(nullptr);
  EXPECT_EQ(WarningTrap::count(), 4);
  EXPECT_EQ(FindDecoder("a.none", "test/none"), nullptr);
}

TEST(EncoderTest, IsFoundByMediaTypeThenByExtension) {
  EXPECT_EQ(AddEncoder("test/written", ".wrt|.wrt2"), "");
  EXPECT_STREQ(mjp_findEncoder(nullptr, "test/written")->content_type, "test/written");
  EXPECT_STREQ(mjp_findEncoder("a.WRT2", "unknown/type")->extension, ".wrt2");
  EXPECT_EQ(mjp_findEncoder("a.fnd", nullptr), nullptr);
  EXPECT_NE(AddEncoder("test/written", nullptr, [](mjResource*) {}).find("already registered"), std::string::npos);
  WarningTrap trap;
  EXPECT_EQ(mjp_findEncoder("a", ""), nullptr);
  AddEncoder("test/none", ".none", nullptr);
  EXPECT_EQ(WarningTrap::count(), 2);
}

// ---- reading

TEST(ParseTest, OtherFormatsAreReadByTheirDecoder) {
  AddDecoder("test/bodies", ".bodies");
  char error[200] = "untouched";
  for (const char* name : {"m.bodies", "m.txt"}) {
    const OneFile file(name, "3");
    mjSpec* spec = mj_parse(name, "test/bodies", file.get(), error, sizeof(error));
    ASSERT_NE(spec, nullptr) << error;
    EXPECT_STREQ(error, "");
    mjModel* model = mj_compile(spec, file.get());
    EXPECT_EQ(model->nbody, 4);
    mj_deleteModel(model);
    mj_deleteSpec(spec);
  }
}

TEST(ParseTest, ModelsOfOtherFormatsCanBeAttached) {
  AddDecoder("test/bodies", ".bodies");
  const OneFile file("m.bodies", "3");
  char error[200] = "";
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><asset><model name='m' file='m.bodies'/></asset>"
      "<worldbody><attach model='m' prefix='a_'/><attach model='m' prefix='b_'/></worldbody></mujoco>",
      file.get(), error, sizeof(error));
  ASSERT_NE(spec, nullptr) << error;
  mjModel* model = mj_compile(spec, nullptr);
  ASSERT_NE(model, nullptr) << mjs_getError(spec);
  EXPECT_EQ(model->nbody, 7);
  mj_deleteModel(model);
  mj_deleteSpec(spec);
}

TEST(ParseTest, XmlIsKnownByExtensionOrMediaType) {
  for (const char* name : {"m.XML", "m.txt"}) {
    const OneFile file(name, "<mujoco model='x'/>");
    mjSpec* spec = mj_parse(name, name == std::string("m.txt") ? "text/xml" : nullptr, file.get(), nullptr, 0);
    ASSERT_NE(spec, nullptr);
    EXPECT_STREQ(mjs_getString(spec->modelname), "x");
    mj_deleteSpec(spec);
  }
}

TEST(ParseTest, FaultsAreTexts) {
  AddDecoder("test/bodies", ".bodies");
  const OneFile file("bad.bodies", "none"), unknown("m.unknown", "3");
  char error[200];
  EXPECT_EQ(mj_parse("bad.bodies", nullptr, file.get(), error, sizeof(error)), nullptr);
  EXPECT_NE(std::strstr(error, "the decoder of 'bad.bodies' failed"), nullptr) << error;
  EXPECT_EQ(mj_parse("m.unknown", "", unknown.get(), error, sizeof(error)), nullptr);
  EXPECT_NE(std::strstr(error, "could not find a decoder for 'm.unknown'"), nullptr) << error;
  EXPECT_EQ(mj_parse("missing.bodies", nullptr, file.get(), error, sizeof(error)), nullptr);
  EXPECT_NE(std::strstr(error, "cannot open the file"), nullptr) << error;
  EXPECT_EQ(mj_parse(nullptr, nullptr, nullptr, error, sizeof(error)), nullptr);
}

TEST(DecodeResourceTest, ReadsWhatIsOpen) {
  AddDecoder("test/bodies", ".bodies");
  const OneFile file("m.bodies", "2"), unknown("m.unknown", "2");
  mjResource* resource = mju_openResource("", "m.bodies", file.get(), nullptr, 0);
  mjSpec* spec = mju_decodeResource(resource, nullptr, file.get());
  EXPECT_NE(spec, nullptr);
  mj_deleteSpec(spec);
  mju_closeResource(resource);

  WarningTrap trap;
  resource = mju_openResource("", "m.unknown", unknown.get(), nullptr, 0);
  EXPECT_EQ(mju_decodeResource(resource, "", nullptr), nullptr);
  EXPECT_EQ(mju_decodeResource(nullptr, "test/bodies", nullptr), nullptr);
  EXPECT_EQ(WarningTrap::count(), 2);
  mju_closeResource(resource);
}

TEST(DecodeResourceTest, BuiltInMeshFormatsAreDecodersToo) {
  const OneFile file("dir/tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  mjResource* resource = mju_openResource("dir", "tetra.obj", file.get(), nullptr, 0);
  mjSpec* spec = mju_decodeResource(resource, nullptr, file.get());
  ASSERT_NE(spec, nullptr);
  mjModel* model = mj_compile(spec, nullptr);
  ASSERT_NE(model, nullptr) << mjs_getError(spec);
  EXPECT_EQ(model->mesh_facenum[0], 4);
  EXPECT_STREQ(mj_id2name(model, mjOBJ_MESH, 0), "tetra");
  mj_deleteModel(model);
  mj_deleteSpec(spec);
  mju_closeResource(resource);

  const OneFile broken("x.stl", "12345");
  resource = mju_openResource("", "x.stl", broken.get(), nullptr, 0);
  WarningTrap trap;
  EXPECT_EQ(mju_decodeResource(resource, nullptr, nullptr), nullptr);
  EXPECT_EQ(WarningTrap::count(), 2) << "what is wrong with the file, and that it was not decoded";
  mju_closeResource(resource);
}

// ---- writing

TEST(EncodeTest, WritesAFile) {
  AddEncoder("test/written", ".wrt");
  AddDecoder("test/written", ".wrt");
  const std::string path = (std::filesystem::path(testing::TempDir()) / "codecs_test.wrt").string();
  mjSpec* spec = mj_makeSpec();
  char error[200];
  mjModel* empty = mj_compile(spec, nullptr);
  EXPECT_EQ(mj_encode(spec, empty, path.c_str(), nullptr, nullptr, error, sizeof(error)), 0) << error;
  EXPECT_TRUE(std::filesystem::is_empty(path));

  mjs_addBody(mjs_findBody(spec, "world"), nullptr);
  mjModel* model = mj_compile(spec, nullptr);
  EXPECT_EQ(mj_encode(spec, model, path.c_str(), nullptr, nullptr, error, sizeof(error)), 1) << error;
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "1");
  mjSpec* again = mj_parse(path.c_str(), nullptr, nullptr, error, sizeof(error));
  EXPECT_NE(again, nullptr) << error;
  std::filesystem::remove(path);

  EXPECT_EQ(mj_encode(spec, nullptr, path.c_str(), nullptr, nullptr, error, sizeof(error)), -1);
  EXPECT_NE(std::strstr(error, "failed"), nullptr) << error;
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(mj_encode(spec, model, "/nowhere/at/all.wrt", nullptr, nullptr, error, sizeof(error)), -1);
  EXPECT_NE(std::strstr(error, "cannot write the file"), nullptr) << error;
  EXPECT_EQ(mj_encode(spec, model, "x.unknown", "", nullptr, error, sizeof(error)), -1);
  EXPECT_NE(std::strstr(error, "no encoder found"), nullptr) << error;
  EXPECT_EQ(mj_encode(spec, model, nullptr, nullptr, nullptr, nullptr, 0), -1);
  for (mjModel* m : {empty, model}) mj_deleteModel(m);
  for (mjSpec* s : {spec, again}) mj_deleteSpec(s);
}

}  // namespace
}  // namespace sinew
