// The library is not linked with Python: the functions of its stable interface are looked for among those that are in
// the process already.
#include "capi/resources/python_warnings.h"

#include <dlfcn.h>

namespace sinew::capi {
namespace {

// A function of the process; null: there is none with the name.
template <class Function>
Function* Find(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

struct Python {
  int (*is_initialized)() = Find<int()>("Py_IsInitialized");
  int (*is_finalizing)() = Find<int()>("Py_IsFinalizing");
  int (*ensure)() = Find<int()>("PyGILState_Ensure");
  void (*release)(int) = Find<void(int)>("PyGILState_Release");
  int (*warn)(void*, const char*, long) = Find<int(void*, const char*, long)>("PyErr_WarnEx");
  void (*clear)() = Find<void()>("PyErr_Clear");
  void* (*occurred)() = Find<void*()>("PyErr_Occurred");
  void** category = static_cast<void**>(dlsym(RTLD_DEFAULT, "PyExc_UserWarning"));

  Python() {
    if (!is_finalizing) is_finalizing = Find<int()>("_Py_IsFinalizing");  // before 3.13
  }

  // An interpreter that is ending serves no threads any more.
  bool IsThere() const {
    return is_initialized && ensure && release && warn && clear && occurred && category && is_initialized() &&
           !(is_finalizing && is_finalizing());
  }
};

const Python& PythonOfProcess() {
  static const Python python;
  return python;
}

}  // namespace

bool HasPython() { return PythonOfProcess().IsThere(); }

// The calling thread may hold the interpreter or not. With an exception pending, there is no warning.
bool WarnInPython(const char* text) {
  const Python& python = PythonOfProcess();
  if (!python.IsThere()) return true;
  const int state = python.ensure();
  bool is_accepted = true;
  if (!python.occurred()) {
    constexpr long kLineOfCaller = 1;
    is_accepted = python.warn(*python.category, text, kLineOfCaller) == 0;
    if (!is_accepted) python.clear();
  }
  python.release(state);
  return is_accepted;
}

}  // namespace sinew::capi
