// Files by name: first those in memory that an mjVFS holds, then those of the operating system.
#ifndef SINEW_CORE_VFS_H_
#define SINEW_CORE_VFS_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <mujoco/mujoco.h>

namespace sinew {

// What mjVFS::impl_ points to. Keys are normalized paths.
class Vfs {
 public:
  // The files of a C handle; null when it has none.
  static Vfs* Of(const mjVFS* vfs) { return vfs ? static_cast<Vfs*>(vfs->impl_) : nullptr; }

  // False: the name is taken.
  bool Add(std::string_view name, std::string content);
  bool Remove(std::string_view name);
  bool Contains(std::string_view name) const { return files_.contains(NormalPath(name)); }

  // The file of that path, else one whose name without folder is the same but for case: a model may name its assets by
  // any path, and the memory file system is flat. Null: none.
  const std::string* Find(std::string_view name) const;

  static std::string NormalPath(std::string_view name);
  static std::string LowerBaseName(std::string_view name);

 private:
  std::map<std::string, std::string, std::less<>> files_;
};

// The content of a file; nothing when it cannot be read.
std::optional<std::string> ReadFile(const std::string& name, const mjVFS* vfs);

}  // namespace sinew

#endif  // SINEW_CORE_VFS_H_
