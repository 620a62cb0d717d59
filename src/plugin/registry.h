// Engine plugins of the process, numbered from 0. Models refer to them by these numbers.
#ifndef SINEW_PLUGIN_REGISTRY_H_
#define SINEW_PLUGIN_REGISTRY_H_

#include <mujoco/mujoco.h>

#include <string_view>

namespace sinew::inline plugin {

// Registers a copy and returns its slot. The same plugin again keeps its slot; another one of the same name, a plugin
// without a name, and one with too many attributes throw. All functions here are thread-safe.
int RegisterPlugin(const mjpPlugin& plugin);

int PluginCount();

// The plugin in a slot, which lives as long as the process; nullptr when there is none.
const mjpPlugin* PluginAt(int slot);

// The slot of a plugin, -1 when there is none of this name. One of the library's own is registered when it is first
// asked for, so that a plugin that others have registered under its name comes first.
int FindPlugin(std::string_view name);

// The value of an attribute of an instance; nullptr when there is no such instance or attribute.
const char* PluginConfig(const mjModel& m, int instance, std::string_view attribute);

}  // namespace sinew::inline plugin

#endif  // SINEW_PLUGIN_REGISTRY_H_
