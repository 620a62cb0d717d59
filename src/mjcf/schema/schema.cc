// Looks up rows of the schema by path and name. Lists are short, so they are searched from the front.
#include "mjcf/schema/schema.h"

#include <algorithm>

#include "mjcf/numbers.h"

namespace sinew::mjcf {

const ElementRow& Root() { return Elements().front(); }

// A path is the names from the section down, as in "body/geom".
const ElementRow* FindPath(std::string_view path) {
  const auto rows = Elements();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const ElementRow& row) { return row.path == path; });
  return found == rows.end() ? nullptr : &*found;
}

const ElementRow* FindChild(const ElementRow& parent, std::string_view name) {
  for (const auto index : parent.children) {
    if (Elements()[index].name == name) return &Elements()[index];
  }
  return nullptr;
}

const Attribute* FindAttribute(const ElementRow& element, std::string_view name) {
  for (const auto index : element.attributes) {
    if (Attributes()[index].name == name) return &Attributes()[index];
  }
  return nullptr;
}

bool IsGiven(const ElementRow& row, const XmlNode& node, std::string_view name) {
  const std::string* text = node.Find(name);
  if (!text) return false;
  const Attribute* attribute = FindAttribute(row, name);
  return !attribute || attribute->value != Value::kReal || !IsBlank(*text);
}

std::vector<std::string_view> ChildNames(const ElementRow& parent) {
  std::vector<std::string_view> names;
  for (const auto index : parent.children) names.emplace_back(Elements()[index].name);
  return names;
}

std::vector<std::string_view> AttributeNames(const ElementRow& element) {
  std::vector<std::string_view> names;
  for (const auto index : element.attributes) names.emplace_back(Attributes()[index].name);
  return names;
}

}  // namespace sinew::mjcf
