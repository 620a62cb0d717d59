// The extension module sinew._sinew: the C interface with arrays as views and errors as exceptions. Names, named access
// and whatever else needs no speed is in the Python files beside it.
#include <sinew/extensions.h>

#include <algorithm>
#include <array>

#include "common.h"
#include "message.h"

// Of each thread, null for none.
extern "C" {
void (*_mjPRIVATE__get_tls_warning_fn())(const char*);
void _mjPRIVATE__set_tls_warning_fn(void (*handler)(const char*));
}

namespace sinew::python {
namespace {

nb::dlpack::dtype DtypeOf(ElementKind kind) {
  switch (kind) {
    case ElementKind::kNum:
      return nb::dtype<double>();
    case ElementKind::kFloat:
      return nb::dtype<float>();
    case ElementKind::kInt:
      return nb::dtype<int32_t>();
    case ElementKind::kByte:
    case ElementKind::kContact:
      return nb::dtype<uint8_t>();
    case ElementKind::kChar:
      return nb::dtype<int8_t>();
    case ElementKind::kSize:
    case ElementKind::kPointer:
      return nb::dtype<int64_t>();
  }
  return nb::dtype<double>();
}

// Warnings of the engine become warnings of Python, whichever thread they come from.
void OnWarning(const char* text) {
  const nb::gil_scoped_acquire gil;
  if (Warn(PyExc_RuntimeWarning, text) != 0) PyErr_WriteUnraisable(nullptr);
}

// Where warnings of this thread are kept; null: nowhere.
thread_local std::vector<std::string>* kept_warnings = nullptr;

void KeepWarning(const char* text) {
  if (std::find(kept_warnings->begin(), kept_warnings->end(), text) == kept_warnings->end()) {
    kept_warnings->emplace_back(text);
  }
}

nb::object RaiseClass(const char* name) { return nb::module_::import_("sinew.errors").attr(name); }

}  // namespace

ModelWarnings::ModelWarnings() : outer_(kept_warnings), previous_(_mjPRIVATE__get_tls_warning_fn()) {
  kept_warnings = &texts_;
  _mjPRIVATE__set_tls_warning_fn(KeepWarning);
}

ModelWarnings::~ModelWarnings() {
  kept_warnings = outer_;
  _mjPRIVATE__set_tls_warning_fn(previous_);
}

void ModelWarnings::Raise() {
  const nb::object category = RaiseClass("ModelWarning");
  for (const std::string& text : texts_) {
    if (Warn(category.ptr(), text.c_str()) != 0) throw nb::python_error();
  }
}

nb::object ArrayOver(void* memory, ElementKind kind, const std::vector<size_t>& shape, nb::handle owner,
                     const std::vector<int64_t>& strides) {
  static double nothing;
  const nb::ndarray<nb::numpy> array(memory ? memory : &nothing, shape.size(), shape.data(), owner,
                                     strides.empty() ? nullptr : strides.data(), DtypeOf(kind));
  return nb::cast(array, nb::rv_policy::reference);
}

ElementKind KindOf(char type) {
  switch (type) {
    case 'f':
      return ElementKind::kFloat;
    case 'i':
      return ElementKind::kInt;
    case 'l':
      return ElementKind::kSize;
    case 'B':
      return ElementKind::kByte;
    case 'c':
      return ElementKind::kChar;
    default:
      return ElementKind::kNum;
  }
}

void RaiseModelError(const std::string& text) {
  SetError(RaiseClass("ModelError").ptr(), text.c_str());
  throw nb::python_error();
}

void RaiseValueError(const std::string& text) {
  SetError(PyExc_ValueError, text.c_str());
  throw nb::python_error();
}

std::shared_ptr<mjModel> ModelOf(nb::handle object) {
  if (auto m = SharedBy<mjModel>(object, "mjModel")) return m;
  PyErr_Format(PyExc_TypeError, "model must be a sinew.Model, not %s", nb::type_name(object.type()).c_str());
  throw nb::python_error();
}

namespace {

// The classes that those of this package derive from know their memory.
const Interface& Core() {
  static const Interface* core = [] {
    const nb::object capsule = nb::module_::import_("sinew._binding").attr("core").attr("interface");
    const auto* of = static_cast<const Interface*>(PyCapsule_GetPointer(capsule.ptr(), "sinew.interface"));
    if (of && of->engine != ThisEngine()) {
      PyErr_SetString(PyExc_ImportError, "sinew and the module of mujoco that is loaded have two engines");
    }
    if (PyErr_Occurred()) throw nb::python_error();
    return of;
  }();
  return *core;
}

nb::object ModelClass() { return nb::module_::import_("sinew._model").attr("Model"); }

}  // namespace

nb::object ModelObject(nb::handle object) {
  const nb::object cls = ModelClass();
  return nb::isinstance(object, cls) ? nb::borrow(object) : cls(object);
}

nb::object WrapModel(const std::shared_ptr<mjModel>& m) { return ModelClass()(ShareOf("mjModel", m)); }

mjModel& ModelIn(nb::handle object) {
  auto* m = static_cast<mjModel*>(Core().memory(object.ptr(), "mjModel"));
  if (!m) throw nb::type_error("model must be a sinew.Model");
  return *m;
}

// The arguments of a call keep what they are of.
bool TakeData(nb::handle object, Data* data) {
  auto* d = static_cast<mjData*>(Core().memory(object.ptr(), "mjData"));
  if (!d) return false;
  const std::shared_ptr<void> kept;
  *data = {{}, {kept, Core().model(object.ptr())}, {kept, d}};
  return true;
}

nb::object WrapData(const Data& data) {
  return nb::module_::import_("sinew._data").attr("over")(ShareOf("mjData", data.d), data.model);
}

NB_MODULE(_sinew, module) {
  // Libraries that share arrays (JAX, torch) hold some of them until the interpreter has ended, which is no leak: what
  // a program lets go of before is freed (tests/python/memory_test.py).
  nb::set_leak_warnings(false);
  module.doc() = "The engine's C interface; use the package sinew.";
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const EngineError& e) {
      SetError(RaiseClass("EngineError").ptr(), e.what());
    }
  });
  if (!mju_user_warning) mju_user_warning = OnWarning;
  module.def("version", &sinew_versionString);
  module.def("interface_version", &mj_versionString);
  module.def("cxx_library", &sinew_cxxLibrary);
  DefineModel(module);
  DefineData(module);
  DefineSpec(module);
  DefineBatch(module);
  DefineRenderer(module);
  DefineViewing(module);
}

}  // namespace sinew::python
