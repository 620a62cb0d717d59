#include "read_file.h"

#include <memory>
#include <stdexcept>

namespace sinew {

std::vector<std::byte> ReadFile(const std::string& path, const mjVFS* vfs) {
  char error[1000] = "";
  const std::unique_ptr<mjResource, decltype(&mju_closeResource)> resource(
      mju_openResource("", path.c_str(), vfs, error, sizeof(error)), mju_closeResource);
  if (!resource) throw std::runtime_error(error);
  const void* bytes = nullptr;
  const int size = mju_readResource(resource.get(), &bytes);
  if (size < 0) throw std::runtime_error("cannot read the file '" + path + "'");
  const auto* first = static_cast<const std::byte*>(bytes);
  return {first, first + size};
}

}  // namespace sinew
