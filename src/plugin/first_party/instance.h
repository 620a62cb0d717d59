// Plugins each instance of which is an object, kept in mjData::plugin_data, and has no numbers in the state.
#ifndef SINEW_PLUGIN_FIRST_PARTY_INSTANCE_H_
#define SINEW_PLUGIN_FIRST_PARTY_INSTANCE_H_

#include <mujoco/mujoco.h>

#include <cstdint>

namespace sinew::inline plugin {

// A plugin whose instances are what kMake(model, instance) returns: a new object, or null after a warning.
template <auto kMake, int kAttributes>
mjpPlugin PluginOf(const char* name, const char* const (&attributes)[kAttributes], mjtPluginCapabilityBit capability) {
  using Object = decltype(kMake(nullptr, 0));
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = name;
  plugin.nattribute = kAttributes;
  plugin.attributes = attributes;
  plugin.capabilityflags = capability;
  plugin.nstate = [](const mjModel*, int) { return 0; };
  plugin.init = [](const mjModel* m, mjData* d, int instance) {
    const Object object = kMake(m, instance);
    d->plugin_data[instance] = reinterpret_cast<uintptr_t>(object);
    return object ? 0 : -1;
  };
  plugin.destroy = [](mjData* d, int instance) {
    delete reinterpret_cast<Object>(d->plugin_data[instance]);
    d->plugin_data[instance] = 0;
  };
  plugin.reset = [](const mjModel*, mjtNum*, void*, int) {};
  return plugin;
}

template <class T>
T& InstanceOf(const mjData* d, int instance) {
  return *reinterpret_cast<T*>(d->plugin_data[instance]);
}

}  // namespace sinew::inline plugin

#endif  // SINEW_PLUGIN_FIRST_PARTY_INSTANCE_H_
