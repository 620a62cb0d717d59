// Instances of engine plugins, and who uses them. A plugin is registered by the program; a model activates it, and
// instances hold its values. Only the plugin can compute the size of its state, from a complete model.
#include <algorithm>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "core/trap.h"
#include "plugin/registry.h"

namespace sinew::inline compile {
namespace {

// The slot of a plugin that the model may use.
int ActiveSlot(const Spec& spec, const std::string& name) {
  const int slot = FindPlugin(name);
  if (slot < 0) throw Error("there is no plugin '" + name + "'", "load the library that contains it");
  if (!spec.active_plugins.contains(slot)) {
    throw Error("plugin '" + name + "' is not activated", "name it in the section 'extension'");
  }
  return slot;
}

// Lists of attributes are short, so that they are searched as they are.
bool HasAttribute(const mjpPlugin& plugin, const std::string& name) {
  return std::any_of(plugin.attributes, plugin.attributes + plugin.nattribute,
                     [&](const char* attribute) { return name == attribute; });
}

std::string AttributeList(const mjpPlugin& plugin) {
  std::string list;
  for (int i = 0; i < plugin.nattribute; ++i) list += (i ? ", " : "") + std::string(plugin.attributes[i]);
  return plugin.nattribute > 0 ? "it has: " + list : "it has none";
}

// The values of an instance in the order of the plugin's attributes, each with its terminator; missing ones are empty.
std::vector<char> PackAttributes(const Plugin& source, const mjpPlugin& plugin) {
  for (const auto& [key, value] : source.config) {
    if (HasAttribute(plugin, key)) continue;
    throw Error("unrecognized attribute 'plugin:" + key + "' for plugin '" + plugin.name + "'", AttributeList(plugin));
  }
  std::vector<char> packed;
  for (int i = 0; i < plugin.nattribute; ++i) {
    const auto found = source.config.find(std::string_view(plugin.attributes[i]));
    if (found != source.config.end()) packed.insert(packed.end(), found->second.begin(), found->second.end());
    packed.push_back('\0');
  }
  if (packed.empty()) packed.push_back('\0');
  return packed;
}

// The instance that an element uses: the one that it names, or its own.
PluginDraft& FindInstance(Draft& draft, const mjsPlugin& use) {
  Plugin* instance = use.name->empty() ? As<Plugin>(use.element) : draft.spec.Find<Plugin>(*use.name);
  if (instance && instance->Element::spec != &draft.spec) {
    throw Error("the plugin instance belongs to another specification", "add one to this specification");
  }
  if (instance && instance->is_deleted) {
    throw Error("the plugin instance of the element is deleted", "give the element another one");
  }
  if (instance) return draft.plugins[static_cast<size_t>(instance->id)];
  if (!use.name->empty()) {
    throw Error("there is no plugin instance '" + *use.name + "'", "define it in the section 'extension'");
  }
  throw Error("neither a plugin nor an instance is given", "name one of them");
}

// These texts complete the sentence that an error begins with the plugin's name.
const char* CapabilityText(mjtPluginCapabilityBit capability) {
  switch (capability) {
    case mjPLUGIN_ACTUATOR:
      return "does not drive actuators";
    case mjPLUGIN_SENSOR:
      return "does not compute sensors";
    case mjPLUGIN_PASSIVE:
      return "has no passive forces";
    case mjPLUGIN_SDF:
      return "has no signed distances";
  }
  return "";
}

}  // namespace

// An instance without a plugin gets it from the first element that uses it.
void DraftPlugins(Draft& draft) {
  for (auto& source : draft.spec.List<Plugin>()) {
    if (source->Element::name.empty() && !source->mjsPlugin::name->empty()) {
      draft.spec.SetName(*source, *source->mjsPlugin::name);
    }
    source->id = static_cast<int>(draft.plugins.size());
    At(*source, [&] {
      PluginDraft instance = {source.get(), -1, 0, {}};
      if (!source->plugin_name->empty()) instance.slot = ActiveSlot(draft.spec, *source->plugin_name);
      draft.plugins.push_back(std::move(instance));
    });
  }
}

// The use of an element decides what the plugin must be able to do, and may say whose instance it is.
int UsePlugin(Draft& draft, const mjsPlugin& use, mjtPluginCapabilityBit capability) {
  if (!use.active) return -1;
  PluginDraft& instance = FindInstance(draft, use);
  if (!use.plugin_name->empty()) {
    const int slot = ActiveSlot(draft.spec, *use.plugin_name);
    if (instance.slot >= 0 && instance.slot != slot) {
      throw Error("instance '" + *use.name + "' is not one of plugin '" + *use.plugin_name + "'",
                  "it belongs to '" + std::string(PluginAt(instance.slot)->name) + "'");
    }
    instance.slot = slot;
  }
  if (instance.slot < 0) throw Error("the plugin of the instance is not known", "name it");
  const mjpPlugin& plugin = *PluginAt(instance.slot);
  if (!(plugin.capabilityflags & capability)) {
    throw Error("plugin '" + std::string(plugin.name) + "' " + CapabilityText(capability), "choose another one");
  }
  return instance.source->id;
}

// Values are checked once all elements have said which plugin an instance has.
void ConfigurePlugins(Draft& draft) {
  for (PluginDraft& instance : draft.plugins) {
    At(*instance.source, [&] {
      if (instance.slot < 0) throw Error("the plugin of the instance is not known", "name it");
      instance.attributes = PackAttributes(*instance.source, *PluginAt(instance.slot));
    });
  }
}

// Plugins need the model to compute their sizes; its arrays of states and sensors do not have their lengths before.
bool AskPlugins(const mjModel& m, Draft& draft) {
  for (PluginDraft& instance : draft.plugins) {
    const mjpPlugin& plugin = *PluginAt(instance.slot);
    const int id = instance.source->id;
    At(*instance.source, [&] {
      if (plugin.nstate) CallTrapped([&] { instance.nstate = plugin.nstate(&m, id); });
      if (instance.nstate < 0) throw Error("the plugin gives a negative size of its state", "correct its values");
    });
  }
  for (SensorDraft& sensor : draft.sensors) {
    if (sensor.plugin < 0) continue;
    const mjpPlugin& plugin = *PluginAt(draft.plugins[static_cast<size_t>(sensor.plugin)].slot);
    At(*sensor.source, [&] {
      sensor.needstage = static_cast<mjtStage>(plugin.needstage);
      if (!plugin.nsensordata) throw Error("the plugin does not tell how many numbers it senses", "mend the plugin");
      CallTrapped([&] { sensor.dim = plugin.nsensordata(&m, sensor.plugin, sensor.source->id); });
      if (sensor.dim < 0) throw Error("the plugin gives a negative number of numbers", "correct its values");
    });
  }
  return !draft.plugins.empty();
}

// States and values of all instances are one array each, in the order of ids.
void WritePlugins(const Draft& draft, mjModel* m) {
  int state_adr = 0, attribute_adr = 0;
  for (const PluginDraft& instance : draft.plugins) {
    const int id = instance.source->id;
    m->plugin[id] = instance.slot;
    m->plugin_stateadr[id] = state_adr;
    m->plugin_statenum[id] = instance.nstate;
    m->plugin_attradr[id] = attribute_adr;
    std::copy(instance.attributes.begin(), instance.attributes.end(), m->plugin_attr + attribute_adr);
    state_adr += instance.nstate;
    attribute_adr += static_cast<int>(instance.attributes.size());
  }
}

}  // namespace sinew::inline compile
