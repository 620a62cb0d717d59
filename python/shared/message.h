// Errors and warnings repeat what a file says, whose bytes need not be UTF-8: in Python those that are not read \xdf.
#ifndef SINEW_PYTHON_MESSAGE_H_
#define SINEW_PYTHON_MESSAGE_H_

#include <Python.h>

#include <cstring>

inline PyObject* MessageOf(const char* text) {
  return PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "backslashreplace");
}

inline void SetError(PyObject* type, const char* text) {
  PyObject* message = MessageOf(text);
  if (message) PyErr_SetObject(type, message);
  Py_XDECREF(message);
}

// -1 where the warning became an error, which is set then.
inline int Warn(PyObject* category, const char* text) {
  PyObject* message = MessageOf(text);
  PyObject* bytes = message ? PyUnicode_AsUTF8String(message) : nullptr;
  const int result = bytes ? PyErr_WarnEx(category, PyBytes_AsString(bytes), 1) : -1;
  Py_XDECREF(bytes);
  Py_XDECREF(message);
  return result;
}

#endif  // SINEW_PYTHON_MESSAGE_H_
