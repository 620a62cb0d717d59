#include "core/live_objects.h"

#ifndef NDEBUG
#include <mutex>
#include <string>
#include <unordered_set>

#include "core/error.h"

namespace sinew::inline core {
namespace {

// Never destroyed: programs delete worlds while their own static objects are destroyed.
struct Registry {
  std::mutex mutex;
  std::unordered_set<const void*> objects;
};
Registry& TheRegistry() {
  static Registry* const registry = new Registry;
  return *registry;
}

}  // namespace

void AddLiveObject(const void* object) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  registry.objects.insert(object);
}

void RemoveLiveObject(const void* object, const char* argument) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  if (registry.objects.erase(object) == 0) {
    throw Error(std::string("argument '") + argument + "' has been deleted before, or was never made",
                "delete each object once");
  }
}

}  // namespace sinew::inline core
#endif
