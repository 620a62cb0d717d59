#include "core/resources.h"

#include <fstream>
#include <iterator>

namespace sinew {

std::optional<Bytes> ReadResource(const mjVFS*, const std::string& dir, const std::string& name) {
  const bool absolute = dir.empty() || name.starts_with('/');
  std::ifstream file(absolute ? name : dir + "/" + name, std::ios::binary);
  if (!file) return std::nullopt;
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

}  // namespace sinew
