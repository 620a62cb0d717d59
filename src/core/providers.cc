#include "core/providers.h"

#include <deque>
#include <mutex>
#include <string>

#include "core/error.h"
#include "core/path.h"

namespace sinew {
namespace {

struct Entry {
  std::string prefix;
  mjpResourceProvider provider;  // its prefix points to the string above
};

struct Registry {
  std::mutex mutex;
  std::deque<Entry> entries;  // never moves what it holds
};

// Constructed on first use: plugins register while libraries are being loaded. Never destroyed, for the same reason.
Registry& TheRegistry() {
  static Registry& registry = *new Registry;
  return registry;
}

bool SameCallbacks(const mjpResourceProvider& a, const mjpResourceProvider& b) {
  return a.open == b.open && a.read == b.read && a.close == b.close && a.mount == b.mount && a.unmount == b.unmount &&
         a.modified == b.modified && a.data == b.data;
}

}  // namespace

bool IsComplete(const mjpResourceProvider* provider) {
  return provider && provider->open && provider->read && provider->close;
}

int RegisterProvider(const mjpResourceProvider& provider) {
  const std::string prefix = provider.prefix ? provider.prefix : "";
  if (!IsValidScheme(prefix)) throw Error("resource provider has an invalid prefix '" + prefix + "'");
  if (!IsComplete(&provider)) throw Error("resource provider '" + prefix + "' lacks open, read or close");
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  for (size_t i = 0; i < registry.entries.size(); ++i) {
    if (ToLower(registry.entries[i].prefix) != ToLower(prefix)) continue;
    if (SameCallbacks(registry.entries[i].provider, provider)) return static_cast<int>(i + 1);
    throw Error("resource provider '" + prefix + "' is already registered");
  }
  Entry& entry = registry.entries.emplace_back(Entry{prefix, provider});
  entry.provider.prefix = entry.prefix.c_str();
  return static_cast<int>(registry.entries.size());
}

int ProviderCount() {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  return static_cast<int>(registry.entries.size());
}

const mjpResourceProvider* FindProvider(std::string_view name) {
  const std::string scheme = ToLower(Scheme(name));
  if (scheme.empty()) return nullptr;
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  for (const Entry& entry : registry.entries) {
    if (ToLower(entry.prefix) == scheme) return &entry.provider;
  }
  return nullptr;
}

const mjpResourceProvider* ProviderAt(int slot) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  if (slot < 1 || slot > static_cast<int>(registry.entries.size())) return nullptr;
  return &registry.entries[static_cast<size_t>(slot - 1)].provider;
}

}  // namespace sinew
