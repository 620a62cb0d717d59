// The extension module mujoco._lock, which interpreters with free threads have: it does not say that it does without
// the interpreter's lock, so that importing it switches the lock on. The package mujoco needs it, and the package
// sinew, which shares the extension module mujoco._core with it, does not.
#include <Python.h>

PyMODINIT_FUNC PyInit__lock() {
  static PyModuleDef definition = {
      PyModuleDef_HEAD_INIT, "mujoco._lock", "Switches the lock on.", 0, nullptr, nullptr, nullptr, nullptr, nullptr};
  return PyModuleDef_Init(&definition);
}
