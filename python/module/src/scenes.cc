// Scenes and contexts of drawing.
#include <cstring>

#include "element.h"
#include "worlds.h"

namespace sinew::module {
namespace {

void DeleteScene(void* memory) {
  mjv_freeScene(static_cast<mjvScene*>(memory));
  std::free(memory);
}

void DeleteContext(void* memory) {
  mjr_freeContext(static_cast<mjrContext*>(memory));
  std::free(memory);
}

PyObject* MakeSceneOf(const mjModel* m, int room, PyObject* kept) {
  auto* scene = static_cast<mjvScene*>(std::calloc(1, sizeof(mjvScene)));
  if (!scene) return PyErr_NoMemory();
  mjv_defaultScene(scene);
  if (!RunReleased([&] { mjv_makeScene(m, scene, room); })) return std::free(scene), nullptr;
  PyObject* block = NewBlock(scene, DeleteScene, m, kept);
  PyObject* made = block ? NewObject(StructNamed("mjvScene"), scene, block) : nullptr;
  Py_XDECREF(block);
  return made;
}

PyObject* MakeScene(PyObject*, PyObject* arguments) {
  PyObject* model = nullptr;
  int room = 0;
  if (!PyArg_ParseTuple(arguments, "Oi", &model, &room)) return nullptr;
  if (model == Py_None) return MakeSceneOf(nullptr, room, nullptr);
  const mjModel* m = TakeModel(model);
  return m ? MakeSceneOf(m, room, reinterpret_cast<PyObject*>(reinterpret_cast<Object*>(model)->block)) : nullptr;
}

PyObject* MakeContext(PyObject*, PyObject* arguments) {
  PyObject* model = nullptr;
  int scale = 0;
  if (!PyArg_ParseTuple(arguments, "Oi", &model, &scale)) return nullptr;
  const mjModel* m = TakeModel(model);
  if (!m) return nullptr;
  auto* context = static_cast<mjrContext*>(std::calloc(1, sizeof(mjrContext)));
  if (!context) return PyErr_NoMemory();
  mjr_defaultContext(context);
  if (!RunReleased([&] { mjr_makeContext(m, context, scale); })) return std::free(context), nullptr;
  PyObject* block = NewBlock(context, DeleteContext, nullptr, nullptr);
  PyObject* made = block ? NewObject(StructNamed("mjrContext"), context, block) : nullptr;
  Py_XDECREF(block);
  return made;
}

PyObject* EmptyContext(PyObject*, PyObject*) {
  auto* context = static_cast<mjrContext*>(std::calloc(1, sizeof(mjrContext)));
  if (!context) return PyErr_NoMemory();
  mjr_defaultContext(context);
  PyObject* block = NewBlock(context, std::free, nullptr, nullptr);
  PyObject* made = block ? NewObject(StructNamed("mjrContext"), context, block) : nullptr;
  Py_XDECREF(block);
  return made;
}

PyObject* FreeContext(PyObject*, PyObject* object) {
  Object* context = ObjectOf(object, StructNamed("mjrContext"));
  if (!context) return PyErr_Format(PyExc_TypeError, "%R is no MjrContext", object);
  if (!RunReleased([&] { mjr_freeContext(reinterpret_cast<mjrContext*>(context->base)); })) return nullptr;
  Py_RETURN_NONE;
}

char* Pointer(const Object* data, const Field& field) {
  char* at = nullptr;
  std::memcpy(&at, data->base + field.offset, sizeof(at));
  return at;
}

PyObject* CopyScene(PyObject*, PyObject* object) {
  const Object* from = ObjectOf(object, StructNamed("mjvScene"));
  if (!from) return PyErr_Format(PyExc_TypeError, "%R is no MjvScene", object);
  const mjvScene* scene = reinterpret_cast<const mjvScene*>(from->base);
  PyObject* made = MakeSceneOf(from->block->model, scene->maxgeom, from->block->kept);
  if (!made) return nullptr;
  auto* to = reinterpret_cast<Object*>(made);
  for (size_t i = 0; i < from->type->count; ++i) {
    const Field& field = from->type->fields[i];
    const bool elsewhere = field.kind == Kind::kPointer || field.kind == Kind::kStructPointers;
    const size_t step = field.of ? StructNamed(field.of)->size : SizeOf(field.element);
    const size_t size = step * static_cast<size_t>(field.rows.empty() ? 1 : Count(field.rows, from, nullptr)) *
                        static_cast<size_t>(field.columns.empty() ? 1 : Count(field.columns, from, nullptr));
    char* into = elsewhere ? Pointer(to, field) : to->base + field.offset;
    const char* source = elsewhere ? Pointer(from, field) : from->base + field.offset;
    if (into && source) std::memcpy(into, source, size);
  }
  return made;
}

}  // namespace

bool DefineScenes(PyObject* module) {
  static PyMethodDef methods[] = {{"make_scene", MakeScene, METH_VARARGS, "A scene with room for geoms."},
                                  {"copy_scene", CopyScene, METH_O, "A copy of a scene."},
                                  {"make_context", MakeContext, METH_VARARGS, "A context of drawing."},
                                  {"empty_context", EmptyContext, METH_NOARGS, "A context that has nothing."},
                                  {"free_context", FreeContext, METH_O, "Frees what a context holds."},
                                  {}};
  return PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace sinew::module
