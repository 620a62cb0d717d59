#include "osim/frames.h"

#include <algorithm>

#include "osim/properties.h"

namespace sinew::osim {
namespace {

constexpr int kMostFrames = 100;  // fixed to one another

bool IsOffsetFrame(const XmlNode& node) {
  return node.tag == "PhysicalOffsetFrame" || node.tag == "OffsetFrame_PhysicalFrame_";
}

bool HasName(const XmlNode& node, std::string_view name) {
  const std::string* own = node.Find("name");
  return own && *own == name;
}

enum class Kind { kComponent, kOffsetFrame };  // an offset frame is one of the components

// Finds the first component below an element that has the name and is of the kind; null: there is none.
const XmlNode* FindBelow(const XmlNode& node, std::string_view name, Kind kind) {
  for (const XmlNode& child : node.children) {
    if (HasName(child, name) && (kind == Kind::kComponent || IsOffsetFrame(child))) return &child;
    if (const XmlNode* found = FindBelow(child, name, kind)) return found;
  }
  return nullptr;
}

const XmlNode& RootOf(const XmlNode& node) {
  const XmlNode* root = &node;
  while (root->parent) root = root->parent;
  return *root;
}

// "/jointset/knee/femur_offset": the frame femur_offset of the component knee. A name alone is that of a frame here.
const XmlNode* FindOffsetFrame(const std::string& path, const XmlNode& component) {
  const std::string_view name = LastPart(path), owner = OwnerPart(path);
  const XmlNode& root = RootOf(component);
  if (!owner.empty() && owner != "..") {
    const XmlNode* holder = FindBelow(root, owner, Kind::kComponent);
    if (const XmlNode* found = holder ? FindBelow(*holder, name, Kind::kOffsetFrame) : nullptr) return found;
  }
  return FindBelow(component, name, Kind::kOffsetFrame);
}

// ".." is what a component stands in: the next body or frame around it.
const XmlNode* HolderOf(const XmlNode& component) {
  const XmlNode* holder = component.parent;
  while (holder && holder->tag != "Ground" && holder->tag != "Body" && !IsOffsetFrame(*holder)) holder = holder->parent;
  return holder;
}

std::optional<Place> FindRelative(Context& context, const XmlNode& component, int depth);

std::optional<Place> Find(Context& context, const std::string& path, const XmlNode& component, int depth) {
  if (depth > kMostFrames) {
    context.problems.Add(component, "frames are fixed to one another in a loop", "fix one of them to a body");
    return std::nullopt;
  }
  if (LastPart(path) == "..") return FindRelative(context, component, depth);
  const int body = context.skeleton.FindBody(path);
  // "/ground" and "/bodyset/NAME" can be nothing else
  const bool is_body = body >= 0 && path[0] == '/' && (OwnerPart(path).empty() || OwnerPart(path) == "bodyset");
  if (is_body) return Place{body, {}};
  const XmlNode* frame = FindOffsetFrame(path, component);
  if (!frame && body < 0) frame = FindBelow(RootOf(component), LastPart(path), Kind::kOffsetFrame);
  if (!frame) {
    if (body >= 0) return Place{body, {}};
    context.problems.Add(component,
                         path.empty() ? "the name of a frame is missing" : "there is no frame '" + path + "'",
                         "name a body, or a frame that is fixed to one");
    return std::nullopt;
  }
  Properties properties(context, *frame);
  properties.Skip({"WrapObjectSet"});
  const std::string parent = properties.Text({"socket_parent", "socket_parent_connectee_name"});
  const Pose own = properties.ReadPose({"translation"}, {"orientation"});
  // a frame that bears the name of what it is fixed to looks for that around itself
  auto place = Find(context, parent, *frame, depth + 1);
  if (place) place->pose = place->pose * own;
  return place;
}

std::optional<Place> FindRelative(Context& context, const XmlNode& component, int depth) {
  const XmlNode* holder = HolderOf(component);
  const std::string* name = holder ? holder->Find("name") : nullptr;
  if (holder && holder->tag == "Ground") return Place{0, {}};
  if (name && holder->parent) return Find(context, *name, *holder->parent, depth + 1);
  context.problems.Add(component, "'..' is no frame here", "name a body, or a frame that is fixed to one");
  return std::nullopt;
}

// Finds the place of the component that holds a set.
std::optional<Place> PlaceOf(Context& context, const XmlNode& owner) {
  if (owner.tag == "Ground") return Place{0, {}};
  const std::string* name = owner.Find("name");
  if (owner.tag == "Body") {
    const int body = context.skeleton.FindBody(name ? *name : "");
    return body >= 0 ? std::optional(Place{body, {}}) : std::nullopt;
  }
  return name && owner.parent && IsOffsetFrame(owner) ? FindFrame(context, *name, *owner.parent) : std::nullopt;
}

}  // namespace

void ForEachInFrames(Context& context, const XmlNode& model, std::string_view set,
                     const std::function<void(const XmlNode&, const Place&)>& visit) {
  for (const XmlNode& child : model.children) {
    if (child.tag != set) {
      ForEachInFrames(context, child, set, visit);
      continue;
    }
    const auto objects = ObjectsOf(child);
    const auto place = objects.empty() ? std::nullopt : PlaceOf(context, model);
    if (!place) continue;
    for (const XmlNode* object : objects) visit(*object, *place);
  }
}

std::optional<Place> FindFrame(Context& context, const std::string& path, const XmlNode& component) {
  return Find(context, path, component, 0);
}

Quat<double> FromGround() {
  constexpr double kHalf = 0.70710678118654752440;
  return {kHalf, kHalf, 0, 0};
}

Pose InModel(const Place& place) { return place.body == 0 ? Pose{{0, 0, 0}, FromGround()} * place.pose : place.pose; }

}  // namespace sinew::osim
