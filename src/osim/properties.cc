#include "osim/properties.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/orientation.h"
#include "mjcf/numbers.h"

namespace sinew::osim {
namespace {

// Properties without influence on a model: pictures of frames, words about the document, and what programs keep there.
constexpr std::array kSilent = {"FrameGeometry", "Appearance",        "VisibleObject", "display", "display_preference",
                                "credits",       "publications",      "groups",        "color",   "default_color",
                                "force_units",   "frame_geometry",    "components",    "visible", "default_speed_value",
                                "motion_type",   "attached_geometry", "optimal_force"};

bool IsSilent(const std::string& tag) { return std::find(kSilent.begin(), kSilent.end(), tag) != kSilent.end(); }

std::string Trimmed(const std::string& text) {
  const auto words = mjcf::Words(text);
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : " ") + word;
  return joined;
}

// Whether an element has nothing in it: a property that is empty.
bool IsEmpty(const XmlNode& node) {
  return mjcf::IsBlank(node.text) && std::all_of(node.children.begin(), node.children.end(), IsEmpty);
}

}  // namespace

std::vector<const XmlNode*> ObjectsOf(const XmlNode& set) {
  const auto objects = std::find_if(set.children.begin(), set.children.end(),
                                    [](const XmlNode& child) { return child.tag == "objects"; });
  const XmlNode& holder = objects == set.children.end() ? set : *objects;
  std::vector<const XmlNode*> found;
  for (const XmlNode& child : holder.children) {
    if (child.tag != "groups") found.push_back(&child);
  }
  return found;
}

Properties::Properties(Context& context, const XmlNode& node) : context_(context), node_(node) {
  const auto found = context.defaults.find(node.tag);
  if (found != context.defaults.end() && found->second != &node) defaults_ = found->second;
  if (const std::string* name = node.Find("name")) name_ = *name;
}

// ---- objects in objects

const XmlNode* Properties::Find(std::initializer_list<std::string_view> tags) {
  taken_.insert(tags.begin(), tags.end());
  for (const XmlNode* place : {&node_, defaults_}) {
    if (!place) continue;
    for (const std::string_view tag : tags) {
      const auto found = std::find_if(place->children.begin(), place->children.end(),
                                      [&](const XmlNode& child) { return child.tag == tag; });
      if (found != place->children.end()) return &*found;
    }
  }
  return nullptr;
}

std::vector<const XmlNode*> Properties::Objects(std::string_view tag) {
  const XmlNode* set = Find({tag});
  return set ? ObjectsOf(*set) : std::vector<const XmlNode*>();
}

// ---- values

std::string Properties::Text(std::initializer_list<std::string_view> tags) {
  const XmlNode* child = Find(tags);
  return child ? Trimmed(child->text) : "";
}

std::optional<std::vector<double>> Properties::Numbers(std::initializer_list<std::string_view> tags) {
  const XmlNode* child = Find(tags);
  if (!child) return std::nullopt;
  const auto words = mjcf::Words(child->text);
  if (words.empty()) return std::nullopt;
  std::vector<double> numbers(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (mjcf::ParseReal(words[i], &numbers[i]) == mjcf::NumberError::kNone && !std::isnan(numbers[i])) continue;
    context_.problems.Add(*child, "'" + words[i] + "' is not a number");
    return std::nullopt;
  }
  return numbers;
}

double Properties::Number(std::string_view tag, double fallback) {
  const auto numbers = Numbers({tag});
  if (!numbers) return fallback;
  if (numbers->size() == 1) return numbers->front();
  context_.problems.Add(*Find({tag}), "there are " + std::to_string(numbers->size()) + " numbers", "give one");
  return fallback;
}

double Properties::RequiredNumber(std::string_view tag) {
  const XmlNode* child = Find({tag});
  if (child && !mjcf::IsBlank(child->text)) return Number(tag, 0);
  Fail("property '" + std::string(tag) + "' has no value", "give it a number");
  return 0;
}

bool Properties::Flag(std::string_view tag, bool fallback) {
  const std::string text = Text({tag});
  if (text.empty()) return fallback;
  if (text == "true" || text == "1") return true;
  if (text != "false" && text != "0") {
    context_.problems.Add(*Find({tag}), "'" + text + "' is neither true nor false");
  }
  return false;
}

Vec3<double> Properties::Vector(std::initializer_list<std::string_view> tags, const Vec3<double>& fallback) {
  const auto numbers = Numbers(tags);
  if (!numbers) return fallback;
  const bool is_finite = std::all_of(numbers->begin(), numbers->end(), [](double x) { return std::isfinite(x); });
  if (numbers->size() == 3 && is_finite) return LoadVec3(numbers->data());
  context_.problems.Add(
      *Find(tags),
      is_finite ? "there are " + std::to_string(numbers->size()) + " numbers" : std::string("a number is not finite"),
      "give three finite ones");
  return fallback;
}

Pose Properties::ReadPose(std::initializer_list<std::string_view> translation,
                          std::initializer_list<std::string_view> rotation) {
  const Vec3<double> angles = Vector(rotation, {0, 0, 0});
  const double xyz[3] = {angles.x, angles.y, angles.z};
  return {Vector(translation, {0, 0, 0}), FromEuler(xyz, "xyz")};
}

// ---- rest

void Properties::Expect(std::string_view tag, double value, const std::string& why) {
  if (Number(tag, value) != value) context_.dropped.AddElement(*Find({tag}), why);
}

void Properties::ExpectFlag(std::string_view tag, bool value, const std::string& why) {
  if (Flag(tag, value) != value) context_.dropped.AddElement(*Find({tag}), why);
}

void Properties::ReportRest() {
  if (is_done_) return;
  for (const XmlNode& child : node_.children) {
    if (taken_.count(child.tag) > 0 || IsSilent(child.tag) || IsEmpty(child)) continue;
    context_.dropped.AddElement(child);
  }
}

}  // namespace sinew::osim
