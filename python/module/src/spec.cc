// Specifications: how they are made, and which elements they have.
#include <sinew/elements_beyond.h>
#include <sinew/extensions.h>

#include <cctype>
#include <cstring>
#include <set>
#include <vector>

#include "kept_warnings.h"
#include "worlds.h"

namespace sinew::module {
namespace {

PyObject* enumerations = nullptr;
PyObject* registry = nullptr;  // objects of elements by address, weakly
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
  return RunAtLevel([&] { s = mj_makeSpec(); }) ? WrapSpec(s) : nullptr;
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
  if (!RunAtLevel([&] { s = parse(text, files.get(), error, sizeof(error)); })) return nullptr;
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
  const auto compile = [&] {
    const KeptWarnings kept;
    m = mj_compile(s, files.get());
  };
  if (!RunReleased(compile)) return nullptr;
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

// save_xml(spec, path): a file that finds its assets from where it stands.
PyObject* SaveXml(PyObject*, PyObject* arguments) {
  PyObject* object = nullptr;
  const char* path = nullptr;
  if (!PyArg_ParseTuple(arguments, "Os", &object, &path)) return nullptr;
  const mjSpec* s = TakeSpec(object);
  char error[kTextSize] = "";
  int result = 0;
  if (!s || !RunReleased([&] { result = mj_saveXML(s, path, error, sizeof(error)); })) return nullptr;
  if (result == 0) Py_RETURN_NONE;
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
  if (!element || !element->element)
    return PyErr_Format(PyExc_TypeError, "%R is no element of a specification", object);
  if (!element->base) {
    std::string kind(element->type->name + std::strlen("mjs"));
    kind[0] = static_cast<char>(std::tolower(kind[0]));
    return PyErr_Format(PyExc_ValueError, "%s is not in this model: it was deleted before", kind.c_str());
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

// around_deletion(address of a specification, function): calls the function, which deletes elements in another way.
PyObject* AroundDeletion(PyObject*, PyObject* arguments) {
  PyObject *address = nullptr, *function = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO", &address, &function)) return nullptr;
  auto* s = static_cast<mjSpec*>(PyLong_AsVoidPtr(address));
  if (!s) return PyErr_Occurred() ? nullptr : PyErr_Format(PyExc_ValueError, "there is no specification at 0");
  if (!registry) return PyObject_CallNoArgs(function);
  const std::set<const void*> before = Alive(s);
  PyObject* result = PyObject_CallNoArgs(function);
  ForgetGone(s, before);
  return result;
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
  return ElementObject(StructNamed("mjsFrame"), frame,
                       reinterpret_cast<PyObject*>(reinterpret_cast<Object*>(spec)->block));
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

// The surface of a geom, or the adhesion of a pair, as an array over the numbers that the element has.
PyObject* ElementSurface(PyObject*, PyObject* object) {
  int64_t count[1] = {1};
  double* numbers = nullptr;
  Object* element = nullptr;
  if ((element = ObjectOf(object, StructNamed("mjsGeom")))) {
    count[0] = sinewNSURFACE;
    if (!RunReleased([&] { numbers = sinew_geomSurface(reinterpret_cast<mjsGeom*>(element->base)); })) return nullptr;
  } else if ((element = ObjectOf(object, StructNamed("mjsPair")))) {
    if (!RunReleased([&] { numbers = sinew_pairAdhesion(reinterpret_cast<mjsPair*>(element->base)); })) return nullptr;
  } else {
    return PyErr_Format(PyExc_TypeError, "%R is no geom and no pair", object);
  }
  return ArrayOver(numbers, 'd', count, 1, reinterpret_cast<PyObject*>(element->block));
}

bool DefineSpecs(PyObject* module) {
  static PyMethodDef methods[] = {{"make_spec", MakeSpec, METH_NOARGS, "An empty specification."},
                                  {"copy_spec", CopySpec, METH_O, "A copy of a specification."},
                                  {"parse", Parse, METH_VARARGS, "A specification of a text or a file."},
                                  {"compile", Compile, METH_VARARGS, "The model of a specification."},
                                  {"to_xml", ToXml, METH_O, "The specification as MJCF."},
                                  {"save_xml", SaveXml, METH_VARARGS, "Writes the specification to a file."},
                                  {"delete_element", DeleteElement, METH_VARARGS, "Deletes an element."},
                                  {"around_deletion", AroundDeletion, METH_VARARGS, "Calls what deletes elements."},
                                  {"body_to_frame", BodyToFrame, METH_VARARGS, "Makes a frame of a body."},
                                  {"resolve_orientation", ResolveOrientation, METH_VARARGS, "A quaternion."},
                                  {"element_surface", ElementSurface, METH_O, "The numbers of a surface."},
                                  {"set_enumerations", SetEnumerations, METH_O, "The enumerations by name."},
                                  {}};
  return PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace sinew::module
