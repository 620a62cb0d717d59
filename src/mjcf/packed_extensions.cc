#include "mjcf/packed_extensions.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "mjcf/schema/schema.h"
#include "mjcf/write/write_node.h"

namespace sinew::mjcf {
namespace {

// ---- names of placeholders

// Numbers the elements of each tag in the order of the document.
class Counter {
 public:
  std::string KeyOf(const XmlNode& node) {
    const int number = count_[node.tag]++;
    const std::string* name = node.Find("name");
    const std::string own = name ? *name : std::string("#").append(std::to_string(number));
    return std::string(kPackedPrefix).append(node.tag).append("/").append(own);
  }

 private:
  std::map<std::string, int> count_;
};

std::string KeyOfClass(const XmlNode& node) {
  const std::string* name = node.Find("class");
  return std::string(kPackedPrefix).append("default/").append(name ? *name : "main");
}

// ---- placeholders

void Set(XmlNode* node, const char* name, const std::string& value) {
  const auto found = std::find_if(node->attributes.begin(), node->attributes.end(),
                                  [&](const auto& attribute) { return attribute.first == name; });
  if (found != node->attributes.end()) {
    found->second = value;
  } else {
    node->attributes.emplace_back(name, value);
  }
}

// Leaves the attributes that an element of the interface has.
void KeepKnown(const ElementRow& row, XmlNode* node) {
  std::erase_if(node->attributes, [&](const auto& attribute) {
    const Attribute* known = FindAttribute(row, attribute.first);
    return !known || known->extension;
  });
}

// An actuator with as many activations, which pulls with the peak force times the last one. These stay at zero, as
// their dynamics are those of a program that is not there.
void PlaceholderForMuscle(XmlNode* node) {
  const std::string *force = node->Find("force"), *compliance = node->Find("compliance");
  const std::string gain = force ? std::string("-").append(*force) : "0";
  const std::string states = compliance && *compliance == "rigid" ? "1" : "2";
  node->tag = "general";
  KeepKnown(*FindPath("actuator/general"), node);
  Set(node, "dyntype", "user");
  Set(node, "actdim", states);
  Set(node, "gaintype", "fixed");
  Set(node, "gainprm", gain);
}

void PlaceholderForSensor(XmlNode* node) {
  node->tag = "user";
  KeepKnown(*FindPath("sensor/user"), node);
  Set(node, "dim", "1");
  Set(node, "needstage", "acc");
}

// Words of attributes that the interface has, with values that it has not.
void ReplaceWords(XmlNode* node) {
  const std::string* integrator = node->tag == "option" ? node->Find("integrator") : nullptr;
  if (integrator && (*integrator == "merson" || *integrator == "rk3")) Set(node, "integrator", "RK4");
  if (integrator && *integrator == "euler2") Set(node, "integrator", "Euler");
  const std::string* input = node->tag == "dcmotor" ? node->Find("input") : nullptr;
  if (input && *input == "ff") Set(node, "input", "voltage");
}

// Whether a child is an extension that its element is written with; those of classes have texts of their own.
bool IsOwnExtension(const ElementRow& row, const XmlNode& node, const XmlNode& child) {
  const ElementRow* of_child = FindChild(row, child.tag);
  return of_child && of_child->extension && of_child != &row && node.tag != "default" && node.tag != "sensor" &&
         node.tag != "actuator";
}

// An equality by a function is written as inactive: with a polynomial, it would be another constraint.
void PlaceholderForCoupling(const ElementRow& row, XmlNode* node) {
  if (std::string_view(row.path) != "equality/joint") return;
  for (const char* name : {"function", "coef", "x"}) {
    if (node->Find(name)) return Set(node, "active", "false");
  }
}

// Replaces an extension by content that MuJoCo 3.8.0 has; returns whether the element changed.
bool MakePlaceholder(const ElementRow& row, XmlNode* node) {
  const auto before = std::make_pair(node->tag, node->attributes);
  const bool had_children =
      std::erase_if(node->children, [&](const XmlNode& child) { return IsOwnExtension(row, *node, child); }) > 0;
  if (row.extension && std::string_view(row.path).starts_with("actuator/")) {
    PlaceholderForMuscle(node);
  } else if (row.extension && std::string_view(row.path).starts_with("sensor/")) {
    PlaceholderForSensor(node);
  } else {
    PlaceholderForCoupling(row, node);
    std::erase_if(node->attributes, [&](const auto& attribute) {
      const Attribute* known = FindAttribute(row, attribute.first);
      return known && known->extension;
    });
    ReplaceWords(node);
  }
  return had_children || before != std::make_pair(node->tag, node->attributes);
}

// An element as XML, without its children but those that are extensions.
std::string TextOfElement(const ElementRow& row, const XmlNode& node) {
  XmlNode alone;
  alone.tag = node.tag;
  alone.attributes = node.attributes;
  for (const XmlNode& child : node.children) {
    if (IsOwnExtension(row, node, child)) alone.children.push_back(child);
  }
  std::string text;
  AppendNode(alone, 0, &text);
  text.pop_back();  // the end of the line
  return text;
}

class Packer {
 public:
  void Pack(const ElementRow& row, XmlNode* node) {
    const std::string original = TextOfElement(row, *node);
    const bool changed = MakePlaceholder(row, node);
    const std::string key = counter_.KeyOf(*node);
    if (changed) Carry(key, original);
    for (auto child = node->children.begin(); child != node->children.end();) {
      // a body holds bodies of the same row, a class classes
      const ElementRow* of_child = child->tag == node->tag ? &row : FindChild(row, child->tag);
      if (of_child && of_child->extension && node->tag == "default") {
        Carry(KeyOfClass(*node), TextOfElement(*of_child, *child));
        child = node->children.erase(child);
        continue;
      }
      if (of_child) Pack(*of_child, &*child);
      ++child;
    }
  }
  std::vector<XmlNode> TakeTexts() { return std::move(texts_); }

