// Files of assets: names as they are kept, and where names in included files lead.
#include <filesystem>
#include <string>

#include "core/path.h"
#include "core/resources.h"
#include "mjcf/read/sections.h"

namespace sinew::mjcf {
namespace {

// The name by which a file is found from a folder; `place` itself where there is no way from one to the other.
std::string NameFrom(const std::string& folder, const std::string& place) {
  if (IsAbsolutePath(place)) return place;
  const auto name = std::filesystem::path(place).lexically_relative(folder);
  return name.empty() ? place : name.generic_string();
}

}  // namespace

void LocateFile(const Context& context, const Element& asset, const std::string& folder, std::string* file) {
  const std::string& main_folder = *context.spec.modelfiledir;
  if (file->empty() || context.spec.strippath || !Scheme(*file).empty()) return;
  *file = NormalizePath(*file);

  // A file named in an included file is looked for relative to the main file first, then to the included one.
  const std::string included(DirName(asset.where.file));
  if (included == main_folder || Resource::Exists(context.vfs, main_folder, ResolvePath(folder, *file))) return;
  const std::string beside = ResolvePath(included, *file);
  if (Resource::Exists(context.vfs, "", beside)) *file = NameFrom(ResolvePath(main_folder, folder), beside);
}

}  // namespace sinew::mjcf
