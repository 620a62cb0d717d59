#include "callbacks.h"

#include <array>
#include <chrono>
#include <cstring>

namespace sinew::module {
namespace {

// An error of Python that waits until the engine has returned.
thread_local PyObject* error_type = nullptr;
thread_local PyObject* error_value = nullptr;
thread_local PyObject* error_trace = nullptr;

void KeepError() {
  if (error_type) return PyErr_Clear();
  PyErr_Fetch(&error_type, &error_value, &error_trace);
}

enum Slot {
  kPassive,
  kControl,
  kContactFilter,
  kSensor,
  kTime,
  kActDyn,
  kActGain,
  kActBias,
  kWarning,
  kMalloc,
  kFree,
  kSlots
};
std::array<PyObject*, kSlots> functions{};

constexpr const char* kNames[kSlots] = {"mjcb_passive",     "mjcb_control",    "mjcb_contactfilter", "mjcb_sensor",
                                        "mjcb_time",        "mjcb_act_dyn",    "mjcb_act_gain",      "mjcb_act_bias",
                                        "mju_user_warning", "mju_user_malloc", "mju_user_free"};

// Objects over a model and a world that the engine owns: for as long as the callback runs, and what it keeps of them.
PyObject* Borrowed(const char* name, const void* base, const mjModel* m) {
  PyObject* block = NewBlock(nullptr, nullptr, m, nullptr);
  PyObject* object = block ? NewObject(StructNamed(name), const_cast<void*>(base), block) : nullptr;
  Py_XDECREF(block);
  return object;
}

// The object that the running call was given, or one of our own until the callback returns.
PyObject* WorldOf(const char* name, const void* base, const mjModel* m) {
  PyObject* given = GivenObject(base);
  if (given && IsOfSinew(given)) return SharedObject(given, StructNamed(name));
  return given ? Py_NewRef(given) : Borrowed(name, base, m);
}

void Release(PyObject* object, const void* base) {
  if (object && !GivenObject(base)) Invalidate(reinterpret_cast<Object*>(object), true);
  Py_XDECREF(object);
}

template <class... Rest>
PyObject* Call(Slot slot, const mjModel* m, const mjData* d, const char* format, Rest... rest) {
  PyObject* model = WorldOf("mjModel", m, m);
  PyObject* data = WorldOf("mjData", d, m);
  PyObject* result = nullptr;
  if (model && data) result = PyObject_CallFunction(functions[slot], format, model, data, rest...);
  Release(model, m);
  Release(data, d);
  if (!result) KeepError();
  return result;
}

// Once a callback has failed, the others of the step are not called.
bool Skips(Slot slot) { return error_type || !functions[slot]; }

template <Slot slot>
void OnGeneric(const mjModel* m, mjData* d) {
  const PyGILState_STATE state = PyGILState_Ensure();
  if (!Skips(slot)) Py_XDECREF(Call(slot, m, d, "OO"));
  PyGILState_Release(state);
}

void OnSensor(const mjModel* m, mjData* d, int stage) {
  const PyGILState_STATE state = PyGILState_Ensure();
  if (!Skips(kSensor)) Py_XDECREF(Call(kSensor, m, d, "OOi", stage));
  PyGILState_Release(state);
}

double Number(Slot slot, PyObject* result) {
  const double number = result ? PyFloat_AsDouble(result) : 0;
  Py_XDECREF(result);
  if (!PyErr_Occurred()) return number;
  if (result) PyErr_Format(PyExc_TypeError, "%s callback did not return a number", kNames[slot]);
  KeepError();
  return 0;
}

template <Slot slot>
mjtNum OnActuator(const mjModel* m, const mjData* d, int id) {
  const PyGILState_STATE state = PyGILState_Ensure();
  const double number = Skips(slot) ? 0 : Number(slot, Call(slot, m, d, "OOi", id));
  PyGILState_Release(state);
  return number;
}

int OnContactFilter(const mjModel* m, mjData* d, int geom1, int geom2) {
  const PyGILState_STATE state = PyGILState_Ensure();
  const double number =
      Skips(kContactFilter) ? 0 : Number(kContactFilter, Call(kContactFilter, m, d, "OOii", geom1, geom2));
  PyGILState_Release(state);
  return number != 0;
}

mjtNum OnTime() {
  const PyGILState_STATE state = PyGILState_Ensure();
  const double number = Skips(kTime) ? 0 : Number(kTime, PyObject_CallFunction(functions[kTime], nullptr));
  PyGILState_Release(state);
  return number;
}

void OnWarning(const char* text) {
  const PyGILState_STATE state = PyGILState_Ensure();
  if (!Skips(kWarning)) {
    PyObject* result = PyObject_CallFunction(functions[kWarning], "s", text);
    if (!result) KeepError();
    Py_XDECREF(result);
  }
  PyGILState_Release(state);
}

// The clock of timers, unless the program sets one [us].
mjtNum Microseconds() {
  using Duration = std::chrono::duration<double, std::micro>;
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Sets the pointer of the engine, which is one of C when the program gives the address of a function of ctypes.
template <class Pointer>
void Install(Pointer* into, Slot slot, Pointer ours, void* address) {
  static_assert(sizeof(Pointer) == sizeof(void*));
  Pointer value = functions[slot] ? ours : nullptr;
  if (address) std::memcpy(&value, &address, sizeof(address));
  *into = value;
}

void InstallSlot(Slot slot, void* address) {
  switch (slot) {
    case kPassive:
      return Install<mjfGeneric>(&mjcb_passive, slot, OnGeneric<kPassive>, address);
    case kControl:
      return Install<mjfGeneric>(&mjcb_control, slot, OnGeneric<kControl>, address);
    case kContactFilter:
      return Install<mjfConFilt>(&mjcb_contactfilter, slot, OnContactFilter, address);
    case kSensor:
      return Install<mjfSensor>(&mjcb_sensor, slot, OnSensor, address);
    case kTime:
      Install<mjfTime>(&mjcb_time, slot, OnTime, address);
      if (!mjcb_time) mjcb_time = Microseconds;
      return;
    case kActDyn:
      return Install<mjfAct>(&mjcb_act_dyn, slot, OnActuator<kActDyn>, address);
    case kActGain:
      return Install<mjfAct>(&mjcb_act_gain, slot, OnActuator<kActGain>, address);
    case kActBias:
      return Install<mjfAct>(&mjcb_act_bias, slot, OnActuator<kActBias>, address);
    case kMalloc:
      return Install<void* (*)(size_t)>(&mju_user_malloc, slot, nullptr, address);
    case kFree:
      return Install<void (*)(void*)>(&mju_user_free, slot, nullptr, address);
    default:
      return Install<void (*)(const char*)>(&mju_user_warning, slot, OnWarning, address);
  }
}

int SlotOf(PyObject* name) {
  for (int i = 0; i < kSlots; ++i) {
    if (PyUnicode_CompareWithASCIIString(name, kNames[i]) == 0) return i;
  }
  PyErr_Format(PyExc_KeyError, "%R", name);
  return -1;
}

// set_callback(name, function, address): address is that of a function of C, or 0.
PyObject* SetCallback(PyObject*, PyObject* arguments) {
  PyObject *name = nullptr, *function = nullptr;
  unsigned long long address = 0;
  if (!PyArg_ParseTuple(arguments, "OOK", &name, &function, &address)) return nullptr;
  const int slot = SlotOf(name);
  if (slot < 0) return nullptr;
  if (function != Py_None && slot >= kMalloc && !address) {
    return PyErr_Format(PyExc_TypeError, "%s takes a function of C: one of ctypes", kNames[slot]);
  }
  PyObject* before = functions[static_cast<size_t>(slot)];
  functions[static_cast<size_t>(slot)] = function == Py_None ? nullptr : Py_NewRef(function);
  InstallSlot(static_cast<Slot>(slot), reinterpret_cast<void*>(static_cast<uintptr_t>(address)));
  Py_XDECREF(before);
  Py_RETURN_NONE;
}

PyObject* GetCallback(PyObject*, PyObject* name) {
  const int slot = SlotOf(name);
  if (slot < 0) return nullptr;
  PyObject* function = functions[static_cast<size_t>(slot)];
  return Py_NewRef(function ? function : Py_None);
}

// Timers cost half a microsecond a step: the package sinew does without, and the package mujoco has them.
PyObject* StartClock(PyObject*, PyObject*) {
  if (!mjcb_time) mjcb_time = Microseconds;
  Py_RETURN_NONE;
}

}  // namespace

bool HasErrorOfCallback() { return error_type; }

bool RaiseOfCallback() {
  if (!error_type) return false;
  PyErr_Restore(error_type, error_value, error_trace);
  error_type = error_value = error_trace = nullptr;
  return true;
}

bool DefineCallbacks(PyObject* module) {
  static PyMethodDef methods[] = {{"set_callback", SetCallback, METH_VARARGS, "Installs a callback."},
                                  {"get_callback", GetCallback, METH_O, "The function that is installed."},
                                  {"start_clock", StartClock, METH_NOARGS, "Timers of steps run from now on."},
                                  {}};
  return PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace sinew::module
