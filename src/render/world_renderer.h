// Pictures of many worlds of one model, a thread each.
#ifndef SINEW_RENDER_WORLD_RENDERER_H_
#define SINEW_RENDER_WORLD_RENDERER_H_

#include <mujoco/mujoco.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "render/rays/picture.h"

namespace sinew::inline render {

// Where pictures go, those of all worlds one after the other, rows from top to bottom; null for what is not wanted.
struct WorldPictures {
  uint8_t* rgb = nullptr;       // three a pixel
  float* depth = nullptr;       // along the camera's axis [m], infinite where there is nothing
  int32_t* segments = nullptr;  // two a pixel: mjtObj and id of what is nearest, -1 and -1 where there is nothing
};

class WorldRenderer {
 public:
  static constexpr int kMostGeoms = 1 << 22;

  // The model may be freed afterwards. Throws Error for a size without pixels, or too many of them.
  WorldRenderer(const mjModel& m, int width, int height, rays::Sampling sampling, int most_geoms = kMostGeoms);

  int width() const { return width_; }
  int height() const { return height_; }

  // `m` is the model of the renderer, or a copy; states are those after a forward pass. Throws Error for a camera that
  // does not exist, and for a scene with too many geoms. Pictures do not depend on the number of threads.
  void Draw(const mjModel& m, mjData* const* worlds, int count, const mjvOption& option, const mjvCamera& camera,
            const WorldPictures& pictures);

 private:
  // The scene, lists and buffers with which one thread draws.
  struct Desk {
    mjvScene scene = {};
    DrawList list;
    rays::PictureMaker maker;
    rays::FrameBuffer buffer;
    std::vector<int32_t> instances;

    Desk();
    ~Desk();
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;
  };

  void DrawWorld(const mjModel& m, mjData* d, const mjvOption& option, mjvCamera camera, bool parallel, size_t world,
                 const WorldPictures& pictures, Desk& desk) const;
  void CopyOut(const Desk& desk, size_t world, const WorldPictures& pictures) const;

  const rays::RayAssets assets_;
  const int width_, height_;
  const rays::Sampling sampling_;
  const int most_geoms_;
  std::vector<std::unique_ptr<Desk>> desks_;
};

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_WORLD_RENDERER_H_
