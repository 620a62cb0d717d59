// Joins, splits and normalizes paths as text, without looking at the disk.
#include "core/path.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace sinew::inline core {
namespace {

constexpr std::string_view kSeparators = "/\\";

bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool IsSeparator(char c) { return c == '/' || c == '\\'; }

}  // namespace

std::string_view BaseName(std::string_view path) {
  const size_t last = path.find_last_of(kSeparators);
  return last == std::string_view::npos ? path : path.substr(last + 1);
}

std::string_view DirName(std::string_view path) {
  const std::string_view dir = path.substr(0, path.size() - BaseName(path).size());
  const std::string_view scheme = Scheme(path);
  return dir.empty() && !scheme.empty() ? path.substr(0, scheme.size() + 1) : dir;
}

std::string_view Extension(std::string_view path) {
  const std::string_view name = BaseName(path);
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot);
}

std::string_view Stem(std::string_view path) {
  const std::string_view name = BaseName(path);
  return name.substr(0, name.size() - Extension(name).size());
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string NormalizePath(std::string_view path) {
  const std::string_view scheme = Scheme(path);
  const std::string_view prefix = path.substr(0, scheme.empty() ? 0 : scheme.size() + 1);
  const std::string_view rest = path.substr(prefix.size());
  // A path that begins with "//" has an authority, whose meaning only the provider knows.
  if (!prefix.empty() && rest.starts_with("//")) return std::string(path);
  return std::string(prefix) + std::filesystem::path(rest).lexically_normal().generic_string();
}

bool IsAbsolutePath(std::string_view path) {
  if (path.empty()) return false;
  const bool drive = path.size() >= 3 && IsLetter(path[0]) && path[1] == ':' && IsSeparator(path[2]);
  return IsSeparator(path[0]) || drive || !Scheme(path).empty();
}

std::string JoinPath(std::string_view dir, std::string_view name) {
  if (dir.empty() || IsAbsolutePath(name)) return std::string(name);
  std::string path(dir);
  if (!IsSeparator(path.back())) path += '/';
  return path.append(name);
}

std::string ResolvePath(std::string_view dir, std::string_view name) { return NormalizePath(JoinPath(dir, name)); }

std::string_view Scheme(std::string_view name) {
  const size_t colon = name.find(':');
  if (colon == std::string_view::npos || colon < 2) return {};
  const std::string_view scheme = name.substr(0, colon);
  return IsValidScheme(scheme) ? scheme : std::string_view();
}

bool IsValidScheme(std::string_view scheme) {
  if (scheme.empty() || !IsLetter(scheme[0])) return false;
  return std::all_of(scheme.begin(), scheme.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '.' || c == '-'; });
}

}  // namespace sinew::inline core
