// Saved models find their assets from where they are saved.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPyramid = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// A scene and a robot, each in a folder of its own with assets of the same names; the robot's pyramid is twice as wide.
class Relocated : public testing::Test {
 protected:
  Relocated() : root_(fs::temp_directory_path() / ("sinew_relocate_" + std::to_string(getpid()))) {
    Write("scene/meshes/p.obj", kPyramid);
    Write("robot/shapes/p.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    Write("scene/scene.xml", Model("meshdir='meshes'", "scene"));
    Write("robot/robot.xml", Model("meshdir='shapes'", "robot"));
    Write("robot/stripped.xml", Model("meshdir='shapes' strippath='true'", "gone/"));
  }
  ~Relocated() override { fs::remove_all(root_); }

  static std::string Model(const std::string& settings, const std::string& name) {
    const std::string folder = name.ends_with('/') ? name : "";
    return "<mujoco model='" + name + "'><compiler " + settings + "/><asset><mesh name='m' file='" + folder +
           "p.obj'/></asset><worldbody><body name='b'><joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
  }

  std::string In(const std::string& path) const { return (root_ / path).string(); }
  void Write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  mjSpec* Parse(const std::string& path) {
    mjSpec* spec = mj_parseXML(In(path).c_str(), nullptr, error_, sizeof(error_));
    EXPECT_NE(spec, nullptr) << error_;
    return spec;
  }

  // Sum of all masses: 1/6 t for the scene's pyramid of density 1000, twice that for the robot's.
  double MassOf(const std::string& path) {
    mjModel* m = mj_loadXML(In(path).c_str(), nullptr, error_, sizeof(error_));
    EXPECT_NE(m, nullptr) << error_;
    const double mass = m ? mj_getTotalmass(m) : 0;
    mj_deleteModel(m);
    return mass;
  }

  // Attaches a robot to the scene and saves the result under each of these paths.
  void ExpectWholeAfterAttach(const std::string& scene, const std::string& robot, bool deep) {
    SCOPED_TRACE(scene + " with " + robot);
    mjSpec *parent = Parse(scene), *child = Parse(robot);
    mjs_setDeepCopy(parent, deep);
    mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), nullptr);
    ASSERT_NE(mjs_attach(frame->element, mjs_findBody(child, "b")->element, "x_", ""), nullptr) << mjs_getError(parent);
    mjModel* m = mj_compile(parent, nullptr);
    ASSERT_NE(m, nullptr) << mjs_getError(parent);
    const double mass = mj_getTotalmass(m);
    EXPECT_GT(mass, 400);
    mj_deleteModel(m);
    for (const char* place : {"scene/saved.xml", "saved.xml", "far/away/saved.xml", "robot/saved.xml"}) {
      fs::create_directories((root_ / place).parent_path());
      ASSERT_EQ(mj_saveXML(parent, In(place).c_str(), error_, sizeof(error_)), 0) << error_;
      EXPECT_NEAR(MassOf(place), mass, 1e-9) << place;
    }
    // A text is one for the folder of the model.
    char text[10000];
    ASSERT_EQ(mj_saveXMLString(parent, text, sizeof(text), error_, sizeof(error_)), 0) << error_;
    const std::string beside = (fs::path(scene).parent_path() / "text.xml").string();
    Write(beside, text);
    EXPECT_NEAR(MassOf(beside), mass, 1e-9);
    mj_deleteSpec(parent);
    mj_deleteSpec(child);
  }

  const fs::path root_;
  char error_[1000] = "";
};

TEST_F(Relocated, AModelAfterAnAttach) {
  for (const bool deep : {false, true}) {
    ExpectWholeAfterAttach("scene/scene.xml", "robot/robot.xml", deep);
    ExpectWholeAfterAttach("scene/scene.xml", "robot/stripped.xml", deep);
    ExpectWholeAfterAttach("robot/stripped.xml", "scene/scene.xml", deep);
  }
}

