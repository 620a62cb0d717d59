// Classes of Python for the structs of the table: attributes, lifetime.
#include "object.h"

#include <structmember.h>

#include <cstring>
#include <utility>
#include <vector>

#include "element.h"
#include "extents.h"

namespace sinew::module {

#include "fields_generated.h"

PyObject* fatal_error = nullptr;

namespace {

PyTypeObject* block_class = nullptr;
PyTypeObject* object_class = nullptr;
PyTypeObject* classes[std::size(kStructs)];

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

void FreeObject(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

void DropBlock(PyObject* self) {
  auto* block = reinterpret_cast<Block*>(self);
  if (block->free && block->memory) block->free(block->memory);
  Py_XDECREF(block->kept);
  FreeObject(self);
}

int GetBuffer(PyObject* self, Py_buffer* view, int flags) {
  return PyBuffer_FillInfo(view, self, reinterpret_cast<void*>(kOrigin), PTRDIFF_MAX, 0, flags);
}

void DropObject(PyObject* self) {
  auto* object = reinterpret_cast<Object*>(self);
  if (object->weak) PyObject_ClearWeakRefs(self);
  Invalidate(object, false);
  delete[] object->cache;
  Py_XDECREF(object->views);
  Py_XDECREF(object->extra);
  Py_XDECREF(reinterpret_cast<PyObject*>(object->block));
  FreeObject(self);
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
    default:
      return PyLong_FromLong(Load<mjtByte>(at));
  }
}

// A value that is one number in an array of one element, too.
PyObject* Scalar(PyObject* value) {
  if (PyFloat_Check(value) || PyLong_Check(value) || !PyObject_HasAttrString(value, "item")) return Py_NewRef(value);
  return PyObject_CallMethod(value, "item", nullptr);
}

int SetNumber(char* at, char element, PyObject* given) {
  PyObject* value = Scalar(given);
  if (!value) return -1;
  if (IsFloating(element)) {
    const double number = PyFloat_AsDouble(value);
    if (!PyErr_Occurred()) element == 'd' ? Store(at, number) : Store(at, static_cast<float>(number));
  } else if (PyObject* integer = PyIndex_Check(value) ? PyNumber_Index(value) : nullptr) {
    const int64_t number = static_cast<int64_t>(
        element == 'L' ? PyLong_AsUnsignedLongLongMask(integer) : static_cast<uint64_t>(PyLong_AsLongLong(integer)));
    Py_DECREF(integer);
    const bool fits = element != 'i' || number == static_cast<int>(number);
    if (!PyErr_Occurred() && !fits) PyErr_SetString(PyExc_OverflowError, "the number does not fit into 32 bits");
    if (!PyErr_Occurred()) std::memcpy(at, &number, SizeOf(element));
  } else {
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
      // texts of the model: names, paths
      if (field.element == 'b' && std::strcmp(field.name, "plugin_attr") != 0) return PyBytes_FromStringAndSize(at, static_cast<Py_ssize_t>(rows));
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
  const bool elsewhere = field.kind == Kind::kPointer || field.kind == Kind::kStructPointer ||
                         field.kind == Kind::kStructPointers;
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
int SetPlugin(char* to, const char* from) {
  auto* plugin = reinterpret_cast<mjsPlugin*>(to);
  const auto* other = reinterpret_cast<const mjsPlugin*>(from);
  plugin->element = other->element;
  plugin->active = other->active;
  mjs_setString(plugin->name, std::string(mjs_getString(other->name)).c_str());
  mjs_setString(plugin->plugin_name, std::string(mjs_getString(other->plugin_name)).c_str());
  mjs_setString(plugin->info, std::string(mjs_getString(other->info)).c_str());
  return 0;
}

int SetStruct(Object* self, const Field& field, PyObject* value) {
  const Struct* type = StructNamed(field.of);
  const Object* from = ObjectOf(value, type);
  if (!from) {
    PyErr_Format(PyExc_TypeError, "%s takes a %s, not %R", field.name, ClassOf(type)->tp_name, value);
    return -1;
  }
  if (std::strcmp(type->name, "mjsPlugin") == 0) return SetPlugin(self->base + field.offset, from->base);
  std::memmove(self->base + field.offset, from->base, type->size);
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

// ---- attributes

bool IsThere(Object* self) {
  if (self->base) return true;
  PyErr_SetString(PyExc_ReferenceError, "this object is empty, or an element that was deleted from its specification");
  return false;
}

PyObject* GetAttribute(PyObject* self, void* field) {
  return GetField(reinterpret_cast<Object*>(self), *static_cast<const Field*>(field));
}

int SetAttribute(PyObject* self, PyObject* value, void* field) {
  const auto& of = *static_cast<const Field*>(field);
  if (!value) {
    PyErr_Format(PyExc_AttributeError, "property of '%s' object has no deleter", Py_TYPE(self)->tp_name);
    return -1;
  }
  return SetField(reinterpret_cast<Object*>(self), of, value);
}

PyObject* GetAddress(PyObject* self, void*) {
  return PyLong_FromVoidPtr(reinterpret_cast<Object*>(self)->base);
}

PyObject* GetExtra(PyObject* self, void*) {
  PyObject* extra = reinterpret_cast<Object*>(self)->extra;
  return Py_NewRef(extra ? extra : Py_None);
}

PyObject* GetOwner(PyObject* self, void*) {
  auto* block = reinterpret_cast<PyObject*>(reinterpret_cast<Object*>(self)->block);
  return Py_NewRef(block ? block : Py_None);
}

void Fill(Object* object, const Struct* type, void* base, PyObject* block) {
  object->base = static_cast<char*>(base);
  object->type = type;
  object->block = reinterpret_cast<Block*>(Py_XNewRef(block));
  object->cache = nullptr;
  object->weak = nullptr;
  object->views = nullptr;
  object->extra = nullptr;
  object->element = nullptr;
}

// Those are empty until they adopt one that the engine has made.
bool IsMadeByEngine(const Struct& type) {
  for (const char* name : {"mjModel", "mjData", "mjvScene", "mjrContext", "mjSpec"}) {
    if (std::strcmp(type.name, name) == 0) return true;
  }
  return false;
}

// Takes over the struct of an object that was just made.
PyObject* Adopt(PyObject* self, PyObject* other) {
  auto* object = reinterpret_cast<Object*>(self);
  Object* from = ObjectOf(other, object->type);
  if (!from) return PyErr_Format(PyExc_TypeError, "%R is no %s", other, Py_TYPE(self)->tp_name);
  Invalidate(object, true);
  Py_CLEAR(object->views);
  std::swap(object->block, from->block);
  std::swap(object->base, from->base);
  std::swap(object->extra, from->extra);
  Py_RETURN_NONE;
}

// A struct of its own; the engine's defaults are set in Python.
PyObject* Create(PyTypeObject* cls, PyObject*, PyObject*) {
  for (size_t i = 0; i < std::size(kStructs); ++i) {
    if (!PyType_IsSubtype(cls, classes[i])) continue;
    if (IsMadeByEngine(kStructs[i])) {
      PyObject* empty = PyType_GenericAlloc(cls, 0);
      if (empty) Fill(reinterpret_cast<Object*>(empty), &kStructs[i], nullptr, nullptr);
      return empty;
    }
    void* memory = PyMem_RawCalloc(1, kStructs[i].size);
    if (!memory) return PyErr_NoMemory();
    PyObject* block = NewBlock(memory, PyMem_RawFree, nullptr, nullptr);
    PyObject* made = block ? PyType_GenericAlloc(cls, 0) : nullptr;
    if (made) Fill(reinterpret_cast<Object*>(made), &kStructs[i], memory, block);
    Py_XDECREF(block);
    return made;
  }
  PyErr_SetString(PyExc_TypeError, "this class is not made in Python");
  return nullptr;
}

// Copies the bytes of another object of the class.
PyObject* Assign(PyObject* self, PyObject* other) {
  auto* object = reinterpret_cast<Object*>(self);
  const Object* from = ObjectOf(other, object->type);
  if (!from || !object->base) {
    PyErr_Format(PyExc_TypeError, "%R is no %s", other, Py_TYPE(self)->tp_name);
    return nullptr;
  }
  std::memmove(object->base, from->base, object->type->size);
  Py_RETURN_NONE;
}

PyObject* FieldNames(PyObject*, PyObject* name) {
  const char* text = PyUnicode_AsUTF8(name);
  const Struct* type = text ? StructNamed(text) : nullptr;
  if (!type) return PyErr_Occurred() ? nullptr : PyErr_Format(PyExc_KeyError, "%R", name);
  PyObject* names = PyTuple_New(static_cast<Py_ssize_t>(type->count));
  for (size_t i = 0; names && i < type->count; ++i) {
    PyTuple_SetItem(names, static_cast<Py_ssize_t>(i), PyUnicode_FromString(type->fields[i].name));
  }
  return names;
}

// "mjsBody" becomes "MjsBody"; structs without a name in C, "mjVisualGlobal", are the members' in Python.
std::string PythonName(const char* name) {
  std::string text(name);
  text[0] = 'M';
  return text;
}

PyTypeObject* MakeClass(const Struct& type) {
  // these live as long as the process, as classes do
  auto* attributes = new PyGetSetDef[type.count + 1]{};
  for (size_t i = 0; i < type.count; ++i) {
    const Field& field = type.fields[i];
    attributes[i] = {field.name, GetAttribute, field.writable ? SetAttribute : nullptr, nullptr,
                     const_cast<Field*>(&field)};
  }
  auto* name = new std::string("mujoco._structs." + PythonName(type.name));
  PyType_Slot slots[] = {{Py_tp_getset, attributes}, {Py_tp_new, reinterpret_cast<void*>(Create)}, {0, nullptr}};
  PyType_Spec spec = {name->c_str(), sizeof(Object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  return reinterpret_cast<PyTypeObject*>(
      PyType_FromSpecWithBases(&spec, reinterpret_cast<PyObject*>(object_class)));
}

bool MakeBases() {
  static PyType_Slot block_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(DropBlock)},
                                      {Py_bf_getbuffer, reinterpret_cast<void*>(GetBuffer)},
                                      {0, nullptr}};
  static PyType_Spec block = {"mujoco._core.Block", sizeof(Block), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, block_slots};
  static PyMemberDef members[] = {{"__weaklistoffset__", T_PYSSIZET, offsetof(Object, weak), READONLY, nullptr}, {}};
  static PyMethodDef methods[] = {{"_assign", Assign, METH_O, "Takes all members of another object."},
                                  {"_adopt", Adopt, METH_O, "Takes over the struct of another object."},
                                  {}};
  static PyGetSetDef attributes[] = {{"_address", GetAddress, nullptr, nullptr, nullptr},
                                     {"_extra", GetExtra, nullptr, nullptr, nullptr},
                                     {"_block", GetOwner, nullptr, nullptr, nullptr},
                                     {}};
  static PyType_Slot object_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(DropObject)},
                                       {Py_tp_members, members},
                                       {Py_tp_methods, methods},
                                       {Py_tp_getset, attributes},
                                       {Py_tp_new, reinterpret_cast<void*>(Create)},
                                       {0, nullptr}};
  static PyType_Spec object = {"mujoco._core.Object", sizeof(Object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               object_slots};
  block_class = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&block));
  object_class = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&object));
  return block_class && object_class;
}

}  // namespace

