#include "worlds.h"

#include <cstring>

#include "element.h"
#include "message.h"

namespace sinew::module {
namespace {

void DeleteModel(void* m) { mj_deleteModel(static_cast<mjModel*>(m)); }
void DeleteData(void* d) { mj_deleteData(static_cast<mjData*>(d)); }

PyObject* RaiseLoad(const char* error, const char* otherwise) {
  if (!PyErr_Occurred()) SetError(PyExc_ValueError, *error ? error : otherwise);
  return nullptr;
}

// load_xml(path, assets), load_xml_string(text, assets)
PyObject* LoadXml(PyObject*, PyObject* arguments) {
  const char* path = nullptr;
  PyObject* assets = nullptr;
  if (!PyArg_ParseTuple(arguments, "sO", &path, &assets)) return nullptr;
  Files files;
  if (!files.Add(assets)) return nullptr;
  char error[kTextSize] = "";
  mjModel* m = nullptr;
  if (!RunAtLevel([&] { m = mj_loadXML(path, files.get(), error, sizeof(error)); })) return nullptr;
  return m ? WrapModel(m) : RaiseLoad(error, "the model could not be loaded");
}

PyObject* LoadXmlString(PyObject*, PyObject* arguments) {
  const char* text = nullptr;
  Py_ssize_t length = 0;
  PyObject* assets = nullptr;
  if (!PyArg_ParseTuple(arguments, "s#O", &text, &length, &assets)) return nullptr;
  Files files;
  if (!files.Add(assets)) return nullptr;
  char error[kTextSize] = "";
  mjModel* m = nullptr;
  // From a file in memory, so that mj_saveLastXML knows the model.
  std::string name = "model_.xml";
  const auto add = [&] { return mj_addBufferVFS(files.Take(), name.c_str(), text, static_cast<int>(length)); };
  int result = add();
  constexpr int kNameIsTaken = 2;
  for (; result == kNameIsTaken; result = add()) name.insert(0, "_");
  if (result != 0) return RaiseLoad("", "the text could not be kept as a file in memory");
  if (!RunAtLevel([&] { m = mj_loadXML(name.c_str(), files.get(), error, sizeof(error)); })) return nullptr;
  return m ? WrapModel(m) : RaiseLoad(error, "the model could not be loaded");
}

PyObject* LoadBinary(PyObject*, PyObject* arguments) {
  const char* path = nullptr;
  PyObject* assets = nullptr;
  if (!PyArg_ParseTuple(arguments, "sO", &path, &assets)) return nullptr;
  Files files;
  if (!files.Add(assets)) return nullptr;
  mjModel* m = nullptr;
  if (!RunReleased([&] { m = mj_loadModel(path, files.get()); })) return nullptr;
  return m ? WrapModel(m) : RaiseLoad("", "mj_loadModel: failed to load from mjb");
}

PyObject* LoadBuffer(PyObject*, PyObject* bytes) {
  char* buffer = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(bytes, &buffer, &size) != 0) return nullptr;
  mjModel* m = nullptr;
  if (!RunReleased([&] { m = mj_loadModelBuffer(buffer, static_cast<int>(size)); })) return nullptr;
  return m ? WrapModel(m) : RaiseLoad("", "the bytes are no model of this release");
}

PyObject* SaveBuffer(PyObject*, PyObject* model) {
  const mjModel* m = TakeModel(model);
  if (!m) return nullptr;
  const int size = mj_sizeModel(m);
  PyObject* bytes = PyBytes_FromStringAndSize(nullptr, size);
  if (!bytes) return nullptr;
  char* into = PyBytes_AsString(bytes);
  if (RunReleased([&] { mj_saveModel(m, nullptr, into, size); })) return bytes;
  Py_DECREF(bytes);
  return nullptr;
}

PyObject* SaveFile(PyObject*, PyObject* arguments) {
  PyObject* model = nullptr;
  const char* path = nullptr;
  if (!PyArg_ParseTuple(arguments, "Os", &model, &path)) return nullptr;
  const mjModel* m = TakeModel(model);
  if (!m || !RunReleased([&] { mj_saveModel(m, path, nullptr, 0); })) return nullptr;
  Py_RETURN_NONE;
}

PyObject* CopyModel(PyObject*, PyObject* model) {
  const mjModel* m = TakeModel(model);
  mjModel* copy = nullptr;
  if (!m || !RunReleased([&] { copy = mj_copyModel(nullptr, m); })) return nullptr;
  return WrapModel(copy);
}

PyObject* MakeData(PyObject*, PyObject* model) {
  const mjModel* m = TakeModel(model);
  mjData* d = nullptr;
  if (!m || !RunReleased([&] { d = mj_makeData(m); })) return nullptr;
  return d ? WrapData(d, model) : RaiseLoad("", "the world could not be made");
}

// copy_data(data, model): the model is that of the copy, of the same sizes.
PyObject* CopyData(PyObject*, PyObject* arguments) {
  PyObject *data = nullptr, *model = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO", &data, &model)) return nullptr;
  const mjData* d = TakeData(data);
  const mjModel* m = d ? TakeModel(model) : nullptr;
  mjData* copy = nullptr;
  if (!m || !RunReleased([&] { copy = mj_copyData(nullptr, m, d); })) return nullptr;
  return copy ? WrapData(copy, model) : RaiseLoad("", "the world could not be copied");
}

// Makes room in the arena for rows that the caller fills: resize_arena(data, ncon, nefc, nJ).
PyObject* ResizeArena(PyObject*, PyObject* arguments) {
  PyObject* data = nullptr;
  int ncon = 0, nefc = 0, nonzeros = 0;
  if (!PyArg_ParseTuple(arguments, "Oiii", &data, &ncon, &nefc, &nonzeros)) return nullptr;
  mjData* d = TakeData(data);
  if (!d) return nullptr;
  auto* object = reinterpret_cast<Object*>(data);
  d->parena = 0;
  d->ncon = ncon;
  d->nefc = nefc;
  d->nJ = nonzeros;
  char* arena = static_cast<char*>(d->arena);
  size_t used = 0;
  for (size_t i = 0; i < object->type->count; ++i) {
    const Field& field = object->type->fields[i];
    const Extent::Term& term = field.rows.terms[0];
    const bool contacts = field.kind == Kind::kStructPointers;
    const bool rows = field.kind == Kind::kPointer && term.source == Source::kData &&
                      (term.at == offsetof(mjData, nefc) || term.at == offsetof(mjData, nJ));
    if (!contacts && !rows) continue;
    const size_t size = contacts ? sizeof(mjContact) : SizeOf(field.element);
    const size_t bytes = size * static_cast<size_t>(Count(field.rows, object, nullptr)) *
                         static_cast<size_t>(field.columns.empty() ? 1 : Count(field.columns, object, nullptr));
    if (used + bytes > static_cast<size_t>(d->narena)) {
      d->ncon = d->nefc = d->nJ = 0;
      PyErr_Format(
          fatal_error,
          "Insufficient arena memory, currently allocated memory=\"%lldK\". Increase using <size memory=\"X\"/>.",
          static_cast<long long>(d->narena / 1024));
      return nullptr;
    }
    char* at = arena + used;
    std::memset(at, 0, bytes);
    std::memcpy(object->base + field.offset, &at, sizeof(at));
    used += (bytes + 63) / 64 * 64;
  }
  d->parena = used;
  Py_RETURN_NONE;
}

// The texts of a table of the engine, rows of them where there is a second extent.
PyObject* Texts(const char* const* texts, int rows, int columns) {
  PyObject* all = PyTuple_New(rows);
  for (int i = 0; all && i < rows; ++i) {
    if (!columns) {
      PyTuple_SetItem(all, i, PyUnicode_FromString(texts[i]));
      continue;
    }
    PyObject* row = PyTuple_New(columns);
    for (int k = 0; k < columns; ++k) PyTuple_SetItem(row, k, PyUnicode_FromString(texts[i * columns + k]));
    PyTuple_SetItem(all, i, row);
  }
  return all;
}

bool AddTexts(PyObject* module) {
  const struct {
    const char* name;
    PyObject* texts;
  } tables[] = {{"mjDISABLESTRING", Texts(mjDISABLESTRING, mjNDISABLE, 0)},
                {"mjENABLESTRING", Texts(mjENABLESTRING, mjNENABLE, 0)},
                {"mjTIMERSTRING", Texts(mjTIMERSTRING, mjNTIMER, 0)},
                {"mjLABELSTRING", Texts(mjLABELSTRING, mjNLABEL, 0)},
                {"mjFRAMESTRING", Texts(mjFRAMESTRING, mjNFRAME, 0)},
                {"mjVISSTRING", Texts(&mjVISSTRING[0][0], mjNVISFLAG, 3)},
                {"mjRNDSTRING", Texts(&mjRNDSTRING[0][0], mjNRNDFLAG, 3)}};
  for (const auto& table : tables) {
    if (!table.texts || PyModule_AddObjectRef(module, table.name, table.texts) != 0) return false;
    Py_DECREF(table.texts);
  }
  return true;
}

PyObject* SetLevel(PyObject*, PyObject* number) {
  const long level = PyLong_AsLong(number);
  if (PyErr_Occurred()) return nullptr;
  module_level = static_cast<int>(level);
  Py_RETURN_NONE;
}

}  // namespace

