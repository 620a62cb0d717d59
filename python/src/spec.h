// Specifications and their elements, in Python.
#ifndef SINEW_PYTHON_SPEC_H_
#define SINEW_PYTHON_SPEC_H_

#include "fields.h"

namespace sinew::python {

enum class SpecKind { kNum, kFloat, kInt, kByte, kText, kTexts, kDoubles, kFloats, kInts };

struct SpecField {
  const char* structure;
  const char* name;
  size_t offset;
  SpecKind kind;
  size_t count;
};

#include "spec_fields_generated.h"

// A model that is edited; `files` are those in memory that it may name.
struct Spec {
  std::shared_ptr<mjSpec> s;
  nb::dict files;
};

// What makes and finds elements of a kind.
struct SpecType {
  const char* name;       // in Python
  const char* structure;  // in C
  mjtObj type;
  bool in_body;  // belongs to a body
  void* (*of)(mjsElement*);
  mjsElement* (*add)(mjSpec*, mjsBody*, const mjsDefault*);
};

const SpecType& TypeNamed(const std::string& name);
const SpecType& TypeOf(const mjsElement* element);

// An element of a specification, which it keeps; or one of a class of defaults, which is found by its name.
struct Element {
  nb::object owner;
  std::shared_ptr<mjSpec> s;
  mjsElement* element;
  const SpecType* type;
  std::string of_class = {};

  // Whether an element of a specification was not deleted.
  bool IsThere() const;
  // The structure; an error when the element was deleted.
  char* base() const;
};

// A class of defaults.
struct Default {
  nb::object owner;
  std::shared_ptr<mjSpec> s;
  std::string name;
};

nb::object Wrap(nb::handle spec, mjsElement* element);
nb::object FindElement(nb::handle spec, const std::string& kind, const std::string& name);

// Makes an element in the specification, or in the body or frame of `place`.
nb::object AddElement(nb::handle spec, const Element* place, const std::string& kind, const nb::kwargs& values);

// Makes a muscle on a tendon, with parameters by the names of MJCF's attributes.
nb::object AddMusculotendon(nb::handle spec, const std::string& tendon, const nb::kwargs& values);

// Returns the tendon, joint, ... that an element is; ValueError when it is something else or was deleted.
template <class T>
T* As(const Element& e, mjtObj type, const char* what) {
  char* base = e.base();
  if (e.type->type != type) RaiseValueError("a " + std::string(e.type->name) + " is no " + what);
  return reinterpret_cast<T*>(base);
}

// Raises ValueError with the text that a function of C returns, unless it is empty.
inline void Expect(const char* problem) {
  if (problem && *problem) RaiseValueError(problem);
}

// Methods for limit forces of joints, ligaments of tendons and bushings of sites.
void DefinePassiveElements(nb::class_<Element>& cls);

void DefineElement(nb::module_& module);

}  // namespace sinew::python

#endif  // SINEW_PYTHON_SPEC_H_
