// Lists of structs, and their columns as arrays.
#include <cstring>
#include <map>
#include <vector>

#include "object.h"

namespace sinew::module {
namespace {

// Of memory and a count, or of a field of a struct, which are looked at whenever the list is used.
struct List {
  PyObject_HEAD char* base;
  const Struct* type;
  int64_t count;
  PyObject* block;
  const Field* field;
  char* owner;
};

PyTypeObject* list_class = nullptr;
std::map<const Struct*, PyTypeObject*> classes;

List* Of(PyObject* self) {
  auto* list = reinterpret_cast<List*>(self);
  if (!list->field) return list;
  Object owner = {};
  owner.base = list->owner;
  owner.block = reinterpret_cast<Block*>(list->block);
  list->count = Count(list->field->rows, &owner, nullptr);
  list->base = list->owner + list->field->offset;
  if (list->field->kind == Kind::kStructPointers)
    std::memcpy(&list->base, list->owner + list->field->offset, sizeof(char*));
  if (!list->base || list->count < 0) list->count = 0;
  return list;
}

void FreeList(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(reinterpret_cast<List*>(self)->block);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

Py_ssize_t Length(PyObject* self) { return Of(self)->count; }

PyObject* ItemAt(PyObject* self, Py_ssize_t i) {
  const List* list = Of(self);
  if (i < 0 || i >= list->count) return PyErr_SetString(PyExc_IndexError, "list index out of range"), nullptr;
  return NewObject(list->type, list->base + static_cast<size_t>(i) * list->type->size, list->block);
}

PyObject* Subscript(PyObject* self, PyObject* key) {
  const List* list = Of(self);
  if (PyIndex_Check(key)) {
    const Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred()) return nullptr;
    return ItemAt(self, i < 0 ? i + list->count : i);
  }
  if (!PySlice_Check(key)) return PyErr_Format(PyExc_TypeError, "indices are integers or slices, not %R", key);
  Py_ssize_t start = 0, stop = 0, step = 0;
  if (PySlice_Unpack(key, &start, &stop, &step) != 0) return nullptr;
  const Py_ssize_t count = PySlice_AdjustIndices(list->count, &start, &stop, step);
  if (step == 1) {
    return ListOver(list->type, list->base + static_cast<size_t>(start) * list->type->size, count, list->block);
  }
  PyObject* items = PyTuple_New(count);
  for (Py_ssize_t i = 0; items && i < count; ++i) {
    PyObject* item = ItemAt(self, start + i * step);
    if (!item) return Py_DECREF(items), nullptr;
    PyTuple_SetItem(items, i, item);
  }
  return items;
}

PyObject* GetColumn(PyObject* self, void* closure) {
  const List* list = Of(self);
  const auto& field = *static_cast<const Field*>(closure);
  const bool several = field.kind == Kind::kArray;
  const int64_t shape[3] = {list->count, several ? Count(field.rows, nullptr, nullptr) : 0,
                            several ? Count(field.columns, nullptr, nullptr) : 0};
  const int rank = !several ? 1 : field.columns.empty() ? 2 : 3;
  return ColumnOver(list->base + field.offset, field.element, shape, rank, static_cast<int64_t>(list->type->size),
                    list->block);
}

int SetColumn(PyObject* self, PyObject* value, void* closure) {
  if (!value) return PyErr_SetString(PyExc_AttributeError, "columns of a list cannot be deleted"), -1;
  PyObject* column = GetColumn(self, closure);
  if (!column) return -1;
  const int result = PyObject_SetItem(column, Py_Ellipsis, value);
  Py_DECREF(column);
  return result;
}

PyTypeObject* MakeClass(const Struct& type) {
  // these live as long as the process, as classes do
  auto* columns = new PyGetSetDef[type.count + 1]{};
  size_t n = 0;
  for (size_t i = 0; i < type.count; ++i) {
    const Field& field = type.fields[i];
    if (field.kind != Kind::kNumber && field.kind != Kind::kArray) continue;
    columns[n++] = {field.name, GetColumn, SetColumn, nullptr, const_cast<Field*>(&field)};
  }
  auto* name = new std::string("mujoco._structs._Mj" + std::string(type.name + 2) + "List");
  PyType_Slot slots[] = {{Py_tp_getset, columns}, {0, nullptr}};
  PyType_Spec spec = {name->c_str(), sizeof(List), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  return DerivedClass(&spec, list_class);
}

}  // namespace

PyObject* ListOver(const Struct* type, char* base, int64_t count, PyObject* block) {
  auto* list = PyObject_New(List, classes.at(type));
  if (!list) return nullptr;
  list->base = base;
  list->type = type;
  list->count = count < 0 || !base ? 0 : count;
  list->block = Py_NewRef(block);
  list->field = nullptr;
  return reinterpret_cast<PyObject*>(list);
}

PyObject* ListOf(const Object* self, const Field& field) {
  PyObject* made = ListOver(StructNamed(field.of), nullptr, 0, reinterpret_cast<PyObject*>(self->block));
  if (!made) return nullptr;
  reinterpret_cast<List*>(made)->field = &field;
  reinterpret_cast<List*>(made)->owner = self->base;
  return made;
}

bool DefineLists(PyObject* module) {
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(FreeList)},    {Py_sq_length, reinterpret_cast<void*>(Length)},
      {Py_sq_item, reinterpret_cast<void*>(ItemAt)},         {Py_mp_length, reinterpret_cast<void*>(Length)},
      {Py_mp_subscript, reinterpret_cast<void*>(Subscript)}, {0, nullptr}};
  static PyType_Spec spec = {"mujoco._core.List", sizeof(List), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  list_class = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  PyObject* all = PyDict_New();
  if (!list_class || !all) return false;
  for (const char* name :
       {"mjContact", "mjWarningStat", "mjTimerStat", "mjSolverStat", "mjvGeom", "mjvLight", "mjvGLCamera"}) {
    const Struct* type = StructNamed(name);
    classes[type] = MakeClass(*type);
    if (!classes[type] || PyDict_SetItemString(all, name, reinterpret_cast<PyObject*>(classes[type])) != 0)
      return false;
  }
  return PyModule_AddObjectRef(module, "list_classes", all) == 0;
}

}  // namespace sinew::module
