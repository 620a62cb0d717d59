// With free threads, one thread at a time has what an object keeps; elsewhere the interpreter's lock does.
#ifndef SINEW_MODULE_LOCK_H_
#define SINEW_MODULE_LOCK_H_

#include <Python.h>

namespace sinew::module {

#ifdef Py_GIL_DISABLED
class Hold {
 public:
  explicit Hold(void* object) { PyCriticalSection_Begin(&section_, static_cast<PyObject*>(object)); }
  ~Hold() { PyCriticalSection_End(&section_); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  PyCriticalSection section_;
};
#else
class Hold {
 public:
  explicit Hold(void*) {}
};
#endif

}  // namespace sinew::module

#endif  // SINEW_MODULE_LOCK_H_
