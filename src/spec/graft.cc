// Copies or moves a part of a specification: first the originals are collected by kind, then names are changed in
// everything that refers to them. References are by name, so no pointers need to be followed (spec/references.h).
#include "spec/graft.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <type_traits>
#include <unordered_set>

#include "core/path.h"
#include "model/storage/extension.h"
#include "spec/references.h"
#include "spec/traverse.h"

namespace sinew::inline spec {
namespace {

bool StandsIn(const Element& element, const Frame& outer) {
  const Frame* frame = element.frame;
  while (frame && frame != &outer) frame = frame->frame;
  return frame != nullptr;
}

// mjsPlugin has a field of the same name.
std::string& NameOf(Element& element) { return element.name; }

// The name that an element will have when it is compiled.
template <class T>
std::string CompiledName(const T& element) {
  return NameInReferences(element, static_cast<const Element&>(element).name);
}

// The name of a copy. A copy without affixes is as nameless as its original.
template <class T>
std::string NewName(const T& original, const Affixes& affixes) {
  return affixes.empty() ? static_cast<const Element&>(original).name : affixes(CompiledName(original));
}

// Calls visit(vector) for every kind of original.
template <class Originals, class Visit>
void ForEachKind(Originals& originals, Visit&& visit) {
  std::apply([&](auto&... of_kind) { (visit(of_kind), ...); }, originals);
}

template <class T>
using KindOf = std::remove_cvref_t<decltype(*std::declval<T>().front())>;

// Relations: what refers to the tree by name.
template <class T>
constexpr bool kIsRelation = std::is_same_v<T, Flex> || std::is_same_v<T, Skin> || std::is_same_v<T, Pair> ||
                             std::is_same_v<T, Exclude> || std::is_same_v<T, Tendon> || std::is_same_v<T, Equality> ||
                             std::is_same_v<T, Actuator> || std::is_same_v<T, Sensor> || std::is_same_v<T, Tuple>;

// Takes the elements that are in a set out of a list; those that stay keep their order.
template <class T>
ElementList<T> TakeOut(ElementList<T>& list, const ElementSet& gone) {
  const auto kept = std::stable_partition(list.begin(), list.end(),
                                          [&](const std::unique_ptr<T>& item) { return !gone.contains(item.get()); });
  ElementList<T> taken(std::make_move_iterator(kept), std::make_move_iterator(list.end()));
  list.erase(kept, list.end());
  return taken;
}

// The same for a kind, from all lists of `source` that have originals of it. Elements in a body that is taken out go
// with it.
template <class T>
ElementList<T> TakeOutKind(Spec& source, const std::vector<T*>& originals, const ElementSet& gone) {
  if (originals.empty()) return {};
  if constexpr (kStandsInBody<T>) {
    Body* parent = nullptr;
    for (const T* original : originals) {
      if (gone.contains(original->parent)) continue;
      assert((!parent || parent == original->parent) && "the roots of a graft stand in one body");
      parent = original->parent;
    }
    return parent ? TakeOut(parent->List<T>(), gone) : ElementList<T>();
  } else {
    return TakeOut(source.List<T>(), gone);
  }
}

template <class T>
void Append(ElementList<T> taken, ElementList<T>& list) {
  list.insert(list.end(), std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end()));
}

}  // namespace

std::string NameInReferences(const Element& element, const std::string& name) {
  if (!name.empty()) return name;
  Element& asset = const_cast<Element&>(element);
  if (const Mesh* mesh = As<Mesh>(&asset)) return std::string(Stem(*mesh->file));
  if (const HField* hfield = As<HField>(&asset)) return std::string(Stem(*hfield->file));
  if (const Texture* texture = As<Texture>(&asset)) return std::string(Stem(*texture->file));
  return name;
}

// ---- selection

// Names are kept by type, as references look for a name of one type.
template <class T>
void Graft::Include(T& element, std::vector<T*>& originals) {
  originals.push_back(&element);
  // Frames are not among the numbered types, and no element refers to them.
  if constexpr (T::kType < mjNOBJECT) inside_[T::kType].insert(CompiledName(element));
}

void Graft::IncludeParts(Body& body) {
  ForEachKind(originals_, [&](auto& originals) {
    using T = KindOf<decltype(originals)>;
    if constexpr (kStandsInBody<T> && !std::is_same_v<T, Body>) {
      for (const auto& part : body.List<T>()) Include(*part, originals);
    }
  });
}

void Graft::Include(Body& root) {
  for (Body* body = &root; body; body = NextBody(root, body)) {
    Include(*body, std::get<std::vector<Body*>>(originals_));
    IncludeParts(*body);
  }
}

void Graft::IncludeContents(Body& body) {
  IncludeParts(body);
  for (const auto& child : body.bodies) Include(*child);
}

void Graft::Include(Frame& root) {
  Include(root, std::get<std::vector<Frame*>>(originals_));
  IncludeContents(root);
}

