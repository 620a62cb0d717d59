// Implements mjr_* on the processor: buffers are arrays in memory, there is no window, and pictures are made by
// PictureMaker. Rectangles are in pixels from the lower left corner; parts outside of a buffer are neither read nor
// written.
#include "render/rays/ray_backend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.h"
#include "render/light_choice.h"
#include "render/overlay.h"
#include "render/rays/picture.h"

namespace sinew::inline render::rays {
namespace {

// A buffer of more would take gigabytes by a slip of the keyboard.
constexpr long long kMostPixels = 1LL << 28;

void CheckSize(int width, int height) {
  const long long pixels = static_cast<long long>(width) * height;
  if (pixels <= kMostPixels) return;
  throw Error("a buffer of " + std::to_string(width) + " x " + std::to_string(height) + " pixels is too large",
              "ask for at most " + std::to_string(kMostPixels) + " pixels");
}

// Depth as OpenGL keeps it, 0 at the near and 1 at the far plane, from the distance along the camera's axis, and back.
float ToWindowDepth(const FrameBuffer& buffer, float depth) {
  if (!(depth < buffer.far)) return 1;
  const float range = buffer.far - buffer.near;
  if (buffer.orthographic) return (depth - buffer.near) / range;
  return buffer.far / range * (1 - buffer.near / depth);
}
float FromWindowDepth(const FrameBuffer& buffer, float window) {
  if (!(window < 1)) return std::numeric_limits<float>::infinity();
  const float range = buffer.far - buffer.near;
  if (buffer.orthographic) return buffer.near + window * range;
  return buffer.near * buffer.far / (buffer.far - window * range);
}

// RayBackend is the backend of one mjrContext without OpenGL. It has copies of the model's assets, and all calls come
// from one thread.
class RayBackend final : public RenderBackend {
 public:
  RayBackend(const mjModel* m, const mjrContext& con) : assets_(m ? MakeDrawAssets(*m) : DrawAssets()) {
    CheckSize(con.offWidth, con.offHeight);
    offscreen_.Resize(con.offWidth, con.offHeight);
  }

  const char* name() const override { return "cpu"; }

  // ---- assets

  void UploadTexture(const mjModel& m, int texture) override {
    const auto i = static_cast<size_t>(texture);
    assets_.draw.textures.at(i) = CopyTexture(m, texture);
    assets_.textures.at(i) = MakeRayTexture(assets_.draw.textures[i]);
  }
  // A mesh and its hull follow each other; trees over triangles are built anew.
  void UploadMesh(const mjModel& m, int mesh) override {
    const auto i = 2 * static_cast<size_t>(mesh);
    assets_.draw.meshes.at(i) = MeshTriangles(m, mesh);
    assets_.draw.meshes.at(i + 1) = HullTriangles(m, mesh);
    assets_.meshes.at(i) = MakeRayMesh(assets_.draw.meshes[i]);
    assets_.meshes.at(i + 1) = MakeRayMesh(assets_.draw.meshes[i + 1]);
  }
  void UploadField(const mjModel& m, int hfield) override {
    const auto i = static_cast<size_t>(hfield);
    assets_.draw.height_fields.at(i) = HeightFieldTriangles(m, hfield);
    assets_.height_fields.at(i) = MakeRayMesh(assets_.draw.height_fields[i]);
  }

  // ---- buffers

  // Contents are lost, and depth is that of an empty picture.
  void ResizeOffscreen(int width, int height, mjrContext& con) override {
    CheckSize(width, height);
    offscreen_.Resize(width, height);
    con.offWidth = width;
    con.offHeight = height;
    viewport_ = {0, 0, 0, 0};
  }
  // A size of zero frees the buffer. Rays take no samples from here, but programs may read their number.
  void AddAux(int index, int width, int height, int samples, mjrContext& con) override {
    CheckSize(width, height);
    FrameBuffer& aux = aux_[static_cast<size_t>(index)];
    const bool any = width > 0 && height > 0;
    aux.Resize(any ? width : 0, any ? height : 0);
    con.auxWidth[index] = aux.width;
    con.auxHeight[index] = aux.height;
    con.auxSamples[index] = any ? samples : 0;
    if (!any && target_ == &aux) target_ = &offscreen_;
  }
  void SetAux(int index, const mjrContext&) override {
    FrameBuffer& aux = aux_[static_cast<size_t>(index)];
    if (aux.width == 0) {
      throw Error("auxiliary buffer " + std::to_string(index) + " does not exist", "make it with mjr_addAux");
    }
    target_ = &aux;
  }
  void SetBuffer(const mjrContext&) override { target_ = &offscreen_; }
  mjrRect MaxViewport(const mjrContext&) const override { return {0, 0, offscreen_.width, offscreen_.height}; }
  mjrRect CurrentViewport(const mjrContext& con) const override {
    return viewport_.width > 0 ? viewport_ : MaxViewport(con);
  }

