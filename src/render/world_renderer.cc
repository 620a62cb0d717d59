// Here pictures of many worlds of one model are made by rays, without contexts: what a camera sees in each world goes
// into arrays of the caller. Worlds are shared among threads; each thread has a desk with a scene, a draw list and a
// buffer of its own, which it uses again from picture to picture.
#include "render/world_renderer.h"

#include <algorithm>
#include <string>
#include <thread>

#include "core/error.h"
#include "core/parallel.h"
#include "scene/scene.h"
#include "scene/update.h"

namespace sinew::inline render {
namespace {

constexpr long long kMostPixels = 1LL << 28;
constexpr int kFirstGeoms = 1000;

// Fills the scene of a world; one that is full is made larger, up to `most` geoms.
void FillScene(const mjModel& m, mjData* d, const mjvOption& option, mjvCamera& camera, int most, mjvScene& scene) {
  for (;;) {
    if (scene.maxgeom == 0) {
      MakeScene(&m, &scene, static_cast<int>(std::min<mjtSize>(kFirstGeoms + m.ngeom + m.nsite, most)));
    }
    scene.status = 0;
    UpdateScene(&m, d, &option, nullptr, &camera, mjCAT_ALL, &scene);
    if (scene.status == 0) return;
    if (scene.maxgeom >= most) {
      throw Error("a picture would have more than " + std::to_string(most) + " geoms",
                  "show less: fewer groups, no contact points or forces, or a smaller model");
    }
    MakeScene(&m, &scene, static_cast<int>(std::min<long long>(4LL * scene.maxgeom, most)));
  }
}

}  // namespace

WorldRenderer::Desk::Desk() { SetDefaults(&scene); }
WorldRenderer::Desk::~Desk() { FreeScene(&scene); }

WorldRenderer::WorldRenderer(const mjModel& m, int width, int height, rays::Sampling sampling, int most_geoms)
    : assets_(MakeDrawAssets(m)), width_(width), height_(height), sampling_(sampling), most_geoms_(most_geoms) {
  const std::string size = std::to_string(width) + " x " + std::to_string(height);
  if (width <= 0 || height <= 0) throw Error("a picture of " + size + " pixels is empty", "ask for a positive size");
  if (static_cast<long long>(width) * height > kMostPixels) {
    throw Error("a picture of " + size + " pixels is too large",
                "ask for at most " + std::to_string(kMostPixels) + " pixels");
  }
}

// One world uses all threads for its tiles, many worlds use one thread each. Pictures are the same either way.
void WorldRenderer::Draw(const mjModel& m, mjData* const* worlds, int count, const mjvOption& option,
                         const mjvCamera& camera, const WorldPictures& pictures) {
  const int processors = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int desks = std::clamp(count, 1, processors);
  while (desks_.size() < static_cast<size_t>(desks)) desks_.push_back(std::make_unique<Desk>());
  if (count == 1) return DrawWorld(m, worlds[0], option, camera, true, 0, pictures, *desks_[0]);
  ParallelFor(static_cast<size_t>(desks), [&](size_t desk) {
    // A desk takes every desks-th world, so that who draws what does not depend on the machine's speed.
    for (int i = static_cast<int>(desk); i < count; i += desks) {
      DrawWorld(m, worlds[i], option, camera, false, static_cast<size_t>(i), pictures, *desks_[desk]);
    }
  });
}

void WorldRenderer::DrawWorld(const mjModel& m, mjData* d, const mjvOption& option, mjvCamera camera, bool parallel,
                              size_t world, const WorldPictures& pictures, Desk& desk) const {
  FillScene(m, d, option, camera, most_geoms_, desk.scene);
  BuildDrawList(assets_.draw, DrawSettings::Of(m), {0, 0, width_, height_}, desk.scene, desk.list);
  if (desk.buffer.width != width_) desk.buffer.Resize(width_, height_);
  rays::PictureOptions options;
  options.sampling = sampling_;
  options.parallel = parallel;
  desk.maker.Draw(assets_, desk.list, options, desk.buffer, pictures.segments ? &desk.instances : nullptr);
  CopyOut(desk, world, pictures);
}

// Rows are turned round: buffers start at the lower row, and arrays of pictures have their first row on top. Shapes:
// rgb (count, height, width, 3) of 0..255; depth (count, height, width) in metres along the camera's axis; segments
// (count, height, width, 2), type and number of the object in the model or -1, -1.
void WorldRenderer::CopyOut(const Desk& desk, size_t world, const WorldPictures& pictures) const {
  const auto width = static_cast<size_t>(width_), height = static_cast<size_t>(height_);
  for (size_t y = 0; y < height; ++y) {
    const size_t from = (height - 1 - y) * width, to = (world * height + y) * width;
    if (pictures.rgb) std::copy_n(desk.buffer.rgb.data() + 3 * from, 3 * width, pictures.rgb + 3 * to);
    if (pictures.depth) std::copy_n(desk.buffer.depth.data() + from, width, pictures.depth + to);
    for (size_t x = 0; x < width && pictures.segments; ++x) {
      const int instance = desk.instances[from + x];
      int32_t* segment = pictures.segments + 2 * (to + x);
      segment[0] = segment[1] = -1;
      if (instance < 0) continue;
      const mjvGeom& geom = desk.scene.geoms[desk.list.instances[static_cast<size_t>(instance)].geom];
      segment[0] = geom.objtype;
      segment[1] = geom.objid;
    }
  }
}

}  // namespace sinew::inline render
