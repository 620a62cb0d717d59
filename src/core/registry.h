// Named things that programs and libraries register with the process: resource providers, plugins. A name belongs to
// one thing, whatever its case; things are numbered in the order of registration and live as long as the process.
#ifndef SINEW_CORE_REGISTRY_H_
#define SINEW_CORE_REGISTRY_H_

#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/path.h"

namespace sinew::inline core {

// Thread-safe. `Entry` has a `std::string name`, a function `bool SameAs(const Entry&) const`, and a function `void
// Own()` that points what it shows to C at its own strings; it is called where the entry will stay.
template <class Entry>
class Registry {
 public:
  // Constructed on first use, because libraries register while they are loaded, and never destroyed for the same
  // reason.
  static Registry& Instance() {
    static Registry& registry = *new Registry;
    return registry;
  }

  // The number of the entry. Registering the same thing again gives its old number, another one of its name throws.
  int Add(Entry entry, const char* kind) {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (ToLower(entries_[i].name) != ToLower(entry.name)) continue;
      if (entries_[i].SameAs(entry)) return static_cast<int>(i);
      throw Error(std::string(kind) + " '" + entry.name + "' is already registered");
    }
    entries_.push_back(std::move(entry));
    entries_.back().Own();
    return static_cast<int>(entries_.size() - 1);
  }

  int Count() {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(entries_.size());
  }

  // nullptr when there is none.
  const Entry* At(int number) {
    const std::lock_guard lock(mutex_);
    if (number < 0 || number >= static_cast<int>(entries_.size())) return nullptr;
    return &entries_[static_cast<size_t>(number)];
  }

  // The number of a name, -1 when there is none.
  int Find(std::string_view name) {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (ToLower(entries_[i].name) == ToLower(name)) return static_cast<int>(i);
    }
    return -1;
  }

 private:
  std::mutex mutex_;
  std::deque<Entry> entries_;  // never moves what it holds
};

}  // namespace sinew::inline core

#endif  // SINEW_CORE_REGISTRY_H_
