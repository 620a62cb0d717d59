// Classes of initial values. A class holds one element of each kind, and the C struct mjsDefault has pointers to them.
#include "spec/default_class.h"

#include <type_traits>

namespace sinew::inline spec {

Default::Default(const Default* from) : Element(kType), mjsDefault{}, parent_class(from) {
  if (from) {
    spec = from->spec;
    home = from->home;
    CopyValues(*from);
  }
  element = this;
  joint = &Get<Joint>();
  geom = &Get<Geom>();
  site = &Get<Site>();
  camera = &Get<Camera>();
  light = &Get<Light>();
  flex = &Get<Flex>();
  mesh = &Get<Mesh>();
  material = &Get<Material>();
  pair = &Get<Pair>();
  equality = &Get<Equality>();
  tendon = &Get<Tendon>();
  actuator = &Get<Actuator>();
}

void Default::CopyValues(const Default& other) {
  std::apply([&](auto&... values) { (values.CopyValues(other.Get<std::decay_t<decltype(values)>>()), ...); },
             elements_);
}

Default* Default::AddChild(std::string class_name) {
  Default& child = *children.emplace_back(std::make_unique<Default>(this));
  child.name = std::move(class_name);
  return &child;
}

// Classes are few and nested flatly, so the search needs no table.
Default* Default::Find(std::string_view class_name) {
  if (name == class_name) return this;
  for (const auto& child : children) {
    if (Default* found = child->Find(class_name)) return found;
  }
  return nullptr;
}

// Elements may still point to a deleted class; its values stay until the specification goes.
void Default::MarkDeleted() {
  is_deleted = true;
  for (const auto& child : children) child->MarkDeleted();
}

void Default::ListNames(std::vector<std::string_view>* names) const {
  names->emplace_back(name);
  for (const auto& child : children) child->ListNames(names);
}

}  // namespace sinew::inline spec
