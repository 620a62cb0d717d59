// Walks over the elements of one type. Bodies come in pre-order, as the compiler numbers them; what stands in bodies
// comes body by body, and inside a body in order of declaration.
#ifndef SINEW_SPEC_TRAVERSE_H_
#define SINEW_SPEC_TRAVERSE_H_

#include "spec/spec.h"

namespace sinew::inline spec {

// The body after another one in pre-order below `root`, which itself comes first; null: the end.
Body* NextBody(const Body& root, Body* body);

// Calls visit(element), with the type that it has, for all elements of a specification: those outside of bodies first.
// The world itself is not among them.
template <class Visit>
void ForEachElement(Spec& spec, Visit&& visit) {
  const auto visit_all = [&](auto& list) {
    for (const auto& element : list) visit(*element);
  };
  spec.ForEachList(visit_all);
  for (Body* body = &spec.world(); body; body = NextBody(spec.world(), body)) body->ForEachList(visit_all);
}

// The children of a type in a body, and in its descendants if `recurse`; null: none, the end, or what comes after
// something that does not stand there.
Element* FirstChild(Body& body, mjtObj type, bool recurse);
Element* NextChild(Body& body, Element& child, bool recurse);

// All elements of a type in a specification, the world among the bodies.
Element* FirstElement(Spec& spec, mjtObj type);
Element* NextElement(Spec& spec, Element& element);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_TRAVERSE_H_
