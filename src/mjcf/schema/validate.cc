// Checks a document against the schema: unknown elements and attributes, missing ones, and elements that stand too
// often. Values are checked later, by the reader of the element.
#include "mjcf/schema/validate.h"

#include <algorithm>
#include <map>
#include <string>

#include "mjcf/schema/gone.h"

namespace sinew::mjcf {
namespace {

// Files exist with attributes of other elements in frames and replicates, which never had an effect there.
bool IgnoresUnknown(const ElementRow& row) {
  static const ElementRow* const frame = FindPath("body/frame");
  static const ElementRow* const replicate = FindPath("body/replicate");
  return &row == frame || &row == replicate;
}

void CheckAttributes(const XmlNode& node, const ElementRow& row, Problems* problems) {
  for (const auto& [name, text] : node.attributes) {
    const Attribute* attribute = FindAttribute(row, name);
    const GoneWord* gone = FindGone(node.tag, name, text);
    if (gone && (!attribute || *gone->value)) {
      problems->Add(node, gone->Problem(), gone->Remedy());
      continue;
    }
    if (attribute) continue;
    if (IgnoresUnknown(row)) {
      if (problems->IgnoresMore()) {
        problems->Ignore(node, "unknown attribute '" + name + "' is ignored", Suggest(name, AttributeNames(row)));
      }
      continue;
    }
    problems->Add(node, "unknown attribute '" + name + "'", Suggest(name, AttributeNames(row)));
  }
  for (const auto index : row.attributes) {
    const Attribute& attribute = Attributes()[index];
    if (attribute.required && !IsGiven(row, node, attribute.name)) {
      problems->Add(node, std::string("attribute '") + attribute.name + "' is missing");
    }
  }
}

// Cardinality is checked at the second element of a kind, once.
void CheckElement(const XmlNode& node, const ElementRow& row, Problems* problems) {
  CheckAttributes(node, row, problems);
  std::map<const ElementRow*, int> count;
  for (const XmlNode& child : node.children) {
    const ElementRow* child_row = FindChild(row, child.tag);
    if (const GoneWord* gone = child_row ? nullptr : FindGone(child.tag, "", "")) {
      problems->Add(child, gone->Problem(), gone->Remedy());
      continue;
    }
    if (!child_row) {
      problems->Add(child, "unknown element '" + child.tag + "' in " + node.tag, Suggest(child.tag, ChildNames(row)));
      continue;
    }
    if (++count[child_row] == 2 && child_row->cardinality == '?') {
      problems->Add(child, "a second '" + child.tag + "' in " + node.tag, "there may be one at most");
    }
    // An element that may not stand here is reported once; its contents are not checked.
    if (node.tag == "worldbody" && child.tag == "inertial") {
      problems->Add(child, "the world cannot have an inertia", "put it into a body");
      continue;
    }
    CheckElement(child, *child_row, problems);
  }
}

}  // namespace

void Validate(const XmlNode& root, Problems* problems) {
  if (root.tag == Root().name) {
    CheckElement(root, Root(), problems);
  } else {
    problems->Add(root, "the root element is '" + root.tag + "'",
                  "models begin with 'mujoco' (MJCF) or 'robot' (URDF)");
  }
}

}  // namespace sinew::mjcf
