#include "mjcf/write/write_node.h"

#include <cstddef>

namespace sinew::mjcf {

void AppendEscaped(std::string_view value, std::string* text) {
  for (const char c : value) {
    switch (c) {
      case '&':
        *text += "&amp;";
        break;
      case '<':
        *text += "&lt;";
        break;
      case '>':
        *text += "&gt;";
        break;
      case '"':
        *text += "&quot;";
        break;
      case '\'':
        *text += "&apos;";
        break;
      default:
        // ends of lines and the like would be read as blanks
        if (static_cast<unsigned char>(c) < ' ') {
          *text += "&#" + std::to_string(static_cast<int>(c)) + ";";
        } else {
          *text += c;
        }
    }
  }
}

// Recursion is bounded: bodies nest no deeper than the compiler allowed.
void AppendNode(const XmlNode& node, int depth, std::string* text) {
  const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
  *text += indent + "<" + node.tag;
  for (const auto& [name, value] : node.attributes) {
    *text += " " + name + "=\"";
    AppendEscaped(value, text);
    *text += '"';
  }
  if (node.children.empty()) {
    *text += "/>\n";
    return;
  }
  *text += ">\n";
  for (const XmlNode& child : node.children) AppendNode(child, depth + 1, text);
  *text += indent + "</" + node.tag + ">\n";
}

}  // namespace sinew::mjcf
