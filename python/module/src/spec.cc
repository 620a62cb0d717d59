// Specifications: texts and vectors of their elements, and how they are made.
#include <sinew/extensions.h>

#include <cstring>
#include <set>
#include <vector>

#include "element.h"
#include "worlds.h"

namespace sinew::module {
namespace {

PyObject* enumerations = nullptr;
PyObject* registry = nullptr;  // objects of elements by address, weakly
PyTypeObject* vector_class = nullptr;

// A vector of the C++ library that the engine has inside: three addresses in either of the two libraries.
struct Vector {
  char* begin;
  char* end;
  char* room;
};

// A vector of an element, as Python sees it: looked at anew at each access.
struct VectorObject {
  PyObject_HEAD
  PyObject* owner;
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

// Bytes of a string of that library.
size_t StringSize() {
  static const bool gnu = std::string_view(sinew_cxxLibrary()) == "libstdc++";
  return gnu ? 32 : 24;
}

size_t StepOf(const Field& field) { return field.kind == Kind::kStrings ? StringSize() : SizeOf(field.element); }

PyObject* Text(const char* at) {
  return PyUnicode_DecodeUTF8(at, static_cast<Py_ssize_t>(std::strlen(at)), "replace");
}

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
    const char* text = PyUnicode_AsUTF8(value);
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
  const char* letters = text ? PyUnicode_AsUTF8(text) : nullptr;
  if (letters) std::strncpy(self->base + field.offset, letters, static_cast<size_t>(Count(field.rows, self, nullptr)));
  Py_XDECREF(text);
  return letters ? 0 : -1;
}

int SetStrings(const Object* self, const Field& field, PyObject* value) {
  PyObject* items = PyUnicode_Check(value) ? nullptr : PySequence_List(value);
  if (!items) return PyErr_Format(PyExc_TypeError, "%s takes texts, not %R", field.name, value), -1;
  std::vector<std::string> texts;
  for (Py_ssize_t i = 0; i < PyList_Size(items); ++i) {
    PyObject* item = PyList_GetItem(items, i);
    const char* text = PyUnicode_Check(item) ? PyUnicode_AsUTF8(item) : nullptr;
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

// ---- specifications

void DeleteSpec(void* s) { mj_deleteSpec(static_cast<mjSpec*>(s)); }

PyObject* WrapSpec(mjSpec* s) {
  PyObject* block = NewBlock(s, DeleteSpec, nullptr, nullptr);
  PyObject* spec = block ? ElementObject(StructNamed("mjSpec"), s, block) : nullptr;
  Py_XDECREF(block);
  return spec;
}

mjSpec* TakeSpec(PyObject* object) {
  Object* spec = ObjectOf(object, StructNamed("mjSpec"));
  if (!spec) PyErr_Format(PyExc_TypeError, "%R is no specification", object);
  return spec ? reinterpret_cast<mjSpec*>(spec->base) : nullptr;
}

PyObject* MakeSpec(PyObject*, PyObject*) {
  mjSpec* s = nullptr;
  return RunReleased([&] { s = mj_makeSpec(); }) ? WrapSpec(s) : nullptr;
}

PyObject* CopySpec(PyObject*, PyObject* object) {
  const mjSpec* s = TakeSpec(object);
  mjSpec* copy = nullptr;
  if (!s || !RunReleased([&] { copy = mj_copySpec(s); })) return nullptr;
  if (copy) return WrapSpec(copy);
  PyErr_SetString(PyExc_ValueError, mjs_getError(const_cast<mjSpec*>(s)));
  return nullptr;
}

// parse(text or path, assets, whether it is a path)
PyObject* Parse(PyObject*, PyObject* arguments) {
  const char* text = nullptr;
  Py_ssize_t length = 0;
  PyObject* assets = nullptr;
  int is_path = 0;
  if (!PyArg_ParseTuple(arguments, "s#Op", &text, &length, &assets, &is_path)) return nullptr;
  Files files(false);
  if (!files.Add(assets)) return nullptr;
  char error[kTextSize] = "";
  mjSpec* s = nullptr;
  const auto parse = is_path ? mj_parseXML : mj_parseXMLString;
  if (!RunReleased([&] { s = parse(text, files.get(), error, sizeof(error)); })) return nullptr;
  if (s) return WrapSpec(s);
  PyErr_SetString(PyExc_ValueError, *error ? error : "the specification could not be read");
  return nullptr;
}

PyObject* Compile(PyObject*, PyObject* arguments) {
  PyObject *object = nullptr, *assets = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO", &object, &assets)) return nullptr;
  mjSpec* s = TakeSpec(object);
  Files files(false);
  if (!s || !files.Add(assets)) return nullptr;
  mjModel* m = nullptr;
  if (!RunReleased([&] { m = mj_compile(s, files.get()); })) return nullptr;
  if (m) return WrapModel(m);
  PyErr_SetString(PyExc_ValueError, mjs_getError(s));
  return nullptr;
}

PyObject* ToXml(PyObject*, PyObject* object) {
  const mjSpec* s = TakeSpec(object);
  if (!s) return nullptr;
  char error[kTextSize] = "";
  std::string text(1 << 16, '\0');
  int missing = 0;
  const auto save = [&] {
    missing = mj_saveXMLString(s, text.data(), static_cast<int>(text.size()), error, sizeof(error));
  };
  if (!RunReleased(save)) return nullptr;
  if (missing > 0) {
    text.resize(text.size() + static_cast<size_t>(missing) + 1);
    if (!RunReleased(save)) return nullptr;
  }
  if (missing == 0) return PyUnicode_FromString(text.c_str());
  PyErr_SetString(fatal_error, error);
  return nullptr;
}

// Structs of elements that are in a specification.
std::set<const void*> Alive(mjSpec* s) {
  std::set<const void*> alive;
  for (int type = mjOBJ_BODY; type < mjNOBJECT; ++type) {
    for (auto* e = mjs_firstElement(s, static_cast<mjtObj>(type)); e; e = mjs_nextElement(s, e)) alive.insert(e);
  }
  for (auto* e = mjs_firstElement(s, mjOBJ_FRAME); e; e = mjs_nextElement(s, e)) alive.insert(e);
  return alive;
}

bool IsElement(const Object* object) {
  return std::strncmp(object->type->name, "mjs", 3) == 0 && std::strcmp(object->type->name, "mjsCompiler") != 0;
}

// After elements were deleted or have become part of another one: objects of elements that are gone know it.
void ForgetGone(mjSpec* s, const std::set<const void*>& before) {
  const std::set<const void*> alive = Alive(s);
  PyObject *key = nullptr, *reference = nullptr;
  Py_ssize_t position = 0;
  std::vector<PyObject*> gone;
  while (PyDict_Next(registry, &position, &key, &reference)) {
    PyObject* object = PyWeakref_GetObject(reference);
    if (!object || object == Py_None) continue;
    auto* element = reinterpret_cast<Object*>(object);
    // only the address is compared: the memory may be gone
    if (before.contains(element->element) && !alive.contains(element->element)) gone.push_back(Py_NewRef(object));
  }
  for (PyObject* object : gone) {
    Invalidate(reinterpret_cast<Object*>(object), true);
    Py_DECREF(object);
  }
}

PyObject* DeleteElement(PyObject*, PyObject* arguments) {
  PyObject *spec = nullptr, *object = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO", &spec, &object)) return nullptr;
  mjSpec* s = TakeSpec(spec);
  if (!s) return nullptr;
  auto* element = IsObject(object) ? reinterpret_cast<Object*>(object) : nullptr;
  if (!element || !element->base || !element->element) {
    return PyErr_Format(PyExc_TypeError, "%R is no element of a specification", object);
  }
  const std::set<const void*> before = Alive(s);
  int result = 0;
  const bool run = RunReleased([&] { result = mjs_delete(s, static_cast<mjsElement*>(element->element)); });
  if (!run) return nullptr;
  if (result != 0) return PyErr_SetString(PyExc_ValueError, mjs_getError(s)), nullptr;
  ForgetGone(s, before);
  if (std::strcmp(element->type->name, "mjsDefault") == 0) Invalidate(element, true);
  Py_RETURN_NONE;
}

PyObject* BodyToFrame(PyObject*, PyObject* arguments) {
  PyObject *spec = nullptr, *object = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO", &spec, &object)) return nullptr;
  mjSpec* s = TakeSpec(spec);
  Object* body = s ? ObjectOf(object, StructNamed("mjsBody")) : nullptr;
  if (!body) return PyErr_Occurred() ? nullptr : PyErr_Format(PyExc_TypeError, "%R is no body", object);
  const std::set<const void*> before = Alive(s);
  auto* pointer = reinterpret_cast<mjsBody*>(body->base);
  mjsFrame* frame = nullptr;
  if (!RunReleased([&] { frame = mjs_bodyToFrame(&pointer); })) return nullptr;
  if (!frame) return PyErr_SetString(PyExc_ValueError, mjs_getError(s)), nullptr;
  ForgetGone(s, before);
  return ElementObject(StructNamed("mjsFrame"), frame, reinterpret_cast<PyObject*>(reinterpret_cast<Object*>(spec)->block));
}


// resolve_orientation(degree, sequence, orientation)
PyObject* ResolveOrientation(PyObject*, PyObject* arguments) {
  int degree = 0;
  const char* sequence = nullptr;
  PyObject* object = nullptr;
  if (!PyArg_ParseTuple(arguments, "psO", &degree, &sequence, &object)) return nullptr;
  const Object* orientation = ObjectOf(object, StructNamed("mjsOrientation"));
  if (!orientation) return PyErr_Format(PyExc_TypeError, "%R is no orientation", object);
  double quaternion[4] = {1, 0, 0, 0};
  const char* error = mjs_resolveOrientation(quaternion, static_cast<mjtByte>(degree), sequence,
                                             reinterpret_cast<const mjsOrientation*>(orientation->base));
  if (error) return PyErr_SetString(PyExc_ValueError, error), nullptr;
  return Py_BuildValue("[dddd]", quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
}

PyObject* SetEnumerations(PyObject*, PyObject* all) {
  Py_XDECREF(enumerations);
  enumerations = Py_NewRef(all);
  Py_RETURN_NONE;
}

}  // namespace

PyObject* EnumerationNamed(const char* name) {
  return enumerations ? PyDict_GetItemString(enumerations, name) : nullptr;
}

PyObject* ElementObject(const Struct* type, void* base, PyObject* owner) {
  if (!registry) registry = PyDict_New();
  PyObject* key = PyLong_FromVoidPtr(base);
  PyObject* reference = key && registry ? PyDict_GetItem(registry, key) : nullptr;
  PyObject* known = reference ? PyWeakref_GetObject(reference) : nullptr;
  if (known && known != Py_None && ObjectOf(known, type)) {
    Py_DECREF(key);
    return Py_NewRef(known);
  }
  PyObject* made = NewObject(type, base, owner);
  if (made && (std::strcmp(type->name, "mjSpec") == 0 || IsElement(reinterpret_cast<Object*>(made)))) {
    std::memcpy(&reinterpret_cast<Object*>(made)->element, base, sizeof(void*));
  }
  PyObject* weak = made ? PyWeakref_NewRef(made, nullptr) : nullptr;
  if (weak) PyDict_SetItem(registry, key, weak);
  Py_XDECREF(weak);
  Py_XDECREF(key);
  return made;
}

void Unregister(Object* object) {
  if (!registry || !object->element) return;
  PyObject* key = PyLong_FromVoidPtr(object->base);
  PyObject* reference = key ? PyDict_GetItem(registry, key) : nullptr;
  PyObject* known = reference ? PyWeakref_GetObject(reference) : nullptr;
  const bool own = known == Py_None || known == reinterpret_cast<PyObject*>(object);
  if (reference && own) PyDict_DelItem(registry, key);
  Py_XDECREF(key);
}

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

int SetSpecField(Object* self, const Field& field, PyObject* value) {
  switch (field.kind) {
    case Kind::kString: {
      if (!PyUnicode_Check(value)) return PyErr_Format(PyExc_TypeError, "%s takes a text, not %R", field.name, value), -1;
      auto* string = At<mjString>(self, field);
      if (!string) return PyErr_Format(PyExc_AttributeError, "%s is not there", field.name), -1;
      return mjs_setString(string, PyUnicode_AsUTF8(value)), 0;
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

bool DefineSpecs(PyObject* module) {
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
  static PyMethodDef methods[] = {{"make_spec", MakeSpec, METH_NOARGS, "An empty specification."},
                                  {"copy_spec", CopySpec, METH_O, "A copy of a specification."},
                                  {"parse", Parse, METH_VARARGS, "A specification of a text or a file."},
                                  {"compile", Compile, METH_VARARGS, "The model of a specification."},
                                  {"to_xml", ToXml, METH_O, "The specification as MJCF."},
                                  {"delete_element", DeleteElement, METH_VARARGS, "Deletes an element."},
                                  {"body_to_frame", BodyToFrame, METH_VARARGS, "Makes a frame of a body."},
                                  {"resolve_orientation", ResolveOrientation, METH_VARARGS, "A quaternion."},
                                  {"set_enumerations", SetEnumerations, METH_O, "The enumerations by name."},
                                  {}};
  return vector_class && PyModule_AddObjectRef(module, "Vector", reinterpret_cast<PyObject*>(vector_class)) == 0 &&
         PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace sinew::module
