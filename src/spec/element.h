// The base of every element of a specification: a node with a type, a name, a default class, and a place in its source.
//
// An element class derives from Element, which begins with the public mjsElement, and from its public struct (mjsGeom,
// ...), and owns the strings and arrays that the struct points to. So a pointer of the C interface and a pointer of
// ours are one static_cast apart:
//
//     mjsElement* --As<Geom>()--> Geom* --implicit--> mjsGeom* --static_cast--> Geom*
#ifndef SINEW_SPEC_ELEMENT_H_
#define SINEW_SPEC_ELEMENT_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mujoco/mujoco.h>

#include "core/error.h"
#include "spec/handles_generated.h"
#include "spec/struct_defaults.h"

namespace sinew::inline spec {

class Body;
class Default;
class Frame;
class Spec;

class Element : public mjsElement {
 public:
  explicit Element(mjtObj type) : mjsElement{type, 0} {}
  virtual ~Element() = default;
  Element& operator=(const Element&) = delete;

  // The name as the user gave it; empty: none. Spec::SetName writes it and knows of names given twice.
  std::string name;

  // Index among the elements of its type in the compiled model; -1 before.
  int id = -1;

  // Index in the list that holds the element, unless others were taken out of it since (spec/traverse.cc).
  mutable std::size_t index = 0;

  // Where the element stands in its file: for messages of the compiler.
  SourceLocation where;

  // The class whose values the element started from.
  const Default* default_class = nullptr;

  // Place in the tree; null for elements that do not stand in it. `frame` is the innermost one around the element.
  Body* parent = nullptr;
  Frame* frame = nullptr;

  // The specification that the element stands in, and the one that it was written for: the compiler settings of `home`
  // (angles, folders) hold for it. They differ for elements of an attached specification (spec/attach.h).
  Spec* spec = nullptr;
  Spec* home = nullptr;
  const mjsCompiler& compiler() const;

  // Whether the element was deleted. Its memory stays for a while, so that who still holds a pointer to it gets an
  // error.
  bool is_deleted = false;

  // The attached part that has brought a keyframe, an asset or a class along, which goes with it (spec/edit.cc); null:
  // none. It is compared, not followed.
  const Element* brought_by = nullptr;

  // Values that programs keep with the element, by key. The last copy of an element that holds a value cleans it up.
  std::map<std::string, std::shared_ptr<const void>, std::less<>> user_values;

  // "geom 'left_foot'", or "geom 3" when it has no name: for messages.
  std::string Label() const;

 protected:
  // Copies values, not the identity: name, id and place belong to the element they were given to.
  Element(const Element& other)
      : mjsElement(other), where(other.where), default_class(other.default_class), user_values(other.user_values) {}
};

template <class T>
using ElementList = std::vector<std::unique_ptr<T>>;

// An element with the public struct of its type and what the struct points to.
template <class Struct, mjtObj kObjType>
class ElementOf : public Element, public Struct {
 public:
  using PublicStruct = Struct;
  static constexpr mjtObj kType = kObjType;

  ElementOf() : Element(kObjType) {
    SetDefaults(static_cast<Struct*>(this));
    Bind();
  }
  ElementOf(const ElementOf& other) : Element(other), Struct(other), handles_(other.handles_) { Bind(); }

  // Takes over the values of another element, as an element does from its default class.
  void CopyValues(const ElementOf& other) {
    static_cast<Struct&>(*this) = other;
    handles_ = other.handles_;
    Bind();
  }

 private:
  void Bind() {
    handles_.Bind(this);
    this->element = this;
  }

  HandlesOf<Struct> handles_;
};

// The element behind a pointer of the C interface; null when it is of another type or null.
template <class T>
T* As(mjsElement* element) {
  return element && element->elemtype == T::kType ? static_cast<T*>(static_cast<Element*>(element)) : nullptr;
}

// The word for a type in messages: "geom", "default"; empty for types without one.
const char* TypeName(mjtObj type);

// The words of all types that attributes such as objtype can name (model/kinds/names.h turns them into types).
const std::vector<std::string_view>& ObjectTypeNames();

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_ELEMENT_H_
