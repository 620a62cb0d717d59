// Attributes of objects: numbers, arrays, texts and structs at their places in memory.
#include <cstring>
#include <string>

#include "element.h"
#include "lock.h"
#include "worlds.h"

namespace sinew::module {
namespace {

template <class T>
T Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

template <class T>
void Store(char* at, T value) {
  std::memcpy(at, &value, sizeof(value));
}

// ---- numbers

PyObject* GetNumber(const char* at, char element) {
  switch (element) {
    case 'd':
      return PyFloat_FromDouble(Load<double>(at));
    case 'f':
      return PyFloat_FromDouble(static_cast<double>(Load<float>(at)));
    case 'i':
      return PyLong_FromLong(Load<int>(at));
    case 'I':
      return PyLong_FromUnsignedLong(Load<unsigned>(at));
    case 'l':
      return PyLong_FromLongLong(Load<int64_t>(at));
    case 'L':
      return PyLong_FromUnsignedLongLong(Load<uint64_t>(at));
    case 'b':
      return PyLong_FromLong(Load<signed char>(at));
    case '?':
      return HasBool() ? PyBool_FromLong(Load<mjtByte>(at)) : PyLong_FromLong(Load<mjtByte>(at));
    default:
      return PyLong_FromLong(Load<mjtByte>(at));
  }
}

// A value that is one number in an array of one element, too.
PyObject* Scalar(PyObject* value) {
  if (PyFloat_Check(value) || PyLong_Check(value) || !PyObject_HasAttrString(value, "item")) return Py_NewRef(value);
  return PyObject_CallMethod(value, "item", nullptr);
}

// A whole number of what is one or says how it becomes one, as numbers of other libraries do; but not of a float. Null,
// and an error unless it is none.
PyObject* Integer(PyObject* value, PyObject* given) {
  if (PyIndex_Check(value)) return PyNumber_Index(value);
  const bool converts = !PyFloat_Check(given) && PyObject_HasAttrString(given, "__int__");
  return converts ? PyNumber_Long(value) : nullptr;
}

int SetNumber(char* at, char element, PyObject* given) {
  PyObject* value = Scalar(given);
  if (!value) return -1;
  if (IsFloating(element)) {
    const double number = PyFloat_AsDouble(value);
    if (!PyErr_Occurred()) element == 'd' ? Store(at, number) : Store(at, static_cast<float>(number));
  } else if (PyObject* integer = Integer(value, given)) {
    const int64_t number = static_cast<int64_t>(element == 'L' ? PyLong_AsUnsignedLongLongMask(integer)
                                                               : static_cast<uint64_t>(PyLong_AsLongLong(integer)));
    Py_DECREF(integer);
    const bool fits = element != 'i' || number == static_cast<int>(number);
    if (!PyErr_Occurred() && !fits) PyErr_SetString(PyExc_OverflowError, "the number does not fit into 32 bits");
    if (!PyErr_Occurred()) std::memcpy(at, &number, SizeOf(element));
  } else if (!PyErr_Occurred()) {
    PyErr_Format(PyExc_TypeError, "an integer is needed, not %R", value);
  }
  Py_DECREF(value);
  return PyErr_Occurred() ? -1 : 0;
}

// ---- fields that are several numbers, texts and structs

PyObject* MakeArray(Object* self, const Field& field, char* at, int64_t rows) {
  const int64_t shape[2] = {rows, field.columns.empty() ? 0 : Count(field.columns, self, nullptr)};
  return ArrayOver(at, field.element, shape, field.columns.empty() ? 1 : 2, reinterpret_cast<PyObject*>(self->block));
}

PyObject* MakeTexts(Object* self, const Field& field, char* at) {
  const int64_t rows = Count(field.rows, self, nullptr), length = Count(field.columns, self, nullptr);
  const int64_t size[1] = {rows * length};
  PyObject* bytes = ArrayOver(at, 'B', size, 1, reinterpret_cast<PyObject*>(self->block));
  if (!bytes) return nullptr;
  const std::string dtype = "S" + std::to_string(length);
  PyObject* texts = PyObject_CallMethod(bytes, "view", "s", dtype.c_str());
  Py_DECREF(bytes);
  return texts;
}

PyObject* MakeStruct(Object* self, const Field& field, char* at) {
  return NewObject(StructNamed(field.of), at, reinterpret_cast<PyObject*>(self->block));
}

// Makes the value of a field whose memory is at `at`.
PyObject* Make(Object* self, const Field& field, char* at, int64_t rows) {
  switch (field.kind) {
    case Kind::kPointer:
      if (IsText(field)) return PyBytes_FromStringAndSize(at, static_cast<Py_ssize_t>(rows));
      [[fallthrough]];
    case Kind::kArray:
      return MakeArray(self, field, at, rows);
    case Kind::kTexts:
      return MakeTexts(self, field, at);
    case Kind::kStruct:
    case Kind::kStructPointer:
      return MakeStruct(self, field, at);
    default:
      return ListOf(self, field);
  }
}

// What was handed out before is handed out again, if it is of the same memory and length.
PyObject* GetCached(Object* self, const Field& field) {
  const Hold hold(self);
  const bool elsewhere =
      field.kind == Kind::kPointer || field.kind == Kind::kStructPointer || field.kind == Kind::kStructPointers;
  char* at = self->base + field.offset;
  if (elsewhere) at = Load<char*>(at);
  const int64_t rows = Count(field.rows, self, nullptr);
  const auto index = static_cast<size_t>(&field - self->type->fields);
  if (!self->cache) self->cache = new Cached[self->type->count]{};
  Cached& cached = self->cache[index];
  const bool follows = field.kind == Kind::kStructPointers;
  if (cached.value && (follows || (cached.at == at && cached.rows == rows))) return Py_NewRef(cached.value);
  if (field.kind == Kind::kStructPointer && !at) return Py_NewRef(Py_None);
  PyObject* made = Make(self, field, at, rows);
  if (!made) return nullptr;
  Py_XDECREF(cached.value);
  cached = {Py_NewRef(made), at, rows};
  return made;
}

int SetText(Object* self, const Field& field, PyObject* value) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(value, &size);
  if (!text) return -1;
  const int64_t room = Count(field.rows, self, nullptr);
  if (size >= room) {
    PyErr_Format(PyExc_ValueError, "%s is longer than %lld characters", field.name, static_cast<long long>(room - 1));
    return -1;
  }
  std::memset(self->base + field.offset, 0, static_cast<size_t>(room));
  std::memcpy(self->base + field.offset, text, static_cast<size_t>(size));
  return 0;
}

int SetItems(Object* self, const Field& field, PyObject* value) {
  PyObject* array = GetCached(self, field);
  if (!array) return -1;
  const int result = PyObject_SetItem(array, Py_Ellipsis, value);
  Py_DECREF(array);
  return result;
}

// Texts of specifications belong to their struct: they are copied, and the pointers stay.
void SetText(mjString* to, const mjString* from) { mjs_setString(to, std::string(mjs_getString(from)).c_str()); }

// The instance that other settings name stands in the specification `s` of these settings, or is found by its name.
void SetPlugin(mjSpec* s, mjsPlugin* to, const mjsPlugin* from) {
  to->element = from->element && s && mjs_getSpec(from->element) == s ? from->element : nullptr;
  to->active = from->active;
  SetText(to->name, from->name);
  SetText(to->plugin_name, from->plugin_name);
  SetText(to->info, from->info);
}

void SetCompiler(mjsCompiler* to, const mjsCompiler* from) {
  mjString *const meshdir = to->meshdir, *const texturedir = to->texturedir;
  SetText(meshdir, from->meshdir);
  SetText(texturedir, from->texturedir);
  std::memmove(to, from, sizeof(*to));
  to->meshdir = meshdir;
  to->texturedir = texturedir;
}

int SetStruct(Object* self, const Field& field, PyObject* value) {
  const Struct* type = StructNamed(field.of);
  const Object* from = ObjectOf(value, type);
  if (!from) {
    PyErr_Format(PyExc_TypeError, "%s takes a %s, not %R", field.name, NameOf(ClassOf(type)).c_str(), value);
    return -1;
  }
  char* const to = self->base + field.offset;
  if (std::strcmp(type->name, "mjsPlugin") == 0) {
    mjsElement* of = Load<mjsElement*>(self->base);
    SetPlugin(of ? mjs_getSpec(of) : nullptr, reinterpret_cast<mjsPlugin*>(to),
              reinterpret_cast<const mjsPlugin*>(from->base));
  } else if (std::strcmp(type->name, "mjsCompiler") == 0) {
    SetCompiler(reinterpret_cast<mjsCompiler*>(to), reinterpret_cast<const mjsCompiler*>(from->base));
  } else {
    std::memmove(to, from->base, type->size);
  }
  return 0;
}

PyObject* GetEnumerated(Object* self, const Field& field) {
  PyObject* number = GetNumber(self->base + field.offset, field.element);
  PyObject* enumeration = EnumerationNamed(field.of);
  if (!number || !enumeration) return number;
  PyObject* value = PyObject_CallFunctionObjArgs(enumeration, number, nullptr);
  if (value) return Py_DECREF(number), value;
  PyErr_Clear();  // a number that the enumeration does not have
  return number;
}

bool IsThere(Object* self) {
  if (self->base) return true;
  PyErr_SetString(PyExc_ReferenceError, "this object is empty, or an element that was deleted from its specification");
  return false;
}

}  // namespace