void Graft::IncludeContents(Frame& root) {
  ForEachKind(originals_, [&](auto& originals) {
    using T = KindOf<decltype(originals)>;
    if constexpr (kStandsInBody<T>) {
      for (const auto& part : root.parent->List<T>()) {
        if (!StandsIn(*part, root)) continue;
        if constexpr (std::is_same_v<T, Body>) {
          Include(*part);
        } else {
          Include(*part, originals);
        }
      }
    }
  });
}

void Graft::Include(Element& element) {
  if (Body* body = As<Body>(&element)) return Include(*body);
  if (Frame* frame = As<Frame>(&element)) return Include(*frame);
  ForEachKind(originals_, [&](auto& originals) {
    using T = KindOf<decltype(originals)>;
    if (T* of_kind = As<T>(&element)) Include(*of_kind, originals);
  });
}

// Order is that of the lists, which ids follow.
template <class T>
void Graft::IncludeAll() {
  for (const auto& element : source_.List<T>()) Include(*element, std::get<std::vector<T*>>(originals_));
}

void Graft::IncludeAssets() {
  IncludeAll<Mesh>();
  IncludeAll<HField>();
  IncludeAll<Texture>();
  IncludeAll<Material>();
  // Options that stand in arrays are options: those of the destination count.
  for (const auto& numeric : source_.List<Numeric>()) {
    if (!numeric->name.starts_with(kExtensionPrefix)) Include(*numeric, std::get<std::vector<Numeric*>>(originals_));
  }
  IncludeAll<Text>();
  IncludeUsedPlugins();
}

void Graft::IncludeUsedPlugins() {
  std::set<const Plugin*> used;
  ForEachUser([&](auto& element) { used.insert(InstanceOf(source_, element)); });
  for (const auto& instance : source_.List<Plugin>()) {
    if (used.contains(instance.get())) Include(*instance, std::get<std::vector<Plugin*>>(originals_));
  }
}

void Graft::IncludeLists() {
  ForEachKind(originals_, [&](auto& originals) {
    using T = KindOf<decltype(originals)>;
    if constexpr (!kStandsInBody<T>) IncludeAll<T>();
  });
}

const Element* Graft::OriginalOf(const Element& copy) const {
  const auto found = originals_of_.find(&copy);
  return found == originals_of_.end() ? nullptr : found->second;
}

bool Graft::IsInside(mjtObj type, const std::string& name) const {
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  return type >= 0 && type < mjNOBJECT && inside_[type].contains(name);
}

template <class T>
bool Graft::Travels(T& relation) const {
  bool refers = false, refers_inside = false, resolves = true;
  ForEachReference(relation, [&](mjtObj type, const std::string& name) {
    if (IsAsset(type)) return;
    refers = true;
    if (IsInside(type, name)) {
      refers_inside = true;
    } else if (!dest_.Find(type, name)) {
      resolves = false;
    }
  });
  if (&source_ == &dest_) return refers_inside;
  return resolves && (refers_inside || !refers);
}

// One pass suffices, because kinds stand behind those that they can refer to.
void Graft::IncludeRelations() {
  ForEachKind(originals_, [&](auto& originals) {
    using T = KindOf<decltype(originals)>;
    if constexpr (kIsRelation<T>) {
      for (const auto& relation : source_.List<T>()) {
        if (Travels(*relation)) Include(*relation, originals);
      }
    }
  });
}

std::size_t Graft::size() const {
  std::size_t count = 0;
  ForEachKind(originals_, [&](const auto& originals) { count += originals.size(); });
  return count;
}

std::vector<Element*> Graft::ListOriginals() const {
  std::vector<Element*> list;
  ForEachKind(originals_, [&](const auto& originals) { list.insert(list.end(), originals.begin(), originals.end()); });
  return list;
}

void Graft::ForgetMoved() {
  ForEachKind(originals_, [&](auto& originals) {
    std::erase_if(originals, [&](const Element* original) { return original->spec != &source_; });
  });
}

// ---- copies

// Replaces what belongs to the source by what the destination has for it.
void Graft::Rebind(Element& element) const {
  element.spec = &dest_;
  element.id = -1;
  if (const auto home = homes_.find(element.home); home != homes_.end()) element.home = home->second;
  if (&source_ == &dest_) return;
  const auto by = classes_.find(element.default_class);
  element.default_class = by != classes_.end() ? by->second : &dest_.main_class();
}

// The copy is named in the destination, where the name may exist: compilation reports that.
template <class T>
T& Graft::CopyElement(T& original, const Affixes& affixes, ElementList<T>& list) {
  T& copy = *list.emplace_back(std::make_unique<T>(original));
  copy.index = list.size() - 1;
  copy.home = original.home;
  Rebind(copy);
  if constexpr (std::is_same_v<T, Tendon>) {
    for (const auto& wrap : copy.path) Rebind(*wrap);
  }
  dest_.SetName(copy, NewName(original, affixes));
  copies_.emplace(&original, &copy);
  originals_of_.emplace(&copy, &original);
  return copy;
}

template <class T>
void Graft::Rename(T& copy, const Affixes& affixes) const {
  ForEachReference(copy, [&](mjtObj type, std::string& name) {
    if (IsInside(type, name)) name = affixes(name);
  });
}

