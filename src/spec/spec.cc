// The specification: its empty state, settings, and the table of names. Names may be given twice while a model is
// edited; the first bearer is found, and the compiler refuses the model.
#include "spec/spec.h"

#include <algorithm>

#include "spec/key_layout.h"
#include "spec/loan.h"

namespace sinew::inline spec {

Spec::Spec(Level level_of_all) : Element(kType), mjSpec{}, main_class_(nullptr) {
  SetDefaults(static_cast<mjSpec*>(this));
  handles_.Bind(this);
  mjSpec::element = this;
  handles_.modelname = "MuJoCo Model";  // the documented name of a model that gives none
  Element::spec = main_class_.spec = world_.spec = this;
  Element::home = main_class_.home = world_.home = this;
  main_class_.name = "main";
  world_.default_class = &main_class_;
  SetName(world_, "world");
  SetLevel(level_of_all, *this);
}

Spec::~Spec() = default;

void Spec::CopySettings(const Spec& other) {
  static_cast<mjSpec&>(*this) = other;
  handles_ = other.handles_;
  handles_.Bind(this);
  mjSpec::element = this;
  level = other.level;
  deep_copy = other.deep_copy;
  active_plugins = other.active_plugins;
}

// Both frames of a body share its name, and frames have a table of their own.
Spec::Names* Spec::NamesOf(mjtObj type) {
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  if (type == mjOBJ_FRAME) return &names_[mjNOBJECT];
  return type >= 0 && type < mjNOBJECT ? &names_[type] : nullptr;
}

bool Spec::SetName(Element& named, std::string new_name) {
  ForgetName(named);
  for (Spec* giver = named.home; giver && giver != this; giver = giver->attached_to) giver->ForgetName(named);
  named.name = std::move(new_name);
  Names* names = NamesOf(named.elemtype);
  if (!names || named.name.empty()) return true;
  const bool is_new = names->try_emplace(named.name, &named).second;
  if (!is_new) also_named_.push_back(&named);
  return is_new;
}

// A model that has given an element away still finds it under its new name.
void Spec::FindHereToo(Element& named) {
  Names* names = NamesOf(named.elemtype);
  if (names && !named.name.empty()) names->insert_or_assign(named.name, &named);
}

void Spec::ForgetName(Element& named) {
  Names* names = NamesOf(named.elemtype);
  if (!names || named.name.empty()) return;
  const auto entry = names->find(named.name);
  if (entry == names->end() || entry->second != &named) {
    std::erase(also_named_, &named);
    return;
  }
  // The next bearer of the name, if there is one, is found from now on.
  const auto next = std::find_if(also_named_.begin(), also_named_.end(), [&](const Element* other) {
    return NamesOf(other->elemtype) == names && other->name == named.name;
  });
  if (next == also_named_.end()) {
    names->erase(entry);
  } else {
    entry->second = *next;
    also_named_.erase(next);
  }
}

// Names are looked up by type, so kinds may share them.
Element* Spec::Find(mjtObj type, std::string_view wanted) const {
  const Names* names = NamesOf(type);
  if (!names) return nullptr;
  const auto found = names->find(std::string(wanted));
  if (found == names->end()) return nullptr;
  // An element that belongs to another specification now may have lost the name there.
  Element* bearer = found->second;
  return bearer->is_deleted || bearer->name != wanted ? nullptr : bearer;
}

// Keyframes of an old tree wait for the next compilation.
void Spec::SuspendKeys(const std::function<bool(const Key&)>& which) {
  for (auto& key : List<Key>()) {
    if (!which(*key)) continue;
    ForgetName(*key);
    pending_keys.push_back(std::move(key));
  }
  std::erase(List<Key>(), nullptr);
}

void Spec::RestoreKeys() {
  for (auto& key : pending_keys) {
    SetName(*key, key->name);
    List<Key>().push_back(std::move(key));
  }
  pending_keys.clear();
}

std::vector<std::string_view> Spec::NamesInOrder(mjtObj type) const {
  std::vector<std::string_view> list;
  const Names* names = NamesOf(type);
  if (!names) return list;
  for (const auto& entry : *names) list.emplace_back(entry.first);
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace sinew::inline spec
