// Named access: model.geom("foot").size.
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "element.h"
#include "object.h"

namespace sinew::module {
namespace {

// The part of an array that is an object's: a row, or a run of rows.
enum class Span { kRow, kDofs, kCoordinates, kSensor, kNumeric, kTuple, kTexture, kHfield };

struct NamedField {
  const char* name;
  const char* field;
  Span span;
};

struct NamedKind {
  const char* kind;
  const char* method;
  bool of_model;
  mjtObj type;
  size_t count;
  const NamedField* fields;
  size_t nfield;
};

#include "named_generated.h"

// `base` is the struct that `block` keeps; `parts` holds what was handed out.
struct View {
  PyObject_HEAD PyObject* block;
  char* base;
  const mjModel* m;
  const NamedKind* kind;
  int id;
  PyObject** parts;
};

// An attribute: a field of the table, and the field of the model or data.
struct Attribute {
  const NamedField* named;
  const Field* field;
};

PyTypeObject* view_classes[std::size(kNamed)];
PyTypeObject* accessor_class = nullptr;

View* Of(PyObject* self) { return reinterpret_cast<View*>(self); }

void FreeView(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  for (size_t i = 0; i < Of(self)->kind->nfield; ++i) Py_XDECREF(Of(self)->parts[i]);
  delete[] Of(self)->parts;
  Py_XDECREF(Of(self)->block);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

// Rows of an array; a negative count is none.
struct Range {
  int64_t begin, count;
};

// The product of numbers that a program may have written; -1 when one is negative or it is above `most`.
int64_t Product(std::initializer_list<int64_t> factors, int64_t most) {
  int64_t product = 1;
  for (const int64_t factor : factors) {
    if (factor < 0 || (product > 0 && factor > most / product)) return -1;
    product *= factor;
  }
  return product;
}

// The number of a joint's dofs or coordinates; -1 for what is no type.
int64_t OfJoint(const int (&counts)[4], int type) { return type >= 0 && type < 4 ? counts[type] : -1; }

Range RangeOf(const mjModel* m, Span span, int id) {
  switch (span) {
    case Span::kDofs:
      return {m->jnt_dofadr[id], OfJoint({6, 3, 1, 1}, m->jnt_type[id])};
    case Span::kCoordinates:
      return {m->jnt_qposadr[id], OfJoint({7, 4, 1, 1}, m->jnt_type[id])};
    case Span::kSensor:
      return {m->sensor_adr[id], m->sensor_dim[id]};
    case Span::kNumeric:
      return {m->numeric_adr[id], m->numeric_size[id]};
    case Span::kTuple:
      return {m->tuple_adr[id], m->tuple_size[id]};
    case Span::kTexture:
      return {m->tex_adr[id], Product({m->tex_height[id], m->tex_width[id], m->tex_nchannel[id]}, m->ntexdata)};
    case Span::kHfield:
      return {m->hfield_adr[id], Product({m->hfield_nrow[id], m->hfield_ncol[id]}, m->nhfielddata)};
    default:
      return {id, 1};
  }
}

PyObject* MakePart(View* view, const Attribute& attribute) {
  const Field& field = *attribute.field;
  const Span span = attribute.named->span;
  const mjModel* m = view->m;
  Object owner = {};
  owner.base = view->base;
  owner.block = reinterpret_cast<Block*>(view->block);
  char* all = nullptr;
  std::memcpy(&all, view->base + field.offset, sizeof(all));
  const bool flat = field.columns.empty();
  const int64_t columns = flat ? 1 : Count(field.columns, &owner, nullptr);
  const Range range = RangeOf(m, span, view->id);
  const int64_t rows = Count(field.rows, &owner, nullptr);
  if (range.begin < 0 || range.count < 0 || range.count > rows || range.begin > rows - range.count) {
    return PyErr_Format(PyExc_ValueError,
                        "%s of %s %d: its place in the model was overwritten (%lld from %lld on, of %lld)", field.name,
                        view->kind->kind, view->id, static_cast<long long>(range.count),
                        static_cast<long long>(range.begin), static_cast<long long>(rows));
  }
  int64_t shape[3] = {range.count, columns, 0};
  int rank = flat ? 1 : 2;
  if (span == Span::kRow && !flat) {
    shape[0] = columns;
    rank = 1;
  } else if (span == Span::kTexture) {
    shape[0] = m->tex_height[view->id], shape[1] = m->tex_width[view->id], shape[2] = m->tex_nchannel[view->id];
    rank = 3;
  } else if (span == Span::kHfield) {
    shape[0] = m->hfield_nrow[view->id], shape[1] = m->hfield_ncol[view->id];
    rank = 2;
  }
  char* at = all ? all + range.begin * columns * static_cast<int64_t>(SizeOf(field.element)) : nullptr;
  return ArrayOver(at, field.element, shape, rank, view->block);
}

PyObject* GetPart(PyObject* self, void* closure) {
  const auto& attribute = *static_cast<const Attribute*>(closure);
  PyObject*& part = Of(self)->parts[attribute.named - Of(self)->kind->fields];
  if (!part) part = MakePart(Of(self), attribute);
  return Py_XNewRef(part);
}

int SetPart(PyObject* self, PyObject* value, void* closure) {
  if (!value) return PyErr_SetString(PyExc_AttributeError, "arrays of the model cannot be deleted"), -1;
  PyObject* part = GetPart(self, closure);
  if (!part) return -1;
  const int result = PyObject_SetItem(part, Py_Ellipsis, value);
  Py_DECREF(part);
  return result;
}

PyObject* GetId(PyObject* self, void*) { return PyLong_FromLong(Of(self)->id); }

PyObject* GetName(PyObject* self, void*) {
  const char* name = mj_id2name(Of(self)->m, Of(self)->kind->type, Of(self)->id);
  return PyUnicode_FromString(name ? name : "");
}

// The object over the model or world whose part this is; None when it is gone.
PyObject* GetOwner(PyObject* self, void*) {
  const Struct* of = StructNamed(Of(self)->kind->of_model ? "mjModel" : "mjData");
  PyObject* owner = KnownObject(Of(self)->base, of);
  return owner ? owner : Py_NewRef(Py_None);
}

int64_t CountOf(const mjModel* m, const NamedKind& kind) {
  mjtSize count;
  std::memcpy(&count, reinterpret_cast<const char*>(m) + kind.count, sizeof(count));
  return count;
}

PyObject* RaiseName(const mjModel* m, const NamedKind& kind, const char* name) {
  PyObject* names = PyList_New(0);
  for (int i = 0; names && i < CountOf(m, kind); ++i) {
    const char* known = mj_id2name(m, kind.type, i);
    PyObject* text = known && *known ? PyUnicode_FromString(known) : nullptr;
    if (text) PyList_Append(names, text);
    Py_XDECREF(text);
  }
  if (names) {
    PyList_Sort(names);
    PyErr_Format(PyExc_KeyError, "Invalid name '%s'. Valid names: %R", name, names);
    Py_DECREF(names);
  }
  return nullptr;
}

// A method that makes views: bound to its model or data by the descriptor protocol.
struct Accessor {
  PyObject_HEAD const NamedKind* kind;
};

bool FindId(const mjModel* m, const NamedKind& kind, PyObject* key, int* id) {
  if (PyUnicode_Check(key)) {
    const char* name = Utf8(key);
    if (!name) return false;
    *id = mj_name2id(m, kind.type, name);
    return *id >= 0 || RaiseName(m, kind, name);
  }
  if (!PyIndex_Check(key)) {
    PyErr_Format(PyExc_TypeError, "%s() takes a name or an index, not %R", kind.method, key);
    return false;
  }
  const Py_ssize_t index = PyNumber_AsSsize_t(key, nullptr);
  if (PyErr_Occurred()) return false;
  if (index < 0 || index >= CountOf(m, kind)) {
    PyErr_Format(PyExc_IndexError, "Invalid index %zd. Valid indices from 0 to %lld", index,
                 static_cast<long long>(CountOf(m, kind) - 1));
    return false;
  }
  *id = static_cast<int>(index);
  return true;
}

PyObject* NewView(const Object* owner, const NamedKind& kind, int id) {
  auto* view = PyObject_New(View, view_classes[&kind - kNamed]);
  if (!view) return nullptr;
  view->block = Py_NewRef(reinterpret_cast<PyObject*>(owner->block));
  view->base = owner->base;
  view->m = owner->block->model;
  view->kind = &kind;
  view->id = id;
  view->parts = new PyObject* [kind.nfield] {};
  return reinterpret_cast<PyObject*>(view);
}

// The view of an object, the same whenever it is asked for.
PyObject* ViewOf(Object* owner, const NamedKind& kind, int id) {
  if (!owner->views) owner->views = PyDict_New();
  PyObject* key = PyLong_FromLongLong((static_cast<int64_t>(kind.type) << 32) + id);
  PyObject* known = key && owner->views ? PyDict_GetItem(owner->views, key) : nullptr;
  PyObject* view = known ? Py_NewRef(known) : NewView(owner, kind, id);
  if (view && !known) PyDict_SetItem(owner->views, key, view);
  Py_XDECREF(key);
  return view;
}

PyObject* Access(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  PyObject* pair = self;
  auto* owner = reinterpret_cast<Object*>(PyTuple_GetItem(pair, 0));
  const NamedKind& kind = *reinterpret_cast<Accessor*>(PyTuple_GetItem(pair, 1))->kind;
  if (!owner->base) return PyErr_SetString(PyExc_ReferenceError, "this object is empty"), nullptr;
  const Py_ssize_t all = count + (names ? PyTuple_Size(names) : 0);
  const bool named =
      names && PyTuple_Size(names) == 1 && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), "name") == 0;
  if (all > 1 || (count == 0 && all == 1 && !named)) {
    return PyErr_Format(PyExc_TypeError, "%s() takes a name or an index", kind.method);
  }
  const mjModel* m = owner->block->model;
  int id = 0;
  if (all == 0) return RaiseName(m, kind, "");
  if (!FindId(m, kind, given[0], &id)) return nullptr;
  return ViewOf(owner, kind, id);
}

PyObject* Bind(PyObject* self, PyObject* object, PyObject*) {
  static PyMethodDef method = {"access", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Access)),
                               METH_FASTCALL | METH_KEYWORDS, "The object of a name or an index."};
  if (!object) return Py_NewRef(self);
  PyObject* pair = PyTuple_Pack(2, object, self);
  PyObject* bound = pair ? PyCFunction_NewEx(&method, pair, nullptr) : nullptr;
  Py_XDECREF(pair);
  return bound;
}

