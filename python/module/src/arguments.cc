#include "arguments.h"

#include <cstring>

#include "element.h"

namespace sinew::module {
namespace {

// Format of a buffer, without the mark of native order.
bool HasElement(const Py_buffer& view, char element) {
  const char* format = view.format ? view.format : "B";
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (view.itemsize != static_cast<Py_ssize_t>(SizeOf(element)) || !*format || format[1]) return false;
  const bool floating = *format == 'd' || *format == 'f';
  if (floating != IsFloating(element)) return false;
  if (element == 'B') return *format == 'B' || *format == '?';
  return floating || std::strchr("ilqILQ", *format) != nullptr;
}

bool TakeBuffer(PyObject* object, char element, bool writable, Py_buffer* view) {
  const int flags = PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(object, view, flags) != 0) {
    PyErr_Clear();
    return false;
  }
  if (HasElement(*view, element)) return true;
  PyBuffer_Release(view);
  return false;
}

PyObject* Contiguous(PyObject* object, char element) {
  static PyObject* make = nullptr;
  if (!make) {
    PyObject* numpy = PyImport_ImportModule("numpy");
    make = numpy ? PyObject_GetAttrString(numpy, "ascontiguousarray") : nullptr;
    Py_XDECREF(numpy);
    if (!make) return nullptr;
  }
  return PyObject_CallFunction(make, "Os", object, NumpyName(element));
}

const char* TypeName(const Parameter& parameter) {
  switch (parameter.kind) {
    case 's':
      return parameter.of + 2;
    case 'e':
      return "MjsElement";
    case 'd':
      return "float";
    case 'i':
      return "int";
    case 't':
      return "str";
    default:
      return "object";
  }
}

}  // namespace

std::string SignatureOf(const Function& function) {
  std::string text = std::string(function.name) + "(";
  for (int i = 0; i < function.count; ++i) {
    const Parameter& p = function.parameters[i];
    if (p.kind == 'x') continue;
    if (text.back() != '(') text += ", ";
    text += std::string(p.name) + ": ";
    if (p.kind == 'a') {
      text += std::string("numpy.ndarray[") + (p.shape ? "(" + std::string(p.shape) + "), " : "") +
              NumpyName(p.element) + (p.writable ? ", writable]" : "]");
    } else {
      text += (p.kind == 's' ? "mujoco._structs.Mj" : "") + std::string(TypeName(p));
    }
    if (p.nullable) text += " | None";
    if (p.optional) text += " = None";
    if (p.has_default) text += " = " + std::to_string(p.fallback);
  }
  const char* result = "object";
  switch (function.result.kind) {
    case 'v':
      result = "None";
      break;
    case 'n':
      result = function.result.floating ? "float" : "int";
      break;
    case 's':
      result = "str";
      break;
    default:
      break;
  }
  return text + ") -> " + result;
}

Arguments::~Arguments() {
  for (int i = 0; i < function_.count; ++i) {
    if (viewed_[i]) PyBuffer_Release(&views_[i]);
    Py_XDECREF(converted_[i]);
  }
}

PyObject* Arguments::block() const {
  for (int i = 0; i < function_.count; ++i) {
    const char kind = function_.parameters[i].kind;
    if ((kind == 's' || kind == 'e') && given_[i] && IsObject(given_[i])) {
      return reinterpret_cast<PyObject*>(reinterpret_cast<Object*>(given_[i])->block);
    }
  }
  return nullptr;
}

bool Arguments::Take(PyObject* const* given, Py_ssize_t count, PyObject* names) {
  if (!Assign(given, count, names)) return RaiseSignature(given, count, names);
  for (int i = 0; i < function_.count; ++i) {
    if (function_.parameters[i].kind != 'x' && !Convert(i)) return RaiseSignature(given, count, names);
  }
  // lengths that the engine tells may need numbers that other arrays give
  return CheckArrays(false) && CheckArrays(true);
}

bool Arguments::CheckArrays(bool of_functions) {
  for (int i = 0; i < function_.count; ++i) {
    const Parameter& p = function_.parameters[i];
    const bool told = p.rows.function || p.columns.function;
    if (p.kind == 'a' && values_[i].pointer && told == of_functions && !CheckArray(i)) return false;
  }
  return true;
}

