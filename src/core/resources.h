// Files that models are made of, wherever they are. A name is looked up, in this order,
//   in the virtual file system: the exact path, then mounted folders above it,
//   with the registered provider of its scheme,
//   in the virtual file system by the name without folder, ignoring case,
//   on disk, below the folder of the policy if there is one (core/file_policy.h).
#ifndef SINEW_CORE_RESOURCES_H_
#define SINEW_CORE_RESOURCES_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/vfs.h"

namespace sinew::inline core {

// An open file. The base is what providers and C programs see. Programs fill in such a base themselves, too, to ask
// about a name: then it is no Resource, and there is nothing to read.
class Resource : public mjResource {
 public:
  // The open file behind a base; nullptr for one that a program made or has closed.
  static Resource* Of(const mjResource* resource);

  // Whether a virtual file system may also find a file by its name without folder.
  enum class Find { kExactly, kByName };

  // nullptr when there is no such file. `name` is relative to `dir` unless it is absolute; `vfs` may be null.
  static std::unique_ptr<Resource> Open(const mjVFS* vfs, const std::string& dir, const std::string& name,
                                        Find find = Find::kByName);

  // A file that is named but not opened, for callers that only need the name; reading it fails.
  static std::unique_ptr<Resource> Unopened(const mjVFS* vfs, const std::string& name);

  // Whether Open would find a file, which is not read if it is on disk.
  static bool Exists(const mjVFS* vfs, const std::string& dir, const std::string& name);

  ~Resource();
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;

  // The content, which lives until the resource is closed; nothing when the provider fails.
  std::optional<std::span<const unsigned char>> Read();

  // 0 when the file has not changed since the timestamp was taken, positive when it is newer, negative when older.
  // Content in memory has no time: any difference counts as newer.
  int Compare(const char* since) const;

 private:
  Resource(const mjVFS* vfs, std::string path);

  bool OpenEntry(const VfsEntry& entry);
  bool OpenProvider(const mjpResourceProvider& provider);
  bool OpenDisk();
  void SetTimestamp(const std::string& text);

  std::string path_;
  std::unique_ptr<Vfs::MountPoint> mount_;  // of a provider that is asked for this file alone
  mjpResourceProvider provider_ = {};       // a copy: the virtual file system may end before the resource
  std::shared_ptr<const Bytes> content_;    // null with a provider
};

// Length of the folder in a resource's name, separator included, never less than the scheme and its colon.
size_t DirLength(const mjResource& resource);

// Whether a resource was modified since a timestamp, by its provider or else by the file itself; unknown counts as yes.
int IsModified(const mjResource& resource, const char* since);

// The whole content of a file; nothing when it cannot be opened or read.
std::optional<Bytes> ReadResource(const mjVFS* vfs, const std::string& dir, const std::string& name,
                                  Resource::Find find = Resource::Find::kByName);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_RESOURCES_H_
