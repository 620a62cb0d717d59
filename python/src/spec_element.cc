// Elements of specifications: views of them, and what is done to them.
#include <cstddef>
#include <cstring>

#include "spec.h"

namespace sinew::python {
namespace {

#define SINEW_IN_BODY(name, kind, type)                                                                            \
  {                                                                                                                \
    name, "mjs" #kind, type, true, [](mjsElement* e) -> void* { return mjs_as##kind(e); },                         \
        [](mjSpec*, mjsBody* body, const mjsDefault* d) -> mjsElement* { return mjs_add##kind(body, d)->element; } \
  }
#define SINEW_IN_SPEC(name, kind, type)                                                                 \
  {                                                                                                     \
    name, "mjs" #kind, type, false, [](mjsElement* e) -> void* { return mjs_as##kind(e); },             \
        [](mjSpec* s, mjsBody*, const mjsDefault*) -> mjsElement* { return mjs_add##kind(s)->element; } \
  }
// the same, with a class of defaults
#define SINEW_OF_CLASS(name, kind, type)                                                                     \
  {                                                                                                          \
    name, "mjs" #kind, type, false, [](mjsElement* e) -> void* { return mjs_as##kind(e); },                  \
        [](mjSpec* s, mjsBody*, const mjsDefault* d) -> mjsElement* { return mjs_add##kind(s, d)->element; } \
  }

const SpecType kTypes[] = {
    SINEW_IN_BODY("body", Body, mjOBJ_BODY),
    SINEW_IN_BODY("joint", Joint, mjOBJ_JOINT),
    SINEW_IN_BODY("geom", Geom, mjOBJ_GEOM),
    SINEW_IN_BODY("site", Site, mjOBJ_SITE),
    SINEW_IN_BODY("camera", Camera, mjOBJ_CAMERA),
    SINEW_IN_BODY("light", Light, mjOBJ_LIGHT),
    {"frame", "mjsFrame", mjOBJ_FRAME, true, [](mjsElement* e) -> void* { return mjs_asFrame(e); },
     [](mjSpec*, mjsBody* body, const mjsDefault*) { return mjs_addFrame(body, nullptr)->element; }},
    SINEW_OF_CLASS("actuator", Actuator, mjOBJ_ACTUATOR),
    SINEW_IN_SPEC("sensor", Sensor, mjOBJ_SENSOR),
    SINEW_OF_CLASS("equality", Equality, mjOBJ_EQUALITY),
    SINEW_OF_CLASS("tendon", Tendon, mjOBJ_TENDON),
    SINEW_OF_CLASS("pair", Pair, mjOBJ_PAIR),
    SINEW_IN_SPEC("exclude", Exclude, mjOBJ_EXCLUDE),
    SINEW_IN_SPEC("key", Key, mjOBJ_KEY),
    SINEW_OF_CLASS("material", Material, mjOBJ_MATERIAL),
    SINEW_IN_SPEC("texture", Texture, mjOBJ_TEXTURE),
    SINEW_OF_CLASS("mesh", Mesh, mjOBJ_MESH),
    SINEW_IN_SPEC("hfield", HField, mjOBJ_HFIELD),
    SINEW_IN_SPEC("numeric", Numeric, mjOBJ_NUMERIC),
    SINEW_IN_SPEC("text", Text, mjOBJ_TEXT),
    SINEW_IN_SPEC("tuple", Tuple, mjOBJ_TUPLE),
    SINEW_IN_SPEC("flex", Flex, mjOBJ_FLEX),
    SINEW_IN_SPEC("skin", Skin, mjOBJ_SKIN),
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
  if (name == "name") return nb::str(e.element ? mjs_getString(mjs_getName(e.element)) : "");
  const SpecField& field = FieldNamed(*e.type, name);
  char* at = base + field.offset;
  switch (field.kind) {
    case SpecKind::kText:
      return nb::str(mjs_getString(At<mjString>(at)));
    case SpecKind::kTexts:
    case SpecKind::kFloats:
    case SpecKind::kInts:
      throw nb::attribute_error((name + " can only be written").c_str());
    case SpecKind::kDoubles: {
      int size = 0;
      const double* numbers = mjs_getDouble(At<mjDoubleVec>(at), &size);
      nb::list list;
      for (int i = 0; i < size; ++i) list.append(numbers[i]);
      return list;
    }
    default: {
      const StructMember member = {field.name, field.offset, KindOf(field.kind), field.count};
      nb::object value = Read(member, base, self);
      // a copy: the element may be deleted while the array lives
      return field.count > 1 ? value.attr("copy")() : value;
    }
  }
}

std::string TextOf(nb::handle value, const std::string& name) {
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  PyErr_Format(PyExc_TypeError, "%s takes a text, not %R", name.c_str(), value.ptr());
  throw nb::python_error();
}

// What a value reads as may run code of the program, which may delete the element: values are read first, and the
// address of a member is taken afterwards.
void SetTexts(const Element& e, const SpecField& field, nb::handle value, const std::string& name) {
  const bool single = nb::isinstance<nb::str>(value);
  std::vector<std::string> texts;
  if (single) texts.push_back(nb::cast<std::string>(value));
  for (const nb::handle text : single ? nb::iter(nb::tuple()) : nb::iter(value)) texts.push_back(TextOf(text, name));
  auto* const into = At<mjStringVec>(e.base() + field.offset);
  mjs_setStringVec(into, single ? texts[0].c_str() : "");
  for (size_t i = 0; !single && i < texts.size(); ++i) mjs_appendString(into, texts[i].c_str());
}

// Numbers of any count, of the element type of the vector.
template <class T, class Vector>
void SetNumbers(const Element& e, const SpecField& field, void (*set)(Vector*, const T*, int), nb::handle value) {
  const Numbers numbers = NumbersOf(value, field.name);
  const std::vector<T> converted(numbers.data(), numbers.data() + numbers.size());
  set(At<Vector>(e.base() + field.offset), converted.data(), static_cast<int>(converted.size()));
}

// Sizes of geoms and the like may be given in part.
void SetMember(const Element& e, const SpecField& field, nb::handle value) {
  nb::object array;
  try {
    array = nb::module_::import_("numpy").attr("asarray")(value);
  } catch (nb::python_error& error) {
    nb::raise_from(error, PyExc_ValueError, "%s: the value does not fit", field.name);
  }
  const size_t given = nb::cast<size_t>(array.attr("size"));
  const bool in_part = nb::cast<int>(array.attr("ndim")) == 1 && given > 0 && given < field.count;
  char* const at = e.base() + field.offset;
  Assign(ArrayOver(at, KindOf(field.kind), {in_part ? given : field.count}, e.owner), array, field.name);
}

void Set(nb::handle self, const std::string& name, nb::handle value) {
  const Element& e = nb::cast<const Element&>(self);
  e.base();
  if (name == "name") {
    if (!e.element) RaiseValueError("elements of a class of defaults have no names");
    if (mjs_setName(e.element, TextOf(value, name).c_str()) != 0) RaiseModelError(mjs_getError(e.s.get()));
    return;
  }
  const SpecField& field = FieldNamed(*e.type, name);
  switch (field.kind) {
    case SpecKind::kText:
      return mjs_setString(At<mjString>(e.base() + field.offset), TextOf(value, name).c_str());
    case SpecKind::kTexts:
      return SetTexts(e, field, value, name);
    case SpecKind::kDoubles:
      return SetNumbers<double, mjDoubleVec>(e, field, mjs_setDouble, value);
    case SpecKind::kFloats:
      return SetNumbers<float, mjFloatVec>(e, field, mjs_setFloat, value);
    case SpecKind::kInts:
      return SetNumbers<int, mjIntVec>(e, field, mjs_setInt, value);
    default:
      return SetMember(e, field, value);
  }
}

nb::list Names(const Element& e) {
  nb::list names;
  for (const char* name : {"name", "kind", "parent", "frame", "add", "attach", "delete"}) names.append(name);
  const std::string_view kind = e.type->name;
  if (kind == "tendon") {
    for (const char* name : {"wrap_site", "wrap_geom", "wrap_joint", "wrap_pulley"}) names.append(name);
  }
  if (kind == "actuator") {
    for (const char* name :
         {"set_to_motor", "set_to_position", "set_to_velocity", "set_to_damper", "set_to_adhesion"}) {
      names.append(name);
    }
  }
  for (const SpecField& field : kSpecFields) {
    if (std::strcmp(field.structure, e.type->structure) == 0) names.append(field.name);
  }
  return names;
}

// ---- what is done to elements

void Delete(const Element& e) {
  e.base();
  if (!e.element) RaiseValueError("a class of defaults keeps its elements");
  const auto run = [s = e.s, element = e.element] {
    if (mjs_delete(s.get(), element) != 0) RaiseModelError(mjs_getError(s.get()));
  };
  // the module mujoco has objects of elements that must know when they are gone
  const nb::dict modules = nb::module_::import_("sys").attr("modules");
  if (!modules.contains("mujoco._core")) return run();
  const auto address = reinterpret_cast<uintptr_t>(e.s.get());
  modules["mujoco._core"].attr("around_deletion")(address, nb::cpp_function(run));
}

nb::object Parent(const Element& e) {
  e.base();
  mjsBody* parent = e.element ? mjs_getParent(e.element) : nullptr;
  return parent ? Wrap(e.owner, parent->element) : nb::none();
}

nb::object GetFrame(const Element& e) {
  e.base();
  mjsFrame* frame = e.element && e.type->in_body ? mjs_getFrame(e.element) : nullptr;
  return frame ? Wrap(e.owner, frame->element) : nb::none();
}

void SetFrame(const Element& e, nb::handle value) {
  e.base();
  if (!nb::isinstance<Element>(value)) throw nb::type_error("frame takes a frame of the specification");
  const Element& frame = nb::cast<const Element&>(value);
  auto* into = reinterpret_cast<mjsFrame*>(frame.base());
  if (frame.type->type != mjOBJ_FRAME) RaiseValueError("frame takes a frame, not a " + std::string(frame.type->name));
  if (!e.element || frame.s != e.s || mjs_setFrame(e.element, into) != 0) {
    RaiseValueError("frame: the element and the frame must be in one body of one specification");
  }
}

// A copy of a specification, body or frame, below a body, frame or site.
nb::object Attach(const Element& e, nb::handle child, const std::string& prefix, const std::string& suffix) {
  e.base();
  mjsElement* from = nullptr;
  if (nb::isinstance<Spec>(child)) {
    from = nb::cast<const Spec&>(child).s->element;
  } else if (nb::isinstance<Element>(child)) {
    const Element& part = nb::cast<const Element&>(child);
    part.base();
    from = part.element;
  }
  if (!from) RaiseValueError("child must be a Spec, or a body or frame of one");
  if (!e.element) RaiseValueError("nothing is attached to a class of defaults");
  mjsElement* made = Checked([&] { return mjs_attach(e.element, from, prefix.c_str(), suffix.c_str()); });
  if (!made) RaiseModelError(mjs_getError(e.s.get()));
  return Wrap(e.owner, made);
}

mjsTendon* Tendon(const Element& e) { return As<mjsTendon>(e, mjOBJ_TENDON, "tendon"); }
mjsActuator* Actuator(const Element& e) { return As<mjsActuator>(e, mjOBJ_ACTUATOR, "actuator"); }

void SetToPosition(const Element& e, double kp, std::optional<double> kv, std::optional<double> ratio,
                   std::optional<double> timeconst, double inheritrange) {
  const auto pointer = [](std::optional<double>& value) { return value ? &*value : nullptr; };
  Expect(mjs_setToPosition(Actuator(e), kp, pointer(kv), pointer(ratio), pointer(timeconst), inheritrange));
}

void DefineActuators(nb::class_<Element>& cls) {
  cls.def("set_to_motor", [](const Element& e) { Expect(mjs_setToMotor(Actuator(e))); })
      .def("set_to_position", &SetToPosition, nb::arg("kp"), nb::arg("kv") = nb::none(),
           nb::arg("dampratio") = nb::none(), nb::arg("timeconst") = nb::none(), nb::arg("inheritrange") = 0.)
      .def(
          "set_to_velocity", [](const Element& e, double kv) { Expect(mjs_setToVelocity(Actuator(e), kv)); },
          nb::arg("kv"))
      .def(
          "set_to_damper", [](const Element& e, double kv) { Expect(mjs_setToDamper(Actuator(e), kv)); }, nb::arg("kv"))
      .def(
          "set_to_adhesion", [](const Element& e, double gain) { Expect(mjs_setToAdhesion(Actuator(e), gain)); },
          nb::arg("gain"));
}

void DefineTendons(nb::class_<Element>& cls) {
  cls.def(
         "wrap_site", [](const Element& e, const std::string& name) { mjs_wrapSite(Tendon(e), name.c_str()); },
         nb::arg("name"))
      .def(
          "wrap_geom",
          [](const Element& e, const std::string& name, const std::string& side_site) {
            mjs_wrapGeom(Tendon(e), name.c_str(), side_site.c_str());
          },
          nb::arg("name"), nb::arg("side_site") = "")
      .def(
          "wrap_joint",
          [](const Element& e, const std::string& name, double coef) { mjs_wrapJoint(Tendon(e), name.c_str(), coef); },
          nb::arg("name"), nb::arg("coef"))
      .def(
          "wrap_pulley", [](const Element& e, double divisor) { mjs_wrapPulley(Tendon(e), divisor); },
          nb::arg("divisor"));
}

// ---- classes of defaults

mjsDefault& ClassOf(mjSpec* s, const std::string& name) {
  if (mjsDefault* found = mjs_findDefault(s, name.c_str())) return *found;
  PyErr_SetString(PyExc_KeyError, ("there is no class of defaults '" + name + "'").c_str());
  throw nb::python_error();
}

// Elements of a class by the name of their kind; null where classes have none of it.
void* MemberOf(const mjsDefault& of, std::string_view kind) {
  const std::pair<const char*, void*> members[] = {
      {"joint", of.joint}, {"geom", of.geom},         {"site", of.site},     {"camera", of.camera},
      {"light", of.light}, {"flex", of.flex},         {"mesh", of.mesh},     {"material", of.material},
      {"pair", of.pair},   {"equality", of.equality}, {"tendon", of.tendon}, {"actuator", of.actuator},
  };
  for (const auto& [name, member] : members) {
    if (kind == name) return member;
  }
  return nullptr;
}

nb::object GetFromClass(const Default& of, const std::string& kind) {
  if (!MemberOf(ClassOf(of.s.get(), of.name), kind)) {
    throw nb::attribute_error(("a class of defaults has no '" + kind + "'").c_str());
  }
  return nb::cast(Element{of.owner, of.s, nullptr, &TypeNamed(kind), of.name});
}

}  // namespace

const SpecType& TypeNamed(const std::string& name) {
  std::string known;
  for (const SpecType& type : kTypes) {
    if (name == type.name) return type;
    known += (known.empty() ? "" : ", ") + std::string(type.name);
  }
  RaiseValueError("there are no elements of kind '" + name + "'; kinds are: " + known);
}

const SpecType& TypeOf(const mjsElement* element) {
  for (const SpecType& type : kTypes) {
    if (element->elemtype == type.type) return type;
  }
  RaiseValueError("elements of this kind are not in Python");
}

bool Element::IsThere() const {
  for (mjsElement* e = mjs_firstElement(s.get(), type->type); e; e = mjs_nextElement(s.get(), e)) {
    if (e == element) return true;
  }
  return false;
}

char* Element::base() const {
  if (!element) return static_cast<char*>(MemberOf(ClassOf(s.get(), of_class), type->name));
  if (IsThere()) return static_cast<char*>(type->of(element));
  PyErr_Format(PyExc_ReferenceError, "this %s is no longer in its specification", type->name);
  throw nb::python_error();
}

nb::object Wrap(nb::handle spec, mjsElement* element) {
  return nb::cast(Element{nb::borrow(spec), nb::cast<const Spec&>(spec).s, element, &TypeOf(element)});
}

nb::object FindElement(nb::handle spec, const std::string& kind, const std::string& name) {
  const SpecType& type = TypeNamed(kind);
  mjSpec* s = nb::cast<const Spec&>(spec).s.get();
  if (mjsElement* element = mjs_findElement(s, type.type, name.c_str())) return Wrap(spec, element);
  std::string known;
  for (mjsElement* e = mjs_firstElement(s, type.type); e; e = mjs_nextElement(s, e)) {
    known += (known.empty() ? "" : ", ") + ("'" + std::string(mjs_getString(mjs_getName(e))) + "'");
  }
  PyErr_SetString(PyExc_KeyError, ("no " + kind + " '" + name + "'; there are: " + known).c_str());
  throw nb::python_error();
}

nb::object AddElement(nb::handle spec, const Element* place, const std::string& kind, const nb::kwargs& values) {
  const SpecType& type = TypeNamed(kind);
  mjSpec* s = nb::cast<const Spec&>(spec).s.get();
  if (type.in_body && !place) RaiseValueError("a " + kind + " belongs to a body: add it there");
  mjsBody* body = nullptr;
  mjsFrame* frame = nullptr;
  if (place) {
    char* base = place->base();
    if (place->type->type == mjOBJ_FRAME) frame = reinterpret_cast<mjsFrame*>(base);
    if (place->type->type == mjOBJ_BODY) body = reinterpret_cast<mjsBody*>(base);
    if (frame) body = mjs_getParent(place->element);
    if (!body) RaiseValueError("elements are added to bodies, to frames and to the specification");
  }
  const mjsDefault* defaults = nullptr;
  if (values.contains("default")) defaults = &ClassOf(s, TextOf(values["default"], "default"));
  mjsElement* element = Checked([&] { return type.add(s, body, defaults); });
  nb::object made = Wrap(spec, element);
  try {
    if (frame && mjs_setFrame(element, frame) != 0) RaiseModelError(mjs_getError(s));
    for (const auto& [name, value] : values) {
      const auto member = nb::cast<std::string>(nb::str(name));
      if (member != "default") Set(made, member, value);
    }
  } catch (...) {
    // an element that is not as it was asked for does not stay, unless a value has deleted it already
    if (nb::cast<const Element&>(made).IsThere()) mjs_delete(s, element);
    throw;
  }
  return made;
}

void DefineElement(nb::module_& module) {
  nb::class_<Element> cls(module, "Element", "An element of a specification.");
  cls.def("__getattr__", &Get)
      .def("__setattr__",
           [](nb::handle self, const std::string& name, nb::handle value) {
             if (name == "frame") return SetFrame(nb::cast<const Element&>(self), value);
             Set(self, name, value);
           })
      .def("__dir__", &Names)
      .def("__repr__",
           [](nb::handle self) {
             const Element& e = nb::cast<const Element&>(self);
             const std::string of =
                 e.element ? "'" + nb::cast<std::string>(Get(self, "name")) + "'" : "of the class '" + e.of_class + "'";
             return "<" + std::string(e.type->name) + " " + of + ">";
           })
      .def("__eq__",
           [](const Element& a, nb::handle other) {
             if (!nb::isinstance<Element>(other)) return false;
             const Element& b = nb::cast<const Element&>(other);
             return a.s == b.s && a.element == b.element && a.type == b.type && a.of_class == b.of_class;
           })
      .def("__hash__", [](const Element& e) { return std::hash<const void*>()(e.element); })
      .def("add", [](const Element& e, const std::string& kind,
                     const nb::kwargs& values) { return AddElement(e.owner, &e, kind, values); })
      .def("attach", &Attach, nb::arg("child"), nb::arg("prefix") = "", nb::arg("suffix") = "")
      .def("delete", &Delete)
      .def_prop_ro("kind", [](const Element& e) { return e.type->name; })
      .def_prop_ro("parent", &Parent)
      .def_prop_ro("frame", &GetFrame);
  DefineTendons(cls);
  DefinePassiveElements(cls);
  DefineActuators(cls);
  nb::class_<Default>(module, "Default", "A class of defaults: elements that others begin as.")
      .def("__getattr__", &GetFromClass)
      .def_prop_ro("name", [](const Default& of) { return of.name; })
      .def("__dir__", [](const Default& of) {
        nb::list names;
        names.append("name");
        for (const SpecType& type : kTypes) {
          if (MemberOf(ClassOf(of.s.get(), of.name), type.name)) names.append(type.name);
        }
        return names;
      });
}

}  // namespace sinew::python