bool Arguments::Assign(PyObject* const* given, Py_ssize_t count, PyObject* names) {
  Py_ssize_t next = 0;
  for (int i = 0; i < function_.count && next < count; ++i) {
    if (function_.parameters[i].kind != 'x') given_[i] = given[next++];
  }
  if (next < count) return false;
  const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* name = PyTuple_GetItem(names, k);
    int i = 0;
    while (i < function_.count && PyUnicode_CompareWithASCIIString(name, function_.parameters[i].name) != 0) ++i;
    if (i == function_.count || given_[i] || function_.parameters[i].kind == 'x') return false;
    given_[i] = given[count + k];
  }
  return true;
}

bool Arguments::Convert(int i) {
  const Parameter& p = function_.parameters[i];
  if (!given_[i]) {
    values_[i].integer = 0;
    if (p.has_default) p.kind == 'd' ? void(values_[i].number = p.fallback) : void(values_[i].integer = p.fallback);
    return p.has_default || p.optional;
  }
  if (given_[i] == Py_None && p.kind != 'd' && p.kind != 'i') {
    values_[i].pointer = nullptr;
    return p.nullable;
  }
  switch (p.kind) {
    case 's':
    case 'e':
      return ConvertStruct(i);
    case 'a':
      return ConvertArray(i);
    case 't':
      // bytes are taken as they are
      if (PyBytes_Check(given_[i])) return (values_[i].pointer = PyBytes_AsString(given_[i])), true;
      values_[i].pointer = PyUnicode_Check(given_[i]) ? const_cast<char*>(Utf8(given_[i])) : nullptr;
      return values_[i].pointer;
    case 'c':
      values_[i].pointer = PyCapsule_GetPointer(given_[i], "mjCache");
      return values_[i].pointer;
    default:
      return ConvertNumber(i);
  }
}

bool Arguments::ConvertNumber(int i) {
  if (function_.parameters[i].kind == 'd') {
    values_[i].number = PyFloat_AsDouble(given_[i]);
    return !PyErr_Occurred();
  }
  if (!PyIndex_Check(given_[i])) return false;
  PyObject* number = PyNumber_Index(given_[i]);
  if (!number) return false;
  values_[i].integer = PyLong_AsLongLong(number);
  Py_DECREF(number);
  if (PyErr_Occurred()) return false;
  // what C would cut off
  return values_[i].integer == static_cast<int>(values_[i].integer) ||
         values_[i].integer == static_cast<unsigned>(values_[i].integer);
}

bool Arguments::ConvertStruct(int i) {
  const Parameter& p = function_.parameters[i];
  if (!IsObject(given_[i])) {
    converted_[i] = p.kind == 's' ? SharedObject(given_[i], StructNamed(p.of)) : nullptr;
    if (!converted_[i]) return false;
    given_[i] = converted_[i];
  }
  auto* object = reinterpret_cast<Object*>(given_[i]);
  if (!object->base) {
    PyErr_SetString(PyExc_ReferenceError, "this element was deleted from its specification");
    return false;
  }
  if (p.kind == 's' && std::strcmp(object->type->name, p.of) != 0) return false;
  // all structs of specifications begin with their element
  const bool element = p.kind == 'e';
  if (element && std::strncmp(object->type->name, "mjs", 3) != 0 && std::strcmp(object->type->name, "mjSpec") != 0) {
    return false;
  }
  values_[i].pointer = object->base;
  if (element) std::memcpy(&values_[i].pointer, object->base, sizeof(void*));
  return true;
}

bool Arguments::ConvertArray(int i) {
  const Parameter& p = function_.parameters[i];
  viewed_[i] = TakeBuffer(given_[i], p.element, p.writable, &views_[i]);
  if (!viewed_[i] && !p.writable) {
    converted_[i] = Contiguous(given_[i], p.element);
    if (!converted_[i]) return PyErr_Clear(), false;
    viewed_[i] = TakeBuffer(converted_[i], p.element, false, &views_[i]);
  }
  if (!viewed_[i]) return false;
  const bool fixed = p.rank == 1 && p.rows.constant && p.rows.terms[0].source == Source::kNone;
  if (fixed && views_[i].len / views_[i].itemsize != p.rows.constant) return false;
  values_[i].pointer = views_[i].buf;
  return true;
}

