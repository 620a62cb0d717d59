#include "spec/spec.h"

namespace sinew {

Spec::Spec() : Element(kType), mjSpec{}, main_class_(nullptr) {
  SetDefaults(static_cast<mjSpec*>(this));
  handles_.Bind(this);
  mjSpec::element = this;
  handles_.modelname = "MuJoCo Model";  // the documented name of a model that gives none
  Element::spec = main_class_.spec = world_.spec = this;
  main_class_.name = "main";
  world_.default_class = &main_class_;
  SetName(world_, "world");
}

Spec::Names* Spec::NamesOf(mjtObj type) {
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  if (type == mjOBJ_FRAME) return &names_[mjNOBJECT];
  return type >= 0 && type < mjNOBJECT ? &names_[type] : nullptr;
}

bool Spec::SetName(Element& named, std::string new_name) {
  Names* names = NamesOf(named.elemtype);
  if (names && !named.name.empty()) {
    const auto old = names->find(named.name);
    if (old != names->end() && old->second == &named) names->erase(old);
  }
  named.name = std::move(new_name);
  if (!names || named.name.empty()) return true;
  const auto [bearer, is_new] = names->try_emplace(named.name, &named);
  return is_new || bearer->second == &named;
}

Element* Spec::Find(mjtObj type, std::string_view wanted) const {
  const Names* names = const_cast<Spec*>(this)->NamesOf(type);
  if (!names) return nullptr;
  const auto found = names->find(std::string(wanted));
  return found == names->end() ? nullptr : found->second;
}

}  // namespace sinew
