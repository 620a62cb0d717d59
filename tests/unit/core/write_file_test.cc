// Files that are written, and the texts of errors and logs.
#include "core/write_file.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <sinew/text.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "core/error.h"

namespace sinew {
namespace {

std::string ErrorOfWriting(const std::string& path, const std::string& content) {
  try {
    WriteFile(path, content);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(WriteFile, ReplacesAFile) {
  const std::string path = testing::TempDir() + "write_file_test";
  WriteFile(path, "a longer text");
  WriteFile(path, std::string("a\0b", 3));
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(text.str(), std::string("a\0b", 3));
  std::remove(path.c_str());
}

TEST(WriteFile, TellsWhyItFails) {
  EXPECT_NE(ErrorOfWriting("/dev/full", "x").find("No space"), std::string::npos) << "at the end";
  EXPECT_NE(ErrorOfWriting("/dev/full", std::string(1 << 20, 'x')).find("No space"), std::string::npos) << "on the way";
  EXPECT_NE(ErrorOfWriting("/nowhere/x", "x").find("check that its folder exists"), std::string::npos);
}

// Functions of the interface that write: each notices a full disk.
TEST(WriteFile, EveryWriterNoticesAFullDisk) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString("<mujoco/>", nullptr, error, sizeof(error));
  mjModel* m = mj_compile(spec, nullptr);
  ASSERT_NE(m, nullptr);
  EXPECT_NE(mj_saveXML(spec, "/dev/full", error, sizeof(error)), 0);
  EXPECT_NE(std::string(error).find("No space"), std::string::npos) << error;
  EXPECT_EQ(mj_printSchema("/dev/full", nullptr, 0, 0, 0), -1);
  static std::string warning;
  mju_user_warning = [](const char* text) { warning = text; };
  mj_printModel(m, "/dev/full");
  EXPECT_NE(warning.find("No space"), std::string::npos) << warning;
  mju_user_warning = nullptr;
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

TEST(Printable, EscapesWhatSteersATerminal) {
  EXPECT_EQ(Printable("plain \xc3\xa4\t\n"), "plain \xc3\xa4\t\n");
  EXPECT_EQ(Printable("a\x1b[2Jb\x7f\r"), "a\\x1b[2Jb\\x7f\\x0d");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(Printable("a\nb", Lines::kEscaped), "a\\x0ab");
  EXPECT_EQ(Printable("\xc2"), "\xc2");
}

TEST(Printable, IsWhatErrorsAre) {
  const Error error("problem\x1b", "remedy\n", {"file\x1b", 3, "geom '\n'"});
  EXPECT_STREQ(error.what(), "file\\x1b:3: geom '\\x0a': problem\\x1b; remedy\\x0a");
}

}  // namespace
}  // namespace sinew
