// Plugins: registration, look-up, configuration, and libraries that register plugins when they are loaded. A slot is
// the number under which a plugin is registered; it stays for the life of the process.
#include <dlfcn.h>
#include <mujoco/mujoco.h>

#include <filesystem>
#include <set>
#include <string>
#include <system_error>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/error.h"
#include "plugin/registry.h"

using sinew::capi::Guard;

namespace {

// Loading a library runs its initializers, which register its plugins. It is never unloaded: its callbacks stay in use.
void LoadLibrary(const std::string& path) {
  if (!dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    const char* reason = dlerror();
    throw sinew::Error("could not load plugin library '" + path + "': " + (reason ? reason : "unknown reason"));
  }
}

bool IsLibrary(const std::filesystem::path& path) {
  static const std::set<std::string> kExtensions = {".so", ".dylib", ".dll"};
  std::error_code error;
  return kExtensions.count(path.extension().string()) > 0 && std::filesystem::is_regular_file(path, error);
}

}  // namespace

void mjp_defaultPlugin(mjpPlugin* plugin) {
  SINEW_CHECK(mjp_defaultPlugin);
  *plugin = {};
}
int mjp_registerPlugin(const mjpPlugin* plugin) {
  SINEW_CHECK(mjp_registerPlugin);
  return Guard("mjp_registerPlugin", [&] { return sinew::RegisterPlugin(*plugin); });
}
int mjp_pluginCount() { return sinew::PluginCount(); }
// The slot is -1 when there is no plugin of this name.
const mjpPlugin* mjp_getPlugin(const char* name, int* slot) {
  return Guard("mjp_getPlugin", [&] {
    const int found = name ? sinew::FindPlugin(name) : -1;
    if (slot) *slot = found;
    return sinew::PluginAt(found);
  });
}
const mjpPlugin* mjp_getPluginAtSlot(int slot) { return sinew::PluginAt(slot); }

// The text is in the model and lives as long as it.
const char* mj_getPluginConfig(const mjModel* m, int plugin_id, const char* attrib) {
  SINEW_CHECK(mj_getPluginConfig);
  return attrib ? sinew::PluginConfig(*m, plugin_id, attrib) : nullptr;
}

void mj_loadPluginLibrary(const char* path) {
  SINEW_CHECK(mj_loadPluginLibrary);
  Guard("mj_loadPluginLibrary", [&] { LoadLibrary(path); });
}
// Files of a folder are loaded in the order in which the system lists them; the callback hears of each.
void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback) {
  SINEW_CHECK(mj_loadAllPluginLibraries);
  Guard("mj_loadAllPluginLibraries", [&] {
    std::error_code missing;
    for (const auto& entry : std::filesystem::directory_iterator(directory, missing)) {
      if (!IsLibrary(entry.path())) continue;
      const int before = sinew::PluginCount();
      LoadLibrary(entry.path().string());
      const int added = sinew::PluginCount() - before;
      if (callback) callback(entry.path().filename().string().c_str(), added > 0 ? before : -1, added);
    }
  });
}
