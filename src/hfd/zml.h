// The text format of SCONE and Hyfydy: keys with values, groups in braces, lists in brackets.
//
//     body { name = femur mass = 9.3 pos { x = 0 y = -0.1 z = 0 } limits = [ 0..0 0..0 -30..120 ] }   # a comment
//
// A key becomes an element with the text of its value, or with the entries of its group or list as children; those of a
// list are called `item`. `$key = value` defines a value for later places where `$key` stands.
#ifndef SINEW_HFD_ZML_H_
#define SINEW_HFD_ZML_H_

#include <string>

#include "mjcf/xml/xml_node.h"

namespace sinew::hfd {

inline constexpr char kItem[] = "item";

// Parses a document, whose only entry is a group: the root. `name` is what messages call it. Throws Error.
mjcf::XmlDocument LoadZml(const std::string& name, const std::string& text);

}  // namespace sinew::hfd

#endif  // SINEW_HFD_ZML_H_
