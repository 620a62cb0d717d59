// Looks up attributes, and names the place of an element in its file.
#include "mjcf/xml/xml_node.h"

namespace sinew::mjcf {

const std::string* XmlNode::Find(std::string_view attribute) const {
  for (const auto& [name, value] : attributes) {
    if (name == attribute) return &value;
  }
  return nullptr;
}

SourceLocation XmlNode::Location() const {
  std::string path;
  for (const XmlNode* node = this; node; node = node->parent) {
    if (node != this && (!node->parent || node->tag == "worldbody")) continue;
    std::string step = node->tag;
    const std::string* name = node->Find(node->tag == "default" ? "class" : "name");
    if (name && !name->empty()) step += " '" + *name + "'";
    path = path.empty() ? step : step + " / " + path;
  }
  return {file ? *file : "", line, path};
}

}  // namespace sinew::mjcf
