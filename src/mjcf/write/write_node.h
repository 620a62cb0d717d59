// Nodes to text.
#ifndef SINEW_MJCF_WRITE_WRITE_NODE_H_
#define SINEW_MJCF_WRITE_WRITE_NODE_H_

#include <string>
#include <string_view>

#include "mjcf/xml/xml_node.h"

namespace sinew::mjcf {

// Appends a text as the value of an attribute.
void AppendEscaped(std::string_view value, std::string* text);

// Appends an element with its children, two blanks per level.
void AppendNode(const XmlNode& node, int depth, std::string* text);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_WRITE_WRITE_NODE_H_
