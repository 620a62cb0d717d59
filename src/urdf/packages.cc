// Resolves package:// addresses in the folders that ROS would know and in those around the model file.
#include "urdf/packages.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/path.h"
#include "core/resources.h"

namespace sinew::urdf {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAddressStart = "://";

// The folders of a list in an environment variable, each with `below` appended.
void AddFromEnvironment(const char* variable, const std::string& below, std::vector<std::string>* folders) {
  const char* value = std::getenv(variable);
  std::string_view list = value ? value : "";
  while (!list.empty()) {
    const std::string_view folder = list.substr(0, list.find(':'));
    if (!folder.empty()) folders->push_back(std::string(folder) + below);
    list.remove_prefix(folder.size());
    if (!list.empty()) list.remove_prefix(1);
  }
}

bool IsFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

}  // namespace

Packages::Packages(const std::vector<std::string>& given, const std::string& model_folder, const mjVFS* vfs)
    : folders_(given), vfs_(vfs) {
  AddFromEnvironment("SINEW_PACKAGE_PATH", "", &folders_);
  AddFromEnvironment("ROS_PACKAGE_PATH", "", &folders_);
  AddFromEnvironment("AMENT_PREFIX_PATH", "/share", &folders_);
  std::error_code error;
  fs::path folder = fs::weakly_canonical(model_folder.empty() ? "." : model_folder, error);
  if (error) return;
  if (!folder.has_filename()) folder = folder.parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path()) folders_.push_back(folder.string());
}

// The first folder that has the file wins; nothing is read here.
std::string Packages::Resolve(const std::string& address, bool* found) const {
  *found = true;
  const std::string_view scheme = Scheme(address);
  std::string_view rest = std::string_view(address).substr(scheme.size());
  if (scheme.empty() || !rest.starts_with(kAddressStart)) return address;
  rest.remove_prefix(kAddressStart.size());
  if (scheme == "file") return std::string(rest);
  if (scheme != "package" && scheme != "model") return address;

  if (Resource::Open(vfs_, "", NormalizePath(address))) return address;
  const std::string_view package = rest.substr(0, rest.find('/'));
  const std::string_view inside = rest.substr(std::min(package.size() + 1, rest.size()));
  for (const fs::path folder : folders_) {
    if (IsFile(folder / package / inside)) return (folder / package / inside).lexically_normal().string();
    if (folder.filename() == package && IsFile(folder / inside)) return (folder / inside).lexically_normal().string();
  }
  *found = false;
  return address;
}

std::string Packages::Searched() const {
  std::string text;
  for (const std::string& folder : folders_) text += (text.empty() ? "" : ", ") + folder;
  return text;
}

}  // namespace sinew::urdf
