#include "hfd/entries.h"

#include <cmath>

#include "hfd/zml.h"
#include "math/orientation.h"
#include "mjcf/numbers.h"

namespace sinew::hfd {
namespace {

double ToNumber(Context& context, const XmlNode& node, const std::string& text, double fallback) {
  double value = 0;
  const bool is_number = mjcf::ParseReal(text, &value) == mjcf::NumberError::kNone;
  if (is_number && std::isfinite(value)) return value;
  context.problems.Add(node, "'" + text + "' is not a finite number", "give one");
  return fallback;
}

std::optional<Range> ToRange(Context& context, const XmlNode& node) {
  const std::size_t dots = node.text.find("..");
  if (dots == std::string::npos) {
    context.problems.Add(node, "'" + node.text + "' is no range", "write both ends, as -30..120");
    return std::nullopt;
  }
  const Range range = {ToNumber(context, node, node.text.substr(0, dots), 0),
                       ToNumber(context, node, node.text.substr(dots + 2), 0)};
  if (range[0] <= range[1]) return range;
  context.problems.Add(node, "the range " + node.text + " is empty", "give the lower end first");
  return std::nullopt;
}

const XmlNode* ChildOf(const XmlNode& node, std::string_view tag) {
  for (const XmlNode& child : node.children) {
    if (child.tag == tag) return &child;
  }
  return nullptr;
}

std::string Quoted(std::string_view text) { return std::string("'").append(text).append("'"); }

bool IsList(const XmlNode& node) { return !node.children.empty() && node.children.front().tag == kItem; }

// Elements of x, y, z: by these keys, or the items of a list. Null where one is missing.
std::array<const XmlNode*, 3> AxesOf(Context& context, const XmlNode& node) {
  std::array<const XmlNode*, 3> axes = {nullptr, nullptr, nullptr};
  if (IsList(node) && node.children.size() != 3) {
    context.problems.Add(node, "there are " + std::to_string(node.children.size()) + " values", "give three");
    return axes;
  }
  if (!IsList(node) && node.children.empty()) {
    context.problems.Add(node, "'" + node.text + "' is no vector", "write [ 0 1 0 ] or { x = 0 y = 1 z = 0 }");
    return axes;
  }
  static constexpr const char* kKeys[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) axes[i] = IsList(node) ? &node.children[i] : ChildOf(node, kKeys[i]);
  return axes;
}

Vec3<double> ToVector(Context& context, const XmlNode& node) {
  Vec3<double> vector = {0, 0, 0};
  const auto axes = AxesOf(context, node);
  for (int i = 0; i < 3; ++i) {
    const XmlNode* axis = axes[static_cast<std::size_t>(i)];
    if (axis) vector[i] = NumberOf(context, *axis, 0);
  }
  return vector;
}

}  // namespace

double NumberOf(Context& context, const XmlNode& node, double fallback) {
  return ToNumber(context, node, node.text, fallback);
}

Entries::~Entries() {
  if (is_done_) return;
  for (const XmlNode& child : node_.children) {
    if (taken_.count(child.tag) == 0) context_.dropped.AddElement(child);
  }
}

std::string Entries::name() const {
  const std::string* name = node_.Find("name");
  return name ? *name : "";
}

const XmlNode* Entries::Find(std::string_view key) {
  taken_.emplace(key);
  return ChildOf(node_, key);
}

std::vector<const XmlNode*> Entries::All(std::string_view key) {
  taken_.emplace(key);
  std::vector<const XmlNode*> all;
  for (const XmlNode& child : node_.children) {
    if (child.tag == key) all.push_back(&child);
  }
  return all;
}

std::string Entries::Text(std::string_view key) {
  const XmlNode* entry = Find(key);
  return entry ? entry->text : "";
}

double Entries::Number(std::string_view key, double fallback) {
  const XmlNode* entry = Find(key);
  return entry ? NumberOf(context_, *entry, fallback) : fallback;
}

double Entries::Positive(std::string_view key) {
  const XmlNode* entry = Find(key);
  const double value = Number(key, 1);
  if (!entry) Fail(Quoted(key) + " is missing", "give a positive number");
  if (entry && !(value > 0)) {
    context_.problems.Add(*entry, Quoted(entry->text) + " is not positive", "give a positive number");
  }
  return value;
}

double Entries::NotNegative(std::string_view key, double fallback) {
  const double value = Number(key, fallback);
  if (value >= 0) return value;
  context_.problems.Add(*Find(key), Quoted(Text(key)) + " is negative", "give a number of at least 0");
  return fallback;
}

Vec3<double> Entries::Vector(std::string_view key, const Vec3<double>& fallback) {
  const XmlNode* entry = Find(key);
  return entry ? ToVector(context_, *entry) : fallback;
}

Quat<double> Entries::Rotation(std::string_view key) {
  const XmlNode* entry = Find(key);
  if (!entry) return IdentityQuat<double>();
  const Vec3<double> vector = ToVector(context_, *entry);
  const XmlNode* w = ChildOf(*entry, "w");
  if (!w) {
    const double angles[3] = {vector.x * kDegree, vector.y * kDegree, vector.z * kDegree};
    return FromEuler(angles, "xyz");
  }
  const double scalar = NumberOf(context_, *w, 1);
  const double norm = std::sqrt(scalar * scalar + Dot(vector, vector));
  if (norm > 1e-6 && std::isfinite(norm)) {
    return {scalar / norm, vector.x / norm, vector.y / norm, vector.z / norm};
  }
  context_.problems.Add(*entry, "the quaternion has no direction", "give it a norm of one");
  return IdentityQuat<double>();
}

std::optional<Range> Entries::Limits(std::string_view key) {
  const XmlNode* entry = Find(key);
  return entry ? ToRange(context_, *entry) : std::nullopt;
}

std::array<std::optional<Range>, 3> Entries::LimitsOfAxes(std::string_view key) {
  std::array<std::optional<Range>, 3> limits;
  const XmlNode* entry = Find(key);
  if (!entry) return limits;
  const auto axes = AxesOf(context_, *entry);
  for (std::size_t i = 0; i < 3; ++i) {
    if (axes[i]) limits[i] = ToRange(context_, *axes[i]);
  }
  return limits;
}

}  // namespace sinew::hfd
