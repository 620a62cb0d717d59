// Blanks between attributes.
#ifndef SINEW_MJCF_XML_XML_SPACING_H_
#define SINEW_MJCF_XML_XML_SPACING_H_

#include <string>
#include <string_view>

namespace sinew::mjcf {

// The text of a document with a blank after every quoted value that the next attribute touches, as in a="1"b="2". XML
// demands white space there and the parser insists on it, but models on file do without. Lines keep their numbers.
std::string SeparateAttributes(std::string_view xml);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_XML_XML_SPACING_H_