// The copy of an instance. One that has moved to a third specification, with what was attached to it, is no original:
// it is copied when something that is copied uses it.
Plugin& Graft::InstanceInDestination(Plugin& instance, const Affixes& affixes) {
  if (Plugin* copy = CopyOf(instance)) return *copy;
  return instance.spec == &dest_ ? instance : CopyElement(instance, affixes, dest_.List<Plugin>());
}

void Graft::Copy(const Affixes& affixes, Body& into, Frame* frame) {
  copies_.clear();
  originals_of_.clear();
  ForEachKind(originals_, [&](auto& originals) {
    using T = KindOf<decltype(originals)>;
    for (T* original : originals) {
      if constexpr (kStandsInBody<T>) {
        Body* parent = original->parent ? CopyOf(*original->parent) : nullptr;  // the world has no parent
        if (!parent) parent = &into;
        CopyElement(*original, affixes, parent->List<T>()).parent = parent;
      } else {
        CopyElement(*original, affixes, dest_.List<T>());
      }
    }
  });
  // Frames, names and instances of plugins refer to copies, all of which exist only now.
  ForEachKind(originals_, [&](auto& originals) {
    for (auto* original : originals) {
      auto& copy = *CopyOf(*original);
      Rename(copy, affixes);
      if (original->frame) copy.frame = CopyOf(*original->frame);
      if (!copy.frame && copy.parent == &into) copy.frame = frame;
      if (original->brought_by) copy.brought_by = CopyOfElement(original->brought_by);
      if constexpr (requires { copy.plugin.element; }) {
        if (Plugin* instance = As<Plugin>(original->plugin.element)) {
          copy.plugin.element = &InstanceInDestination(*instance, affixes);
        }
      }
    }
  });
}

// ---- the originals themselves

// Those that have given an element away find it by its name, which it is about to lose.
static void ForgetInGivers(Element& element) {
  for (Spec* giver = element.home; giver; giver = giver->attached_to) giver->ForgetName(element);
}

template <class NewReference>
void Graft::RenameAll(Spec& spec, const NewReference& rename) {
  const auto rename_all = [&](auto& list) {
    for (const auto& element : list) ForEachReference(*element, rename);
  };
  spec.ForEachList(rename_all);
  for (Body* body = &spec.world(); body; body = NextBody(spec.world(), body)) body->ForEachList(rename_all);
}

// Elements change their list and not their address, so handles of programs stay valid.
template <class NewNameOf, class NewReference>
void Graft::MoveWith(Body& into, Frame* frame, const NewNameOf& new_name, const NewReference& rename) {
  ElementSet moved;
  ForEachKind(originals_, [&](auto& originals) { moved.insert(originals.begin(), originals.end()); });
  ForEachKind(originals_, [&](auto& originals) {
    using T = KindOf<decltype(originals)>;
    ElementList<T> taken = TakeOutKind(source_, originals, moved);
    if constexpr (kStandsInBody<T>) {
      for (const auto& root : taken) {
        root->parent = &into;
        if (!moved.contains(root->frame)) root->frame = frame;
      }
      Append(std::move(taken), into.List<T>());
    } else {
      Append(std::move(taken), dest_.List<T>());
    }
  });
  ForEachKind(originals_, [&](auto& originals) {
    for (auto* original : originals) {
      ForEachReference(*original, rename);
      source_.ForgetName(*original);
      ForgetInGivers(*original);
      Rebind(*original);
      std::string name = new_name(*original);
      NameOf(*original).clear();
      dest_.SetName(*original, std::move(name));
    }
  });
}

// Remaining elements refer to moved ones by their new names, and the source finds them by these.
void Graft::Move(const Affixes& affixes, Body& into, Frame* frame) {
  const auto rename = [&](mjtObj type, std::string& name) {
    if (IsInside(type, name)) name = affixes(name);
  };
  MoveWith(
      into, frame, [&](const auto& original) { return NewName(original, affixes); }, rename);
  RenameAll(source_, rename);
  for (Element* original : ListOriginals()) source_.FindHereToo(*original);
}

void Graft::MoveAs(const Names& names, const References& references, Body& into, Frame* frame) {
  const auto new_name = [&](const auto& original) {
    const auto found = names.find(&original);
    return found == names.end() ? static_cast<const Element&>(original).name : found->second;
  };
  const auto rename = [&](mjtObj type, std::string& name) {
    const auto found = references.find({type == mjOBJ_XBODY ? mjOBJ_BODY : type, name});
    if (found != references.end()) name = found->second;
  };
  MoveWith(into, frame, new_name, rename);
}

// The lists keep the order of what stays.
ElementList<Element> Graft::TakeOutOriginals() {
  ElementSet gone;
  ForEachKind(originals_, [&](auto& originals) {
    for (Element* original : originals) {
      source_.ForgetName(*original);
      gone.insert(original);
    }
  });
  ElementList<Element> removed;
  ForEachKind(originals_, [&](auto& originals) {
    using T = KindOf<decltype(originals)>;
    ElementList<T> taken = TakeOutKind(source_, originals, gone);
    std::move(taken.begin(), taken.end(), std::back_inserter(removed));
  });
  return removed;
}

}  // namespace sinew::inline spec
