// What of the C interface has buffers, containers or errors of its own.
#include <sinew/extensions.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "kept_warnings.h"
#include "message.h"
#include "worlds.h"

namespace sinew::module {
namespace {

// ---- functions with buffers

PyObject* PrintSchema(PyObject*, PyObject* arguments) {
  int html = 0, pad = 0;
  if (!PyArg_ParseTuple(arguments, "pp", &html, &pad)) return nullptr;
  std::string text(1 << 20, '\0');
  if (!RunReleased([&] { mj_printSchema(nullptr, text.data(), static_cast<int>(text.size()), html, pad); }))
    return nullptr;
  return PyUnicode_FromString(text.c_str());
}

PyObject* SaveLastXml(PyObject*, PyObject* arguments) {
  const char* path = nullptr;
  PyObject* model = nullptr;
  if (!PyArg_ParseTuple(arguments, "sO", &path, &model)) return nullptr;
  const mjModel* m = TakeModel(model);
  char error[kTextSize] = "";
  int done = 0;
  if (!m || !RunReleased([&] { done = mj_saveLastXML(path, m, error, sizeof(error)); })) return nullptr;
  if (!done) return SetError(fatal_error, error), nullptr;
  Py_RETURN_NONE;
}

PyObject* SetLengthRange(PyObject*, PyObject* arguments) {
  PyObject *model = nullptr, *data = nullptr, *object = nullptr;
  int index = 0;
  if (!PyArg_ParseTuple(arguments, "OOiO", &model, &data, &index, &object)) return nullptr;
  mjModel* m = TakeModel(model);
  mjData* d = m ? TakeData(data) : nullptr;
  const Object* options = ObjectOf(object, StructNamed("mjLROpt"));
  if (!d) return nullptr;
  if (!options) return PyErr_Format(PyExc_TypeError, "%R is no mujoco.MjLROpt", object);
  char error[kTextSize] = "";
  int done = 0;
  const auto* opt = reinterpret_cast<const mjLROpt*>(options->base);
  if (!RunReleased([&] { done = mj_setLengthRange(m, d, index, opt, error, sizeof(error)); })) return nullptr;
  if (!done) return SetError(fatal_error, error), nullptr;
  Py_RETURN_NONE;
}

PyObject* LoadPlugins(PyObject*, PyObject* folder) {
  const char* path = Utf8(folder);
  if (!path || !RunReleased([&] { mj_loadAllPluginLibraries(path, nullptr); })) return nullptr;
  Py_RETURN_NONE;
}

PyObject* StandardNormal(PyObject*, PyObject*) { return PyFloat_FromDouble(mju_standardNormal(nullptr)); }

// ---- containers of C++, where the engine's library of C++ is that of this module

#ifdef _LIBCPP_VERSION
constexpr const char* kOurs = "libc++";
#else
constexpr const char* kOurs = "libstdc++";
#endif

bool SharesContainers() {
  if (std::string_view(sinew_cxxLibrary()) == kOurs) return true;
  PyErr_Format(PyExc_NotImplementedError, "the engine holds texts of %s, and this module those of %s",
               sinew_cxxLibrary(), kOurs);
  return false;
}

PyObject* XmlDependencies(PyObject*, PyObject* path) {
  const char* name = Utf8(path);
  std::vector<std::string> files;
  if (!name || !SharesContainers()) return nullptr;
  if (!RunReleased([&] { mju_getXMLDependencies(name, &files); })) return nullptr;
  PyObject* list = PyList_New(0);
  for (const std::string& file : files) {
    PyObject* text = PyUnicode_FromString(file.c_str());
    PyList_Append(list, text);
    Py_XDECREF(text);
  }
  return list;
}

using Attributes = std::map<std::string, std::string, std::less<>>;

mjsPlugin* TakePlugin(PyObject* object) {
  Object* plugin = ObjectOf(object, StructNamed("mjsPlugin"));
  if (!plugin) PyErr_Format(PyExc_TypeError, "%R is no plugin of a specification", object);
  return plugin ? reinterpret_cast<mjsPlugin*>(plugin->base) : nullptr;
}

PyObject* GetPluginAttributes(PyObject*, PyObject* object) {
  const mjsPlugin* plugin = TakePlugin(object);
  if (!plugin || !SharesContainers()) return nullptr;
  PyObject* dict = PyDict_New();
  const auto* attributes = static_cast<const Attributes*>(mjs_getPluginAttributes(plugin));
  for (const auto& [key, value] : attributes ? *attributes : Attributes()) {
    PyObject* text = PyUnicode_FromString(value.c_str());
    PyDict_SetItemString(dict, key.c_str(), text);
    Py_XDECREF(text);
  }
  return dict;
}

PyObject* SetPluginAttributes(PyObject*, PyObject* arguments) {
  PyObject *object = nullptr, *dict = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO!", &object, &PyDict_Type, &dict)) return nullptr;
  mjsPlugin* plugin = TakePlugin(object);
  if (!plugin || !SharesContainers()) return nullptr;
  Attributes attributes;
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t position = 0;
  while (PyDict_Next(dict, &position, &key, &value)) {
    const char *name = Utf8(key), *text = Utf8(value);
    if (!name || !text) return nullptr;
    attributes[name] = text;
  }
  if (!RunReleased([&] { mjs_setPluginAttributes(plugin, &attributes); })) return nullptr;
  Py_RETURN_NONE;
}

// ---- specifications

// Of one specification that became a part of another one: it lives as long.
PyObject* Keep(PyObject*, PyObject* arguments) {
  PyObject *object = nullptr, *other = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO", &object, &other)) return nullptr;
  Block* block = reinterpret_cast<Object*>(object)->block;
  PyObject* before = block->kept;
  block->kept = Py_NewRef(reinterpret_cast<PyObject*>(reinterpret_cast<Object*>(other)->block));
  Py_XDECREF(before);
  Py_RETURN_NONE;
}

PyObject* SpecSignature(PyObject*, PyObject* object) {
  auto* element = IsObject(object) ? reinterpret_cast<Object*>(object) : nullptr;
  if (!element || !element->base || !element->element) {
    return PyErr_Format(PyExc_TypeError, "%R is no element of a specification", object);
  }
  const mjSpec* s = mjs_getSpec(static_cast<mjsElement*>(element->element));
  return PyLong_FromUnsignedLongLong(s ? s->element->signature : 0);
}

// recompile(spec, assets, model, data): a new model and its world, in the state of the given one.
PyObject* Recompile(PyObject*, PyObject* arguments) {
  PyObject *spec = nullptr, *assets = nullptr, *model = nullptr, *data = nullptr;
  if (!PyArg_ParseTuple(arguments, "OOOO", &spec, &assets, &model, &data)) return nullptr;
  Object* of = ObjectOf(spec, StructNamed("mjSpec"));
  const mjModel* m = of ? TakeModel(model) : nullptr;
  const mjData* d = m ? TakeData(data) : nullptr;
  Files files(false);
  if (!d || !files.Add(assets)) return nullptr;
  auto* s = reinterpret_cast<mjSpec*>(of->base);
  mjModel* new_model = nullptr;
  mjData* new_data = nullptr;
  int failed = 0;
  const bool run = RunReleased([&] {
    const KeptWarnings kept;
    new_model = mj_copyModel(nullptr, m);
    new_data = mj_copyData(nullptr, m, d);
    failed = mj_recompile(s, files.get(), new_model, new_data);
  });
  if (!run) return nullptr;
  if (failed) return SetError(PyExc_ValueError, mjs_getError(s)), nullptr;
  PyObject* made = WrapModel(new_model);
  PyObject* world = made ? WrapData(new_data, made) : nullptr;
  return world ? Py_BuildValue("NN", made, world) : nullptr;
}

}  // namespace

bool DefineExtras(PyObject* module) {
  static PyMethodDef methods[] = {
      {"print_schema", PrintSchema, METH_VARARGS, "The schema of MJCF."},
      {"save_last_xml", SaveLastXml, METH_VARARGS, "Writes the model that was loaded last."},
      {"set_length_range", SetLengthRange, METH_VARARGS, "Measures the length range of an actuator."},
      {"load_plugins", LoadPlugins, METH_O, "Loads libraries of plugins."},
      {"standard_normal", StandardNormal, METH_NOARGS, "A standard normal number."},
      {"xml_dependencies", XmlDependencies, METH_O, "Files that a model names."},
      {"get_plugin_attributes", GetPluginAttributes, METH_O, "The configuration of a plugin."},
      {"set_plugin_attributes", SetPluginAttributes, METH_VARARGS, "Sets the configuration of a plugin."},
      {"keep", Keep, METH_VARARGS, "One specification lives as long as another one."},
      {"spec_signature", SpecSignature, METH_O, "The signature of an element's specification."},
      {"recompile", Recompile, METH_VARARGS, "Model and world of an edited specification."},
      {}};
  return PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace sinew::module
