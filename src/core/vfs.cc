#include "core/vfs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace sinew {

std::string Vfs::NormalPath(std::string_view name) {
  return std::filesystem::path(name).lexically_normal().generic_string();
}

std::string Vfs::LowerBaseName(std::string_view name) {
  std::string base(name.substr(name.find_last_of("/\\") + 1));
  std::transform(base.begin(), base.end(), base.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return base;
}

bool Vfs::Add(std::string_view name, std::string content) {
  return files_.try_emplace(NormalPath(name), std::move(content)).second;
}

bool Vfs::Remove(std::string_view name) { return files_.erase(NormalPath(name)) > 0; }

const std::string* Vfs::Find(std::string_view name) const {
  if (const auto exact = files_.find(NormalPath(name)); exact != files_.end()) return &exact->second;
  const std::string base = LowerBaseName(name);
  const auto alike =
      std::find_if(files_.begin(), files_.end(), [&](const auto& file) { return LowerBaseName(file.first) == base; });
  return alike == files_.end() ? nullptr : &alike->second;
}

std::optional<std::string> ReadFile(const std::string& name, const mjVFS* vfs) {
  if (const Vfs* files = Vfs::Of(vfs)) {
    if (const std::string* content = files->Find(name)) return *content;
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(name, error)) return std::nullopt;
  std::ifstream stream(name, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace sinew
