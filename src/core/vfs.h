// A virtual file system: files in memory, and paths below which a provider answers.
#ifndef SINEW_CORE_VFS_H_
#define SINEW_CORE_VFS_H_

#include <mujoco/mujoco.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::inline core {

using Bytes = std::vector<unsigned char>;

// The entry under a path: a file in memory, or a provider that opens the path.
struct VfsEntry {
  std::shared_ptr<const Bytes> file;  // null for a mount
  mjpResourceProvider provider = {};
};

class Vfs {
 public:
  // The object behind the C struct; nullptr when there is none.
  static Vfs* Of(const mjVFS* vfs) { return vfs ? static_cast<Vfs*>(vfs->impl_) : nullptr; }

  Vfs();
  ~Vfs();  // ends all mounts
  Vfs(const Vfs&) = delete;
  Vfs& operator=(const Vfs&) = delete;

  // A file under the given path; false when the path is taken. Case matters.
  bool AddBuffer(std::string_view path, Bytes content);
  // A file under its name without folder, in lower case.
  bool AddFile(std::string_view filename, Bytes content) { return AddBuffer(FileKey(filename), std::move(content)); }

  // Hands all paths below `path` to a provider; false when the path is taken. `failed` is set when its mount failed.
  bool Mount(const mjVFS* vfs, std::string_view path, const mjpResourceProvider& provider, bool* failed);
  // Ends a mount; false when there is none.
  bool Unmount(std::string_view path);

  // Notifies a registered provider, before it opens its first file, that it is used with these files.
  void MountRegistered(const mjVFS* vfs, const mjpResourceProvider& provider);

  bool ContainsBuffer(std::string_view path) const;
  bool ContainsFile(std::string_view filename) const { return ContainsBuffer(FileKey(filename)); }

  // Removes the file of this path, or else of this name without folder; false when there is neither.
  bool Remove(std::string_view filename);

  // The entry of this path, or of the nearest folder above it that is mounted.
  const VfsEntry* Find(std::string_view path) const;
  // The first entry of the same name without folder; case does not matter.
  const VfsEntry* FindByName(std::string_view path) const;

  // The folder below which loads with these files read from disk (core/file_policy.h); empty: that of the process.
  void SetRoot(std::string folder) { root_ = std::move(folder); }
  static std::string RootOf(const mjVFS* vfs) { return Of(vfs) ? Of(vfs)->root_ : ""; }

  // The resource with which a provider mounted and will unmount.
  struct MountPoint;

 private:
  static std::string FileKey(std::string_view filename);

  std::string root_;
  std::map<std::string, VfsEntry, std::less<>> entries_;
  std::map<std::string, std::unique_ptr<MountPoint>, std::less<>> mounts_;      // what providers keep for their mounts
  std::mutex registered_mutex_;                                                 // assets are read in several threads
  std::map<std::string, std::unique_ptr<MountPoint>, std::less<>> registered_;  // by prefix
};

}  // namespace sinew::inline core

#endif  // SINEW_CORE_VFS_H_