  // There is no window, and a buffer's copy to itself changes nothing unless it moves.
  void BlitBuffer(mjrRect from, mjrRect to, bool color, bool depth, const mjrContext&) override {
    Blit(offscreen_, from, offscreen_, to, color, depth);
  }
  void BlitAux(int index, mjrRect from, int left, int bottom, const mjrContext&) override {
    Blit(aux_[static_cast<size_t>(index)], from, offscreen_, {left, bottom, from.width, from.height}, true, false);
  }

  // ---- pixels

  // Rows go from the bottom up, without padding. Pixels outside of the buffer leave the caller's memory as it was.
  void ReadPixels(unsigned char* rgb, float* depth, mjrRect viewport, const mjrContext& con) override {
    const FrameBuffer& from = *target_;
    const bool bgr = con.readPixelFormat == kBgr;
    ForEachPixel(viewport, from, [&](size_t i, size_t pixel) {
      for (size_t k = 0; k < 3 && rgb; ++k) rgb[3 * i + k] = from.rgb[3 * pixel + (bgr ? 2 - k : k)];
      if (!depth) return;
      const float d = ToWindowDepth(from, from.depth[pixel]);
      depth[i] = con.readDepthMap == mjDEPTH_ZEROFAR ? 1 - d : d;
    });
  }
  // Writes the rectangle into the current buffer. Depths are in the same range as ReadPixels gives them, with near
  // and far plane of the buffer's last picture.
  void DrawPixels(const unsigned char* rgb, const float* depth, mjrRect viewport, const mjrContext& con) override {
    FrameBuffer& to = *target_;
    ForEachPixel(viewport, to, [&](size_t i, size_t pixel) {
      for (size_t k = 0; k < 3 && rgb; ++k) to.rgb[3 * pixel + k] = rgb[3 * i + k];
      if (!depth) return;
      to.depth[pixel] = FromWindowDepth(to, con.readDepthMap == mjDEPTH_ZEROFAR ? 1 - depth[i] : depth[i]);
    });
  }

  // ---- drawing

  void Render(mjrRect viewport, mjvScene& scene, const mjrContext& con) override {
    if (viewport.width <= 0 || viewport.height <= 0) return;
    viewport_ = viewport;
    DrawSettings settings = DrawSettings::Of(con);
    settings.vertex_light = vertex_light_;
    BuildDrawList(assets_.draw, settings, viewport, scene, list_);
    PictureOptions options;
    // Samples of OpenGL stand for smooth edges; rays have them by looking closer at edges.
    options.sampling = con.offSamples > 1 ? Sampling::kAdaptive : Sampling::kOne;
    maker_.Draw(assets_, list_, options, *target_);
    if (list_.segment) return;
    WriteLabels(*this, list_, con);
    WriteFrames(*this, list_);
  }

  // Mixes the colour over the picture by its opacity.
  void FillRectangle(float left, float bottom, float width, float height, Rgba color) override {
    // pixels whose middle is inside
    const auto edge = [](float x) { return static_cast<int>(std::clamp(std::ceil(x - 0.5f), -1e6f, 1e6f)); };
    const mjrRect area = Clipped();
    const int x0 = std::max(edge(left), area.left), x1 = std::min(edge(left + width), area.left + area.width);
    const int y0 = std::max(edge(bottom), area.bottom), y1 = std::min(edge(bottom + height), area.bottom + area.height);
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) Mix(x, y, color);
    }
  }

  // `points` are `count` pairs (x, y) in pixels: a strip, or a line for each two.
  void DrawLines(const float* points, int count, bool strip, float width, Rgba color) override {
    for (int i = 0; i + 1 < count; i += strip ? 1 : 2) DrawLine(points + 2 * i, points + 2 * i + 2, width, color);
  }

  void Clip(mjrRect viewport) override { clip_ = viewport; }

 private:
  static constexpr int kBgr = 0x80E0;  // GL_BGR, of the OpenGL registry

  // The numbers from `begin` to `end` - 1 of `count` pixels that lie inside of a buffer when the first is at `start`.
  // Rectangles of programs may be of any size.
  struct Visible {
    Visible(int start, int count, int size)
        : begin(std::max(0, -start)), end(std::min(count, size - std::min(start, size))) {}
    int begin, end;
  };

  // Rows of a rectangle from bottom to top; what lies outside of the buffer is skipped.
  template <class Work>
  static void ForEachPixel(const mjrRect& r, const FrameBuffer& buffer, Work work) {
    const Visible rows(r.bottom, r.height, buffer.height), columns(r.left, r.width, buffer.width);
    for (int y = rows.begin; y < rows.end; ++y) {
      for (int x = columns.begin; x < columns.end; ++x) {
        const int column = r.left + x, row = r.bottom + y;
        work(static_cast<size_t>(y) * static_cast<size_t>(r.width) + static_cast<size_t>(x),
             static_cast<size_t>(row) * static_cast<size_t>(buffer.width) + static_cast<size_t>(column));
      }
    }
  }

