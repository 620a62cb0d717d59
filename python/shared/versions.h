// What of Python's interface 3.9 lacks, for both packages.
#ifndef SINEW_PYTHON_VERSIONS_H_
#define SINEW_PYTHON_VERSIONS_H_

#include <Python.h>

#if PY_VERSION_HEX < 0x030A0000
inline PyObject* Py_NewRef(PyObject* object) {
  Py_INCREF(object);
  return object;
}
inline PyObject* Py_XNewRef(PyObject* object) {
  Py_XINCREF(object);
  return object;
}
inline int PyModule_AddObjectRef(PyObject* module, const char* name, PyObject* value) {
  if (!value) return -1;
  Py_INCREF(value);
  const int result = PyModule_AddObject(module, name, value);
  if (result != 0) Py_DECREF(value);
  return result;
}
#ifndef Py_TPFLAGS_DISALLOW_INSTANTIATION
#define Py_TPFLAGS_DISALLOW_INSTANTIATION 0UL
#endif
#endif

#endif  // SINEW_PYTHON_VERSIONS_H_