bool Arguments::CheckLength(int i, const Extent& extent, int64_t length) {
  const Extent::Term& term = extent.terms[0];
  if (term.source == Source::kParameter && function_.parameters[term.at].kind == 'x' && !bound_[term.at]) {
    bound_[term.at] = true;
    binder_[term.at] = i;
    values_[term.at].integer = (length - extent.constant) / term.factor;
  }
  if (term.source == Source::kData || term.source == Source::kModel || extent.function) {
    const char* of = term.source == Source::kData ? "mjData" : "mjModel";
    for (int k = 0; k < function_.count && !extent.function; ++k) {
      const Parameter& p = function_.parameters[k];
      if (p.kind == 's' && std::strcmp(p.of, of) == 0) {
        return Count(extent, reinterpret_cast<Object*>(given_[k]), values_) == length;
      }
    }
  }
  const int64_t expected = Count(extent, nullptr, values_);
  return expected == length || (extent.function && expected < 0);
}

bool Arguments::CheckArray(int i) {
  const Parameter& p = function_.parameters[i];
  const Py_buffer& view = views_[i];
  const int64_t total = view.itemsize ? view.len / view.itemsize : 0;
  if (p.rank == 0) return true;
  if (p.rank == 1) {
    const bool column = view.ndim == 1 || (view.ndim == 2 && view.shape[1] == 1) || p.rows.function ||
                        p.rows.terms[0].source == Source::kNone;
    return (column && CheckLength(i, p.rows, total)) || RaiseShape(i);
  }
  int64_t rows = view.ndim >= 1 ? view.shape[0] : 1, columns = view.ndim == 2 ? view.shape[1] : 1;
  if (view.ndim == 1 && p.columns.constant != 1) columns = rows, rows = 1;
  if (view.ndim == 1 && p.rows.constant > 1) columns = 1, rows = view.shape[0];
  if (view.ndim > 2 || !CheckLength(i, p.rows, rows) || !CheckLength(i, p.columns, columns)) return RaiseShape(i);
  return true;
}

bool Arguments::RaiseShape(int i) {
  const Parameter& p = function_.parameters[i];
  const Extent::Term& term = p.rows.terms[0];
  if (p.problem) {
    PyErr_SetString(PyExc_TypeError, p.problem);
  } else if (!p.shape) {
    PyErr_Format(PyExc_TypeError, "%s has the wrong size", p.name);
  } else if (p.rank == 1 && term.source == Source::kParameter && function_.parameters[term.at].kind == 'x') {
    PyErr_Format(PyExc_TypeError, "%s and %s should have the same size", function_.parameters[binder_[term.at]].name,
                 p.name);
  } else if (p.rank == 1) {
    PyErr_Format(PyExc_TypeError, "%s should be of size %s", p.name, p.shape);
  } else {
    const std::string shape(p.shape);
    const size_t comma = shape.find(',');
    PyErr_Format(PyExc_TypeError, "%s should be of shape (%s, %s)", p.name, shape.substr(0, comma).c_str(),
                 shape.substr(comma + 1).c_str());
  }
  return false;
}

// Errors with a text of their own are left: those of the shapes and of deleted elements.
bool Arguments::RaiseSignature(PyObject* const* given, Py_ssize_t count, PyObject* names) {
  if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_ReferenceError)) return false;
  PyErr_Clear();
  std::string text;
  const Py_ssize_t all = count + (names ? PyTuple_Size(names) : 0);
  for (Py_ssize_t i = 0; i < all; ++i) {
    PyObject* shown = PyObject_Repr(given[i]);
    const char* of = shown ? Utf8(shown) : nullptr;
    text += (i ? i == count ? "; kwargs: " : ", " : "") + std::string(of ? of : "?");
    Py_XDECREF(shown);
    PyErr_Clear();
  }
  PyErr_Format(PyExc_TypeError,
               "%s(): incompatible function arguments. The following argument types are supported:\n    1. %s\n\n"
               "Invoked with: %s",
               function_.name, SignatureOf(function_).c_str() + std::strlen(function_.name), text.c_str());
  return false;
}

}  // namespace sinew::module
