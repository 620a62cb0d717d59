// Files in memory are kept by their normalized names, along with mounted providers.
#include "core/vfs.h"

#include <utility>

#include "core/mount_point.h"
#include "core/path.h"

namespace sinew::inline core {
namespace {

// The path under which an entry is kept: normalized, without a separator at the end.
std::string Key(std::string_view path) {
  std::string key = NormalizePath(path);
  if (key.size() > 1 && key.back() == '/') key.pop_back();
  return key;
}

}  // namespace

Vfs::Vfs() = default;

Vfs::~Vfs() {
  for (auto& [path, mount] : mounts_) mount->End();
  for (auto& [prefix, mount] : registered_) mount->End();
}

std::string Vfs::FileKey(std::string_view filename) { return ToLower(BaseName(filename)); }

bool Vfs::AddBuffer(std::string_view path, Bytes content) {
  VfsEntry entry = {std::make_shared<const Bytes>(std::move(content))};
  return entries_.emplace(Key(path), std::move(entry)).second;
}

bool Vfs::Mount(const mjVFS* vfs, std::string_view path, const mjpResourceProvider& provider, bool* failed) {
  *failed = false;
  const std::string key = Key(path);
  if (entries_.contains(key)) return false;
  auto mount = std::make_unique<MountPoint>(std::string(path), vfs, provider);
  if (!mount->Begin()) {
    *failed = true;
    return true;
  }
  entries_.emplace(key, VfsEntry{nullptr, provider});
  mounts_.emplace(key, std::move(mount));
  return true;
}

bool Vfs::Unmount(std::string_view path) {
  const auto mount = mounts_.find(Key(path));
  if (mount == mounts_.end()) return false;
  mount->second->End();
  entries_.erase(mount->first);
  mounts_.erase(mount);
  return true;
}

// Whether it can be mounted is not asked: a file that it does not have is an error of its own.
void Vfs::MountRegistered(const mjVFS* vfs, const mjpResourceProvider& provider) {
  const std::lock_guard lock(registered_mutex_);
  std::unique_ptr<MountPoint>& mount = registered_[provider.prefix];
  if (mount) return;
  mount = std::make_unique<MountPoint>(provider.prefix, vfs, provider);
  mount->Begin();
}

bool Vfs::ContainsBuffer(std::string_view path) const {
  const auto entry = entries_.find(Key(path));
  return entry != entries_.end() && entry->second.file;
}

bool Vfs::Remove(std::string_view filename) {
  for (const std::string& key : {Key(filename), FileKey(filename)}) {
    const auto entry = entries_.find(key);
    if (entry == entries_.end() || !entry->second.file) continue;
    entries_.erase(entry);
    return true;
  }
  return false;
}

const VfsEntry* Vfs::Find(std::string_view path) const {
  std::string key = Key(path);
  if (const auto entry = entries_.find(key); entry != entries_.end()) return &entry->second;
  for (size_t slash = key.rfind('/'); slash != std::string::npos && slash > 0; slash = key.rfind('/')) {
    key.resize(slash);
    if (const auto entry = entries_.find(key); entry != entries_.end() && !entry->second.file) return &entry->second;
  }
  return nullptr;
}

const VfsEntry* Vfs::FindByName(std::string_view path) const {
  const std::string name = FileKey(path);
  for (const auto& [key, entry] : entries_) {
    if (FileKey(key) == name) return &entry;
  }
  return nullptr;
}

}  // namespace sinew::inline core
