// Keeps decoded assets up to a capacity in bytes; beyond it, those that were used least recently are forgotten.
#include "core/asset_cache.h"

#include <iterator>
#include <utility>

namespace sinew::inline core {

// Never destroyed: programs may free models while the process ends.
AssetCache& AssetCache::Process() {
  static AssetCache& cache = *new AssetCache;
  return cache;
}

std::shared_ptr<const void> AssetCache::FindAny(const std::string& name, const Resource& resource) {
  const std::lock_guard lock(mutex_);
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return nullptr;
  if (IsModified(resource, found->second->timestamp.c_str()) != 0) {
    Remove(found->second);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, found->second);
  return entries_.front().value;
}

void AssetCache::Insert(const std::string& name, const Resource& resource, std::shared_ptr<const void> value,
                        size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (const auto old = by_name_.find(name); old != by_name_.end()) Remove(old->second);
  // Without a timestamp, a change of the file could not be detected.
  if (bytes > capacity_ || resource.timestamp[0] == '\0') return;
  entries_.push_front({name, resource.timestamp, std::move(value), bytes});
  by_name_.emplace(name, entries_.begin());
  size_ += bytes;
  Trim();
}

void AssetCache::Clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  by_name_.clear();
  size_ = 0;
}

size_t AssetCache::size() const {
  const std::lock_guard lock(mutex_);
  return size_;
}

size_t AssetCache::capacity() const {
  const std::lock_guard lock(mutex_);
  return capacity_;
}

void AssetCache::SetCapacity(size_t bytes) {
  const std::lock_guard lock(mutex_);
  capacity_ = bytes;
  Trim();
}

void AssetCache::Remove(Entries::iterator entry) {
  size_ -= entry->bytes;
  by_name_.erase(entry->name);
  entries_.erase(entry);
}

void AssetCache::Trim() {
  while (size_ > capacity_) Remove(std::prev(entries_.end()));
}

}  // namespace sinew::inline core
