// Documents that MuJoCo 3.8.0 loads, with extensions in <custom> (docs/how/extensions.md).
//
// An element that 3.8.0 cannot read becomes a placeholder, the nearest element that it has, and a text beside it holds
// the element as it was:
//
//   <text name="sinew/general/soleus" data="&lt;musculotendon name=.../&gt;"/>
//
// The text's name has the tag of the placeholder and its name, or, without a name, '#' and its number among those of
// that tag. Elements of a class that have no placeholder are in a text of the class: sinew/default/NAME.
#ifndef SINEW_MJCF_PACKED_EXTENSIONS_H_
#define SINEW_MJCF_PACKED_EXTENSIONS_H_

#include <vector>

#include "mjcf/xml/xml_node.h"

namespace sinew::mjcf {

// Texts of <custom> with names that begin so hold packed elements.
inline constexpr char kPackedPrefix[] = "sinew/";

// Replaces extensions in the sections of a document by placeholders, and adds the texts.
void PackExtensions(std::vector<XmlNode>* sections);

// Puts the elements that texts carry in the places of their placeholders, and removes the texts. Throws Error where a
// text has no placeholder or is no element.
void UnpackExtensions(XmlNode* root);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_PACKED_EXTENSIONS_H_
