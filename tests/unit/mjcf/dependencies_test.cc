#include "mjcf/dependencies.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/unit/mjcf/folder.h"

namespace sinew {
namespace {

class Dependencies : public testing::Test {
 protected:
  // The names relative to the folder.
  std::vector<std::string> Of(const std::string& name) const {
    std::vector<std::string> names = mjcf::XmlDependencies(folder_.Path(name));
    for (std::string& path : names) {
      if (path.starts_with(folder_.Path(""))) path.erase(0, folder_.Path("").size());
    }
    return names;
  }

  Folder folder_;
};

using Names = std::vector<std::string>;

TEST_F(Dependencies, AreIncludesThenAssetsInTheirFolders) {
  folder_.Write("a.xml", R"(<mujoco><compiler assetdir="assets" texturedir="pictures"/><include file="sub/b.xml"/>
      <asset><mesh file="m.obj"/><mesh file="m.obj"/><mesh file="/abs/n.obj"/><mesh vertex="0 0 0"/>
      <hfield name="h" file="../heights_of_this_test.png"/><skin file="s.skn"/>
      <texture file="t.png"/><texture fileup="up.png" fileback="back.png"/></asset>
      <worldbody><body><flexcomp name="f" file="f.obj"/></body></worldbody></mujoco>)");
  folder_.Write("sub/b.xml", R"(<mujoco><include file="c.xml"/></mujoco>)");
  folder_.Write("sub/c.xml", R"(<mujoco><option timestep="1"/></mujoco>)");
  EXPECT_EQ(Of("a.xml"),
            Names({"a.xml", "sub/b.xml", "sub/c.xml", "assets/m.obj", "/abs/n.obj", "heights_of_this_test.png",
                   "assets/s.skn", "pictures/t.png", "pictures/up.png", "pictures/back.png", "assets/f.obj"}));
}

TEST_F(Dependencies, AssetsOfIncludedFilesMayStandBesideThem) {
  folder_.Write("a.xml", R"(<mujoco><compiler meshdir="assets"/><include file="sub/b.xml"/></mujoco>)");
  folder_.Write("sub/b.xml", R"(<mujoco><asset><mesh file="here.obj"/><mesh file="there.obj"/></asset></mujoco>)");
  folder_.Write("sub/here.obj", "");
  EXPECT_EQ(Of("a.xml"), Names({"a.xml", "sub/b.xml", "sub/here.obj", "assets/there.obj"}));
}

TEST_F(Dependencies, FoldersInNamesAreStripped) {
  folder_.Write("a.xml", R"(<mujoco><compiler strippath="true"/><asset><mesh file="x/y.obj"/></asset></mujoco>)");
  EXPECT_EQ(Of("a.xml"), Names({"a.xml", "y.obj"}));
}

TEST_F(Dependencies, ModelsBringTheirsOnce) {
  folder_.Write("a.xml", R"(<mujoco><compiler meshdir="mine"/><asset><model file="sub/b.xml"/><mesh file="m.obj"/>
      <model file="sub/b.xml"/></asset></mujoco>)");
  folder_.Write("sub/b.xml", R"(<mujoco><compiler meshdir="its"/><asset><mesh file="m.obj"/><model file="../a.xml"/>
      </asset></mujoco>)");
  EXPECT_EQ(Of("a.xml"), Names({"a.xml", "sub/b.xml", "sub/its/m.obj", "mine/m.obj"}));
}

TEST_F(Dependencies, DocumentsThatCannotBeReadAreErrors) {
  EXPECT_THROW(Of("a.xml"), Error);
  folder_.Write("a.xml", R"(<mujoco><include file="b.xml"/></mujoco>)");
  EXPECT_THROW(Of("a.xml"), Error);
  folder_.Write("a.xml", R"(<mujoco><asset><model file="b.xml"/></asset></mujoco>)");
  EXPECT_THROW(Of("a.xml"), Error);
  folder_.Write("b.xml", "<mujoco");
  EXPECT_THROW(Of("a.xml"), Error);
}

}  // namespace
}  // namespace sinew
