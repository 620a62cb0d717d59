// Properties of the classes, made from the tables of fields when the module is imported.
#ifndef SINEW_PYTHON_FIELDS_H_
#define SINEW_PYTHON_FIELDS_H_

#include <optional>

#include "common.h"

namespace sinew::python {

// "float64", "int32", ...: what numpy calls the elements.
const char* NumpyName(ElementKind kind);

// Members of a struct that another object owns: model.opt, model.stat, model.vis.map, ...
struct Members {
  nb::object owner;
  char* base;
  const StructMember* members;
  size_t count;
  std::string part = {};  // of a struct in the struct: what its members' names begin with, "map."

  const StructMember* Find(std::string_view name) const;
  // Whether this is a struct in the struct. `global_` stands for `global`, which is a keyword.
  std::optional<std::string> FindPart(std::string_view name) const;
  std::vector<std::string> Names() const;
};

// A number for one element, a view for several.
nb::object Read(const StructMember& member, char* base, nb::handle owner);
void Write(const StructMember& member, char* base, nb::handle owner, nb::handle value);

void DefineMembers(nb::module_& module);

// Adds a property to a class of Python.
void AddProperty(nb::handle cls, const char* name, nb::object get, nb::object set = nb::none());

// array[...] = value, with an error that names the field.
void Assign(nb::handle array, nb::handle value, const char* name);

}  // namespace sinew::python

#endif  // SINEW_PYTHON_FIELDS_H_