bool IsText(const Field& field) {
  return field.kind == Kind::kPointer && field.element == 'b' && std::strcmp(field.name, "plugin_attr") != 0;
}

int64_t Count(const Extent& extent, const Object* self, const Value* values) {
  if (extent.function) return extent.function(self, values);
  int64_t sum = extent.constant;
  for (const Extent::Term& term : extent.terms) {
    const char* at = nullptr;
    switch (term.source) {
      case Source::kNone:
        return sum;
      case Source::kParameter:
        sum += term.factor * values[term.at].integer;
        continue;
      case Source::kModel:
        at = self->block->model ? reinterpret_cast<const char*>(self->block->model) : nullptr;
        break;
      default:
        at = self->base;
    }
    if (!at) return 0;
    sum += term.factor * (term.wide ? Load<int64_t>(at + term.at) : Load<int>(at + term.at));
  }
  return sum;
}

namespace {

// Whether a field is a container of an element of a specification.
bool IsOfSpec(Kind kind) {
  return kind == Kind::kString || kind == Kind::kStrings || kind == Kind::kVector || kind == Kind::kBytes ||
         kind == Kind::kVectors || kind == Kind::kChars;
}

}  // namespace

PyObject* GetField(Object* self, const Field& field) {
  if (!IsThere(self)) return nullptr;
  if (IsOfSpec(field.kind)) return GetSpecField(self, field);
  switch (field.kind) {
    case Kind::kNumber:
      return field.of ? GetEnumerated(self, field) : GetNumber(self->base + field.offset, field.element);
    case Kind::kText: {
      const char* text = self->base + field.offset;
      const auto room = static_cast<size_t>(Count(field.rows, self, nullptr));
      return PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(strnlen(text, room)), "replace");
    }
    default:
      return GetCached(self, field);
  }
}

int SetField(Object* self, const Field& field, PyObject* value) {
  if (!IsThere(self)) return -1;
  if (IsOfSpec(field.kind)) return SetSpecField(self, field, value);
  switch (field.kind) {
    case Kind::kNumber:
      return SetNumber(self->base + field.offset, field.element, value);
    case Kind::kText:
      return SetText(self, field, value);
    case Kind::kStruct:
      return SetStruct(self, field, value);
    case Kind::kArray:
    case Kind::kPointer:
    case Kind::kTexts:
      return SetItems(self, field, value);
    default:
      PyErr_Format(PyExc_AttributeError, "property '%s' of '%s' object has no setter", field.name,
                   NameOf(Py_TYPE(reinterpret_cast<PyObject*>(self))).c_str());
      return -1;
  }
}

}  // namespace sinew::module
