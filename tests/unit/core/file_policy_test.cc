// Files of models below a root folder: escapes are blocked, and the error says why.
#include "core/file_policy.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <sinew/sinew.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// outside/mesh.obj, and inside/ with a mesh, a link to the other, and models.
class FilePolicy : public testing::Test {
 protected:
  FilePolicy() : top_(fs::path(testing::TempDir()) / "file_policy"), root_(top_ / "inside") {
    fs::remove_all(top_);
    fs::create_directories(root_ / "meshes");
    fs::create_directories(top_ / "outside");
    fs::create_directories(top_ / "inside_too");
    for (const char* place : {"outside/mesh.obj", "inside/meshes/mesh.obj", "inside_too/mesh.obj"}) {
      std::ofstream(top_ / place) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    }
    fs::create_symlink(top_ / "outside/mesh.obj", root_ / "link.obj");
    fs::create_directory_symlink(top_ / "outside", root_ / "folder");
    std::ofstream(top_ / "outside/part.xml") << "<mujoco/>";
  }
  ~FilePolicy() override {
    SetFileRoot("");
    fs::remove_all(top_);
  }

  std::string Write(const std::string& content) {
    const fs::path path = root_ / "model.xml";
    std::ofstream(path) << content;
    return path.string();
  }
  std::string WriteMesh(const std::string& file) {
    return Write("<mujoco><asset><mesh file='" + file + "'/></asset></mujoco>");
  }
  // "" for a model that loads.
  std::string ErrorBelowRoot(const std::string& path) {
    try {
      Model::FromXml(path, {.root = root_.string()});
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  }
  void ExpectBlocked(const std::string& error) {
    EXPECT_NE(error.find("it is outside of '" + root_.string() + "'"), std::string::npos) << error;
  }

  fs::path top_, root_;
};

TEST_F(FilePolicy, WhatIsBelowIsRead) {
  for (const char* file : {"meshes/mesh.obj", "./meshes/../meshes/mesh.obj"})
    EXPECT_EQ(ErrorBelowRoot(WriteMesh(file)), "");
  EXPECT_EQ(ErrorBelowRoot(WriteMesh((root_ / "meshes/mesh.obj").string())), "") << "absolute";
}

TEST_F(FilePolicy, EscapesAreBlockedAndNamed) {
  for (const std::string& file :
       {std::string("../outside/mesh.obj"), (top_ / "outside/mesh.obj").string(), std::string("link.obj"),
        std::string("folder/mesh.obj"), std::string("../inside_too/mesh.obj"),
        std::string("meshes/../../outside/mesh.obj")}) {
    ExpectBlocked(ErrorBelowRoot(WriteMesh(file)));
  }
  ExpectBlocked(ErrorBelowRoot(Write("<mujoco><include file='../outside/part.xml'/></mujoco>")));
  ExpectBlocked(ErrorBelowRoot((top_ / "outside/part.xml").string()));
}

TEST_F(FilePolicy, DefaultIsNoBound) { EXPECT_NO_THROW(Model::FromXml(WriteMesh("../outside/mesh.obj"))); }

TEST_F(FilePolicy, TheRootOfTheProcessCountsWhereALoadHasNone) {
  const std::string path = WriteMesh("../outside/mesh.obj");
  sinew_setFileRoot(nullptr, (root_.string() + "/").c_str());
  EXPECT_THROW(Model::FromXml(path), ModelError);
  Files files;
  files.SetRoot(top_.string());
  EXPECT_NO_THROW(Model::FromXml(path, {.files = &files}));
  sinew_setFileRoot(nullptr, nullptr);
  EXPECT_NO_THROW(Model::FromXml(path));
}

TEST_F(FilePolicy, FilesInMemoryAreNotRestricted) {
  Files files;
  files.SetRoot(root_.string());
  files.Add("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  EXPECT_NO_THROW(Model::FromXml(WriteMesh("/elsewhere/mesh.obj"), {.files = &files}));
}

}  // namespace
}  // namespace sinew
