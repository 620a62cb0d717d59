// Choosing files, without the panel that shows it.
#include "viewer/file_dialog.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Purpose = FileDialog::Purpose;

class FileDialogTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "dialog_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    fs::create_directory(folder_ / "robots");
    for (const char* file : {"b.xml", "a.mjb", "c.urdf", "notes.txt", ".hidden.xml"})
      std::ofstream(folder_ / file) << 1;
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string Names(const FileDialog& dialog) {
    std::string names;
    for (const auto& entry : dialog.entries()) names += entry.name + (entry.is_folder ? "/ " : " ");
    return names;
  }

  fs::path folder_;
};

TEST_F(FileDialogTest, ShowsFoldersThenModels) {
  FileDialog dialog;
  dialog.Show(Purpose::kOpen, (folder_ / "b.xml").string());
  EXPECT_EQ(dialog.folder(), folder_);
  EXPECT_EQ(Names(dialog), "robots/ a.mjb b.xml c.urdf ");
  dialog.name = "robots";
  EXPECT_EQ(dialog.Accept(), "");
  EXPECT_EQ(dialog.folder(), folder_ / "robots");
  dialog.Enter("..");
  EXPECT_EQ(dialog.folder(), folder_);
  dialog.name = "c.urdf";
  EXPECT_EQ(dialog.Accept(), (folder_ / "c.urdf").string());
}

TEST_F(FileDialogTest, ProposesANameThatCanBeWritten) {
  FileDialog dialog;
  dialog.Show(Purpose::kSave, (folder_ / "c.urdf").string());
  EXPECT_EQ(Names(dialog), "robots/ a.mjb b.xml ");
  EXPECT_EQ(dialog.name, "c.xml");
  EXPECT_FALSE(dialog.WouldReplace());
  dialog.name = "b.xml";
  EXPECT_TRUE(dialog.WouldReplace());
  EXPECT_EQ(dialog.Accept(), (folder_ / "b.xml").string());
  dialog.Show(Purpose::kSave, "");
  EXPECT_EQ(dialog.name, "model.xml");
  EXPECT_EQ(dialog.folder(), fs::current_path());
}

TEST_F(FileDialogTest, SaysWhatIsWrong) {
  FileDialog dialog;
  dialog.Show(Purpose::kOpen, (folder_ / "b.xml").string());
  for (const char* name : {"", "gone.xml"}) {
    dialog.name = name;
    EXPECT_EQ(dialog.Accept(), "");
    EXPECT_NE(dialog.error(), "") << name;
  }
  dialog.Enter("nowhere");
  EXPECT_NE(dialog.error().find("nowhere"), std::string::npos);
  EXPECT_EQ(dialog.folder(), folder_) << "it stays";
  dialog.Show(Purpose::kSave, (folder_ / "b.xml").string());
  EXPECT_EQ(dialog.error(), "");
  dialog.name = "b.txt";
  EXPECT_EQ(dialog.Accept(), "");
  EXPECT_NE(dialog.error().find(".mjb"), std::string::npos);
}

TEST_F(FileDialogTest, BeginsInTheWorkingFolderWhereThereIsNoOther) {
  FileDialog dialog;
  dialog.Show(Purpose::kOpen, "/nowhere/model.xml");
  EXPECT_EQ(dialog.folder(), fs::current_path());
}

}  // namespace
}  // namespace sinew
