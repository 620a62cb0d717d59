// Writes the sections extension, custom and keyframe.
#include <string>
#include <utility>
#include <vector>

#include "compile/diagnose.h"
#include "mjcf/write/write_sections.h"
#include "model/kinds/names.h"
#include "plugin/registry.h"
#include "spec/lists.h"

namespace sinew::mjcf {
namespace {

// The instance behind a reference; null: it names one that is shared.
const Plugin* OwnInstance(const mjsPlugin& reference) {
  const Plugin* plugin = As<Plugin>(reference.element);
  return plugin && plugin->Element::name.empty() ? plugin : nullptr;
}

// In the order in which the plugin declares its attributes; without the plugin nothing was compiled.
void AppendConfig(const WriteContext& context, const Plugin& plugin, const ElementRow& row, ElementWriter& writer) {
  const mjpPlugin* declared = PluginAt(FindPlugin(*plugin.plugin_name));
  for (int i = 0; declared && i < declared->nattribute; ++i) {
    const auto given = plugin.config.find(declared->attributes[i]);
    if (given == plugin.config.end() || given->second.empty()) continue;
    ElementWriter config(row, context.precision);
    config.Text("key", given->first);
    config.Text("value", given->second);
    writer.Append(config.Take());
  }
}

// The size is that of the compiled array, in case that data are shorter.
XmlNode WriteNumeric(const WriteContext& context, const Numeric& numeric) {
  ElementWriter writer(*FindPath("custom/numeric"), context.precision);
  writer.NonEmpty("name", numeric.name);
  constexpr std::size_t kMostNumbers = 500;  // that the format takes
  At(numeric, [&] {
    CheckLists(numeric);
    const std::size_t count = std::max(numeric.data->size(), static_cast<std::size_t>(numeric.size));
    if (count > kMostNumbers) {
      throw Error("the array has " + std::to_string(count) + " numbers, and a file holds 500 at most",
                  "divide it, or save the model in its binary format");
    }
  });
  std::vector<double> data = *numeric.data;
  data.resize(static_cast<std::size_t>(std::max(numeric.size, static_cast<int>(data.size()))));
  writer.Real("size", static_cast<double>(data.size()));
  writer.Reals("data", data);
  return writer.Take();
}

XmlNode WriteText(const WriteContext& context, const Text& text) {
  ElementWriter writer(*FindPath("custom/text"), context.precision);
  writer.NonEmpty("name", text.name);
  writer.Text("data", *text.data);
  return writer.Take();
}

XmlNode WriteTuple(const WriteContext& context, const Tuple& tuple) {
  At(tuple, [&] { CheckLists(tuple); });
  ElementWriter writer(*FindPath("custom/tuple"), context.precision);
  writer.NonEmpty("name", tuple.name);
  for (std::size_t i = 0; i < tuple.objtype->size(); ++i) {
    ElementWriter element(*FindPath("custom/tuple/element"), context.precision);
    const char* type = TypeToString((*tuple.objtype)[i]);
    element.Text("objtype", type ? type : "");
    element.Text("objname", (*tuple.objname)[i]);
    if ((*tuple.objprm)[i] != 0) element.Real("prm", (*tuple.objprm)[i]);
    writer.Append(element.Take());
  }
  return writer.Take();
}

// Numbers of a keyframe are written as far as the specification has them.
XmlNode WriteKey(const WriteContext& context, const Key& key) {
  ElementWriter writer(*FindPath("keyframe/key"), context.precision);
  WriteElement(context, key, writer);
  return writer.Take();
}

}  // namespace

// ---- plugins

void WritePlugin(const WriteContext& context, const mjsPlugin& plugin, ElementWriter& writer) {
  const Plugin* own = OwnInstance(plugin);
  if (!own) {
    // An instance that has got a name since is shared, though the element does not refer to it by name.
    const Plugin* named = As<Plugin>(plugin.element);
    return writer.NonEmpty("instance", plugin.name->empty() && named ? named->Element::name : *plugin.name);
  }
  writer.Text("plugin", *plugin.plugin_name);
  AppendConfig(context, *own, *FindChild(writer.row(), "config"), writer);
}

void AppendPlugin(const WriteContext& context, const mjsPlugin& plugin, const char* path, ElementWriter& writer) {
  if (!plugin.active) return;
  ElementWriter reference(*FindPath(path), context.precision);
  WritePlugin(context, plugin, reference);
  writer.Append(reference.Take());
}

// The shared instances of each plugin, in order of first use.
XmlNode WriteExtension(const WriteContext& context) {
  XmlNode section = Section("extension");
  std::vector<std::string> names;
  for (const auto& plugin : context.spec.List<Plugin>()) {
    if (std::find(names.begin(), names.end(), *plugin->plugin_name) == names.end())
      names.push_back(*plugin->plugin_name);
  }
  for (const std::string& name : names) {
    ElementWriter writer(*FindPath("extension/plugin"), context.precision);
    writer.Text("plugin", name);
    for (const auto& plugin : context.spec.List<Plugin>()) {
      if (*plugin->plugin_name != name || plugin->Element::name.empty()) continue;
      ElementWriter instance(*FindPath("extension/plugin/instance"), context.precision);
      instance.Text("name", plugin->Element::name);
      AppendConfig(context, *plugin, *FindPath("extension/plugin/instance/config"), instance);
      writer.Append(instance.Take());
    }
    section.children.push_back(writer.Take());
  }
  return section;
}

// ---- custom, keyframe

XmlNode WriteCustom(const WriteContext& context) {
  XmlNode section = Section("custom");
  const Spec& spec = context.spec;
  for (const auto& numeric : spec.List<Numeric>()) {
    if (IsOfOption(*numeric)) continue;
    section.children.push_back(WriteNumeric(context, *numeric));
  }
  AddAll<Text>(context, section, WriteText);
  AddAll<Tuple>(context, section, WriteTuple);
  return section;
}

XmlNode WriteKeyframe(const WriteContext& context) { return SectionOf<Key>(context, "keyframe", WriteKey); }

}  // namespace sinew::mjcf
