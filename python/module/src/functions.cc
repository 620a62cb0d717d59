// The functions of the C interface, from the table.
#include <sinew/error.h>

#include <cstring>

#include "arguments.h"
#include "callbacks.h"
#include "extents.h"
#include "message.h"

namespace sinew::module {
namespace {

void StepMany(const mjModel* m, mjData* d, int count) {
  for (int i = 0; i < count; ++i) mj_step(m, d);
}

// The value of a sensor, which the engine may keep elsewhere.
void ReadSensor(const mjModel* m, const mjData* d, int id, mjtNum time, mjtNum* result, int interp) {
  const mjtNum* value = mj_readSensor(m, d, id, time, result, interp);
  if (value) std::memcpy(result, value, static_cast<size_t>(m->sensor_dim[id]) * sizeof(mjtNum));
}

const char* ElementName(mjsElement* element) { return mjs_getString(mjs_getName(element)); }

#include "functions_generated.h"

// The calls that run in this thread, the innermost first.
struct Running {
  const Arguments* arguments;
  int count;
  Running* outer;
};
thread_local Running* running = nullptr;

struct Callable {
  PyObject_HEAD const Function* function;
};

PyTypeObject* callable_class = nullptr;

PyObject* ElementOf(mjsElement* element, PyObject* block);

PyObject* ResultOf(const Function& function, const Value& value, const Arguments& arguments) {
  const Result& result = function.result;
  if (result.kind == 'v') Py_RETURN_NONE;
  if (result.kind == 'n') {
    return result.floating ? PyFloat_FromDouble(value.number) : PyLong_FromLongLong(value.integer);
  }
  if (!value.pointer) Py_RETURN_NONE;
  switch (result.kind) {
    case 's':
      return PyUnicode_DecodeUTF8(static_cast<const char*>(value.pointer),
                                  static_cast<Py_ssize_t>(std::strlen(static_cast<const char*>(value.pointer))),
                                  "replace");
    case 'c':
      return PyCapsule_New(value.pointer, "mjCache", nullptr);
    case 'o': {
      PyObject* block = NewBlock(value.pointer, std::free, nullptr, nullptr);
      PyObject* made = block ? NewObject(StructNamed(result.of), value.pointer, block) : nullptr;
      Py_XDECREF(block);
      return made;
    }
    case 'e':
      return ElementOf(static_cast<mjsElement*>(value.pointer), arguments.block());
    default:
      return ElementObject(StructNamed(result.of), value.pointer, arguments.block());
  }
}

// The error that the function reported, or that a callback of Python raised meanwhile.
PyObject* Raise(const std::string& text) {
  if (!RaiseOfCallback()) SetError(fatal_error, text.c_str());
  return nullptr;
}

PyObject* CallFunction(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  const Function& function = *reinterpret_cast<Callable*>(self)->function;
  Arguments arguments(function);
  if (!arguments.Take(given, count, names)) return nullptr;
  Value result = {};
  std::string error;
  bool failed = false;
  Running here = {&arguments, function.count, running};
  running = &here;
  PyThreadState* released = function.held ? nullptr : PyEval_SaveThread();
  try {
    Checked([&] { function.call(arguments.values(), &result); });
  } catch (const EngineError& e) {
    error = e.what();
    failed = true;
  }
  if (released) PyEval_RestoreThread(released);
  running = here.outer;
  if (failed || HasErrorOfCallback()) return Raise(error);
  return ResultOf(function, result, arguments);
}

struct Cast {
  mjtObj type;
  const char* name;
  void* (*of)(mjsElement*);
};

#define SINEW_CAST(object, kind)                                                \
  {                                                                             \
    object, "mjs" #kind, [](mjsElement* e) -> void* { return mjs_as##kind(e); } \
  }
const Cast kCasts[] = {
    SINEW_CAST(mjOBJ_BODY, Body),         SINEW_CAST(mjOBJ_JOINT, Joint),       SINEW_CAST(mjOBJ_GEOM, Geom),
    SINEW_CAST(mjOBJ_SITE, Site),         SINEW_CAST(mjOBJ_CAMERA, Camera),     SINEW_CAST(mjOBJ_LIGHT, Light),
    SINEW_CAST(mjOBJ_FRAME, Frame),       SINEW_CAST(mjOBJ_ACTUATOR, Actuator), SINEW_CAST(mjOBJ_SENSOR, Sensor),
    SINEW_CAST(mjOBJ_EQUALITY, Equality), SINEW_CAST(mjOBJ_TENDON, Tendon),     SINEW_CAST(mjOBJ_PAIR, Pair),
    SINEW_CAST(mjOBJ_EXCLUDE, Exclude),   SINEW_CAST(mjOBJ_KEY, Key),           SINEW_CAST(mjOBJ_MATERIAL, Material),
    SINEW_CAST(mjOBJ_TEXTURE, Texture),   SINEW_CAST(mjOBJ_MESH, Mesh),         SINEW_CAST(mjOBJ_HFIELD, HField),
    SINEW_CAST(mjOBJ_NUMERIC, Numeric),   SINEW_CAST(mjOBJ_TEXT, Text),         SINEW_CAST(mjOBJ_TUPLE, Tuple),
    SINEW_CAST(mjOBJ_FLEX, Flex),         SINEW_CAST(mjOBJ_SKIN, Skin),         SINEW_CAST(mjOBJ_PLUGIN, Plugin),
};
#undef SINEW_CAST

PyObject* ElementOf(mjsElement* element, PyObject* block) {
  for (const Cast& cast : kCasts) {
    if (cast.type == element->elemtype) return ElementObject(StructNamed(cast.name), cast.of(element), block);
  }
  return PyErr_Format(PyExc_TypeError, "no class for elements of type %d", static_cast<int>(element->elemtype));
}

bool AddFunction(PyObject* module, const Function& function) {
  auto* callable = PyObject_New(Callable, callable_class);
  if (!callable) return false;
  callable->function = &function;
  // the interpreter keeps a pointer to the definition
  auto* doc = new std::string(SignatureOf(function) + "\n\n" + function.doc + "\n");
  auto* definition =
      new PyMethodDef{function.name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(CallFunction)),
                      METH_FASTCALL | METH_KEYWORDS, doc->c_str()};
  PyObject* name =
      PyUnicode_FromString(std::strncmp(function.name, "mjr_", 4) == 0 ? "mujoco._render" : "mujoco._functions");
  PyObject* made = PyCFunction_NewEx(definition, reinterpret_cast<PyObject*>(callable), name);
  Py_XDECREF(name);
  Py_DECREF(callable);
  const bool added = made && PyModule_AddObjectRef(module, function.name, made) == 0;
  Py_XDECREF(made);
  return added;
}

}  // namespace

PyObject* GivenObject(const void* base) {
  for (const Running* call = running; call; call = call->outer) {
    for (int i = 0; i < call->count; ++i) {
      PyObject* given = call->arguments->given(i);
      if (given && IsObject(given) && reinterpret_cast<Object*>(given)->base == base) return given;
    }
  }
  return nullptr;
}

bool DefineFunctions(PyObject* module) {
  static PyType_Slot slots[] = {{0, nullptr}};
  static PyType_Spec spec = {"mujoco._core.Callable", sizeof(Callable), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  callable_class = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!callable_class) return false;
  for (const Function& function : kFunctions) {
    if (!AddFunction(module, function)) return false;
  }
  return true;
}

}  // namespace sinew::module