// Parses a text from a folder that has nothing to do with the models, as programs do that edit it.
TEST_F(Relocated, ATextWithoutFilesOfItsOwnIsReadAnywhere) {
  Write("scene/floor.xml", "<mujoco><compiler assetdir='none'/></mujoco>");
  for (const char* robot : {"robot/robot.xml", "robot/stripped.xml"}) {
    for (const char* folder : {"", "set"}) {
      mjSpec *parent = Parse("scene/floor.xml"), *child = Parse(robot);
      mjs_setDeepCopy(parent, true);
      mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), nullptr);
      ASSERT_NE(mjs_attach(frame->element, mjs_findBody(child, "b")->element, "x_", ""), nullptr);
      if (*folder) mjs_setString(parent->compiler.meshdir, In("robot/shapes").c_str());
      mjModel* m = mj_compile(parent, nullptr);
      ASSERT_NE(m, nullptr) << mjs_getError(parent);
      const double mass = mj_getTotalmass(m);
      mj_deleteModel(m);
      char text[10000];
      ASSERT_EQ(mj_saveXMLString(parent, text, sizeof(text), error_, sizeof(error_)), 0) << error_;
      Write("far/away/text.xml", text);
      EXPECT_NEAR(MassOf("far/away/text.xml"), mass, 1e-9) << robot << "\n" << text;
      // a folder that a program has set for these files stays
      EXPECT_EQ(std::string(text).find("meshdir") != std::string::npos,
                *folder && robot == std::string("robot/robot.xml"));
      mj_deleteSpec(parent);
      mj_deleteSpec(child);
    }
  }
}

TEST_F(Relocated, TheLastModel) {
  const double mass = MassOf("scene/scene.xml");
  fs::create_directories(root_ / "far/away");
  ASSERT_EQ(mj_saveLastXML(In("far/away/last.xml").c_str(), nullptr, error_, sizeof(error_)), 1) << error_;
  EXPECT_NEAR(MassOf("far/away/last.xml"), mass, 1e-9);
}

// Beside its source, a model is saved with the names that it had.
TEST_F(Relocated, NamesThatLeadThereStay) {
  mjSpec* spec = Parse("scene/scene.xml");
  mj_deleteModel(mj_compile(spec, nullptr));
  ASSERT_EQ(mj_saveXML(spec, In("scene/saved.xml").c_str(), error_, sizeof(error_)), 0) << error_;
  std::ifstream file(root_ / "scene/saved.xml");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(text.find("meshdir=\"meshes/\""), std::string::npos) << text;
  EXPECT_NE(text.find("file=\"p.obj\""), std::string::npos) << text;
  EXPECT_STREQ(mjs_getString(spec->compiler.meshdir), "meshes") << "the specification is as it was";
  mj_deleteSpec(spec);
}

// Files in memory have no other place: their names stay.
TEST_F(Relocated, FilesInMemory) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  ASSERT_EQ(mj_addBufferVFS(&vfs, "meshes/q.obj", kPyramid, static_cast<int>(std::string(kPyramid).size())), 0);
  const std::string xml =
      "<mujoco><compiler meshdir='meshes'/><asset><mesh name='m' file='q.obj'/></asset><worldbody><body><joint/>"
      "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
  mjSpec* spec = mj_parseXMLString(xml.c_str(), &vfs, error_, sizeof(error_));
  ASSERT_NE(spec, nullptr) << error_;
  mjModel* m = mj_compile(spec, &vfs);
  ASSERT_NE(m, nullptr) << mjs_getError(spec);
  mj_deleteModel(m);
  ASSERT_EQ(mj_saveXML(spec, In("scene/memory.xml").c_str(), error_, sizeof(error_)), 0) << error_;
  std::ifstream file(root_ / "scene/memory.xml");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(text.find("meshdir=\"meshes/\""), std::string::npos) << text;
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
}

}  // namespace
}  // namespace sinew