std::atomic<int> module_level = 0;

PyObject* WrapModel(mjModel* m) {
  PyObject* block = NewBlock(m, DeleteModel, m, nullptr);
  PyObject* model = block ? NewObject(StructNamed("mjModel"), m, block) : nullptr;
  if (model) Remember(reinterpret_cast<Object*>(model));
  Py_XDECREF(block);
  return model;
}

PyObject* WrapData(mjData* d, PyObject* given) {
  PyObject* model = IsOfSinew(given) ? SharedObject(given, StructNamed("mjModel")) : Py_NewRef(given);
  if (!model) return mj_deleteData(d), nullptr;
  const auto* of = reinterpret_cast<Object*>(model);
  PyObject* block = NewBlock(d, DeleteData, of->block->model, reinterpret_cast<PyObject*>(of->block));
  PyObject* data = block ? NewObject(StructNamed("mjData"), d, block) : nullptr;
  Py_XDECREF(block);
  if (data) {
    reinterpret_cast<Object*>(data)->extra = Py_NewRef(model);
    Remember(reinterpret_cast<Object*>(data));
  }
  Py_DECREF(model);
  return data;
}

mjModel* TakeModel(PyObject* object) {
  Object* model = ObjectOf(object, StructNamed("mjModel"));
  if (!model) PyErr_Format(PyExc_TypeError, "%R is no mujoco.MjModel", object);
  return model ? reinterpret_cast<mjModel*>(model->base) : nullptr;
}