PyObject* NewBlock(void* memory, void (*free)(void*), const mjModel* model, PyObject* kept) {
  auto* block = PyObject_New(Block, block_class);
  if (!block) {
    free(memory);
    return nullptr;
  }
  block->memory = memory;
  block->free = free;
  block->model = model;
  block->kept = Py_XNewRef(kept);
  return reinterpret_cast<PyObject*>(block);
}

PyObject* NewObject(const Struct* type, void* base, PyObject* block) {
  auto* object = PyObject_New(Object, ClassOf(type));
  if (!object) return nullptr;
  Fill(object, type, base, block);
  return reinterpret_cast<PyObject*>(object);
}

PyTypeObject* ClassOf(const Struct* type) { return classes[type - kStructs]; }

const Struct* StructNamed(std::string_view name) {
  for (const Struct& type : kStructs) {
    if (name == type.name) return &type;
  }
  return nullptr;
}

bool IsObject(PyObject* object) { return PyObject_TypeCheck(object, object_class); }

Object* ObjectOf(PyObject* object, const Struct* type) {
  if (!IsObject(object)) return nullptr;
  auto* of = reinterpret_cast<Object*>(object);
  return of->type == type && of->base ? of : nullptr;
}

void Invalidate(Object* object, bool gone) {
  if (object->base) Unregister(object);
  object->base = nullptr;
  for (size_t i = 0; object->cache && i < object->type->count; ++i) {
    PyObject* value = object->cache[i].value;
    // the parts of a class of defaults are gone with it
    const bool part = gone && value && object->type->fields[i].kind == Kind::kStructPointer && IsObject(value);
    if (part) Invalidate(reinterpret_cast<Object*>(value), true);
    Py_CLEAR(object->cache[i].value);
  }
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

PyObject* GetField(Object* self, const Field& field) {
  if (!IsThere(self)) return nullptr;
  switch (field.kind) {
    case Kind::kNumber:
      return field.of ? GetEnumerated(self, field) : GetNumber(self->base + field.offset, field.element);
    case Kind::kText: {
      const char* text = self->base + field.offset;
      const auto room = static_cast<size_t>(Count(field.rows, self, nullptr));
      return PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(strnlen(text, room)), "replace");
    }
    case Kind::kString:
    case Kind::kStrings:
    case Kind::kVector:
    case Kind::kBytes:
    case Kind::kVectors:
    case Kind::kChars:
      return GetSpecField(self, field);
    default:
      return GetCached(self, field);
  }
}

