// Walks over elements in the order of their lists and of the tree, without building a list of them.
#include "spec/traverse.h"

#include <cstddef>

namespace sinew::inline spec {
namespace {

template <class T>
Element* First(const ElementList<T>& list) {
  return list.empty() ? nullptr : list.front().get();
}

bool StandsAt(const auto& list, const Element& element) {
  return element.index < list.size() && list[element.index].get() == &element;
}

// The next element of a list; null: the end, or the element is not in the list. Elements remember their place, so that
// a walk takes time in proportion to the list. When some have been taken out, all are numbered anew.
template <class T>
T* After(const ElementList<T>& list, const Element& element) {
  if (!StandsAt(list, element)) {
    for (std::size_t i = 0; i < list.size(); ++i) list[i]->index = i;
  }
  if (!StandsAt(list, element) || element.index + 1 == list.size()) return nullptr;
  return list[element.index + 1].get();
}

// Calls `visit` with the list of a body's children of a type, or returns null for types that do not stand in bodies.
template <class Visit>
Element* WithChildren(const Body& body, mjtObj type, Visit&& visit) {
  switch (static_cast<int>(type)) {
    case mjOBJ_BODY:
      return visit(body.bodies);
    case mjOBJ_FRAME:
      return visit(body.frames);
    case mjOBJ_JOINT:
      return visit(body.joints);
    case mjOBJ_GEOM:
      return visit(body.geoms);
    case mjOBJ_SITE:
      return visit(body.sites);
    case mjOBJ_CAMERA:
      return visit(body.cameras);
    case mjOBJ_LIGHT:
      return visit(body.lights);
    default:
      return nullptr;
  }
}

// The same with the lists outside of the tree.
template <class Visit>
Element* WithList(const Spec& spec, mjtObj type, Visit&& visit) {
  Element* result = nullptr;
  const auto visit_if = [&]<class T>(const T*) {
    if (T::kType == type) result = visit(spec.List<T>());
  };
  [&]<class... T>(const std::tuple<ElementList<T>...>*) {
    (visit_if(static_cast<const T*>(nullptr)), ...);
  }(static_cast<const Spec::Lists*>(nullptr));
  return result;
}

// Types whose elements stand in bodies.
bool StandsInTree(mjtObj type) {
  return type == mjOBJ_BODY || type == mjOBJ_FRAME || type == mjOBJ_JOINT || type == mjOBJ_GEOM || type == mjOBJ_SITE ||
         type == mjOBJ_CAMERA || type == mjOBJ_LIGHT;
}

// Whether an element stands in `body`, or below it if `recurse`. The world stands in no body, and everything else of
// its specification below it: walks over all elements of a long chain do not climb to the root from each of them.
bool IsChild(const Body& body, const Element& child, bool recurse) {
  if (!StandsInTree(child.elemtype) || !child.parent) return false;
  if (!recurse) return child.parent == &body;
  if (!body.parent && body.spec && child.spec == body.spec) return true;
  const Body* parent = child.parent;
  while (parent && parent != &body) parent = parent->parent;
  return parent != nullptr;
}

// The first child of a type in `body` or in the bodies after it.
Element* FirstFrom(const Body& root, Body* body, mjtObj type) {
  for (; body; body = NextBody(root, body)) {
    Element* first = WithChildren(*body, type, [](const auto& list) { return First(list); });
    if (first) return first;
  }
  return nullptr;
}

}  // namespace

// Siblings are found by the index that each element remembers.
Body* NextBody(const Body& root, Body* body) {
  if (!body->bodies.empty()) return body->bodies.front().get();
  for (; body != &root; body = body->parent) {
    if (Body* sibling = After(body->parent->bodies, *body)) return sibling;
  }
  return nullptr;
}

Element* FirstChild(Body& body, mjtObj type, bool recurse) {
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  if (recurse && type != mjOBJ_BODY) return FirstFrom(body, &body, type);
  return WithChildren(body, type, [](const auto& list) { return First(list); });
}

Element* NextChild(Body& body, Element& child, bool recurse) {
  if (!IsChild(body, child, recurse)) return nullptr;
  if (child.elemtype == mjOBJ_BODY && recurse) return NextBody(body, static_cast<Body*>(&child));
  Element* sibling =
      WithChildren(*child.parent, child.elemtype, [&](const auto& list) -> Element* { return After(list, child); });
  return sibling || !recurse ? sibling : FirstFrom(body, NextBody(body, child.parent), child.elemtype);
}

// The world is the first of the bodies.
Element* FirstElement(Spec& spec, mjtObj type) {
  if (type == mjOBJ_BODY) return &spec.world();
  if (StandsInTree(type)) return FirstChild(spec.world(), type, true);
  return WithList(spec, type, [](const auto& list) { return First(list); });
}

Element* NextElement(Spec& spec, Element& element) {
  Body& world = spec.world();
  if (&element == &world) return NextBody(world, &world);
  if (StandsInTree(element.elemtype)) return NextChild(world, element, true);
  return WithList(spec, element.elemtype, [&](const auto& list) -> Element* { return After(list, element); });
}

}  // namespace sinew::inline spec
