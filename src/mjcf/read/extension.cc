// Reads the section extension, and the element plugin wherever it stands: instances of engine plugins, their
// configuration, and who uses them. A plugin must be registered when the document is read.
#include <string>
#include <utility>
#include <vector>

#include "core/warning.h"
#include "mjcf/read/sections.h"
#include "plugin/registry.h"

namespace sinew::mjcf {
namespace {

std::string SuggestPlugin(const std::string& name) {
  std::vector<std::string_view> known;
  for (int slot = 0; slot < PluginCount(); ++slot) known.emplace_back(PluginAt(slot)->name);
  const std::string suggestion = Suggest(name, known);
  return suggestion.empty() ? "load the library that contains it" : "load its library; " + suggestion;
}

// The values of an instance.
void ReadConfig(Context& context, const XmlNode& node, const ElementRow& row, Plugin* instance) {
  ForEachChild(context, node, row, [&](ElementReader& config, const XmlNode&) {
    const std::string key = config.String("key").value_or("");
    const std::string value = config.String("value").value_or("");
    if (!instance->config.emplace(key, value).second) {
      config.Fail("the key '" + key + "' is given twice", "remove one of them");
    }
    config.Finish();
  });
}

// A named instance is shared by all that refer to it.
void ReadInstance(Context& context, ElementReader& reader, const std::string& plugin_name) {
  Plugin& instance = AddElement<Plugin>(context, reader);
  *instance.mjsPlugin::name = instance.Element::name;
  *instance.plugin_name = plugin_name;
  instance.active = 1;
  ReadConfig(context, reader.node(), reader.row(), &instance);
  reader.Finish();
}

// An instance that only this element uses.
void AddOwnInstance(Context& context, ElementReader& reader, mjsPlugin* use) {
  Plugin& instance = context.spec.Add<Plugin>();
  instance.where = reader.Location();
  *instance.info = "line " + std::to_string(reader.node().line);
  *instance.plugin_name = *use->plugin_name;
  instance.active = 1;
  ReadConfig(context, reader.node(), reader.row(), &instance);
  use->element = instance.mjsPlugin::element;
}

}  // namespace

// An element names an instance, or has one of its own which its children configure.
void ReadPluginUse(Context& context, ElementReader& reader, mjsPlugin* use) {
  use->active = 1;
  *use->plugin_name = reader.String("plugin").value_or("");
  *use->name = reader.String("instance").value_or("");
  if (use->name->empty()) {
    if (!use->plugin_name->empty()) AddOwnInstance(context, reader, use);
    return;
  }
  for (const XmlNode& child : reader.node().children) {
    const Error notice("the configuration is ignored: instance '" + *use->name + "' has one of its own", "",
                       child.Location());
    Warn("%s", notice.what());
  }
}

// A plugin that the document activates may be used without an instance, with all its values at their defaults.
void ReadExtension(Context& context, const XmlNode& section) {
  ForEachChild(context, section, "extension", [&](ElementReader& reader, const XmlNode& child) {
    const std::string name = reader.String("plugin").value_or("");
    const int slot = FindPlugin(name);
    if (slot < 0) {
      reader.Fail("there is no plugin '" + name + "'", SuggestPlugin(name));
    } else {
      context.spec.active_plugins.insert(slot);
    }
    reader.Finish();
    ForEachChild(context, child, reader.row(),
                 [&](ElementReader& instance, const XmlNode&) { ReadInstance(context, instance, name); });
  });
}

}  // namespace sinew::mjcf
