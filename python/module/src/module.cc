// The extension module mujoco._core.
#include "object.h"

namespace sinew::module {
namespace {

int Define(PyObject* module) {
  fatal_error =
      PyErr_NewExceptionWithDoc("mujoco.FatalError", "The engine reported an error.", PyExc_RuntimeError, nullptr);
  if (!fatal_error || PyModule_AddObjectRef(module, "FatalError", fatal_error) != 0) return -1;
  const bool defined = DefineArrays(module) && DefineObjects(module) && DefineLists(module) && DefineNamed(module) &&
                       DefineFunctions(module) && DefineWorlds(module) && DefineVectors(module) &&
                       DefineSpecs(module) && DefineScenes(module) && DefineSaved(module) && DefineCallbacks(module) &&
                       DefineExtras(module) && DefineRollout(module) && DefineSharing(module);
  return defined ? 0 : -1;
}

}  // namespace
}  // namespace sinew::module

PyMODINIT_FUNC PyInit__core() {
  static PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(sinew::module::Define)},
#ifdef Py_GIL_DISABLED
                                     // for the package sinew; the package mujoco imports _lock (lock/lock.cc)
                                     {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
                                     {0, nullptr}};
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                   "mujoco._core",
                                   "The engine's C interface, from its tables.",
                                   0,
                                   nullptr,
                                   slots,
                                   nullptr,
                                   nullptr,
                                   nullptr};
  return PyModuleDef_Init(&definition);
}
