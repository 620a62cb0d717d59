// Classes of Python for the structs of the table, and the lifetime of their objects.
#include "object.h"

#include <structmember.h>

#include <cstring>
#include <mutex>
#include <unordered_map>
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
std::unordered_map<const void*, Object*> known_objects;  // of models and worlds, by their memory
std::mutex known_mutex;                                  // of the map; taken around no call of Python

void Forget(Object* object) {
  const std::scoped_lock lock(known_mutex);
  const auto found = known_objects.find(object->base);
  if (found != known_objects.end() && found->second == object) known_objects.erase(found);
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

// ---- attributes

PyObject* GetAttribute(PyObject* self, void* field) {
  return GetField(reinterpret_cast<Object*>(self), *static_cast<const Field*>(field));
}

int SetAttribute(PyObject* self, PyObject* value, void* field) {
  const auto& of = *static_cast<const Field*>(field);
  if (!value) {
    PyErr_Format(PyExc_AttributeError, "property of '%s' object has no deleter", NameOf(Py_TYPE(self)).c_str());
    return -1;
  }
  return SetField(reinterpret_cast<Object*>(self), of, value);
}

PyObject* GetAddress(PyObject* self, void*) { return PyLong_FromVoidPtr(reinterpret_cast<Object*>(self)->base); }

PyObject* GetExtra(PyObject* self, void*) {
  PyObject* extra = reinterpret_cast<Object*>(self)->extra;
  return Py_NewRef(extra ? extra : Py_None);
}

int SetExtra(PyObject* self, PyObject* value, void*) {
  PyObject*& extra = reinterpret_cast<Object*>(self)->extra;
  PyObject* before = extra;
  extra = Py_XNewRef(value);
  Py_XDECREF(before);
  return 0;
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

bool IsOfSpecification(const Struct& type) { return std::strncmp(type.name, "mjs", 3) == 0; }

// Takes over the struct of an object that was just made.
PyObject* Adopt(PyObject* self, PyObject* other) {
  auto* object = reinterpret_cast<Object*>(self);
  Object* from = ObjectOf(other, object->type);
  if (!from) return PyErr_Format(PyExc_TypeError, "%R is no %s", other, NameOf(Py_TYPE(self)).c_str());
  Invalidate(object, true);
  Py_CLEAR(object->views);
  Forget(from);
  std::swap(object->block, from->block);
  std::swap(object->base, from->base);
  std::swap(object->extra, from->extra);
  if (!IsOfSinew(self)) Remember(object);
  Py_RETURN_NONE;
}

// "mjsBody" becomes "MjsBody"; structs without a name in C, "mjVisualGlobal", are the members' in Python.
std::string PythonName(const char* name) {
  std::string text(name);
  text[0] = 'M';
  return text;
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
    if (IsOfSpecification(kStructs[i])) {
      return PyErr_Format(PyExc_TypeError, "mujoco._specs.%s: No constructor defined!",
                          PythonName(kStructs[i].name).c_str());
    }
    void* memory = std::calloc(1, kStructs[i].size);
    if (!memory) return PyErr_NoMemory();
    PyObject* block = NewBlock(memory, std::free, nullptr, nullptr);
    PyObject* made = block ? PyType_GenericAlloc(cls, 0) : nullptr;
    if (made) Fill(reinterpret_cast<Object*>(made), &kStructs[i], memory, block);
    Py_XDECREF(block);
    return made;
  }
  PyErr_SetString(PyExc_TypeError, "this class is not made in Python");
  return nullptr;
}

// Copies the bytes of another object of the class, where they own nothing.
PyObject* Assign(PyObject* self, PyObject* other) {
  auto* object = reinterpret_cast<Object*>(self);
  const Object* from = ObjectOf(other, object->type);
  if (!from || !object->base || IsMadeByEngine(*object->type) || IsOfSpecification(*object->type)) {
    PyErr_Format(PyExc_TypeError, "%R is no %s", other, NameOf(Py_TYPE(self)).c_str());
    return nullptr;
  }
  std::memmove(object->base, from->base, object->type->size);
  Py_RETURN_NONE;
}

PyObject* FieldNames(PyObject*, PyObject* name) {
  const char* text = Utf8(name);
  const Struct* type = text ? StructNamed(text) : nullptr;
  if (!type) return PyErr_Occurred() ? nullptr : PyErr_Format(PyExc_KeyError, "%R", name);
  PyObject* names = PyTuple_New(static_cast<Py_ssize_t>(type->count));
  for (size_t i = 0; names && i < type->count; ++i) {
    PyTuple_SetItem(names, static_cast<Py_ssize_t>(i), PyUnicode_FromString(type->fields[i].name));
  }
  return names;
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
  return DerivedClass(&spec, object_class);
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
                                     {"_extra", GetExtra, SetExtra, nullptr, nullptr},
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
    if (free) free(memory);
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

std::string NameOf(PyTypeObject* cls) {
  PyObject* name = PyObject_GetAttrString(reinterpret_cast<PyObject*>(cls), "__name__");
  const char* text = name ? Utf8(name) : nullptr;
  const std::string copy(text ? text : "?");
  Py_XDECREF(name);
  return copy;
}

PyTypeObject* ClassOf(const Struct* type) { return classes[type - kStructs]; }

const Struct* StructNamed(std::string_view name) {
  for (const Struct& type : kStructs) {
    if (name == type.name) return &type;
  }
  return nullptr;
}

bool IsObject(PyObject* object) { return PyObject_TypeCheck(object, object_class); }

bool IsOfSinew(PyObject* object) {
  PyTypeObject* cls = Py_TYPE(object);
  return cls != ClassOf(reinterpret_cast<Object*>(object)->type) &&
         PyObject_HasAttrString(reinterpret_cast<PyObject*>(cls), "_of_sinew");
}

Object* ObjectOf(PyObject* object, const Struct* type) {
  if (!IsObject(object)) return nullptr;
  auto* of = reinterpret_cast<Object*>(object);
  return of->type == type && of->base ? of : nullptr;
}

PyObject* KnownObject(const void* base, const Struct* type) {
  const std::scoped_lock lock(known_mutex);
  const auto found = known_objects.find(base);
  return found != known_objects.end() && found->second->type == type
             ? Py_NewRef(reinterpret_cast<PyObject*>(found->second))
             : nullptr;
}

void Remember(Object* object) {
  const std::scoped_lock lock(known_mutex);
  known_objects[object->base] = object;
}

void Invalidate(Object* object, bool gone) {
  Forget(object);
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
