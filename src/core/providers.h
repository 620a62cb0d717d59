// Resource providers of the process: who opens names of the form "prefix:...".
#ifndef SINEW_CORE_PROVIDERS_H_
#define SINEW_CORE_PROVIDERS_H_

#include <mujoco/mujoco.h>

#include <string_view>

namespace sinew::inline core {

// Whether a provider has what every provider needs: open, read and close.
bool IsComplete(const mjpResourceProvider* provider);

// Registers a copy and returns its slot, from 1. The same provider again keeps its slot; another one of the same prefix
// (case does not matter), an invalid prefix or an incomplete provider throw. All functions here are thread-safe.
int RegisterProvider(const mjpResourceProvider& provider);

int ProviderCount();

// The provider for a name, or in a slot; nullptr when there is none. The result lives as long as the process.
const mjpResourceProvider* FindProvider(std::string_view name);
const mjpResourceProvider* ProviderAt(int slot);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_PROVIDERS_H_