 private:
  void Carry(const std::string& key, const std::string& data) {
    XmlNode text;
    text.tag = "text";
    text.attributes = {{"name", key}, {"data", data}};
    texts_.push_back(std::move(text));
  }

  Counter counter_;
  std::vector<XmlNode> texts_;
};

// ---- back

void Collect(XmlNode* node, Counter* counter, std::map<std::string, XmlNode*>* found) {
  found->emplace(counter->KeyOf(*node), node);
  for (XmlNode& child : node->children) Collect(&child, counter, found);
}

// The class that a text belongs to; null: it is not there.
XmlNode* FindClass(XmlNode* node, const std::string& key) {
  if (node->tag == "default" && KeyOfClass(*node) == key) return node;
  for (XmlNode& child : node->children) {
    XmlNode* found = child.tag == "default" ? FindClass(&child, key) : nullptr;
    if (found) return found;
  }
  return nullptr;
}

XmlNode NodeOf(const pugi::xml_node& element, const XmlNode& place) {
  XmlNode node;
  node.tag = element.name();
  for (const pugi::xml_attribute& attribute : element.attributes()) {
    node.attributes.emplace_back(attribute.name(), attribute.value());
  }
  for (const pugi::xml_node& child : element.children()) node.children.push_back(NodeOf(child, place));
  node.file = place.file;
  node.line = place.line;
  node.order = place.order;
  return node;
}

// The element that a text holds, at the place of the text.
XmlNode ElementOf(const XmlNode& text, const std::string& data) {
  pugi::xml_document document;
  const auto result = document.load_string(data.c_str());
  if (!result || !document.document_element() || document.document_element().next_sibling()) {
    throw Error("the text '" + *text.Find("name") + "' does not hold an element", "write it with sinew convert --carry",
                text.Location());
  }
  return NodeOf(document.document_element(), text);
}

bool IsCarrier(const XmlNode& node) {
  const std::string* name = node.tag == "text" ? node.Find("name") : nullptr;
  return name && name->starts_with(kPackedPrefix) && node.Find("data");
}

}  // namespace

void PackExtensions(std::vector<XmlNode>* sections) {
  Packer packer;
  for (XmlNode& section : *sections) {
    if (const ElementRow* row = FindChild(Root(), section.tag)) packer.Pack(*row, &section);
  }
  std::vector<XmlNode> texts = packer.TakeTexts();
  for (XmlNode& section : *sections) {
    if (section.tag == "custom") std::move(texts.begin(), texts.end(), std::back_inserter(section.children));
  }
}

void UnpackExtensions(XmlNode* root) {
  std::vector<XmlNode> carriers;
  for (XmlNode& section : root->children) {
    if (section.tag != "custom") continue;
    std::copy_if(section.children.begin(), section.children.end(), std::back_inserter(carriers), IsCarrier);
  }
  if (carriers.empty()) return;
  // the texts themselves are part of the count of their tag, but never a place
  Counter counter;
  std::map<std::string, XmlNode*> places;
  for (XmlNode& section : root->children) Collect(&section, &counter, &places);

  // elements that classes get come last, since they move what stands there
  for (const bool to_class : {false, true}) {
    for (const XmlNode& carrier : carriers) {
      const std::string& key = *carrier.Find("name");
      if (key.starts_with(std::string(kPackedPrefix) + "default/") != to_class) continue;
      const auto place = places.find(key);
      XmlNode* node = to_class ? FindClass(root, key) : place == places.end() ? nullptr : place->second;
      if (!node) {
        throw Error("the text '" + key + "' stands for an element that is not there", "remove it", carrier.Location());
      }
      XmlNode element = ElementOf(carrier, *carrier.Find("data"));
      if (to_class) {
        node->children.push_back(std::move(element));
      } else {
        node->tag = std::move(element.tag);
        node->attributes = std::move(element.attributes);
        std::move(element.children.begin(), element.children.end(), std::back_inserter(node->children));
      }
    }
  }
  for (XmlNode& section : root->children) {
    if (section.tag == "custom") std::erase_if(section.children, IsCarrier);
  }
}

}  // namespace sinew::mjcf
