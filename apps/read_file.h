// Files that the program reads, opened by the library: the folder of SINEW_FILE_ROOT holds for them too.
#ifndef SINEW_APPS_READ_FILE_H_
#define SINEW_APPS_READ_FILE_H_

#include <mujoco/mujoco.h>

#include <cstddef>
#include <string>
#include <vector>

namespace sinew {

// The content of a file on disk or in memory; `vfs` may be null. Throws std::runtime_error.
std::vector<std::byte> ReadFile(const std::string& path, const mjVFS* vfs = nullptr);

}  // namespace sinew

#endif  // SINEW_APPS_READ_FILE_H_
