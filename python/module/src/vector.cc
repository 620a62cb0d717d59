// Texts and vectors of specifications, which the engine holds as objects of its library of C++.
#include <sinew/error.h>
#include <sinew/extensions.h>

#include <cstring>
#include <string>
#include <vector>

#include "element.h"
#include "object.h"

namespace sinew::module {
namespace {

PyTypeObject* vector_class = nullptr;

// A vector of the C++ library that the engine has inside: three addresses in either of the two libraries.
struct Vector {
  char* begin;
  char* end;
  char* room;
};

// A vector of an element, as Python sees it: looked at anew at each access.
struct VectorObject {
  PyObject_HEAD PyObject* owner;
  const Field* field;
};

template <class T>
T* At(const Object* self, const Field& field) {
  T* pointer;
  std::memcpy(&pointer, self->base + field.offset, sizeof(pointer));
  return pointer;
}

Vector VectorAt(const void* address) {
  Vector vector;
  std::memcpy(&vector, address, sizeof(vector));
  return vector;
}

// Returns how many bytes a std::string has in that library.
size_t StringSize() {
  static const bool gnu = std::string_view(sinew_cxxLibrary()) == "libstdc++";
  return gnu ? 32 : 24;
}

size_t StepOf(const Field& field) { return field.kind == Kind::kStrings ? StringSize() : SizeOf(field.element); }

PyObject* Text(const char* at) { return PyUnicode_DecodeUTF8(at, static_cast<Py_ssize_t>(std::strlen(at)), "replace"); }

PyObject* NumberAt(const char* at, char element) {
  double number;
  float single;
  int integer;
  switch (element) {
    case 'd':
      std::memcpy(&number, at, sizeof(number));
      return PyFloat_FromDouble(number);
    case 'f':
      std::memcpy(&single, at, sizeof(single));
      return PyFloat_FromDouble(static_cast<double>(single));
    default:
      std::memcpy(&integer, at, sizeof(integer));
      return PyLong_FromLong(integer);
  }
}

// ---- vectors as sequences

VectorObject* Of(PyObject* self) { return reinterpret_cast<VectorObject*>(self); }

bool Look(PyObject* self, Vector* vector) {
  const auto* owner = reinterpret_cast<Object*>(Of(self)->owner);
  if (!owner->base) {
    PyErr_SetString(PyExc_ReferenceError, "this element was deleted from its specification");
    return false;
  }
  const Field& field = *Of(self)->field;
  if (field.kind == Kind::kChars) {
    char* begin = owner->base + field.offset;
    *vector = {begin, begin + Count(field.rows, owner, nullptr), nullptr};
  } else {
    *vector = VectorAt(At<void>(owner, field));
  }
  return true;
}

Py_ssize_t Length(PyObject* self) {
  Vector vector;
  if (!Look(self, &vector)) return -1;
  return (vector.end - vector.begin) / static_cast<Py_ssize_t>(StepOf(*Of(self)->field));
}

char* Place(PyObject* self, Py_ssize_t i) {
  Vector vector;
  if (!Look(self, &vector)) return nullptr;
  const Py_ssize_t step = static_cast<Py_ssize_t>(StepOf(*Of(self)->field));
  if (i >= 0 && i < (vector.end - vector.begin) / step) return vector.begin + i * step;
  PyErr_SetString(PyExc_IndexError, "Index out of range.");
  return nullptr;
}

PyObject* Item(PyObject* self, Py_ssize_t i) {
  const char* at = Place(self, i);
  if (!at) return nullptr;
  const Field& field = *Of(self)->field;
  if (field.kind == Kind::kChars) return PyUnicode_DecodeLatin1(at, 1, nullptr);
  return field.kind == Kind::kStrings ? Text(mjs_getString(reinterpret_cast<const mjString*>(at)))
                                      : NumberAt(at, field.element);
}

int SetItem(PyObject* self, Py_ssize_t i, PyObject* value) {
  const Field& field = *Of(self)->field;
  if (!value) return PyErr_SetString(PyExc_TypeError, "items of a vector cannot be deleted"), -1;
  if (field.kind == Kind::kStrings) {
    const char* text = Utf8(value);
    char* at = text ? Place(self, i) : nullptr;
    return at ? mjs_setString(reinterpret_cast<mjString*>(at), text), 0 : -1;
  }
  if (field.kind == Kind::kChars) {
    Py_ssize_t size = 0;
    const char* letter = PyUnicode_AsUTF8AndSize(value, &size);
    char* at = letter && size == 1 ? Place(self, i) : nullptr;
    if (!at && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a letter is needed");
    return at ? (*at = *letter, 0) : -1;
  }
  // the number is read first: its code may change the vector
  const double number = PyFloat_AsDouble(value);
  char* at = PyErr_Occurred() ? nullptr : Place(self, i);
  if (!at) return -1;
  const auto single = static_cast<float>(number);
  const auto integer = static_cast<int>(number);
  switch (field.element) {
    case 'd':
      std::memcpy(at, &number, sizeof(number));
      break;
    case 'f':
      std::memcpy(at, &single, sizeof(single));
      break;
    default:
      std::memcpy(at, &integer, sizeof(integer));
  }
  return 0;
}

// Numbers below zero count from nowhere.
PyObject* Subscript(PyObject* self, PyObject* key) {
  if (PyIndex_Check(key)) {
    const Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    return i == -1 && PyErr_Occurred() ? nullptr : Item(self, i);
  }
  PyObject* list = PySequence_List(self);
  PyObject* part = list ? PyObject_GetItem(list, key) : nullptr;
  Py_XDECREF(list);
  return part;
}

int SetSubscript(PyObject* self, PyObject* key, PyObject* value) {
  const Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
  return i == -1 && PyErr_Occurred() ? -1 : SetItem(self, i, value);
}

void FreeVector(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(Of(self)->owner);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyObject* VectorOver(Object* self, const Field& field) {
  auto* vector = PyObject_New(VectorObject, vector_class);
  if (!vector) return nullptr;
  vector->owner = Py_NewRef(reinterpret_cast<PyObject*>(self));
  vector->field = &field;
  return reinterpret_cast<PyObject*>(vector);
}

PyObject* Lists(const Object* self, const Field& field) {
  const Vector outer = VectorAt(At<void>(self, field));
  PyObject* lists = PyList_New(0);
  for (const char* at = outer.begin; lists && at != outer.end; at += sizeof(Vector)) {
    const Vector inner = VectorAt(at);
    PyObject* list = PyList_New(0);
    for (const char* item = inner.begin; list && item != inner.end; item += SizeOf(field.element)) {
      PyObject* number = NumberAt(item, field.element);
      PyList_Append(list, number);
      Py_XDECREF(number);
    }
    PyList_Append(lists, list);
    Py_XDECREF(list);
  }
  return lists;
}

// ---- assignment

// Numbers of any sequence, as contiguous memory of a type.
class Numbers {
 public:
  Numbers(PyObject* value, char element, const char* name) {
    PyObject* numpy = PyImport_ImportModule("numpy");
    PyObject* flat = numpy ? PyObject_CallMethod(numpy, "ravel", "(O)", value) : nullptr;
    array_ = flat ? PyObject_CallMethod(numpy, "ascontiguousarray", "(Os)", flat, NumpyName(element)) : nullptr;
    Py_XDECREF(flat);
    Py_XDECREF(numpy);
    taken_ = array_ && PyObject_GetBuffer(array_, &view_, PyBUF_C_CONTIGUOUS) == 0;
    if (!taken_) PyErr_Format(PyExc_TypeError, "%s takes numbers, not %R", name, value);
  }
  ~Numbers() {
    if (taken_) PyBuffer_Release(&view_);
    Py_XDECREF(array_);
  }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;

  explicit operator bool() const { return taken_; }
  const void* data() const { return view_.buf; }
  Py_ssize_t bytes() const { return view_.len; }

 private:
  PyObject* array_ = nullptr;
  Py_buffer view_ = {};
  bool taken_ = false;
};

int SetVector(const Object* self, const Field& field, PyObject* value) {
  const Numbers numbers(value, field.element, field.name);
  if (!numbers) return -1;
  void* into = At<void>(self, field);
  const int count = static_cast<int>(numbers.bytes()) / static_cast<int>(SizeOf(field.element));
  switch (field.element) {
    case 'd':
      return mjs_setDouble(static_cast<mjDoubleVec*>(into), static_cast<const double*>(numbers.data()), count), 0;
    case 'f':
      return mjs_setFloat(static_cast<mjFloatVec*>(into), static_cast<const float*>(numbers.data()), count), 0;
    default:
      return mjs_setInt(static_cast<mjIntVec*>(into), static_cast<const int*>(numbers.data()), count), 0;
  }
}

int SetBytes(const Object* self, const Field& field, PyObject* value) {
  Py_buffer view;
  if (PyObject_GetBuffer(value, &view, PyBUF_C_CONTIGUOUS) == 0) {
    mjs_setBuffer(At<mjByteVec>(self, field), view.buf, static_cast<int>(view.len));
    PyBuffer_Release(&view);
    return 0;
  }
  PyErr_Clear();
  const Numbers numbers(value, 'B', field.name);
  if (!numbers) return -1;
  mjs_setBuffer(At<mjByteVec>(self, field), numbers.data(), static_cast<int>(numbers.bytes()));
  return 0;
}

int SetChars(Object* self, const Field& field, PyObject* value) {
  PyObject* empty = PyUnicode_FromString("");
  PyObject* text = PyUnicode_Check(value) ? Py_NewRef(value) : PyUnicode_Join(empty, value);
  Py_XDECREF(empty);
  const char* letters = text ? Utf8(text) : nullptr;
  const auto room = static_cast<size_t>(Count(field.rows, self, nullptr));
  const bool fits = letters && std::strlen(letters) <= room;
  if (fits) std::strncpy(self->base + field.offset, letters, room);
  if (letters && !fits) PyErr_Format(PyExc_ValueError, "%s may have at most %zu characters", field.name, room);
  Py_XDECREF(text);
  return fits ? 0 : -1;
}

int SetStrings(const Object* self, const Field& field, PyObject* value) {
  PyObject* items = PyUnicode_Check(value) ? nullptr : PySequence_List(value);
  if (!items) return PyErr_Format(PyExc_TypeError, "%s takes texts, not %R", field.name, value), -1;
  std::vector<std::string> texts;
  for (Py_ssize_t i = 0; i < PyList_Size(items); ++i) {
    PyObject* item = PyList_GetItem(items, i);
    const char* text = PyUnicode_Check(item) ? Utf8(item) : nullptr;
    if (!text) {
      PyErr_Format(PyExc_TypeError, "%s takes texts, not %R", field.name, item);
      return Py_DECREF(items), -1;
    }
    texts.emplace_back(text);
  }
  Py_DECREF(items);
  auto* into = At<mjStringVec>(self, field);
  const bool roles = std::strcmp(field.name, "textures") == 0;
  if (roles && texts.size() != mjNTEXROLE) {
    PyErr_Format(PyExc_ValueError, "%s must have exactly %d elements, got %zu.", field.name, mjNTEXROLE, texts.size());
    return -1;
  }
  mjs_setStringVec(into, "");
  for (const std::string& text : texts) mjs_appendString(into, text.c_str());
  return 0;
}

int SetVectors(const Object* self, const Field& field, PyObject* value) {
  void* into = At<void>(self, field);
  const Vector outer = VectorAt(into);
  if (outer.begin != outer.end) {
    PyErr_Format(PyExc_ValueError, "%s is set once", field.name);
    return -1;
  }
  PyObject* items = PySequence_List(value);
  if (!items) return -1;
  for (Py_ssize_t i = 0; i < PyList_Size(items); ++i) {
    const Numbers numbers(PyList_GetItem(items, i), field.element, field.name);
    if (!numbers) return Py_DECREF(items), -1;
    const int count = static_cast<int>(numbers.bytes()) / static_cast<int>(SizeOf(field.element));
    if (field.element == 'f') {
      mjs_appendFloatVec(static_cast<mjFloatVecVec*>(into), static_cast<const float*>(numbers.data()), count);
    } else {
      mjs_appendIntVec(static_cast<mjIntVecVec*>(into), static_cast<const int*>(numbers.data()), count);
    }
  }
  Py_DECREF(items);
  return 0;
}

}  // namespace

PyObject* GetSpecField(Object* self, const Field& field) {
  switch (field.kind) {
    case Kind::kString: {
      auto* string = At<mjString>(self, field);
      return string ? Text(mjs_getString(string)) : PyUnicode_FromString("");
    }
    case Kind::kBytes: {
      const Vector vector = VectorAt(At<void>(self, field));
      return PyBytes_FromStringAndSize(vector.begin, vector.end - vector.begin);
    }
    case Kind::kVectors:
      return Lists(self, field);
    default:
      return VectorOver(self, field);
  }
}

namespace {

int SetContainer(Object* self, const Field& field, PyObject* value) {
  switch (field.kind) {
    case Kind::kString: {
      if (!PyUnicode_Check(value))
        return PyErr_Format(PyExc_TypeError, "%s takes a text, not %R", field.name, value), -1;
      auto* string = At<mjString>(self, field);
      if (!string) return PyErr_Format(PyExc_AttributeError, "%s is not there", field.name), -1;
      const char* text = Utf8(value);
      return text ? (mjs_setString(string, text), 0) : -1;
    }
    case Kind::kChars:
      return SetChars(self, field, value);
    case Kind::kBytes:
      return SetBytes(self, field, value);
    case Kind::kVectors:
      return SetVectors(self, field, value);
    case Kind::kStrings:
      return SetStrings(self, field, value);
    default:
      return SetVector(self, field, value);
  }
}

}  // namespace

int SetSpecField(Object* self, const Field& field, PyObject* value) {
  try {
    return Checked([&] { return SetContainer(self, field, value); });
  } catch (const EngineError& e) {
    return PyErr_SetString(fatal_error, e.what()), -1;
  }
}

bool DefineVectors(PyObject* module) {
  static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(FreeVector)},
                                {Py_sq_length, reinterpret_cast<void*>(Length)},
                                {Py_sq_item, reinterpret_cast<void*>(Item)},
                                {Py_sq_ass_item, reinterpret_cast<void*>(SetItem)},
                                {Py_mp_length, reinterpret_cast<void*>(Length)},
                                {Py_mp_subscript, reinterpret_cast<void*>(Subscript)},
                                {Py_mp_ass_subscript, reinterpret_cast<void*>(SetSubscript)},
                                {0, nullptr}};
  static PyType_Spec spec = {"mujoco._specs.Vector", sizeof(VectorObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  vector_class = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return vector_class && PyModule_AddObjectRef(module, "Vector", reinterpret_cast<PyObject*>(vector_class)) == 0;
}

}  // namespace sinew::module
