// Files that models are made of: in a virtual file system in memory, or on disk.
#ifndef SINEW_CORE_RESOURCES_H_
#define SINEW_CORE_RESOURCES_H_

#include <mujoco/mujoco.h>

#include <optional>
#include <string>
#include <vector>

namespace sinew {

using Bytes = std::vector<unsigned char>;

// The content of a file; nothing when it cannot be read. `name` is relative to `dir` unless it is absolute; `vfs` may be
// null.
std::optional<Bytes> ReadResource(const mjVFS* vfs, const std::string& dir, const std::string& name);

}  // namespace sinew

#endif  // SINEW_CORE_RESOURCES_H_
