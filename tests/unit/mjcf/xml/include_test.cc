#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "tests/unit/mjcf/folder.h"
#include "tests/unit/mjcf/read_helpers.h"

namespace sinew::mjcf {
namespace {

class Include : public testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) { folder_.Write(name, text); }
  std::unique_ptr<Spec> Load(const std::string& name) { return ReadXml(folder_.Path(name), nullptr); }
  std::string ErrorOfFile(const std::string& name) {
    try {
      Load(name);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  Folder folder_;
};

TEST_F(Include, ChildrenTakeItsPlace) {
  Write("main.xml",
        "<mujoco><worldbody><geom name='a'/><include file='parts/b.xml'/><geom name='d'/></worldbody></mujoco>");
  Write("parts/b.xml", "<anything><geom name='b'/><include file='c.xml'/></anything>");
  Write("parts/c.xml", "<anything><geom name='c'/></anything>");
  const auto spec = Load("main.xml");
  std::string names;
  for (const auto& geom : spec->world().geoms) names += geom->name;
  EXPECT_EQ(names, "abcd");
  EXPECT_TRUE(spec->world().geoms[2]->where.file.ends_with("c.xml"));
}

TEST_F(Include, MainFolderComesFirst) {
  Write("main.xml", "<mujoco><include file='parts/b.xml'/></mujoco>");
  Write("parts/b.xml", "<x><include file='c.xml'/></x>");
  Write("c.xml", "<x><option timestep='1'/></x>");
  Write("parts/c.xml", "<x><option timestep='2'/></x>");
  EXPECT_EQ(Load("main.xml")->option.timestep, 1);
}

// A virtual file system also finds files by their names alone; the file in the folder of the includer comes first.
TEST_F(Include, FilesOfOneNameInMemory) {
  const std::pair<const char*, std::string> files[] = {
      {"main.xml", "<mujoco><include file='parts/robot.xml'/></mujoco>"},
      {"parts/robot.xml", "<x><worldbody><geom name='a' size='1'/></worldbody><include file='more/robot.xml'/></x>"},
      {"parts/more/robot.xml", "<x><worldbody><geom name='b' size='1'/></worldbody></x>"}};
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  for (const auto& [name, text] : files) {
    Write(name, text);
    mj_addBufferVFS(&vfs, name, text.data(), static_cast<int>(text.size()));
  }
  EXPECT_EQ(Load("main.xml")->world().geoms.size(), 2u) << "on disk";
  EXPECT_EQ(ReadXml("main.xml", &vfs)->world().geoms.size(), 2u) << "in memory";
  mj_deleteVFS(&vfs);
}

TEST_F(Include, ErrorsNameTheIncludedFile) {
  Write("main.xml", "<mujoco><include file='b.xml'/></mujoco>");
  Write("b.xml", "<x>\n<option timestp='1'/></x>");
  ExpectParts(ErrorOfFile("main.xml"), {"b.xml:2: option: unknown attribute 'timestp'"});
}

TEST_F(Include, ErrorsOfTheCompilerNameTheIncludedFile) {
  Write("main.xml", "<mujoco><worldbody><include file='b.xml'/></worldbody></mujoco>");
  Write("b.xml", "<x>\n<body name='arm'>\n<geom name='palm'/></body></x>");
  const auto spec = Load("main.xml");
  try {
    Compile(*spec, nullptr);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_TRUE(error.where().file.ends_with("b.xml"));
    EXPECT_EQ(error.where().line, 3);
    EXPECT_EQ(error.where().element, "body 'arm' / geom 'palm'");
  }
}

// Names of assets lead to the same files, wherever the compiler starts from.
TEST_F(Include, AssetsBesideTheIncludedFile) {
  Write("main.xml", "<mujoco><include file='parts/b.xml'/><asset><mesh file='./parts/../a.stl'/></asset></mujoco>");
  Write("parts/b.xml", "<x><asset><mesh file='b.stl'/><mesh file='both.stl'/><mesh file='none.stl'/></asset></x>");
  for (const char* file : {"a.stl", "parts/b.stl", "both.stl", "parts/both.stl"}) Write(file, "");
  const auto spec = Load("main.xml");
  std::vector<std::string> files;
  for (const auto& mesh : spec->List<Mesh>()) files.push_back(*mesh->file);
  EXPECT_EQ(files, (std::vector<std::string>{folder_.Path("parts/b.stl"), "both.stl", "none.stl", "a.stl"}));
}

// A model that is named relative to the working folder keeps names relative to its own folder, or to meshdir.
TEST_F(Include, AssetsStayRelative) {
  Write("main.xml", "<mujoco><include file='parts/b.xml'/></mujoco>");
  Write("with_folder.xml", "<mujoco><compiler meshdir='m'/><include file='parts/b.xml'/></mujoco>");
  Write("parts/b.xml", "<x><asset><mesh file='b.stl'/></asset></x>");
  Write("parts/b.stl", "");
  namespace fs = std::filesystem;
  const fs::path before = fs::current_path(), folder = folder_.Path("");
  const fs::path name = folder.parent_path().filename();
  fs::current_path(folder.parent_path().parent_path());
  EXPECT_EQ(*ReadXml(name / "main.xml", nullptr)->List<Mesh>().front()->file, "parts/b.stl");
  EXPECT_EQ(*ReadXml(name / "with_folder.xml", nullptr)->List<Mesh>().front()->file, "../parts/b.stl");
  fs::current_path(before);
}

TEST_F(Include, Refusals) {
  Write("a.xml", "<mujoco><include/></mujoco>");
  Write("b.xml", "<mujoco><include file='none.xml'/></mujoco>");
  Write("c.xml", "<mujoco>\n<include file='empty.xml'/></mujoco>");
  Write("empty.xml", "<x/>");
  Write("d.xml", "<mujoco><include file='empty.xml'><option/></include></mujoco>");
  Write("e.xml", "<mujoco><include file='broken.xml'/></mujoco>");
  Write("broken.xml", "<x><y></x>");
  ExpectParts(ErrorOfFile("a.xml"), {"'file'"});
  ExpectParts(ErrorOfFile("b.xml"), {"cannot open the included file 'none.xml'"});
  ExpectParts(ErrorOfFile("c.xml"), {"c.xml:2", "is empty"});
  ExpectParts(ErrorOfFile("d.xml"), {"cannot have children"});
  ExpectParts(ErrorOfFile("e.xml"), {"broken.xml:1", "malformed XML"});
}

TEST_F(Include, LoopsAndRepetitions) {
  Write("self.xml", "<mujoco><include file='self.xml'/></mujoco>");
  Write("a.xml", "<mujoco><include file='b.xml'/></mujoco>");
  Write("b.xml", "<x><include file='./a.xml'/></x>");
  Write("twice.xml", "<mujoco><include file='c.xml'/><include file='parts/../c.xml'/></mujoco>");
  Write("c.xml", "<x><option/></x>");
  for (const char* file : {"self.xml", "a.xml", "twice.xml"}) ExpectParts(ErrorOfFile(file), {"already included"});
}

}  // namespace
}  // namespace sinew::mjcf
