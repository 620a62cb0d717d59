// Pictures by rays: no display and no driver.
#include <sinew/extensions.h>

#include "worlds.h"

namespace sinew::module {
namespace {

void FreeRenderer(PyObject* capsule) {
  sinew_freeRenderer(static_cast<sinewRenderer*>(PyCapsule_GetPointer(capsule, "sinewRenderer")));
}

// make_rays(model, width, height)
PyObject* MakeRays(PyObject*, PyObject* arguments) {
  PyObject* model = nullptr;
  int width = 0, height = 0;
  if (!PyArg_ParseTuple(arguments, "Oii", &model, &width, &height)) return nullptr;
  const mjModel* m = TakeModel(model);
  char error[kTextSize] = "";
  sinewRenderer* renderer = nullptr;
  if (!m || !RunReleased([&] { renderer = sinew_makeRenderer(m, width, height, 0, error, sizeof(error)); })) return nullptr;
  if (!renderer) return PyErr_SetString(PyExc_ValueError, error), nullptr;
  return PyCapsule_New(renderer, "sinewRenderer", FreeRenderer);
}

// draw_rays(renderer, model, data, option, camera, depth, segmentation): an array of the picture.
PyObject* DrawRays(PyObject*, PyObject* arguments) {
  PyObject *capsule, *model, *data, *option, *camera;
  int depth = 0, segmentation = 0;
  if (!PyArg_ParseTuple(arguments, "OOOOOpp", &capsule, &model, &data, &option, &camera, &depth, &segmentation)) {
    return nullptr;
  }
  auto* renderer = static_cast<sinewRenderer*>(PyCapsule_GetPointer(capsule, "sinewRenderer"));
  const mjModel* m = renderer ? TakeModel(model) : nullptr;
  mjData* d = m ? TakeData(data) : nullptr;
  const Object* o = ObjectOf(option, StructNamed("mjvOption"));
  const Object* c = ObjectOf(camera, StructNamed("mjvCamera"));
  if (!d) return nullptr;
  if (!o || !c) return PyErr_Format(PyExc_TypeError, "option and camera are an MjvOption and an MjvCamera");
  int width = 0, height = 0;
  sinew_rendererSize(renderer, &width, &height);
  const char element = depth ? 'f' : segmentation ? 'i' : 'B';
  const int64_t shape[3] = {height, width, segmentation ? 2 : 3};
  const size_t count = static_cast<size_t>(width) * static_cast<size_t>(height) * (depth ? 1 : segmentation ? 2 : 3);
  void* pixels = PyMem_RawCalloc(count, depth || segmentation ? 4 : 1);
  if (!pixels) return PyErr_NoMemory();
  PyObject* block = NewBlock(pixels, PyMem_RawFree, nullptr, nullptr);
  char error[kTextSize] = "";
  int failed = 0;
  const bool run = RunReleased([&] {
    failed = sinew_renderWorlds(renderer, m, &d, 1, reinterpret_cast<const mjvOption*>(o->base),
                                reinterpret_cast<const mjvCamera*>(c->base),
                                element == 'B' ? static_cast<unsigned char*>(pixels) : nullptr,
                                element == 'f' ? static_cast<float*>(pixels) : nullptr,
                                element == 'i' ? static_cast<int*>(pixels) : nullptr, error, sizeof(error));
  });
  if (run && failed) PyErr_SetString(PyExc_ValueError, error);
  PyObject* picture = run && !failed ? ArrayOver(pixels, element, shape, depth ? 2 : 3, block) : nullptr;
  Py_XDECREF(block);
  return picture;
}

}  // namespace

bool DefineRays(PyObject* module) {
  static PyMethodDef methods[] = {{"make_rays", MakeRays, METH_VARARGS, "A renderer by rays."},
                                  {"draw_rays", DrawRays, METH_VARARGS, "A picture of a world."},
                                  {}};
  return PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace sinew::module