PyTypeObject* MakeView(const NamedKind& kind) {
  const Struct* of = StructNamed(kind.of_model ? "mjModel" : "mjData");
  // these live as long as the process, as classes do
  auto* attributes = new PyGetSetDef[kind.nfield + 4]{};
  size_t n = 0;
  attributes[n++] = {"id", GetId, nullptr, nullptr, nullptr};
  attributes[n++] = {"name", GetName, nullptr, nullptr, nullptr};
  attributes[n++] = {"_owner", GetOwner, nullptr, nullptr, nullptr};
  for (size_t i = 0; i < kind.nfield; ++i) {
    for (size_t k = 0; k < of->count; ++k) {
      if (std::strcmp(of->fields[k].name, kind.fields[i].field) != 0) continue;
      auto* attribute = new Attribute{&kind.fields[i], &of->fields[k]};
      attributes[n++] = {kind.fields[i].name, GetPart, SetPart, nullptr, attribute};
    }
  }
  auto* name =
      new std::string("mujoco._structs._Mj" + std::string(kind.of_model ? "Model" : "Data") + kind.kind + "Views");
  PyType_Slot slots[] = {{Py_tp_getset, attributes}, {Py_tp_dealloc, reinterpret_cast<void*>(FreeView)}, {0, nullptr}};
  PyType_Spec spec = {name->c_str(), sizeof(View), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
}

bool AddMethod(const NamedKind& kind) {
  auto* accessor = PyObject_New(Accessor, accessor_class);
  if (!accessor) return false;
  accessor->kind = &kind;
  const Struct* of = StructNamed(kind.of_model ? "mjModel" : "mjData");
  const int result = PyObject_SetAttrString(reinterpret_cast<PyObject*>(ClassOf(of)), kind.method,
                                            reinterpret_cast<PyObject*>(accessor));
  Py_DECREF(accessor);
  return result == 0;
}

}  // namespace

bool DefineNamed(PyObject* module) {
  static PyType_Slot slots[] = {{Py_tp_descr_get, reinterpret_cast<void*>(Bind)}, {0, nullptr}};
  static PyType_Spec spec = {"mujoco._core.Accessor", sizeof(Accessor), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  accessor_class = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  PyObject* all = PyDict_New();
  if (!accessor_class || !all) return false;
  for (size_t i = 0; i < std::size(kNamed); ++i) {
    // two methods of one kind share the class
    const bool same = i > 0 && kNamed[i - 1].fields == kNamed[i].fields;
    view_classes[i] = same ? view_classes[i - 1] : MakeView(kNamed[i]);
    if (!view_classes[i] || !AddMethod(kNamed[i])) return false;
    const std::string name = std::string("_Mj") + (kNamed[i].of_model ? "Model" : "Data") + kNamed[i].kind + "Views";
    PyDict_SetItemString(all, name.c_str(), reinterpret_cast<PyObject*>(view_classes[i]));
  }
  return PyModule_AddObjectRef(module, "view_classes", all) == 0;
}

}  // namespace sinew::module