  // Copies pixels, the nearest ones where sizes differ.
  static void Blit(const FrameBuffer& source, mjrRect from, FrameBuffer& target, mjrRect to, bool color, bool depth) {
    if (from.width <= 0 || from.height <= 0) return;
    const FrameBuffer copy = source;  // source and target may be one
    const Visible rows(to.bottom, to.height, target.height), columns(to.left, to.width, target.width);
    for (int y = rows.begin; y < rows.end; ++y) {
      for (int x = columns.begin; x < columns.end; ++x) {
        const int sx = from.left + static_cast<int>(static_cast<long long>(x) * from.width / to.width);
        const int sy = from.bottom + static_cast<int>(static_cast<long long>(y) * from.height / to.height);
        const int tx = to.left + x, ty = to.bottom + y;
        if (sx < 0 || sy < 0 || sx >= copy.width || sy >= copy.height) continue;
        const size_t s = static_cast<size_t>(sy) * static_cast<size_t>(copy.width) + static_cast<size_t>(sx);
        const size_t t = static_cast<size_t>(ty) * static_cast<size_t>(target.width) + static_cast<size_t>(tx);
        if (color)
          std::copy_n(copy.rgb.begin() + static_cast<long>(3 * s), 3, target.rgb.begin() + static_cast<long>(3 * t));
        if (depth) target.depth[t] = copy.depth[s];
      }
    }
  }

  // The rectangle of the buffer to which drawing is limited: all of it, or a part.
  mjrRect Clipped() const {
    if (clip_.width <= 0 || clip_.height <= 0) return {0, 0, target_->width, target_->height};
    const int left = std::max(clip_.left, 0), bottom = std::max(clip_.bottom, 0);
    return {left, bottom, std::min(clip_.left + clip_.width, target_->width) - left,
            std::min(clip_.bottom + clip_.height, target_->height) - bottom};
  }

  // Bytes are rounded, so that opaque colours come out as they are.
  void Mix(int x, int y, const Rgba& color) {
    uint8_t* pixel = target_->rgb.data() +
                     3 * (static_cast<size_t>(y) * static_cast<size_t>(target_->width) + static_cast<size_t>(x));
    const float rgb[3] = {color.r, color.g, color.b}, a = std::clamp(color.a, 0.0f, 1.0f);
    for (int k = 0; k < 3; ++k) {
      const float mixed = a * 255 * std::clamp(rgb[k], 0.0f, 1.0f) + (1 - a) * static_cast<float>(pixel[k]);
      pixel[k] = static_cast<uint8_t>(mixed + 0.5f);
    }
  }

  // A bar of the line's width across its longer direction at each pixel.
  void DrawLine(const float* a, const float* b, float width, const Rgba& color) {
    const mjrRect area = Clipped();
    const float dx = b[0] - a[0], dy = b[1] - a[1];
    if (!std::isfinite(dx) || !std::isfinite(dy)) return;
    const bool steep = std::abs(dy) > std::abs(dx);
    const float *low = (steep ? dy : dx) < 0 ? b : a, *high = low == a ? b : a;
    const int along = steep ? 1 : 0;
    const int first = steep ? area.bottom : area.left, last = first + (steep ? area.height : area.width) - 1;
    const int from = static_cast<int>(std::clamp(std::floor(low[along]), static_cast<float>(first), 1e6f));
    const int to = static_cast<int>(std::clamp(std::floor(high[along]), -1e6f, static_cast<float>(last)));
    const float half = std::max(width, 1.0f) / 2, span = std::max(high[along] - low[along], 1e-6f);
    for (int i = from; i <= to; ++i) {
      const float s = std::clamp((static_cast<float>(i) + 0.5f - low[along]) / span, 0.0f, 1.0f);
      const float middle = low[1 - along] + s * (high[1 - along] - low[1 - along]), at = static_cast<float>(i);
      steep ? FillRectangle(middle - half, at, 2 * half, 1, color)
            : FillRectangle(at, middle - half, 1, 2 * half, color);
    }
  }

  RayAssets assets_;
  const bool vertex_light_ = LightsVertices();
  DrawList list_;
  PictureMaker maker_;
  FrameBuffer offscreen_;
  std::array<FrameBuffer, mjNAUX> aux_;
  // The buffer for pictures and texts, the area of the last picture, and the limits of drawing.
  FrameBuffer* target_ = &offscreen_;
  mjrRect viewport_ = {0, 0, 0, 0}, clip_ = {0, 0, 0, 0};
};

}  // namespace

std::unique_ptr<RenderBackend> MakeRayBackend(const mjModel* m, const mjrContext& con) {
  return std::make_unique<RayBackend>(m, con);
}

}  // namespace sinew::inline render::rays
