// Plugins of the process are kept in a registry (core/registry.h).
#include "plugin/registry.h"

#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "core/error.h"
#include "core/registry.h"
#include "plugin/first_party/first_party.h"

namespace sinew::inline plugin {
namespace {

constexpr int kMaxAttributes = 255;

// The functions of a plugin, for comparison.
auto Callbacks(const mjpPlugin& p) {
  return std::tie(p.capabilityflags, p.needstage, p.nstate, p.nsensordata, p.init, p.destroy, p.copy, p.reset,
                  p.compute, p.advance, p.visualize, p.actuator_act_dot, p.sdf_distance, p.sdf_gradient,
                  p.sdf_staticdistance, p.sdf_attribute, p.sdf_aabb);
}

struct PluginEntry {
  std::string name;
  std::vector<std::string> attributes;
  mjpPlugin plugin;
  std::vector<const char*> attribute_names;

  bool first_party;

  explicit PluginEntry(const mjpPlugin& p, bool is_first_party = false)
      : name(p.name), attributes(p.attributes, p.attributes + p.nattribute), plugin(p), first_party(is_first_party) {}

  void Own() {
    for (const std::string& attribute : attributes) attribute_names.push_back(attribute.c_str());
    plugin.name = name.c_str();
    plugin.attributes = attribute_names.data();
  }

  // One that this library brings along stands for every implementation of it: models that were compiled with it go on
  // using it when a library of others is loaded later.
  bool SameAs(const PluginEntry& other) const {
    if (name != other.name || attributes != other.attributes) return false;
    if (first_party && plugin.capabilityflags == other.plugin.capabilityflags) return true;
    return Callbacks(plugin) == Callbacks(other.plugin);
  }
};

Registry<PluginEntry>& Plugins() { return Registry<PluginEntry>::Instance(); }

}  // namespace

int RegisterPlugin(const mjpPlugin& plugin) {
  if (!plugin.name || !*plugin.name) throw Error("plugin has no name");
  if (plugin.nattribute < 0 || plugin.nattribute > kMaxAttributes || (plugin.nattribute > 0 && !plugin.attributes)) {
    throw Error("plugin '" + std::string(plugin.name) + "' has " + std::to_string(plugin.nattribute) + " attributes",
                "at most " + std::to_string(kMaxAttributes) + " are possible");
  }
  return Plugins().Add(PluginEntry(plugin), "plugin");
}

int PluginCount() { return Plugins().Count(); }

const mjpPlugin* PluginAt(int slot) {
  const PluginEntry* entry = Plugins().At(slot);
  return entry ? &entry->plugin : nullptr;
}

int FindPlugin(std::string_view name) {
  const int slot = Plugins().Find(name);
  if (slot >= 0) return slot;
  for (const auto make :
       {PidPlugin, CablePlugin, TouchGridPlugin, TorusPlugin, BowlPlugin, BoltPlugin, NutPlugin, GearPlugin}) {
    const mjpPlugin plugin = make();
    if (ToLower(plugin.name) == ToLower(name)) return Plugins().Add(PluginEntry(plugin, true), "plugin");
  }
  return -1;
}

// The values of an instance stand one behind the other, in the order of the plugin's attributes.
const char* PluginConfig(const mjModel& m, int instance, std::string_view attribute) {
  if (instance < 0 || instance >= m.nplugin) return nullptr;
  const mjpPlugin* plugin = PluginAt(m.plugin[instance]);
  const char* value = m.plugin_attr + m.plugin_attradr[instance];
  const char* end = m.plugin_attr + m.npluginattr;
  for (int i = 0; plugin && i < plugin->nattribute && value < end; ++i) {
    if (attribute == plugin->attributes[i]) return value;
    value += std::strlen(value) + 1;
  }
  return nullptr;
}

}  // namespace sinew::inline plugin
