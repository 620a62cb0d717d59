#include "viewer/file_dialog.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <tuple>

namespace sinew {
namespace {

namespace fs = std::filesystem;

bool IsShown(const fs::path& file, FileDialog::Purpose purpose) {
  static const std::set<std::string> written = {".xml", ".mjb"}, read = {".xml", ".mjb", ".urdf", ".zip"};
  return (purpose == FileDialog::Purpose::kSave ? written : read).contains(file.extension().string());
}

}  // namespace

void FileDialog::Show(Purpose purpose, const std::string& file) {
  purpose_ = purpose;
  fs::path proposed = fs::path(file).filename();
  if (!proposed.empty() && !IsShown(proposed, Purpose::kSave)) proposed.replace_extension(".xml");
  name = purpose != Purpose::kSave ? "" : proposed.empty() ? "model.xml" : proposed.string();
  std::error_code failed;
  const fs::path parent = fs::absolute(file.empty() ? "." : file, failed).parent_path();
  folder_ = fs::current_path(failed);
  Enter(fs::is_directory(parent, failed) ? parent : folder_);
}

void FileDialog::Enter(const fs::path& folder) {
  std::error_code failed;
  const fs::path wanted = (folder_ / folder).lexically_normal();
  std::vector<Entry> found;
  for (fs::directory_iterator it(wanted, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code unknown;
    const bool is_folder = it->is_directory(unknown);
    const std::string file = it->path().filename().string();
    if (file.front() != '.' && (is_folder || IsShown(file, purpose_))) found.push_back({file, is_folder});
  }
  if (failed) {
    error_ = "cannot read " + wanted.string() + ": " + failed.message();
    return;
  }
  error_.clear();
  folder_ = wanted.has_filename() || wanted == wanted.root_path() ? wanted : wanted.parent_path();
  std::ranges::sort(found, [](const Entry& a, const Entry& b) {
    return std::tie(b.is_folder, a.name) < std::tie(a.is_folder, b.name);
  });
  entries_ = std::move(found);
}

std::string FileDialog::Accept() {
  std::error_code failed;
  const fs::path path = (folder_ / name).lexically_normal();
  if (name.empty()) {
    error_ = "choose a file, or write its name";
  } else if (fs::is_directory(path, failed)) {
    name.clear();
    Enter(path);
  } else if (purpose_ == Purpose::kOpen && !fs::exists(path, failed)) {
    error_ = "there is no file " + path.string();
  } else if (purpose_ == Purpose::kSave && !IsShown(path, purpose_)) {
    error_ = "the name must end in .xml or .mjb";
  } else {
    return path.string();
  }
  return "";
}

bool FileDialog::WouldReplace() const {
  std::error_code failed;
  return purpose_ == Purpose::kSave && !name.empty() && fs::is_regular_file(folder_ / name, failed);
}

}  // namespace sinew
