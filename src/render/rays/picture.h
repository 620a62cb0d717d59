// Pictures by rays: which places of a picture rays go through, and what becomes of their colours.
#ifndef SINEW_RENDER_RAYS_PICTURE_H_
#define SINEW_RENDER_RAYS_PICTURE_H_

#include <cstdint>
#include <vector>

#include "render/draw_list.h"
#include "render/rays/ray_ops.h"
#include "render/rays/ray_scene.h"

namespace sinew::inline render::rays {

// Pixels of a buffer, rows from bottom to top.
struct FrameBuffer {
  int width = 0, height = 0;
  std::vector<uint8_t> rgb;  // three a pixel
  std::vector<float> depth;  // along the camera's axis [m]; of a pixel that nothing was drawn to: infinity
  // The scale of depth: that of the last picture.
  float near = 0, far = 0;
  bool orthographic = false;

  void Resize(int new_width, int new_height);
};

// One ray through the middle of each pixel; four through each; or four only where neighbours differ.
enum class Sampling { kOne, kFour, kAdaptive };

struct PictureOptions {
  Sampling sampling = Sampling::kAdaptive;
  bool parallel = true;         // on all processors; results are the same
  const RayOps* ops = nullptr;  // null: the widest that the machine runs
};

// Draws what a list says into its viewports, as far as they lie in the buffer. The shapes found at the middles of
// pixels are written to `shapes` where it is not null, as numbers of instances, -1 for none, for the whole buffer.
class PictureMaker {
 public:
  void Draw(const RayAssets& assets, const DrawList& list, const PictureOptions& options, FrameBuffer& buffer,
            std::vector<int32_t>* shapes = nullptr);

 private:
  // Draws one view into its viewport; the scene has been updated.
  void DrawEye(const DrawView& view, const DrawList& list, const PictureOptions& options, FrameBuffer& buffer,
               std::vector<int32_t>* shapes);

  RayScene scene_;
  // Scratch of one view, kept from picture to picture.
  std::vector<float> colors_;  // of the viewport, three a pixel
  std::vector<float> depths_;
  std::vector<int32_t> shapes_;
  std::vector<uint8_t> edges_;
};

}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_PICTURE_H_
