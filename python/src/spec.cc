// Spec: a model that is edited, then compiled. Elements are views into it; one that was deleted raises an error.
#include <cstddef>
#include <cstring>

#include "fields.h"

namespace sinew::python {
namespace {

enum class SpecKind { kNum, kFloat, kInt, kByte, kText, kTexts, kDoubles };

struct SpecField {
  const char* structure;
  const char* name;
  size_t offset;
  SpecKind kind;
  size_t count;
};

#include "spec_fields_generated.h"

struct Spec {
  std::shared_ptr<mjSpec> s;
};

// What makes and finds elements of a kind.
struct SpecType {
  const char* name;       // in Python
  const char* structure;  // in C
  mjtObj type;
  bool in_body;  // belongs to a body
  void* (*of)(mjsElement*);
  mjsElement* (*add)(mjSpec*, mjsBody*);
};

#define SINEW_IN_BODY(name, kind, type)                                                             \
  {                                                                                                 \
    name, "mjs" #kind, type, true, [](mjsElement* e) -> void* { return mjs_as##kind(e); },          \
        [](mjSpec*, mjsBody* body) -> mjsElement* { return mjs_add##kind(body, nullptr)->element; } \
  }
#define SINEW_IN_SPEC(name, kind, type, ...)                                                                    \
  {                                                                                                             \
    name, "mjs" #kind, type, false, [](mjsElement* e) -> void* { return mjs_as##kind(e); },                     \
        [](mjSpec* s, mjsBody*) -> mjsElement* { return mjs_add##kind(s __VA_OPT__(, ) __VA_ARGS__)->element; } \
  }

const SpecType kTypes[] = {
    SINEW_IN_BODY("body", Body, mjOBJ_BODY),
    SINEW_IN_BODY("joint", Joint, mjOBJ_JOINT),
    SINEW_IN_BODY("geom", Geom, mjOBJ_GEOM),
    SINEW_IN_BODY("site", Site, mjOBJ_SITE),
    SINEW_IN_BODY("camera", Camera, mjOBJ_CAMERA),
    SINEW_IN_BODY("light", Light, mjOBJ_LIGHT),
    SINEW_IN_SPEC("actuator", Actuator, mjOBJ_ACTUATOR, nullptr),
    SINEW_IN_SPEC("sensor", Sensor, mjOBJ_SENSOR),
    SINEW_IN_SPEC("equality", Equality, mjOBJ_EQUALITY, nullptr),
    SINEW_IN_SPEC("tendon", Tendon, mjOBJ_TENDON, nullptr),
    SINEW_IN_SPEC("pair", Pair, mjOBJ_PAIR, nullptr),
    SINEW_IN_SPEC("exclude", Exclude, mjOBJ_EXCLUDE),
    SINEW_IN_SPEC("key", Key, mjOBJ_KEY),
    SINEW_IN_SPEC("material", Material, mjOBJ_MATERIAL, nullptr),
    SINEW_IN_SPEC("texture", Texture, mjOBJ_TEXTURE),
    SINEW_IN_SPEC("mesh", Mesh, mjOBJ_MESH, nullptr),
    SINEW_IN_SPEC("hfield", HField, mjOBJ_HFIELD),
    SINEW_IN_SPEC("numeric", Numeric, mjOBJ_NUMERIC),
    SINEW_IN_SPEC("text", Text, mjOBJ_TEXT),
};

const SpecType& TypeNamed(const std::string& name) {
  for (const SpecType& type : kTypes) {
    if (name == type.name) return type;
  }
  RaiseValueError("there are no elements of kind '" + name + "'");
}

// An element of a specification, which it keeps.
struct Element {
  nb::object owner;
  std::shared_ptr<mjSpec> s;
  mjsElement* element;
  const SpecType* type;

  // The structure; an error when the element was deleted.
  char* base() const {
    for (mjsElement* e = mjs_firstElement(s.get(), type->type); e; e = mjs_nextElement(s.get(), e)) {
      if (e == element) return static_cast<char*>(type->of(e));
    }
    PyErr_Format(PyExc_ReferenceError, "this %s is no longer in its specification", type->name);
    throw nb::python_error();
  }
};

const SpecField& FieldNamed(const SpecType& type, const std::string& name) {
  for (const SpecField& field : kSpecFields) {
    if (name == field.name && std::strcmp(field.structure, type.structure) == 0) return field;
  }
  throw nb::attribute_error(("a " + std::string(type.name) + " has no '" + name + "'").c_str());
}

template <class T>
T* At(char* address) {
  T* value;
  std::memcpy(&value, address, sizeof(value));
  return value;
}

ElementKind KindOf(SpecKind kind) {
  switch (kind) {
    case SpecKind::kFloat:
      return ElementKind::kFloat;
    case SpecKind::kInt:
      return ElementKind::kInt;
    case SpecKind::kByte:
      return ElementKind::kByte;
    default:
      return ElementKind::kNum;
  }
}

nb::object Get(nb::handle self, const std::string& name) {
  const Element& e = nb::cast<const Element&>(self);
  char* base = e.base();
  if (name == "name") return nb::str(mjs_getString(mjs_getName(e.element)));
  const SpecField& field = FieldNamed(*e.type, name);
  char* at = base + field.offset;
  if (field.kind == SpecKind::kText) return nb::str(mjs_getString(At<mjString>(at)));
  if (field.kind == SpecKind::kTexts) throw nb::attribute_error((name + " can only be written").c_str());
  if (field.kind == SpecKind::kDoubles) {
    int size = 0;
    const double* numbers = mjs_getDouble(At<mjDoubleVec>(at), &size);
    nb::list list;
    for (int i = 0; i < size; ++i) list.append(numbers[i]);
    return list;
  }
  const StructMember member = {field.name, field.offset, KindOf(field.kind), field.count};
  // a copy: the element may be deleted while the array lives
  nb::object value = Read(member, base, self);
  return field.count > 1 ? value.attr("copy")() : value;
}

void Set(nb::handle self, const std::string& name, nb::handle value) {
  const Element& e = nb::cast<const Element&>(self);
  char* base = e.base();
  if (name == "name") {
    if (mjs_setName(e.element, nb::cast<std::string>(value).c_str()) != 0) RaiseModelError(mjs_getError(e.s.get()));
    return;
  }
  const SpecField& field = FieldNamed(*e.type, name);
  char* at = base + field.offset;
  if (field.kind == SpecKind::kText) return mjs_setString(At<mjString>(at), nb::cast<std::string>(value).c_str());
  if (field.kind == SpecKind::kTexts)
    return mjs_setStringVec(At<mjStringVec>(at), nb::cast<std::string>(value).c_str());
  if (field.kind == SpecKind::kDoubles) {
    const auto numbers = nb::cast<std::vector<double>>(value);
    return mjs_setDouble(At<mjDoubleVec>(at), numbers.data(), static_cast<int>(numbers.size()));
  }
  const StructMember member = {field.name, field.offset, KindOf(field.kind), field.count};
  // sizes of geoms and the like may be given in part
  const bool sequence = field.count > 1 && PySequence_Check(value.ptr()) != 0;
  const Py_ssize_t given = sequence ? PySequence_Size(value.ptr()) : -1;
  if (given > 0 && static_cast<size_t>(given) < field.count) {
    nb::object array = Read(member, base, self);
    array[nb::module_::import_("builtins").attr("slice")(given)] = value;
    return;
  }
  Write(member, base, self, value);
}

Spec Parse(mjSpec* s, const char* error) {
  if (!s) RaiseModelError(error);
  return {{s, mj_deleteSpec}};
}

nb::object Wrap(nb::handle self, mjsElement* element, const SpecType& type) {
  return nb::cast(Element{nb::borrow(self), nb::cast<const Spec&>(self).s, element, &type});
}

nb::object Find(nb::handle self, const std::string& kind, const std::string& name) {
  const SpecType& type = TypeNamed(kind);
  mjSpec* s = nb::cast<const Spec&>(self).s.get();
  mjsElement* element = mjs_findElement(s, type.type, name.c_str());
  if (!element) {
    std::string known;
    for (mjsElement* e = mjs_firstElement(s, type.type); e; e = mjs_nextElement(s, e)) {
      known += (known.empty() ? "" : ", ") + ("'" + std::string(mjs_getString(mjs_getName(e))) + "'");
    }
    PyErr_SetString(PyExc_KeyError, ("no " + kind + " '" + name + "'; there are: " + known).c_str());
    throw nb::python_error();
  }
  return Wrap(self, element, type);
}

nb::list All(nb::handle self, const std::string& kind) {
  const SpecType& type = TypeNamed(kind);
  nb::list elements;
  mjSpec* s = nb::cast<const Spec&>(self).s.get();
  for (mjsElement* e = mjs_firstElement(s, type.type); e; e = mjs_nextElement(s, e))
    elements.append(Wrap(self, e, type));
  return elements;
}

nb::object Add(nb::handle owner, mjSpec* s, mjsBody* body, const std::string& kind, const nb::kwargs& values) {
  const SpecType& type = TypeNamed(kind);
  if (type.in_body && !body) RaiseValueError("a " + kind + " belongs to a body: add it there");
  mjsElement* element = Checked([&] { return type.add(s, body); });
  nb::object made = Wrap(owner, element, type);
  for (const auto& [name, value] : values) Set(made, nb::cast<std::string>(nb::str(name)), value);
  return made;
}

Model Compile(const Spec& spec) {
  mjModel* m;
  {
    const nb::gil_scoped_release released;
    m = Checked([&] { return mj_compile(spec.s.get(), nullptr); });
  }
  if (!m) RaiseModelError(mjs_getError(spec.s.get()));
  return {{m, mj_deleteModel}};
}

std::string ToXml(const Spec& spec) {
  char error[kTextSize] = "";
  std::string text(1, '\0');
  int missing = mj_saveXMLString(spec.s.get(), text.data(), 1, error, sizeof(error));
  if (missing > 0) {
    text.resize(static_cast<size_t>(missing) + 1);
    missing = mj_saveXMLString(spec.s.get(), text.data(), static_cast<int>(text.size()), error, sizeof(error));
  }
  if (missing < 0) RaiseModelError(error);
  return text.c_str();
}

}  // namespace

void DefineSpec(nb::module_& module) {
  nb::class_<Element>(module, "Element", "An element of a specification.")
      .def("__getattr__", &Get)
      .def("__setattr__", &Set)
      .def("__dir__",
           [](const Element& e) {
             std::vector<std::string> names = {"name", "add", "delete", "parent"};
             for (const SpecField& field : kSpecFields) {
               if (std::strcmp(field.structure, e.type->structure) == 0) names.emplace_back(field.name);
             }
             return names;
           })
      .def("add",
           [](const Element& e, const std::string& kind, const nb::kwargs& values) {
             char* base = e.base();
             if (e.type->type != mjOBJ_BODY) RaiseValueError("elements are added to bodies and to the specification");
             return Add(e.owner, e.s.get(), reinterpret_cast<mjsBody*>(base), kind, values);
           })
      .def("delete",
           [](const Element& e) {
             e.base();
             if (mjs_delete(e.s.get(), e.element) != 0) RaiseModelError(mjs_getError(e.s.get()));
           })
      .def_prop_ro("parent", [](const Element& e) -> nb::object {
        e.base();
        mjsBody* parent = mjs_getParent(e.element);
        if (!parent) return nb::none();
        return Wrap(e.owner, parent->element, kTypes[0]);
      });
  nb::class_<Spec>(module, "Spec", "A model that is edited, then compiled.")
      .def("__init__",
           [](Spec* self) { new (self) Spec(Parse(Checked([] { return mj_makeSpec(); }), "not enough memory")); })
      .def_static(
          "from_xml_path",
          [](nb::handle path) {
            char error[kTextSize] = "";
            const std::string text = nb::cast<std::string>(nb::str(path));
            return Parse(mj_parseXML(text.c_str(), nullptr, error, kTextSize), error);
          },
          nb::arg("path"))
      .def_static(
          "from_xml_string",
          [](const std::string& xml) {
            char error[kTextSize] = "";
            return Parse(mj_parseXMLString(xml.c_str(), nullptr, error, kTextSize), error);
          },
          nb::arg("xml"))
      .def("copy", [](const Spec& spec) { return Parse(mj_copySpec(spec.s.get()), "a copy could not be made"); })
      .def("compile", &Compile)
      .def("to_xml", &ToXml)
      .def("find", &Find, nb::arg("kind"), nb::arg("name"))
      .def("all", &All, nb::arg("kind"))
      .def_prop_ro("world", [](nb::handle self) { return Find(self, "body", "world"); })
      .def("add", [](nb::handle self, const std::string& kind, const nb::kwargs& values) {
        return Add(self, nb::cast<const Spec&>(self).s.get(), nullptr, kind, values);
      });
}

}  // namespace sinew::python
