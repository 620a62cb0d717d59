#include "mjcf/xml_node.h"

#include <algorithm>
#include <cctype>

namespace sinew::mjcf {

const std::string* XmlNode::Find(std::string_view attribute) const {
  for (const auto& [name, text] : attributes) {
    if (name == attribute) return &text;
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

std::string Directory(std::string_view path) {
  const auto separator = path.find_last_of("/\\");
  return separator == std::string_view::npos ? "" : std::string(path.substr(0, separator + 1));
}

bool IsAbsolute(std::string_view path) {
  if (path.empty()) return false;
  const bool drive = path.size() > 2 && std::isalpha(static_cast<unsigned char>(path[0])) && path[1] == ':' &&
                     (path[2] == '/' || path[2] == '\\');
  return path[0] == '/' || path[0] == '\\' || drive;
}

}  // namespace sinew::mjcf
