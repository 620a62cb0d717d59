// Reads the element <mujoco> of a robot: settings of the compiler, options and sizes by the readers of MJCF, and
// options of this reader in <urdf>.
#include "urdf/extension.h"

#include <string>
#include <string_view>

#include "core/path.h"
#include "mjcf/read/sections.h"
#include "mjcf/schema/schema.h"
#include "urdf/tag_reader.h"

namespace sinew::urdf {
namespace {

// The sections of MJCF that a robot may have.
struct Section {
  const char* tag;
  void (*read)(mjcf::Context&, const XmlNode&);
};
constexpr Section kSections[] = {
    {"compiler", mjcf::ReadCompiler}, {"option", mjcf::ReadOption}, {"size", mjcf::ReadSize}};

// Attributes and elements that the schema does not have are dropped, as everywhere in URDF.
void DropUnknown(Context& context, const XmlNode& node, const mjcf::ElementRow& row) {
  for (const auto& [name, text] : node.attributes) {
    if (!FindAttribute(row, name)) context.dropped.AddAttribute(node, name);
  }
  for (const XmlNode& child : node.children) {
    if (const mjcf::ElementRow* child_row = FindChild(row, child.tag)) {
      DropUnknown(context, child, *child_row);
    } else {
      context.dropped.AddElement(child);
    }
  }
}

struct Flag {
  const char* name;
  bool UrdfOptions::*field;
};
constexpr Flag kFlags[] = {{"mimic", &UrdfOptions::mimic},
                           {"visuals", &UrdfOptions::visuals},
                           {"actuators", &UrdfOptions::actuators},
                           {"floatingbase", &UrdfOptions::floatingbase}};

// Folders of packages, separated by colons; relative ones start at the model file.
void AddPackagePath(Context& context, std::string_view list) {
  const std::string& directory = *static_cast<mjSpec&>(context.spec).modelfiledir;
  while (!list.empty()) {
    const std::string_view folder = list.substr(0, list.find(':'));
    if (!folder.empty()) context.options.package_path.push_back(JoinPath(directory, std::string(folder)));
    list.remove_prefix(folder.size());
    if (!list.empty()) list.remove_prefix(1);
  }
}

// Options that a program gives stay unless the file says otherwise.
void ReadOptions(Context& context, const XmlNode& node) {
  TagReader reader(context, node);
  for (const auto& [name, field] : kFlags) {
    const auto text = reader.Text(name);
    if (!text) continue;
    if (*text != "true" && *text != "false") {
      reader.Fail(std::string("attribute '") + name + "' is \"" + *text + "\"", "give true or false");
    }
    context.options.*field = *text == "true";
  }
  reader.Text("meshpaths");  // of earlier releases, where meshes were not always told apart by their paths
  AddPackagePath(context, reader.Text("packagepath").value_or(""));
}

void ReadExtension(Context& context, const XmlNode& extension) {
  TagReader reader(context, extension);
  mjcf::Context mjcf_context{context.spec, context.problems};
  mjcf::ReadDirectories(mjcf_context, extension);
  for (const auto& [tag, read] : kSections) {
    for (const XmlNode* section : reader.Children(tag)) {
      read(mjcf_context, *section);
      DropUnknown(context, *section, *mjcf::FindPath(tag));
    }
  }
  if (const XmlNode* options = reader.Child("urdf")) ReadOptions(context, *options);
}

}  // namespace

// A robot starts with static links fused and visual shapes dropped, which is what MuJoCo 3.8.0 does with URDF.
void ReadSettings(Context& context, const XmlNode* extension) {
  mjsCompiler& compiler = static_cast<mjSpec&>(context.spec).compiler;
  compiler.fusestatic = 1;
  compiler.discardvisual = 1;
  if (extension) ReadExtension(context, *extension);
  // Angles of URDF are in radians, whatever the extension says.
  compiler.degree = 0;
  if (context.options.visuals) compiler.discardvisual = 0;
}

}  // namespace sinew::urdf
