// This file makes arrays of numpy that share the memory of the engine.
#include <array>

#include "element.h"
#include "worlds.h"

namespace sinew::module {
namespace {

PyObject* ndarray = nullptr;
std::array<PyObject*, 128> dtypes{};

PyObject* DtypeOf(char element) {
  if (element == '?' && !HasBool()) element = 'B';
  return dtypes[static_cast<size_t>(element)];
}

}  // namespace

PyObject* ArrayOver(void* memory, char element, const int64_t* shape, int rank, PyObject* block) {
  return ColumnOver(memory, element, shape, rank, 0, block);
}

PyObject* ColumnOver(void* memory, char element, const int64_t* shape, int rank, int64_t step, PyObject* block) {
  PyObject* dtype = DtypeOf(element);
  PyObject* extents = dtype ? PyTuple_New(rank) : nullptr;
  PyObject* strides = extents ? PyTuple_New(rank) : nullptr;
  if (!strides) return Py_XDECREF(extents), nullptr;
  int64_t size = static_cast<int64_t>(SizeOf(element));
  for (int i = rank - 1; i >= 0; --i) {
    const int64_t stride = i == 0 && step ? step : size;
    PyTuple_SetItem(extents, i, PyLong_FromLongLong(shape[i]));
    PyTuple_SetItem(strides, i, PyLong_FromLongLong(stride));
    size = stride * shape[i];
  }
  // nothing is to be kept where there is nothing
  PyObject* array =
      size > 0 && memory
          ? PyObject_CallFunction(ndarray, "OOOnO", extents, dtype, block,
                                  static_cast<Py_ssize_t>(reinterpret_cast<intptr_t>(memory) - kOrigin), strides)
          : PyObject_CallFunction(ndarray, "OO", extents, dtype);
  Py_DECREF(extents);
  Py_DECREF(strides);
  return array;
}

bool DefineArrays(PyObject*) {
  PyObject* numpy = PyImport_ImportModule("numpy");
  if (!numpy) return false;
  ndarray = PyObject_GetAttrString(numpy, "ndarray");
  bool made = ndarray;
  for (const char element : {'d', 'f', 'i', 'I', 'l', 'L', 'B', 'b', 'c', '?'}) {
    PyObject*& dtype = dtypes[static_cast<size_t>(element)];
    dtype = PyObject_CallMethod(numpy, "dtype", "s", NumpyName(element));
    made = made && dtype;
  }
  Py_DECREF(numpy);
  return made;
}

}  // namespace sinew::module
