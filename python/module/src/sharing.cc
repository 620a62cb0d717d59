// Models, worlds and specifications of the package `sinew` as objects of this one, over the same memory, and the
// reverse.
#include "share.h"

#include <cstring>

#include "worlds.h"

namespace sinew::module {
namespace {

bool IsShared(const Struct& type) {
  for (const char* name : {"mjModel", "mjData", "mjSpec"}) {
    if (std::strcmp(type.name, name) == 0) return true;
  }
  return false;
}

// The share of an object is one in its block, so that the object itself may be gone, or made anew.
PyObject* ShareOf(PyObject*, PyObject* given) {
  if (!IsObject(given)) return PyErr_Format(PyExc_TypeError, "%R is no struct of the engine", given);
  const auto* object = reinterpret_cast<Object*>(given);
  if (!IsShared(*object->type)) return PyErr_Format(PyExc_TypeError, "%R is a part of a struct", given);
  if (!object->base) return PyErr_Format(PyExc_ReferenceError, "%R is empty", given);
  const auto drop = [](void* owner) { Py_DECREF(static_cast<PyObject*>(owner)); };
  return MakeShare(object->type->name, object->base, Py_NewRef(reinterpret_cast<PyObject*>(object->block)), drop);
}

PyObject* DataOver(mjData* d, PyObject* capsule, PyObject* model) {
  // arrays look at the sizes of the model, and the capsule keeps the world alone
  PyObject* kept = PyTuple_Pack(2, capsule, reinterpret_cast<PyObject*>(reinterpret_cast<Object*>(model)->block));
  const auto* m = reinterpret_cast<const mjModel*>(reinterpret_cast<Object*>(model)->base);
  PyObject* block = kept ? NewBlock(d, nullptr, m, kept) : nullptr;
  PyObject* data = block ? NewObject(StructNamed("mjData"), d, block) : nullptr;
  if (data) reinterpret_cast<Object*>(data)->extra = Py_NewRef(model);
  Py_XDECREF(block);
  Py_XDECREF(kept);
  return data;
}

PyObject* WorldOver(mjData* d, PyObject* capsule, PyObject* given) {
  PyObject* other = PyObject_GetAttrString(given, "model");
  PyObject* model = other ? SharedObject(other, StructNamed("mjModel")) : nullptr;
  Py_XDECREF(other);
  PyObject* data = model ? DataOver(d, capsule, model) : nullptr;
  Py_XDECREF(model);
  return data;
}

// An object of this package over the struct of a capsule.
PyObject* Over(PyObject* capsule, PyObject* given, const Struct* type) {
  void* memory = Shared<void>(capsule, type->name);
  if (std::strcmp(type->name, "mjData") == 0) return WorldOver(static_cast<mjData*>(memory), capsule, given);
  const bool model = std::strcmp(type->name, "mjModel") == 0;
  PyObject* block = NewBlock(memory, nullptr, model ? static_cast<const mjModel*>(memory) : nullptr, capsule);
  if (!block) return nullptr;
  PyObject* made = model ? NewObject(type, memory, block) : ElementObject(type, memory, block);
  Py_DECREF(block);
  return made;
}

// A new object over a shared struct, or the one that there is.
PyObject* MakeShared(PyObject* given, const Struct* type, bool anew) {
  if (!type || !IsShared(*type)) return nullptr;
  PyObject* capsule = TakeShare(given, type->name);
  if (!capsule) return nullptr;
  PyObject* made = anew ? nullptr : KnownObject(Shared<void>(capsule, type->name), type);
  if (!made) {
    made = Over(capsule, given, type);
    if (made && !anew && std::strcmp(type->name, "mjSpec") != 0) Remember(reinterpret_cast<Object*>(made));
  }
  Py_DECREF(capsule);
  return made;
}

// shared(object, "mjModel", anew=False): the object over the struct, or a new one; None where nothing is shared.
PyObject* SharedAs(PyObject*, PyObject* arguments) {
  PyObject* given = nullptr;
  const char* name = nullptr;
  int anew = 0;
  if (!PyArg_ParseTuple(arguments, "Os|p", &given, &name, &anew)) return nullptr;
  PyObject* made = MakeShared(given, StructNamed(name), anew != 0);
  if (made || PyErr_Occurred()) return made;
  Py_RETURN_NONE;
}

// Whether the package sinew has numbers where this one has a text or, at some levels, the type bool.
bool IsOfBytes(const Field& field) { return IsText(field) || (field.kind == Kind::kPointer && field.element == '?'); }

PyObject* ByteFields(PyObject*, PyObject* name) {
  const char* text = Utf8(name);
  const Struct* type = text ? StructNamed(text) : nullptr;
  if (!type) return PyErr_Occurred() ? nullptr : PyErr_Format(PyExc_KeyError, "%R", name);
  PyObject* names = PyList_New(0);
  for (size_t i = 0; names && i < type->count; ++i) {
    PyObject* field = IsOfBytes(type->fields[i]) ? PyUnicode_FromString(type->fields[i].name) : nullptr;
    if (field) PyList_Append(names, field);
    Py_XDECREF(field);
  }
  return names;
}

// bytes_of(object, name): such a field as an array of numbers; or a list of structs as one of their bytes.
PyObject* BytesOf(PyObject*, PyObject* arguments) {
  PyObject* given = nullptr;
  const char* name = nullptr;
  if (!PyArg_ParseTuple(arguments, "Os", &given, &name)) return nullptr;
  auto* object = IsObject(given) ? reinterpret_cast<Object*>(given) : nullptr;
  for (size_t i = 0; object && object->base && i < object->type->count; ++i) {
    const Field& field = object->type->fields[i];
    const bool structs = field.kind == Kind::kStructPointers;
    if (std::strcmp(field.name, name) != 0 || (!IsOfBytes(field) && !structs)) continue;
    void* memory = nullptr;
    std::memcpy(&memory, object->base + field.offset, sizeof(memory));
    const int64_t size = structs ? static_cast<int64_t>(StructNamed(field.of)->size) : 1;
    const int64_t rows = size * Count(field.rows, object, nullptr);
    return ArrayOver(memory, IsText(field) ? 'b' : 'B', &rows, 1, reinterpret_cast<PyObject*>(object->block));
  }
  return PyErr_Format(PyExc_AttributeError, "%R has no bytes %s", given, name);
}

// over_data(capsule, model): an MjData over a world that was made elsewhere; its model is this object.
PyObject* OverData(PyObject*, PyObject* arguments) {
  PyObject *capsule = nullptr, *model = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO", &capsule, &model)) return nullptr;
  const mjModel* m = TakeModel(model);
  if (!m || !PyCapsule_IsValid(capsule, "mjData")) return m ? PyErr_Format(PyExc_TypeError, "no world") : nullptr;
  return DataOver(Shared<mjData>(capsule, "mjData"), capsule, model);
}

void* MemoryOf(PyObject* given, const char* type) {
  auto* object = IsObject(given) ? reinterpret_cast<Object*>(given) : nullptr;
  return object && std::strcmp(object->type->name, type) == 0 ? object->base : nullptr;
}

mjModel* ModelOf(PyObject* given) {
  auto* object = IsObject(given) ? reinterpret_cast<Object*>(given) : nullptr;
  return object && object->block ? const_cast<mjModel*>(object->block->model) : nullptr;
}

}  // namespace

PyObject* SharedObject(PyObject* given, const Struct* type) { return MakeShared(given, type, false); }

bool DefineSharing(PyObject* module) {
  static PyMethodDef methods[] = {{"share_of", ShareOf, METH_O, "The capsule that shares a struct with others."},
                                  {"shared", SharedAs, METH_VARARGS, "An object over a struct that another shares."},
                                  {"over_data", OverData, METH_VARARGS, "An object over a world."},
                                  {"byte_fields", ByteFields, METH_O, "Texts and flags of a struct."},
                                  {"bytes_of", BytesOf, METH_VARARGS, "A text, flags or structs as bytes."},
                                  {}};
  static const Interface interface = {MemoryOf, ModelOf, ThisEngine()};
  PyObject* capsule = PyCapsule_New(const_cast<Interface*>(&interface), "sinew.interface", nullptr);
  const bool added = capsule && PyModule_AddObjectRef(module, "interface", capsule) == 0;
  Py_XDECREF(capsule);
  return added && PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace sinew::module
