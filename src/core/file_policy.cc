#include "core/file_policy.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <system_error>

namespace sinew::inline core {
namespace {

std::mutex root_mutex;
std::string root_of_process;

std::string RootOfProcess() {
  {
    const std::lock_guard lock(root_mutex);
    if (!root_of_process.empty()) return root_of_process;
  }
  const char* root = std::getenv("SINEW_FILE_ROOT");
  return root ? root : "";
}

bool IsBelow(const std::string& root, const std::string& path) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::weakly_canonical(root, error);
  if (error) return false;
  if (!folder.has_filename()) folder = folder.parent_path();  // it ended in a slash
  const std::filesystem::path file = std::filesystem::weakly_canonical(path, error);
  if (error) return false;
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

}  // namespace

void SetFileRoot(const std::string& folder) {
  const std::lock_guard lock(root_mutex);
  root_of_process = folder;
}

bool MayRead(const std::string& path, const std::string& own_root) {
  const std::string root = own_root.empty() ? RootOfProcess() : own_root;
  return root.empty() || IsBelow(root, path);
}

std::string WhyBlocked(const std::string& path, const std::string& own_root) {
  if (MayRead(path, own_root)) return "";
  return "; it is outside of '" + (own_root.empty() ? RootOfProcess() : own_root) + "', below which files are read";
}

}  // namespace sinew::inline core
