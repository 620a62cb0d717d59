// Texts, structures and sizes that programs give: what is missing or was never ours is answered, not followed.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "tests/unit/capi/error_trap.h"

namespace sinew {
namespace {

TEST(NullTextTest, IsAnErrorInTheBuffer) {
  char error[200] = "";
  EXPECT_EQ(mj_parseXML(nullptr, nullptr, error, sizeof(error)), nullptr);
  EXPECT_NE(std::strstr(error, "'filename' is null"), nullptr) << error;
  EXPECT_EQ(mj_loadXML(nullptr, nullptr, error, sizeof(error)), nullptr);
  EXPECT_NE(std::strstr(error, "'filename' is null"), nullptr) << error;
  EXPECT_EQ(mj_parseXMLString(nullptr, nullptr, error, sizeof(error)), nullptr);
  EXPECT_NE(std::strstr(error, "'xml' is null"), nullptr) << error;
  EXPECT_EQ(mj_parse(nullptr, nullptr, nullptr, error, sizeof(error)), nullptr);
  EXPECT_EQ(mj_parseXML(nullptr, nullptr, nullptr, 0), nullptr);
}

TEST(NullTextTest, IsAWarningWhereFilesAreOpened) {
  static std::string warning;
  mju_user_warning = [](const char* text) { warning = text; };
  EXPECT_EQ(mj_loadModel(nullptr, nullptr), nullptr);
  EXPECT_NE(warning.find("'filename' is null"), std::string::npos) << warning;
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  EXPECT_EQ(mj_addFileVFS(&vfs, nullptr, nullptr), -1);
  mjpResourceProvider provider = {};
  provider.prefix = "x";
  provider.open = [](mjResource*) { return 1; };
  provider.read = [](mjResource*, const void**) { return 0; };
  provider.close = [](mjResource*) {};
  EXPECT_EQ(mj_mountVFS(&vfs, nullptr, &provider), -1);
  mj_deleteVFS(&vfs);
  mju_user_warning = nullptr;
}

// ---- resources that a program fills in itself

int ModifiedBySeven(const mjResource*, const char*) { return 7; }

TEST(OwnResourceTest, HasAFolder) {
  const auto folder = [](const char* name, const mjpResourceProvider* provider) {
    std::string copy(name);
    mjResource resource = {};
    resource.name = copy.data();
    resource.provider = provider;
    const char* dir = nullptr;
    int ndir = -1;
    mju_getResourceDir(&resource, &dir, &ndir);
    return std::string(dir, static_cast<size_t>(ndir));
  };
  mjpResourceProvider provider = {};
  provider.prefix = "p";
  EXPECT_EQ(folder("a/b", nullptr), "a/");
  EXPECT_EQ(folder("a\\b", nullptr), "a\\");
  EXPECT_EQ(folder("a", nullptr), "");
  EXPECT_EQ(folder("p:a", &provider), "p:");
  EXPECT_EQ(folder("p:a/b", &provider), "p:a/");
  EXPECT_EQ(folder("", &provider), "");  // shorter than the prefix
  mjResource nameless = {};
  const char* dir = nullptr;
  int ndir = -1;
  mju_getResourceDir(&nameless, &dir, &ndir);
  EXPECT_EQ(ndir, 0);
}

TEST(OwnResourceTest, CannotBeReadAndIsModified) {
  char name[] = "a/b";
  mjResource resource = {};
  resource.name = name;
  const void* content = nullptr;
  EXPECT_EQ(mju_readResource(&resource, &content), -1);
  EXPECT_EQ(mju_readResource(&resource, nullptr), -1);
  EXPECT_EQ(mju_readResource(nullptr, &content), -1);
  EXPECT_EQ(mju_isModifiedResource(&resource, "then"), 1);
  EXPECT_EQ(mju_isModifiedResource(&resource, nullptr), 1);
  EXPECT_EQ(mju_isModifiedResource(nullptr, nullptr), 1);
  mju_closeResource(&resource);  // not ours to free

  mjpResourceProvider provider = {};
  resource.provider = &provider;
  EXPECT_EQ(mju_isModifiedResource(&resource, "then"), 1);
  provider.modified = ModifiedBySeven;
  EXPECT_EQ(mju_isModifiedResource(&resource, "then"), 7);

  char mesh[] = "mesh.obj";
  resource.name = mesh;
  mju_user_warning = [](const char*) {};
  EXPECT_EQ(mju_decodeResource(&resource, nullptr, nullptr), nullptr);
  mju_user_warning = nullptr;
}

// ---- arrays without elements, and fewer

TEST(EmptyArrayTest, NeedsNoPointer) {
  mjSpec* s = mj_makeSpec();
  mjsTuple* tuple = mjs_addTuple(s);
  mjsNumeric* numeric = mjs_addNumeric(s);
  mjs_setDouble(numeric->data, nullptr, 0);
  mjs_setInt(tuple->objtype, nullptr, 0);
  {
    const ErrorTrap trap;
    mjs_setDouble(numeric->data, nullptr, 2);
    EXPECT_NE(trap.text().find("'array' is null"), std::string::npos);
    const double value = 1;
    mjs_setDouble(numeric->data, &value, -1);
    EXPECT_NE(trap.text().find("'size' is -1"), std::string::npos);
  }
  mj_deleteSpec(s);
}

// ---- models that no world can be made for

TEST(MakeDataTest, SizesWithoutSenseAreAWarning) {
  static int warnings;
  char error[200] = "";
  mjSpec* s = mj_parseXMLString("<mujoco/>", nullptr, error, sizeof(error));
  mjModel* m = mj_compile(s, nullptr);
  mj_deleteSpec(s);
  warnings = 0;
  mju_user_warning = [](const char*) { ++warnings; };
  const ErrorTrap trap;
  for (mjtSize mjModel::*size : {&mjModel::nq, &mjModel::nbody, &mjModel::nmocap, &mjModel::nsensordata,
                                 &mjModel::nhistory, &mjModel::nplugin, &mjModel::narena}) {
    const mjtSize kept = m->*size;
    m->*size = -1;
    EXPECT_EQ(mj_makeData(m), nullptr);
    m->*size = kept;
  }
  mju_user_warning = nullptr;
  EXPECT_EQ(warnings, 7);
  EXPECT_EQ(trap.text(), "");
  mj_deleteModel(m);
}

// ---- models that change while worlds live

TEST(RecompiledModelTest, RefusesTheWorldsThatItHadBefore) {
  mjSpec* s = mj_makeSpec();
  mjModel* m = mj_compile(s, nullptr);
  mjData *d = mj_makeData(m), *before = mj_makeData(m);
  mj_step(m, before);
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), nullptr);
  mjs_addGeom(body, nullptr)->size[0] = 0.1;
  mjs_addFreeJoint(body);
  {
    const ErrorTrap trap;
    ASSERT_EQ(mj_recompile(s, nullptr, m, d), 0);
    mj_step(m, d);
    EXPECT_EQ(trap.text(), "");
    mj_step(m, before);
    EXPECT_NE(trap.text().find("'d' was made for another model"), std::string::npos) << trap.text();
  }
  mj_deleteData(d);
  mj_deleteData(before);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

}  // namespace
}  // namespace sinew
