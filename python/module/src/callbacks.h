// Callbacks that are functions of Python.
#ifndef SINEW_MODULE_CALLBACKS_H_
#define SINEW_MODULE_CALLBACKS_H_

#include "object.h"

namespace sinew::module {

// The argument of the call that runs in this thread whose memory this is; null when there is none. Borrowed.
PyObject* GivenObject(const void* base);

// Whether a callback raised an error in this thread.
bool HasErrorOfCallback();

// Makes that error the one of Python; false when there is none.
bool RaiseOfCallback();

}  // namespace sinew::module

#endif  // SINEW_MODULE_CALLBACKS_H_
