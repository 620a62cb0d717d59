// Where an element stands, for messages; and references by name.
#ifndef SINEW_COMPILE_DIAGNOSE_H_
#define SINEW_COMPILE_DIAGNOSE_H_

#include <new>
#include <string>
#include <utility>

#include "core/error.h"
#include "spec/spec.h"

namespace sinew::inline compile {

// File, line, and the path of names from the world down: "body 'torso' / geom 'left_foot'".
SourceLocation Place(const Element& element);

// The error that is thrown in place of std::bad_alloc.
Error OutOfMemory();

// Runs a pass over one element; an error gets the element's place unless it has one.
template <class Pass>
void At(const Element& element, Pass&& pass) {
  try {
    std::forward<Pass>(pass)();
  } catch (const Error& error) {
    throw error.At(Place(element));
  } catch (const std::bad_alloc&) {
    throw OutOfMemory().At(Place(element));
  }
}

// Runs a pass over the content of a file; an error names the file.
template <class Pass>
void InFile(const std::string& file, Pass&& pass) {
  try {
    std::forward<Pass>(pass)();
  } catch (const Error& error) {
    throw Error("file '" + file + "': " + error.problem(), error.remedy(), error.where());
  }
}

// Errors of a pass over many elements. The pass goes on behind each, so that one run shows them all; what follows needs
// all elements, so Throw() ends the pass.
//
//   ErrorList errors;
//   for (auto& source : spec.List<Sensor>()) errors.At(*source, [&] { ... });
//   errors.Throw();
class ErrorList {
 public:
  template <class Pass>
  void At(const Element& element, Pass&& pass) {
    try {
      std::forward<Pass>(pass)();
    } catch (const Error& error) {
      Add(error.At(Place(element)));
    } catch (const std::bad_alloc&) {
      Add(OutOfMemory().At(Place(element)));
    }
  }

  // Throws at once when the list is full.
  void Add(Error error);

  size_t size() const { return errors_.size(); }

  // Throws unless there are none.
  void Throw();

 private:
  Error::List errors_;
};

// The element that an attribute names. Throws when there is none, with the nearest name that exists.
Element& Require(const Spec& spec, mjtObj type, const std::string& name);

// Its id; -1 when the name is empty.
int OptionalId(const Spec& spec, mjtObj type, const std::string& name);

// A limit flag in which "auto" means: when a range is given. Throws when the compiler settings demand the flag.
bool IsLimited(int flag, const double range[2], const mjsCompiler& compiler, const char* what);

// The same; also throws when the range is not increasing.
bool CheckedLimit(int flag, const double range[2], const mjsCompiler& compiler, const char* what);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_DIAGNOSE_H_
