#include "spec/graft.h"

#include <algorithm>
#include <cassert>
#include <type_traits>
#include <unordered_set>

#include "spec/references.h"
#include "spec/traverse.h"

namespace sinew {
namespace {

bool StandsIn(const Element& element, const Frame& outer) {
  const Frame* frame = element.frame;
  while (frame && frame != &outer) frame = frame->frame;
  return frame != nullptr;
}

// Calls visit(vector) for every kind of original.
template <class Originals, class Visit>
void ForEachKind(Originals& originals, Visit&& visit) {
  std::apply([&](auto&... of_kind) { (visit(of_kind), ...); }, originals);
}

template <class T>
using KindOf = std::remove_cvref_t<decltype(*std::declval<T>().front())>;

// Moves the elements of a list that are in a set to another list; the others keep their order.
template <class T>
void TakeOut(ElementList<T>& list, const std::unordered_set<const Element*>& gone, ElementList<Element>& to) {
  const auto kept = std::stable_partition(list.begin(), list.end(),
                                          [&](const std::unique_ptr<T>& item) { return !gone.contains(item.get()); });
  std::move(kept, list.end(), std::back_inserter(to));
  list.erase(kept, list.end());
}

}  // namespace

// ---- selection

template <class T>
void Graft::Include(T& element, std::vector<T*>& originals) {
  originals.push_back(&element);
  // Frames have no place among the numbered types and nobody refers to them.
  if constexpr (T::kType < mjNOBJECT) inside_[T::kType].insert(element.name);
}

void Graft::IncludeContents(Body& body) {
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
    IncludeContents(*body);
  }
}

void Graft::Include(Frame& root) {
  Include(root, std::get<std::vector<Frame*>>(originals_));
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

void Graft::IncludeRelations() {
  ForEachKind(originals_, [&](auto& originals) {
    using T = KindOf<decltype(originals)>;
    if constexpr (!kStandsInBody<T>) {
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

// ---- copies

template <class T>
T& Graft::CopyElement(T& original, const Affixes& affixes, ElementList<T>& list) {
  T& copy = *list.emplace_back(std::make_unique<T>(original));
  copy.spec = &dest_;
  copy.home = original.home;
  dest_.SetName(copy, affixes(original.name));
  copies_.emplace(&original, &copy);
  return copy;
}

template <class T>
void Graft::Rename(T& copy, const Affixes& affixes) const {
  ForEachReference(copy, [&](mjtObj type, std::string& name) {
    if (IsInside(type, name)) name = affixes(name);
  });
}

void Graft::Copy(const Affixes& affixes, Body& into, Frame* frame) {
  copies_.clear();
  ForEachKind(originals_, [&](auto& originals) {
    using T = KindOf<decltype(originals)>;
    for (T* original : originals) {
      if constexpr (kStandsInBody<T>) {
        Body* parent = CopyOf(*original->parent);
        if (!parent) parent = &into;
        CopyElement(*original, affixes, parent->List<T>()).parent = parent;
      } else {
        CopyElement(*original, affixes, dest_.List<T>());
      }
    }
  });
  // Frames and names refer to copies, all of which exist only now.
  ForEachKind(originals_, [&](auto& originals) {
    for (auto* original : originals) {
      auto& copy = *CopyOf(*original);
      Rename(copy, affixes);
      if (original->frame) copy.frame = CopyOf(*original->frame);
      if (!copy.frame && copy.parent == &into) copy.frame = frame;
    }
  });
}

// ---- removal

ElementList<Element> Graft::TakeOutOriginals() {
  std::unordered_set<const Element*> gone;
  ForEachKind(originals_, [&](auto& originals) {
    for (Element* original : originals) {
      source_.ForgetName(*original);
      gone.insert(original);
    }
  });
  ElementList<Element> removed;
  ForEachKind(originals_, [&](auto& originals) {
    using T = KindOf<decltype(originals)>;
    if (originals.empty()) return;
    if constexpr (kStandsInBody<T>) {
      // What stands in a body that goes itself goes with it.
      std::unordered_set<Body*> left;
      for (T* original : originals) {
        if (!gone.contains(original->parent)) left.insert(original->parent);
      }
      for (Body* parent : left) TakeOut(parent->List<T>(), gone, removed);
    } else {
      TakeOut(source_.List<T>(), gone, removed);
    }
  });
  originals_ = {};
  return removed;
}

}  // namespace sinew
