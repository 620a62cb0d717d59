// Renderer: pictures of worlds and of batches, drawn on the processor.
#include <sinew/batch.h>
#include <sinew/extensions.h>

#include "fields.h"

namespace sinew::python {
namespace {

struct Renderer {
  std::shared_ptr<mjModel> m;
  std::shared_ptr<sinewRenderer> renderer;
  mjvOption option;
  mjvCamera camera;
  int width, height;
};

nb::object Picture(ElementKind kind, const std::vector<size_t>& shape, void** memory) {
  size_t bytes = ElementSize(kind);
  for (const size_t extent : shape) bytes *= extent;
  auto* block = new char[bytes + 1]();
  const nb::capsule owner(block, [](void* p) noexcept { delete[] static_cast<char*>(p); });
  *memory = block;
  return ArrayOver(block, kind, shape, owner);
}

// Layouts of models with other elements differ, so that pictures of them need renderers of their own.
void CheckModel(const Renderer& r, const mjModel& m, const char* what) {
  if (r.m->signature != m.signature) {
    RaiseValueError(std::string(what) + ": the renderer was made for another model");
  }
}

// Colours, and where they are asked for distances and objects, of so many worlds. `draw` fills them.
template <class Function>
nb::object DrawWorlds(const Renderer& r, size_t worlds, bool single, bool depth, bool segmentation, Function&& draw) {
  std::vector<size_t> shape = {worlds, static_cast<size_t>(r.height), static_cast<size_t>(r.width)};
  if (single) shape.erase(shape.begin());
  void *rgb = nullptr, *distances = nullptr, *objects = nullptr;
  nb::object result;
  std::vector<size_t> colours = shape, pairs = shape;
  colours.push_back(3);
  pairs.push_back(2);
  if (depth) {
    result = Picture(ElementKind::kFloat, shape, &distances);
  } else if (segmentation) {
    result = Picture(ElementKind::kInt, pairs, &objects);
  } else {
    result = Picture(ElementKind::kByte, colours, &rgb);
  }
  char error[kTextSize] = "";
  int failed;
  {
    const nb::gil_scoped_release released;
    failed = draw(static_cast<unsigned char*>(rgb), static_cast<float*>(distances), static_cast<int*>(objects), error);
  }
  if (failed) RaiseValueError(error);
  return result;
}

Renderer Make(const std::shared_ptr<mjModel>& m, int width, int height, int samples) {
  char error[kTextSize] = "";
  sinewRenderer* made = sinew_makeRenderer(m.get(), width, height, samples, error, kTextSize);
  if (!made) RaiseValueError(error);
  Renderer r{m, {made, sinew_freeRenderer}, {}, {}, width, height};
  mjv_defaultOption(&r.option);
  mjv_defaultFreeCamera(m.get(), &r.camera);
  return r;
}

}  // namespace

void DefineRenderer(nb::module_& module) {
  nb::class_<Renderer>(module, "Renderer")
      .def(
          "__init__",
          [](Renderer* self, nb::handle model, int width, int height, int samples) {
            new (self) Renderer(Make(ModelOf(model), width, height, samples));
          },
          nb::arg("model"), nb::arg("width") = 640, nb::arg("height") = 480, nb::arg("samples") = 0)
      .def_prop_ro("model", [](const Renderer& r) { return WrapModel(r.m); })
      .def("use_camera",
           [](Renderer& r, int id) {
             if (id < 0 || id >= r.m->ncam) RaiseValueError("there is no camera " + std::to_string(id));
             r.camera.type = mjCAMERA_FIXED;
             r.camera.fixedcamid = id;
           })
      .def(
          "look",
          [](Renderer& r, const std::vector<double>& at, double distance, double azimuth, double elevation, int body) {
            if (at.size() != 3) RaiseValueError("at has " + std::to_string(at.size()) + " numbers; it takes 3");
            r.camera.type = body >= 0 ? mjCAMERA_TRACKING : mjCAMERA_FREE;
            r.camera.trackbodyid = body;
            for (size_t i = 0; i < 3; ++i) r.camera.lookat[i] = at[i];
            r.camera.distance = distance;
            r.camera.azimuth = azimuth;
            r.camera.elevation = elevation;
          },
          nb::arg("at"), nb::arg("distance"), nb::arg("azimuth") = 90., nb::arg("elevation") = -20.,
          nb::arg("body") = -1)
      .def(
          "render",
          [](const Renderer& r, const Data& data, bool depth, bool segmentation) {
            CheckModel(r, *data.m, "data");
            mjData* worlds[] = {data.d.get()};
            return DrawWorlds(r, 1, true, depth, segmentation,
                              [&](auto* rgb, auto* distances, auto* objects, char* error) {
                                return sinew_renderWorlds(r.renderer.get(), data.m.get(), worlds, 1, &r.option,
                                                          &r.camera, rgb, distances, objects, error, kTextSize);
                              });
          },
          nb::arg("data"), nb::arg("depth") = false, nb::arg("segmentation") = false)
      .def("_render_batch",
           [](const Renderer& r, const Batch& batch, const std::vector<int>& worlds, bool depth, bool segmentation) {
             sinewBatch* b = batch.b.get();
             CheckModel(r, *sinew_batch_model(b), "batch");
             std::vector<unsigned char> mask(static_cast<size_t>(sinew_batch_count(b)));
             size_t count = 0;
             for (const int world : worlds) {
               if (world < 0 || world >= sinew_batch_count(b))
                 RaiseValueError("there is no world " + std::to_string(world));
               count += mask[static_cast<size_t>(world)] ? 0 : 1;
               mask[static_cast<size_t>(world)] = 1;
             }
             return DrawWorlds(r, count, false, depth, segmentation,
                               [&](auto* rgb, auto* distances, auto* objects, char* error) {
                                 return sinew_batch_render(b, r.renderer.get(), mask.data(), &r.option, &r.camera, rgb,
                                                           distances, objects, error, kTextSize);
                               });
           });
}

}  // namespace sinew::python