int SetField(Object* self, const Field& field, PyObject* value) {
  if (!IsThere(self)) return -1;
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
    case Kind::kString:
    case Kind::kStrings:
    case Kind::kVector:
    case Kind::kBytes:
    case Kind::kVectors:
    case Kind::kChars:
      return SetSpecField(self, field, value);
    default:
      PyErr_Format(PyExc_AttributeError, "property '%s' of '%s' object has no setter", field.name,
                   Py_TYPE(reinterpret_cast<PyObject*>(self))->tp_name);
      return -1;
  }
}

bool DefineObjects(PyObject* module) {
  if (!MakeBases()) return false;
  PyObject* all = PyDict_New();
  for (size_t i = 0; i < std::size(kStructs); ++i) {
    classes[i] = MakeClass(kStructs[i]);
    if (!classes[i] || PyDict_SetItemString(all, kStructs[i].name, reinterpret_cast<PyObject*>(classes[i])) != 0) {
      return false;
    }
  }
  static PyMethodDef methods[] = {{"field_names", FieldNames, METH_O, "Names of the fields of a struct."}, {}};
  return PyModule_AddObjectRef(module, "classes", all) == 0 &&
         PyModule_AddObjectRef(module, "Object", reinterpret_cast<PyObject*>(object_class)) == 0 &&
         PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace sinew::module
