// Lines over a picture by rays are drawn pixel by pixel after it, where they are nearer than what the pixel shows.
// Clipping is in the frame of the camera (x right, y up, depth forward) and then in pixels of the viewport.
#include "render/rays/segments.h"

#include <algorithm>
#include <cmath>

#include "render/rays/picture.h"

namespace sinew::inline render::rays {
namespace {

// A point in pixels of the viewport, and its depth along the axis of the camera.
struct Spot {
  float x, y, depth;
};

// CameraPoint is a point in the frame of the camera [m].
struct CameraPoint {
  float x, y, depth;
};

// Converts from the frame of the model.
CameraPoint ToCamera(const DrawView& view, const float* p) {
  const float v[3] = {p[0] - view.pos[0], p[1] - view.pos[1], p[2] - view.pos[2]};
  const auto along = [&](const float* axis) { return v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2]; };
  return {along(view.right), along(view.up), along(view.forward)};
}

// Borders of a view are at its near plane, so places there become pixels by proportion.
Spot Project(const DrawView& view, const CameraPoint& p) {
  const float shrink = view.orthographic ? 1 : view.near / p.depth;
  const float width = view.right_border - view.left, height = view.top - view.bottom;
  return {(p.x * shrink - view.left) / width * static_cast<float>(view.viewport.width),
          (p.y * shrink - view.bottom) / height * static_cast<float>(view.viewport.height), p.depth};
}

// Cuts off what is nearer than the near plane; false when nothing is left.
bool ClipNear(float near, CameraPoint& a, CameraPoint& b) {
  if (a.depth < near && b.depth < near) return false;
  const auto move = [&](CameraPoint& p, const CameraPoint& to) {
    const float s = (near - p.depth) / (to.depth - p.depth);
    p = {p.x + s * (to.x - p.x), p.y + s * (to.y - p.y), near};
  };
  if (a.depth < near) move(a, b);
  if (b.depth < near) move(b, a);
  return true;
}

// Cuts the line a + s (b - a) to the viewport, some pixels around it included; false when nothing is left.
bool ClipSides(float width, float height, const Spot& a, const Spot& b, float& s0, float& s1) {
  // Wide lines reach into the viewport from outside.
  constexpr float kAround = 16;
  const auto clip = [&](float from, float step, float low, float high) {
    if (step == 0) return from >= low && from <= high;
    const float t0 = (low - from) / step, t1 = (high - from) / step;
    s0 = std::max(s0, std::min(t0, t1));
    s1 = std::min(s1, std::max(t0, t1));
    return s0 <= s1;
  };
  return clip(a.x, b.x - a.x, -kAround, width + kAround) && clip(a.y, b.y - a.y, -kAround, height + kAround);
}

// Draws one pixel of a line: it is left alone outside of viewport and buffer, behind what is there, and beyond the
// far plane.
void DrawDot(const DrawList& list, const DrawSegment& segment, const DrawView& view, int x, int y, float depth,
             FrameBuffer& buffer) {
  if (x < 0 || y < 0 || x >= view.viewport.width || y >= view.viewport.height) return;
  const int column = view.viewport.left + x, row = view.viewport.bottom + y;
  if (column < 0 || row < 0 || column >= buffer.width || row >= buffer.height) return;
  const size_t pixel = static_cast<size_t>(row) * static_cast<size_t>(buffer.width) + static_cast<size_t>(column);
  if (!(depth <= buffer.depth[pixel]) || depth > view.far) return;
  const float* color = list.segment ? segment.segment_rgb : segment.rgba;
  const float once = list.segment ? 1 : std::clamp(segment.rgba[3], 0.0f, 1.0f);
  const float alpha = 1 - (1 - once) * (1 - once);  // transparent things are drawn twice
  for (size_t k = 0; k < 3; ++k) {
    uint8_t& byte = buffer.rgb[3 * pixel + k];
    const float mixed = alpha * std::clamp(color[k], 0.0f, 1.0f) * 255 + (1 - alpha) * static_cast<float>(byte);
    byte = static_cast<uint8_t>(std::lround(mixed));
  }
  if (!segment.transparent || list.segment) buffer.depth[pixel] = depth;
}

// One step a pixel along the longer direction, as many pixels across as the line is wide.
void DrawLine(const DrawList& list, const DrawSegment& segment, const DrawView& view, const Spot& a, const Spot& b,
              FrameBuffer& buffer) {
  float s0 = 0, s1 = 1;
  if (!ClipSides(static_cast<float>(view.viewport.width), static_cast<float>(view.viewport.height), a, b, s0, s1)) {
    return;
  }
  const bool steep = std::abs(b.y - a.y) > std::abs(b.x - a.x);
  const int steps = static_cast<int>(std::ceil(std::max(std::abs(b.x - a.x), std::abs(b.y - a.y)) * (s1 - s0)));
  const int wide = std::max(1, static_cast<int>(std::lround(std::min(segment.width, 64.0f))));
  for (int i = 0; i <= steps; ++i) {
    const float s = s0 + (s1 - s0) * static_cast<float>(i) / static_cast<float>(std::max(steps, 1));
    const float x = a.x + s * (b.x - a.x), y = a.y + s * (b.y - a.y);
    // linear in the picture is 1 / depth for a perspective projection
    const float depth =
        view.orthographic ? a.depth + s * (b.depth - a.depth) : 1 / (1 / a.depth + s * (1 / b.depth - 1 / a.depth));
    for (int k = 0; k < wide; ++k) {
      const float shift = static_cast<float>(k) - 0.5f * static_cast<float>(wide - 1);
      DrawDot(list, segment, view, static_cast<int>(std::floor(steep ? x + shift : x)),
              static_cast<int>(std::floor(steep ? y : y + shift)), depth, buffer);
    }
  }
}

}  // namespace

void DrawSegments(const DrawList& list, const DrawView& view, FrameBuffer& buffer) {
  for (const DrawSegment& segment : list.segments) {
    if (list.segment && segment.segid < 0) continue;
    CameraPoint a = ToCamera(view, segment.from), b = ToCamera(view, segment.to);
    if (ClipNear(view.near, a, b)) DrawLine(list, segment, view, Project(view, a), Project(view, b), buffer);
  }
}

}  // namespace sinew::inline render::rays
