// Reads elements of URDF by hand, as the format has no schema here. Content that is never read is reported as dropped.
#include "urdf/tag_reader.h"

#include <algorithm>
#include <cmath>

#include "math/orientation.h"
#include "mjcf/numbers.h"

namespace sinew::urdf {

// ---- children

std::vector<const XmlNode*> TagReader::Children(std::string_view tag) {
  taken_children_.emplace(tag);
  std::vector<const XmlNode*> found;
  for (const XmlNode& child : node_.children) {
    if (child.tag == tag) found.push_back(&child);
  }
  return found;
}

const XmlNode* TagReader::Child(std::string_view tag) {
  const auto found = Children(tag);
  if (found.size() > 1) {
    context_.problems.Add(*found[1], "a second '" + std::string(tag) + "' in " + node_.tag, "there may be one at most");
  }
  return found.empty() ? nullptr : found.front();
}

const XmlNode* TagReader::RequiredChild(std::string_view tag) {
  const XmlNode* child = Child(tag);
  if (!child) Fail("element '" + std::string(tag) + "' is missing", "add it to the " + node_.tag);
  return child;
}

const XmlNode* TagReader::FirstOf(const std::vector<std::string_view>& tags) {
  const XmlNode* first = nullptr;
  for (const XmlNode& child : node_.children) {
    if (std::find(tags.begin(), tags.end(), child.tag) == tags.end()) continue;
    taken_children_.insert(child.tag);
    if (!first) {
      first = &child;
    } else {
      context_.dropped.AddElement(child, "only the first shape counts");
    }
  }
  return first;
}

std::optional<std::string> TagReader::ChildText(std::string_view tag) {
  const XmlNode* child = Child(tag);
  return child ? std::optional(child->text) : std::nullopt;
}

// Roll, pitch and yaw are rotations about the fixed axes x, y, z in this order, in radians.
Origin TagReader::ReadOrigin() {
  Origin origin;
  const XmlNode* child = Child("origin");
  if (!child) return origin;
  TagReader reader(context_, *child);
  double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
  reader.Numbers("xyz", xyz, 3);
  reader.Numbers("rpy", rpy, 3);
  origin.pos = LoadVec3(xyz);
  origin.quat = FromEuler(rpy, "XYZ");
  return origin;
}

// ---- attributes

std::optional<std::string> TagReader::Text(std::string_view name) {
  taken_attributes_.emplace(name);
  const std::string* text = node_.Find(name);
  return text ? std::optional(*text) : std::nullopt;
}

std::string TagReader::RequiredText(std::string_view name) {
  const auto text = Text(name);
  if (!text || text->empty()) Fail("attribute '" + std::string(name) + "' is missing");
  return text.value_or("");
}

bool TagReader::Numbers(std::string_view name, double* values, std::size_t count) {
  return Numbers(name, values, count, [](double x) { return std::isfinite(x); });
}

std::optional<double> TagReader::Bound(std::string_view name) {
  double value;
  const auto is_number = [](double x) { return !std::isnan(x); };
  return Numbers(name, &value, 1, is_number) ? std::optional(value) : std::nullopt;
}

bool TagReader::Numbers(std::string_view name, double* values, std::size_t count, bool (*is_legal)(double)) {
  const auto text = Text(name);
  const auto words = mjcf::Words(text.value_or(""));
  if (words.empty()) return false;
  const std::string attribute = "attribute '" + std::string(name) + "' is \"" + *text + "\" and has ";
  if (words.size() != count) {
    Fail(attribute + std::to_string(words.size()) + (words.size() == 1 ? " number" : " numbers"),
         "it takes " + std::to_string(count));
    return false;
  }
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (mjcf::ParseReal(words[i], &numbers[i]) != mjcf::NumberError::kNone || !is_legal(numbers[i])) {
      Fail(attribute + "'" + words[i] + "', which is not a finite number");
      return false;
    }
  }
  std::copy(numbers.begin(), numbers.end(), values);
  return true;
}

bool TagReader::RequiredNumbers(std::string_view name, double* values, std::size_t count) {
  if (!node_.Find(name)) Fail("attribute '" + std::string(name) + "' is missing");
  return Numbers(name, values, count);
}

std::optional<double> TagReader::Number(std::string_view name) {
  double value;
  return Numbers(name, &value, 1) ? std::optional(value) : std::nullopt;
}

double TagReader::RequiredNumber(std::string_view name) {
  double value = 0;
  RequiredNumbers(name, &value, 1);
  return value;
}

// ---- content that was not read

void TagReader::Drop(std::string_view name, const std::string& why) {
  if (node_.Find(name)) context_.dropped.AddAttribute(node_, std::string(name), why);
  taken_attributes_.emplace(name);
  for (const XmlNode* child : Children(name)) context_.dropped.AddElement(*child, why);
}

void TagReader::ReportRest() {
  for (const auto& [name, text] : node_.attributes) {
    if (!taken_attributes_.contains(name)) context_.dropped.AddAttribute(node_, name);
  }
  for (const XmlNode& child : node_.children) {
    if (!taken_children_.contains(child.tag)) context_.dropped.AddElement(child);
  }
}

}  // namespace sinew::urdf
