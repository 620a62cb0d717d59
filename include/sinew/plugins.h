// Engine plugins: libraries that bring sensors, actuators, forces and shapes of their own.
#ifndef SINEW_PLUGINS_H_
#define SINEW_PLUGINS_H_

#include <mujoco/mujoco.h>
#include <sinew/error.h>

#include <string>
#include <vector>

namespace sinew {
inline namespace face {

// Loads a library, which registers its plugins. Throws EngineError when it cannot be loaded.
inline void LoadPlugin(const std::string& library) {
  Checked([&] { mj_loadPluginLibrary(library.c_str()); });
}

// Loads all libraries of a folder.
inline void LoadPlugins(const std::string& folder) {
  Checked([&] { mj_loadAllPluginLibraries(folder.c_str(), nullptr); });
}

// The names of all plugins that are registered. Those that this library brings along work without, and are not listed.
inline std::vector<std::string> PluginNames() {
  std::vector<std::string> names;
  for (int slot = 0; slot < mjp_pluginCount(); ++slot) names.emplace_back(mjp_getPluginAtSlot(slot)->name);
  return names;
}

}  // namespace face
}  // namespace sinew

#endif  // SINEW_PLUGINS_H_
