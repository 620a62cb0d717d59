// A folder for the files of a test, gone with it.
#ifndef SINEW_TESTS_UNIT_MJCF_FOLDER_H_
#define SINEW_TESTS_UNIT_MJCF_FOLDER_H_

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace sinew {

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sinew_XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(root_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string Path(const std::string& name) const { return (root_ / name).string(); }

  // Writes a file; makes the folders that its name has.
  void Write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }

 private:
  std::filesystem::path root_;
};

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_MJCF_FOLDER_H_
