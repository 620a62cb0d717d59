// From the handles of the C interface to the specification's own classes, with the checks that handles need: they may
// be null, and what they point to may have been deleted. The functions throw; callers stand inside of a Guard.
#ifndef SINEW_CAPI_SPEC_SPEC_HANDLES_H_
#define SINEW_CAPI_SPEC_SPEC_HANDLES_H_

#include <mujoco/mujoco.h>

#include <exception>

#include "capi/boundary.h"
#include "core/error.h"
#include "spec/spec.h"

namespace sinew::capi {

inline Spec& Of(const mjSpec* s) {
  if (!s) throw Error("the specification is null", "make one with mj_makeSpec or read one");
  return *const_cast<Spec*>(static_cast<const Spec*>(s));
}

inline Element& Of(const mjsElement* handle) {
  if (!handle) throw Error("the element is null", "check what the function that should find it returned");
  auto& element = *const_cast<Element*>(static_cast<const Element*>(handle));
  if (element.is_deleted) throw Error(element.Label() + " was deleted", "do not use handles of deleted elements");
  return element;
}

// The element of a public struct: Of<Body>(mjsBody*).
template <class T>
T& Of(const typename T::PublicStruct* handle) {
  if (!handle) throw Error("the element is null", "check what the function that should find it returned");
  T& element = *const_cast<T*>(static_cast<const T*>(handle));
  Of(static_cast<const mjsElement*>(&element));
  return element;
}

// A text that must be given.
inline const char* Text(const char* text) {
  if (!text) throw Error("the text is null", "give an empty one for none");
  return text;
}

// Runs `body` and returns its value. The text of an error stays with the specification, where mjs_getError finds it;
// then the value is `failure`.
template <class Result, class Body>
Result WithMessage(const char* function, mjSpec* s, Result failure, Body&& body) {
  return Guard(function, [&]() -> Result {
    Spec& spec = Of(s);
    spec.message.clear();
    spec.is_warning = false;
    try {
      return body();
    } catch (const std::exception& error) {
      spec.message = error.what();
      return failure;
    }
  });
}

}  // namespace sinew::capi

#endif  // SINEW_CAPI_SPEC_SPEC_HANDLES_H_
