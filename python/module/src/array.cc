// Arrays of numpy over memory of the engine.
#include <array>

#include "element.h"
#include "object.h"

namespace sinew::module {
namespace {

// What an array is made from: bytes, and the block that keeps them.
struct Memory {
  PyObject_HEAD
  void* at;
  Py_ssize_t size;
  PyObject* block;
};

PyTypeObject* memory_class = nullptr;
PyObject* ndarray = nullptr;
std::array<PyObject*, 128> dtypes{};

void FreeMemory(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(reinterpret_cast<Memory*>(self)->block);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

int GetBuffer(PyObject* self, Py_buffer* view, int flags) {
  const auto* memory = reinterpret_cast<Memory*>(self);
  return PyBuffer_FillInfo(view, self, memory->at, memory->size, 0, flags);
}

PyObject* DtypeOf(char element) {
  PyObject*& dtype = dtypes[static_cast<size_t>(element)];
  if (dtype) return dtype;
  PyObject* numpy = PyImport_ImportModule("numpy");
  if (!numpy) return nullptr;
  dtype = PyObject_CallMethod(numpy, "dtype", "s", NumpyName(element));
  Py_DECREF(numpy);
  return dtype;
}

}  // namespace

PyObject* ArrayOver(void* memory, char element, const int64_t* shape, int rank, PyObject* block) {
  return ColumnOver(memory, element, shape, rank, 0, block);
}

PyObject* ColumnOver(void* memory, char element, const int64_t* shape, int rank, int64_t step, PyObject* block) {
  PyObject* dtype = DtypeOf(element);
  PyObject* extents = dtype ? PyTuple_New(rank) : nullptr;
  PyObject* strides = extents ? PyTuple_New(rank) : nullptr;
  auto* of = strides ? PyObject_New(Memory, memory_class) : nullptr;
  if (!of) return Py_XDECREF(extents), Py_XDECREF(strides), nullptr;
  int64_t size = static_cast<int64_t>(SizeOf(element));
  for (int i = rank - 1; i >= 0; --i) {
    const int64_t stride = i == 0 && step ? step : size;
    PyTuple_SetItem(extents, i, PyLong_FromLongLong(shape[i]));
    PyTuple_SetItem(strides, i, PyLong_FromLongLong(stride));
    size = stride * shape[i];
  }
  static double nothing;
  of->at = memory && size > 0 ? memory : &nothing;
  of->size = size > 0 ? size : 0;
  of->block = Py_NewRef(block);
  PyObject* array = PyObject_CallFunction(ndarray, "OOOiO", extents, dtype, of, 0, strides);
  Py_DECREF(of);
  Py_DECREF(extents);
  Py_DECREF(strides);
  return array;
}

bool DefineArrays(PyObject* module) {
  static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(FreeMemory)},
                                {Py_bf_getbuffer, reinterpret_cast<void*>(GetBuffer)},
                                {0, nullptr}};
  static PyType_Spec spec = {"mujoco._core.Memory", sizeof(Memory), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  memory_class = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  PyObject* numpy = PyImport_ImportModule("numpy");
  if (!numpy || !memory_class) return false;
  ndarray = PyObject_GetAttrString(numpy, "ndarray");
  Py_DECREF(numpy);
  return ndarray && PyModule_AddObjectRef(module, "Memory", reinterpret_cast<PyObject*>(memory_class)) == 0;
}

}  // namespace sinew::module
