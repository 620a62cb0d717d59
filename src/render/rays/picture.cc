// Here rays become pixels. A viewport is cut into square tiles, which threads work on by themselves; within a tile
// pixels go in an order that keeps the rays of a pack close together. Colours are floats 0..1 until the end, where
// they become bytes. All of this is the same for any number of threads and any width of packs.
#include "render/rays/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "render/rays/segments.h"
#include "render/rays/wireframe.h"

namespace sinew::inline render::rays {
namespace {

constexpr int kTile = 16;  // pixels along a side: kMostRays in all
static_assert(kTile * kTile == kMostRays);

// Pictures of fewer tiles are done before other threads have started.
constexpr int kFewTiles = 64;

// Neighbours whose colours differ by more are an edge, in shares of full brightness.
constexpr float kEdge = 0.03f;

// Four places in a pixel, no two in a row or a column.
constexpr float kPlaces[4][2] = {{0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};

// Pixels of a tile in the order in which packs of 4, 8 and 16 neighbours are blocks of 2 x 2, 4 x 2 and 4 x 4: bits of
// the number are x0 y0 x1 y1 x2 y2 x3 y3 from the lowest on.
struct TileOrder {
  uint8_t x[kMostRays], y[kMostRays];

  constexpr TileOrder() : x(), y() {
    for (int i = 0; i < kMostRays; ++i) {
      for (int bit = 0; bit < 4; ++bit) {
        x[i] = static_cast<uint8_t>(x[i] | ((i >> (2 * bit)) & 1) << bit);
        y[i] = static_cast<uint8_t>(y[i] | ((i >> (2 * bit + 1)) & 1) << bit);
      }
    }
  }
};
constexpr TileOrder kTileOrder;

// The part of a viewport that is in the buffer, in pixels of the viewport.
struct Window {
  int x0, y0, x1, y1;
  int width() const { return x1 - x0; }
  int height() const { return y1 - y0; }
  int tiles_across() const { return (width() + kTile - 1) / kTile; }
  int tiles() const { return tiles_across() * ((height() + kTile - 1) / kTile); }
};

// Renders one tile of one view. Arrays are those of the window, row by row from below: three colours,
// one depth, one shape and one mark a pixel. Tiles write to pixels of their own alone.
class ViewTracer {
 public:
  ViewTracer(const RayOps& ops, const RaySceneView& scene, const DrawView& view, const Window& window, float* colors,
             float* depths, int32_t* shapes, uint8_t* edges)
      : ops_(ops),
        scene_(scene),
        view_(view),
        window_(window),
        colors_(colors),
        depths_(depths),
        shapes_(shapes),
        edges_(edges) {}

  // A ray through the middle of each pixel of a tile.
  void TraceMiddles(int tile) const {
    RaySamples samples;
    int pixels[kMostRays];
    const int count = PixelsOf(tile, pixels, [](int) { return true; });
    Place(pixels, count, 0.5f, 0.5f, samples);
    ops_.trace(scene_, view_, samples);
    for (int i = 0; i < count; ++i) {
      float* color = colors_ + 3 * pixels[i];
      color[0] = samples.r[i];
      color[1] = samples.g[i];
      color[2] = samples.b[i];
      depths_[pixels[i]] = samples.depth[i];
      shapes_[pixels[i]] = samples.shape[i];
    }
  }

  // Pixels that differ from one of their four neighbours.
  void MarkEdges(int tile) const {
    int pixels[kMostRays];
    const int count = PixelsOf(tile, pixels, [](int) { return true; });
    for (int i = 0; i < count; ++i) edges_[pixels[i]] = IsEdge(pixels[i]);
  }

  // The mean of four rays for the pixels of a tile, all or those at edges.
  void Refine(int tile, bool all) const {
    RaySamples samples;
    int pixels[kMostRays];
    const int count = PixelsOf(tile, pixels, [&](int pixel) { return all || edges_[pixel]; });
    if (count == 0) return;
    for (int i = 0; i < count; ++i) std::fill_n(colors_ + 3 * pixels[i], 3, 0.0f);
    for (const auto& place : kPlaces) {
      Place(pixels, count, place[0], place[1], samples);
      ops_.trace(scene_, view_, samples);
      for (int i = 0; i < count; ++i) {
        float* color = colors_ + 3 * pixels[i];
        color[0] += 0.25f * samples.r[i];
        color[1] += 0.25f * samples.g[i];
        color[2] += 0.25f * samples.b[i];
      }
    }
  }

 private:
  // The pixels of a tile that are wanted and in the window, as indices into its arrays; returns how many.
  template <class Wanted>
  int PixelsOf(int tile, int* pixels, Wanted wanted) const {
    const int left = tile % window_.tiles_across() * kTile, low = tile / window_.tiles_across() * kTile;
    int count = 0;
    for (int i = 0; i < kMostRays; ++i) {
      const int x = left + kTileOrder.x[i], y = low + kTileOrder.y[i];
      if (x >= window_.width() || y >= window_.height()) continue;
      const int pixel = y * window_.width() + x;
      if (wanted(pixel)) pixels[count++] = pixel;
    }
    return count;
  }

  // Sets where rays go through pixels: (dx, dy) from a pixel's lower left corner, 0..1.
  void Place(const int* pixels, int count, float dx, float dy, RaySamples& samples) const {
    samples.count = count;
    for (int i = 0; i < kMostRays; ++i) {
      const int pixel = pixels[std::min(i, count - 1)];  // idle lanes follow the last one
      samples.x[i] = static_cast<float>(window_.x0 + pixel % window_.width()) + dx;
      samples.y[i] = static_cast<float>(window_.y0 + pixel / window_.width()) + dy;
    }
  }

  // Looks at the first pass only, in which all tiles are done, so that no order of tiles shows.
  bool IsEdge(int pixel) const {
    const int x = pixel % window_.width(), y = pixel / window_.width();
    const auto differs = [&](int other) {
      if (shapes_[pixel] != shapes_[other]) return true;
      const float *a = colors_ + 3 * pixel, *b = colors_ + 3 * other;
      return std::abs(a[0] - b[0]) > kEdge || std::abs(a[1] - b[1]) > kEdge || std::abs(a[2] - b[2]) > kEdge;
    };
    return (x > 0 && differs(pixel - 1)) || (x + 1 < window_.width() && differs(pixel + 1)) ||
           (y > 0 && differs(pixel - window_.width())) ||
           (y + 1 < window_.height() && differs(pixel + window_.width()));
  }

  const RayOps& ops_;
  const RaySceneView& scene_;
  const DrawView& view_;
  const Window window_;
  float *colors_, *depths_;
  int32_t* shapes_;
  uint8_t* edges_;
};

// May be empty, where the viewport lies beside the buffer.
Window WindowOf(const mjrRect& viewport, const FrameBuffer& buffer) {
  Window window;
  window.x0 = std::max(0, -viewport.left);
  window.y0 = std::max(0, -viewport.bottom);
  window.x1 = std::max(window.x0, std::min(viewport.width, buffer.width - viewport.left));
  window.y1 = std::max(window.y0, std::min(viewport.height, buffer.height - viewport.bottom));
  return window;
}

// Rounds from 0..1 to the nearest of 0..255.
uint8_t ToByte(float x) { return static_cast<uint8_t>(std::clamp(x, 0.0f, 1.0f) * 255 + 0.5f); }

// Depth instead of colours: white is near.
float Grey(const DrawView& view, float depth) {
  const float far = view.far, near = view.near;
  if (view.orthographic) return 1 - (depth - near) / (far - near);
  return near * (far - depth) / (depth * (far - near));
}

}  // namespace

// All pixels become black and infinitely far.
void FrameBuffer::Resize(int new_width, int new_height) {
  width = new_width;
  height = new_height;
  const size_t pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
  rgb.assign(3 * pixels, 0);
  depth.assign(pixels, std::numeric_limits<float>::infinity());
}

// The scene is made once for all views. `shapes` covers the whole buffer, also where no view is.
void PictureMaker::Draw(const RayAssets& assets, const DrawList& list, const PictureOptions& options,
                        FrameBuffer& buffer, std::vector<int32_t>* shapes) {
  // Wires are another list, of segments instead of triangles, and drawn as such.
  if (list.wireframe && !list.segment && !list.depth_picture) {
    return Draw(assets, WireframeOf(assets.draw, list), options, buffer, shapes);
  }
  scene_.Update(assets, list);
  if (shapes) shapes->assign(static_cast<size_t>(buffer.width) * static_cast<size_t>(buffer.height), -1);
  for (const DrawView& view : list.views) DrawEye(view, list, options, buffer, shapes);
}

void PictureMaker::DrawEye(const DrawView& view, const DrawList& list, const PictureOptions& options,
                           FrameBuffer& buffer, std::vector<int32_t>* shapes) {
  const Window window = WindowOf(view.viewport, buffer);
  if (window.width() <= 0 || window.height() <= 0) return;
  const size_t pixels = static_cast<size_t>(window.width()) * static_cast<size_t>(window.height());
  colors_.resize(3 * pixels);
  depths_.resize(pixels);
  shapes_.resize(pixels);
  edges_.resize(pixels);
  const ViewTracer tracer(options.ops ? *options.ops : BestRayOps(), scene_.view(), view, window, colors_.data(),
                          depths_.data(), shapes_.data(), edges_.data());
  // Threads take tiles in any order; each writes to its own pixels.
  const auto each_tile = [&](const auto& work) {
    const auto call = [&](size_t tile) { work(static_cast<int>(tile)); };
    options.parallel&& window.tiles() >= kFewTiles ? ParallelFor(static_cast<size_t>(window.tiles()), call)
                                                   : SerialFor(static_cast<size_t>(window.tiles()), call);
  };
  each_tile([&](int tile) { tracer.TraceMiddles(tile); });
  // Numbers of segments and depths have no mean.
  const bool several = options.sampling != Sampling::kOne && !list.segment && !list.depth_picture;
  if (several && options.sampling == Sampling::kAdaptive) each_tile([&](int tile) { tracer.MarkEdges(tile); });
  if (several) each_tile([&](int tile) { tracer.Refine(tile, options.sampling == Sampling::kFour); });

  buffer.near = view.near;
  buffer.far = view.far;
  buffer.orthographic = view.orthographic;
  for (int y = 0; y < window.height(); ++y) {
    const size_t to = static_cast<size_t>(view.viewport.bottom + window.y0 + y) * static_cast<size_t>(buffer.width) +
                      static_cast<size_t>(view.viewport.left + window.x0);
    const size_t from = static_cast<size_t>(y) * static_cast<size_t>(window.width());
    for (size_t x = 0; x < static_cast<size_t>(window.width()); ++x) {
      // Pixels without a shape have no depth; transparent shapes do not count, as they do not write depth in OpenGL
      // either.
      const bool drawn = shapes_[from + x] >= 0;
      for (size_t k = 0; k < 3; ++k) {
        const float color =
            list.depth_picture ? (drawn ? Grey(view, depths_[from + x]) : 0) : colors_[3 * (from + x) + k];
        buffer.rgb[3 * (to + x) + k] = ToByte(color);
      }
      buffer.depth[to + x] = drawn ? depths_[from + x] : std::numeric_limits<float>::infinity();
      if (shapes) (*shapes)[to + x] = drawn ? scene_.view().shapes[shapes_[from + x]].instance : -1;
    }
  }
  DrawSegments(list, view, buffer);
}

}  // namespace sinew::inline render::rays