mjData* TakeData(PyObject* object) {
  Object* data = ObjectOf(object, StructNamed("mjData"));
  if (!data) PyErr_Format(PyExc_TypeError, "%R is no mujoco.MjData", object);
  return data ? reinterpret_cast<mjData*>(data->base) : nullptr;
}

Files::Files(bool distinct) : distinct_(distinct) { mj_defaultVFS(&vfs_); }
Files::~Files() { mj_deleteVFS(&vfs_); }

bool Files::Add(PyObject* assets) {
  if (!assets || assets == Py_None) return true;
  PyObject* items = PyMapping_Items(assets);
  if (!items) return false;
  for (Py_ssize_t i = 0; i < PyList_Size(items); ++i) {
    const char* name = nullptr;
    Py_buffer bytes;
    if (!PyArg_ParseTuple(PyList_GetItem(items, i), "ss*", &name, &bytes)) return Py_DECREF(items), false;
    const std::string_view path(name);
    const bool known = distinct_ && !names_.insert(std::string(path.substr(path.rfind('/') + 1))).second;
    const int result = known ? 2 : mj_addBufferVFS(&vfs_, name, bytes.buf, static_cast<int>(bytes.len));
    PyBuffer_Release(&bytes);
    empty_ = false;
    if (result == 0) continue;
    PyErr_Format(PyExc_ValueError, result == 2 ? "Repeated file name in assets dict: %s" : "asset failed to load: %s",
                 name);
    return Py_DECREF(items), false;
  }
  Py_DECREF(items);
  return true;
}

bool DefineWorlds(PyObject* module) {
  static PyMethodDef methods[] = {{"load_xml", LoadXml, METH_VARARGS, "A model of a file."},
                                  {"load_xml_string", LoadXmlString, METH_VARARGS, "A model of a text."},
                                  {"load_binary", LoadBinary, METH_VARARGS, "A model of a binary file."},
                                  {"load_buffer", LoadBuffer, METH_O, "A model of bytes."},
                                  {"set_level", SetLevel, METH_O, "The level of models that are made from now on."},
                                  {"save_buffer", SaveBuffer, METH_O, "The bytes of a model."},
                                  {"save_file", SaveFile, METH_VARARGS, "Writes a binary file."},
                                  {"copy_model", CopyModel, METH_O, "A copy of a model."},
                                  {"make_data", MakeData, METH_O, "A world of a model."},
                                  {"copy_data", CopyData, METH_VARARGS, "A copy of a world."},
                                  {"resize_arena", ResizeArena, METH_VARARGS, "Room for contacts and constraint rows."},
                                  {}};
  return PyModule_AddFunctions(module, methods) == 0 && AddTexts(module);
}

}  // namespace sinew::module
