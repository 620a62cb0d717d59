// Decoded files of assets, kept for models that use them again.
#ifndef SINEW_CORE_ASSET_CACHE_H_
#define SINEW_CORE_ASSET_CACHE_H_

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "core/resources.h"

namespace sinew::inline core {

// A bounded store of values by name. A value is valid as long as its resource does not change. When the values take
// more than the capacity, those go that were not used for the longest time. Thread-safe; values live on where they are
// in use.
class AssetCache {
 public:
  // The cache of the process.
  static AssetCache& Process();

  // The value of a name, if it is still what the resource holds; nullptr otherwise.
  template <class T>
  std::shared_ptr<const T> Find(const std::string& name, const Resource& resource) {
    return std::static_pointer_cast<const T>(FindAny(name, resource));
  }

  // Keeps a value of `bytes` in place of an older one of the name; not at all when it exceeds the capacity.
  void Insert(const std::string& name, const Resource& resource, std::shared_ptr<const void> value, size_t bytes);

  void Clear();

  size_t size() const;
  size_t capacity() const;
  void SetCapacity(size_t bytes);  // 0: nothing is kept

 private:
  struct Entry {
    std::string name, timestamp;
    std::shared_ptr<const void> value;
    size_t bytes;
  };
  using Entries = std::list<Entry>;  // the last used in front

  std::shared_ptr<const void> FindAny(const std::string& name, const Resource& resource);
  void Remove(Entries::iterator entry);
  void Trim();

  static constexpr size_t kDefaultCapacity = size_t{500} << 20;  // bytes

  mutable std::mutex mutex_;
  Entries entries_;
  std::unordered_map<std::string, Entries::iterator> by_name_;
  size_t size_ = 0, capacity_ = kDefaultCapacity;
};

}  // namespace sinew::inline core

#endif  // SINEW_CORE_ASSET_CACHE_H_
