// Spec: a model that is edited, then compiled.
#include "spec.h"

#include <cstring>

namespace sinew::python {
namespace {

Spec Own(mjSpec* s, const char* error, const nb::dict& files) {
  if (!s) RaiseModelError(error);
  mjs_setDeepCopy(s, 1);  // what is attached is a copy, so that the other specification stays as it is
  return {{s, mj_deleteSpec}, files};
}

// mj_parseXML or mj_parseXMLString.
using Parser = mjSpec* (*)(const char*, const mjVFS*, char*, int);

// The specification of a mujoco.MjSpec or another object that shares one, with its files in memory. From then on what
// is attached to it is a copy, as it is to all specifications of this package.
Spec Over(nb::handle object) {
  auto s = SharedBy<mjSpec>(object, "mjSpec");
  if (!s) {
    PyErr_Format(PyExc_TypeError, "shared must be a mujoco.MjSpec or a sinew.Spec, not %s",
                 nb::type_name(object.type()).c_str());
    throw nb::python_error();
  }
  mjs_setDeepCopy(s.get(), 1);
  return {std::move(s), nb::cast<nb::dict>(object.attr(nb::hasattr(object, "files") ? "files" : "assets"))};
}

Spec Parse(Parser parse, const std::string& text, const nb::dict& files) {
  char error[kTextSize] = "";
  Memory memory(files);
  ModelWarnings warnings;
  Spec spec = Own(Checked([&] { return parse(text.c_str(), memory.get(), error, kTextSize); }), error, files);
  warnings.Raise();
  return spec;
}

Spec Copy(const Spec& spec) {
  return Own(Checked([&] { return mj_copySpec(spec.s.get()); }), "a copy could not be made", spec.files);
}

std::shared_ptr<mjModel> CompileSilently(const Spec& spec) {
  Memory memory(spec.files);
  mjModel* m;
  {
    const nb::gil_scoped_release released;
    m = Checked([&] { return mj_compile(spec.s.get(), memory.get()); });
  }
  if (!m) RaiseModelError(mjs_getError(spec.s.get()));
  return {m, mj_deleteModel};
}

nb::object Compile(const Spec& spec) {
  ModelWarnings warnings;
  const auto m = CompileSilently(spec);
  warnings.Raise();
  return WrapModel(m);
}

// The engine writes what has been compiled; a specification that is being edited is compiled as a copy.
std::string ToXml(const Spec& spec) {
  const Spec compiled = Copy(spec);
  const ModelWarnings unsaid;  // compiling the specification itself says them
  CompileSilently(compiled);
  char error[kTextSize] = "";
  std::string text(1, '\0');
  int missing = mj_saveXMLString(compiled.s.get(), text.data(), 1, error, sizeof(error));
  if (missing > 0) {
    text.resize(static_cast<size_t>(missing) + 1);
    missing = mj_saveXMLString(compiled.s.get(), text.data(), static_cast<int>(text.size()), error, sizeof(error));
  }
  if (missing < 0) RaiseModelError(error);
  return text.c_str();
}

nb::list All(nb::handle self, const std::string& kind) {
  const SpecType& type = TypeNamed(kind);
  nb::list elements;
  mjSpec* s = nb::cast<const Spec&>(self).s.get();
  for (mjsElement* e = mjs_firstElement(s, type.type); e; e = mjs_nextElement(s, e)) elements.append(Wrap(self, e));
  return elements;
}

nb::object DefaultOf(nb::handle self, const std::string& name) {
  const Spec& spec = nb::cast<const Spec&>(self);
  if (!mjs_findDefault(spec.s.get(), name.c_str())) {
    PyErr_SetString(PyExc_KeyError, ("there is no class of defaults '" + name + "'").c_str());
    throw nb::python_error();
  }
  return nb::cast(Default{nb::borrow(self), spec.s, name});
}

nb::object AddDefault(nb::handle self, const std::string& name, const std::string& parent) {
  mjSpec* s = nb::cast<const Spec&>(self).s.get();
  DefaultOf(self, parent);
  if (!mjs_addDefault(s, name.c_str(), mjs_findDefault(s, parent.c_str()))) {
    RaiseValueError("there is a class of defaults '" + name + "' already");
  }
  return DefaultOf(self, name);
}

// What is pickled: the model as XML, what it may name, and the folder where the rest is.
nb::tuple GetState(const Spec& spec) {
  return nb::make_tuple(ToXml(spec), spec.files, mjs_getString(spec.s->modelfiledir));
}
void SetState(Spec& self, const nb::tuple& state) {
  new (&self) Spec(Parse(mj_parseXMLString, nb::cast<std::string>(state[0]), nb::cast<nb::dict>(state[1])));
  mjs_setString(self.s->modelfiledir, nb::cast<std::string>(state[2]).c_str());
}

// Settings that are structures, numbers and texts of the specification.
template <size_t n>
void AddMembers(nb::handle cls, const char* name, const StructMember (&members)[n], size_t offset) {
  AddProperty(cls, name, nb::cpp_function([&members, offset](nb::handle self) {
                char* base = reinterpret_cast<char*>(nb::cast<const Spec&>(self).s.get()) + offset;
                return Members{nb::borrow(self), base, members, n};
              }));
}
void AddText(nb::class_<Spec>& cls, const char* name, mjString* (*of)(const mjSpec&)) {
  cls.def_prop_rw(
      name, [of](const Spec& spec) { return std::string(mjs_getString(of(*spec.s))); },
      [of](const Spec& spec, const std::string& text) { mjs_setString(of(*spec.s), text.c_str()); });
}

void SetAxes(const Spec& spec, const std::string& axes) {
  if (axes.size() != 3 || axes.find_first_not_of("xyzXYZ") != std::string::npos) {
    RaiseValueError("eulerseq is '" + axes + "'; it takes three of the axes x, y, z, or X, Y, Z");
  }
  std::memcpy(spec.s->compiler.eulerseq, axes.data(), 3);
}

void AddSettings(nb::class_<Spec>& cls) {
  AddMembers(cls, "option", kOptionFields, offsetof(mjSpec, option));
  AddMembers(cls, "stat", kStatisticFields, offsetof(mjSpec, stat));
  AddMembers(cls, "visual", kVisualFields, offsetof(mjSpec, visual));
  AddMembers(cls, "compiler", kCompilerFields, offsetof(mjSpec, compiler));
  for (const StructMember& member : kSpecNumbers) {
    const auto base = [](nb::handle self) { return reinterpret_cast<char*>(nb::cast<const Spec&>(self).s.get()); };
    AddProperty(cls, member.name,
                nb::cpp_function([&member, base](nb::handle self) { return Read(member, base(self), self); }),
                nb::cpp_function(
                    [&member, base](nb::handle self, nb::handle value) { Write(member, base(self), self, value); }));
  }
  AddText(cls, "modelname", [](const mjSpec& s) { return s.modelname; });
  AddText(cls, "comment", [](const mjSpec& s) { return s.comment; });
  AddText(cls, "modelfiledir", [](const mjSpec& s) { return s.modelfiledir; });
  AddText(cls, "meshdir", [](const mjSpec& s) { return s.compiler.meshdir; });
  AddText(cls, "texturedir", [](const mjSpec& s) { return s.compiler.texturedir; });
  cls.def_prop_rw(
      "eulerseq", [](const Spec& spec) { return std::string(spec.s->compiler.eulerseq, 3); }, &SetAxes);
}

}  // namespace

void DefineSpec(nb::module_& module) {
  DefineElement(module);
  nb::class_<Spec> cls(module, "Spec", "A model that is edited, then compiled.", nb::is_weak_referenceable());
  cls.def(
         "__init__",
         [](Spec* self, nb::handle shared) {
           new (self)
               Spec(shared.is_none() ? Own(Checked([] { return mj_makeSpec(); }), "not enough memory", nb::dict())
                                     : Over(shared));
         },
         nb::arg("shared") = nb::none())
      .def("__eq__", &IsSame<Spec, &Spec::s>)
      .def("__hash__", &HashOf<Spec, &Spec::s>)
      .def("_share", [](const Spec& spec) { return ShareOf("mjSpec", spec.s); })
      .def_static(
          "from_xml_path",
          [](nb::handle path, const nb::dict& files) { return Parse(mj_parseXML, PathOf(path), files); },
          nb::arg("path"), nb::arg("files") = nb::dict())
      .def_static(
          "from_xml_string",
          [](const std::string& xml, const nb::dict& files) { return Parse(mj_parseXMLString, xml, files); },
          nb::arg("xml"), nb::arg("files") = nb::dict())
      .def_prop_ro("files", [](const Spec& spec) { return spec.files; })
      .def("copy", &Copy)
      .def("__copy__", &Copy)
      .def("__deepcopy__", [](const Spec& spec, nb::handle) { return Copy(spec); })
      .def("__getstate__", &GetState)
      .def("__setstate__", &SetState)
      .def("__repr__",
           [](const Spec& spec) { return "<sinew.Spec '" + std::string(mjs_getString(spec.s->modelname)) + "'>"; })
      .def("compile", &Compile)
      .def("to_xml", &ToXml)
      .def("find", &FindElement, nb::arg("kind"), nb::arg("name"))
      .def("all", &All, nb::arg("kind"))
      .def("default", &DefaultOf, nb::arg("name") = "main")
      .def("add_default", &AddDefault, nb::arg("name"), nb::arg("parent") = "main")
      .def_prop_ro("world", [](nb::handle self) { return FindElement(self, "body", "world"); })
      .def("add", [](nb::handle self, const std::string& kind,
                     const nb::kwargs& values) { return AddElement(self, nullptr, kind, values); })
      .def("add_musculotendon", &AddMusculotendon, nb::arg("tendon"), nb::arg("values"));
  AddSettings(cls);
}

}  // namespace sinew::python
