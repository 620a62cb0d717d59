// Resource providers of the process are kept in a registry (core/registry.h).
#include "core/providers.h"

#include <string>

#include "core/error.h"
#include "core/path.h"
#include "core/registry.h"

namespace sinew::inline core {
namespace {

struct ProviderEntry {
  std::string name;  // the prefix
  mjpResourceProvider provider;

  void Own() { provider.prefix = name.c_str(); }
  bool SameAs(const ProviderEntry& other) const {
    const mjpResourceProvider &a = provider, &b = other.provider;
    return a.open == b.open && a.read == b.read && a.close == b.close && a.mount == b.mount && a.unmount == b.unmount &&
           a.modified == b.modified && a.data == b.data;
  }
};

Registry<ProviderEntry>& Providers() { return Registry<ProviderEntry>::Instance(); }

}  // namespace

bool IsComplete(const mjpResourceProvider* provider) {
  return provider && provider->open && provider->read && provider->close;
}

int RegisterProvider(const mjpResourceProvider& provider) {
  const std::string prefix = provider.prefix ? provider.prefix : "";
  if (!IsValidScheme(prefix)) throw Error("resource provider has an invalid prefix '" + prefix + "'");
  if (!IsComplete(&provider)) throw Error("resource provider '" + prefix + "' lacks open, read or close");
  return 1 + Providers().Add({prefix, provider}, "resource provider");
}

int ProviderCount() { return Providers().Count(); }

const mjpResourceProvider* FindProvider(std::string_view name) {
  return ProviderAt(1 + Providers().Find(Scheme(name)));
}

const mjpResourceProvider* ProviderAt(int slot) {
  const ProviderEntry* entry = slot > 0 ? Providers().At(slot - 1) : nullptr;
  return entry ? &entry->provider : nullptr;
}

}  // namespace sinew::inline core
