#include "schema_entry.h"

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace sinew {
namespace {

struct Entry {
  std::string name, meaning;
};

struct Element {
  std::string path, meaning;
  std::vector<Entry> attributes;
};

std::string MeaningOf(const pugi::xml_node& node) {
  return node.child("xs:annotation").child("xs:documentation").text().get();
}

// Types of elements are called "type." and the path, with points.
std::vector<Element> Elements(const std::string& xsd) {
  pugi::xml_document document;
  if (!document.load_string(xsd.c_str())) throw std::runtime_error("the schema is no XML");
  std::vector<Element> elements;
  for (const pugi::xml_node& type : document.child("xs:schema").children("xs:complexType")) {
    const std::string name = type.attribute("name").value(), prefix = "type.";
    if (!name.starts_with(prefix)) continue;
    Element& element = elements.emplace_back(Element{name.substr(prefix.size()), MeaningOf(type), {}});
    std::ranges::replace(element.path, '.', '/');
    if (element.path.empty()) element.path = "mujoco";
    for (const pugi::xml_node& attribute : type.children("xs:attribute")) {
      element.attributes.push_back({attribute.attribute("name").value(), MeaningOf(attribute)});
    }
  }
  return elements;
}

// Lines of up to 100 columns; those after the first are indented.
void Write(const std::string& head, const std::string& text, size_t indent, std::string& out) {
  constexpr size_t kColumns = 100;
  std::string line = head;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > kColumns) {
      out += line + "\n";
      line = std::string(indent, ' ') + word;
    } else {
      line += " " + word;
    }
  }
  out += line + "\n";
}

// Classes have the attributes of their elements: they are found by their paths alone.
bool IsCalled(const Element& element, const std::string& word) {
  const std::string name = element.path.substr(element.path.rfind('/') + 1);
  return element.path == word || (name == word && !element.path.starts_with("default/"));
}

void WriteElement(const Element& element, const std::string& attribute, std::string& out) {
  if (attribute.empty()) Write(element.path + ":", element.meaning, 2, out);
  for (const Entry& entry : element.attributes) {
    if (attribute.empty()) {
      Write("  " + entry.name + ":", entry.meaning, 4, out);
    } else if (entry.name == attribute) {
      Write(element.path + " " + entry.name + ":", entry.meaning, 2, out);
    }
  }
}

// The same meaning in several elements is written once.
std::string AttributeInAll(const std::vector<Element>& elements, const std::string& name) {
  std::vector<Entry> found;  // paths in the place of names
  for (const Element& element : elements) {
    if (element.path.starts_with("default/")) continue;
    for (const Entry& entry : element.attributes) {
      if (entry.name != name) continue;
      const auto same = std::ranges::find(found, entry.meaning, &Entry::meaning);
      if (same == found.end()) {
        found.push_back({element.path, entry.meaning});
      } else {
        same->name += ", " + element.path;
      }
    }
  }
  std::string out;
  for (const Entry& entry : found) {
    Write(name + " of", entry.name + ":", 2, out);
    Write(" ", entry.meaning, 2, out);
  }
  return out;
}

}  // namespace

std::string SchemaEntry(const std::string& xsd, const std::string& word, const std::string& attribute) {
  const std::vector<Element> elements = Elements(xsd);
  std::string out;
  for (const Element& element : elements) {
    if (IsCalled(element, word)) WriteElement(element, attribute, out);
  }
  if (out.empty() && attribute.empty()) out = AttributeInAll(elements, word);
  if (!out.empty()) return out;
  if (attribute.empty())
    throw std::runtime_error("MJCF has no element or attribute '" + word + "'; sinew schema lists all");
  throw std::runtime_error("MJCF has no element '" + word + "' with an attribute '" + attribute + "'; sinew schema " +
                           word + " lists what there is");
}

}  // namespace sinew
