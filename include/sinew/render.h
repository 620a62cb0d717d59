// Pictures of worlds, drawn on the processor: no display, no graphics driver.
//
//   sinew::Renderer renderer(model, {.width = 640, .height = 480});
//   sinew::Picture picture = renderer.Render(data);
#ifndef SINEW_RENDER_H_
#define SINEW_RENDER_H_

#include <mujoco/mujoco.h>
#include <sinew/error.h>
#include <sinew/extensions.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinew {
inline namespace face {

struct RendererOptions {
  int width = 640, height = 480;  // [pixel]
  // Rays of a pixel: 1, 4, or 0 for one where neighbours agree and four where they do not.
  int samples = 0;
  bool depth = false;         // whether pictures come with depth
  bool segmentation = false;  // and with the ids of objects
};

// Rows from the top to the bottom. Spans are valid until the renderer draws again or ends.
struct Picture {
  int width = 0, height = 0;
  std::span<const uint8_t> rgb;       // three a pixel
  std::span<const float> depth;       // along the camera's axis [m], infinite where there is nothing
  std::span<const int32_t> segments;  // two a pixel: mjtObj and id of the object, both -1 where there is nothing
};

// Draws the worlds of one model, which must live as long as the renderer.
class Renderer {
 public:
  explicit Renderer(const mjModel* model, RendererOptions options = {})
      : model_(model), options_(options), handle_(nullptr, sinew_freeRenderer) {
    char error[kErrorSize];
    handle_.reset(sinew_makeRenderer(model, options.width, options.height, options.samples, error, kErrorSize));
    if (!handle_) throw EngineError(error);
    mjv_defaultOption(&option_);
    mjv_defaultFreeCamera(model, &camera_);
    if (model->vis.global.cameraid >= 0) UseCamera(model->vis.global.cameraid);
  }

  // What is shown, and from where; a free camera that sees the whole model at first.
  mjvOption& option() { return option_; }
  mjvCamera& camera() { return camera_; }

  // A camera of the model.
  void UseCamera(int id) {
    camera_.type = mjCAMERA_FIXED;
    camera_.fixedcamid = id;
  }
  void UseCamera(const std::string& name) {
    const int id = mj_name2id(model_, mjOBJ_CAMERA, name.c_str());
    if (id < 0) throw NameError("no camera '" + name + "'; " + CameraNames());
    UseCamera(id);
  }

  // The state must be one after mj_forward or a step.
  Picture Render(mjData* data) {
    mjData* const worlds[1] = {data};
    return RenderBatch(worlds);
  }

  // Pictures of many worlds of the model, from the same camera, on all processors: one below the other.
  Picture RenderBatch(std::span<mjData* const> worlds) {
    const size_t pixels = worlds.size() * static_cast<size_t>(options_.width) * static_cast<size_t>(options_.height);
    rgb_.resize(3 * pixels);
    depth_.resize(options_.depth ? pixels : 0);
    segments_.resize(options_.segmentation ? 2 * pixels : 0);
    char error[kErrorSize];
    const int failed = sinew_renderWorlds(handle_.get(), model_, worlds.data(), static_cast<int>(worlds.size()),
                                          &option_, &camera_, rgb_.data(), options_.depth ? depth_.data() : nullptr,
                                          options_.segmentation ? segments_.data() : nullptr, error, kErrorSize);
    if (failed) throw EngineError(error);
    return {options_.width, options_.height * static_cast<int>(worlds.size()), rgb_, depth_, segments_};
  }

 private:
  static constexpr int kErrorSize = 1000;

  std::string CameraNames() const {
    std::string text = model_->ncam > 0 ? "the model has:" : "the model has none; use the free camera";
    for (int i = 0; i < model_->ncam; ++i) {
      const char* name = mj_id2name(model_, mjOBJ_CAMERA, i);
      text += " " + (name ? std::string(name) : std::to_string(i));
    }
    return text;
  }

  const mjModel* model_;
  RendererOptions options_;
  std::unique_ptr<sinewRenderer, decltype(&sinew_freeRenderer)> handle_;
  mjvOption option_ = {};
  mjvCamera camera_ = {};
  std::vector<uint8_t> rgb_;
  std::vector<float> depth_;
  std::vector<int32_t> segments_;
};

}  // namespace face
}  // namespace sinew

#endif  // SINEW_RENDER_H_
