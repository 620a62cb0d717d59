// Choosing a file: which folder is looked at and what stands there. The panel of that name shows it.
#ifndef SINEW_APPS_VIEWER_FILE_DIALOG_H_
#define SINEW_APPS_VIEWER_FILE_DIALOG_H_

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

class FileDialog {
 public:
  enum class Purpose { kClosed, kOpen, kSave };
  struct Entry {
    std::string name;
    bool is_folder;
  };

  // Begins in the folder of a file, or in the working folder, if there is no such folder. To save, its name is
  // proposed, with an ending that can be written.
  void Show(Purpose purpose, const std::string& file);
  void Close() { purpose_ = Purpose::kClosed; }
  // Looks at a folder; "..", relative and absolute paths are taken.
  void Enter(const std::filesystem::path& folder);
  // What the name stands for: a folder is entered, and nothing comes back; else the path of a file. Names of files to
  // open that are not there are errors.
  std::string Accept();

  Purpose purpose() const { return purpose_; }
  const std::filesystem::path& folder() const { return folder_; }
  // Folders first, then models (.xml, .urdf, .mjb, .zip; to save, .xml and .mjb), by name; hidden ones are left out.
  const std::vector<Entry>& entries() const { return entries_; }
  const std::string& error() const { return error_; }
  // Whether saving would replace a file.
  bool WouldReplace() const;

  std::string name;  // as it stands in the field

 private:
  Purpose purpose_ = Purpose::kClosed;
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::string error_;
};

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_FILE_DIALOG_H_
