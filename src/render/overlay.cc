// Texts, labels of shapes and frames around views become rectangles in pixels here. A letter consists of strokes
// (text.h), each a rectangle, so that a backend needs no font.
#include "render/overlay.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "render/text.h"

namespace sinew::inline render {
namespace {

constexpr Rgba kShade = {0, 0, 0, 0.5f}, kWhite = {1, 1, 1, 1};
constexpr float kDimmed = 0.7f;  // of names beside values
constexpr int kPadding = 5;      // [pixel]

// Returns the lines of a text without their ends. Views point into the text, which must live as long.
std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Returns the width of the widest line [pixel].
int Width(const std::vector<std::string_view>& lines, int stroke) {
  int width = 0;
  for (const std::string_view line : lines) width = std::max(width, LineWidth(line, stroke));
  return width;
}

void DrawLine(RenderBackend& to, std::string_view line, int stroke, float left, float bottom, Rgba color) {
  for (const TextStroke& s : LineStrokes(line, stroke)) {
    to.FillRectangle(left + s.left, bottom + s.bottom, s.width, s.height, color);
  }
}

// Draws lines one below the other from `top` downwards, flush with `left`.
void DrawColumn(RenderBackend& to, const std::vector<std::string_view>& lines, int stroke, float left, float top,
                Rgba color) {
  for (size_t i = 0; i < lines.size(); ++i) {
    DrawLine(to, lines[i], stroke, left, top - static_cast<float>((i + 1) * LineHeight(stroke)), color);
  }
}

// Draws the labels of one view: points are projected into its viewport, and those before the near plane are left out.
// Texts have their own size, however far away they are.
void WriteLabels(RenderBackend& to, const DrawList& list, const DrawView& view, const mjrContext& con) {
  to.Clip(view.viewport);
  for (const DrawLabel& label : list.labels) {
    const float v[3] = {label.pos[0] - view.pos[0], label.pos[1] - view.pos[1], label.pos[2] - view.pos[2]};
    const auto along = [&](const float* axis) { return v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2]; };
    const float depth = along(view.forward);
    if (depth < view.near) continue;
    // Borders of a view are at the near plane, onto which the point is drawn along its ray.
    const float shrink = view.orthographic ? 1 : view.near / depth;
    const float x = (along(view.right) * shrink - view.left) / (view.right_border - view.left);
    const float y = (along(view.up) * shrink - view.bottom) / (view.top - view.bottom);
    const float left = static_cast<float>(view.viewport.left) + x * static_cast<float>(view.viewport.width);
    const float bottom = static_cast<float>(view.viewport.bottom) + y * static_cast<float>(view.viewport.height);
    WriteText(to, mjFONT_SHADOW, label.text, left, bottom, kWhite, con);
  }
  to.Clip({0, 0, 0, 0});
}

}  // namespace

void WriteLabels(RenderBackend& to, const DrawList& list, const mjrContext& con) {
  for (const DrawView& view : list.views) WriteLabels(to, list, view, con);
}

// A frame lies inside the border of its view and covers the picture there.
void WriteFrames(RenderBackend& to, const DrawList& list) {
  if (list.frame_width <= 0) return;
  const Rgba color = {list.frame_rgb[0], list.frame_rgb[1], list.frame_rgb[2], 1};
  for (const DrawView& view : list.views) {
    const mjrRect& r = view.viewport;
    const auto wide = static_cast<float>(list.frame_width);
    const float x = static_cast<float>(r.left), y = static_cast<float>(r.bottom), w = static_cast<float>(r.width),
                h = static_cast<float>(r.height);
    to.FillRectangle(x, y, w, wide, color);
    to.FillRectangle(x, y + h - wide, w, wide, color);
    to.FillRectangle(x, y, wide, h, color);
    to.FillRectangle(x + w - wide, y, wide, h, color);
  }
}

// Places are those of the lower left corner of the first line; others follow below. The font with a shadow gets a
// dark rectangle behind all lines.
void WriteText(RenderBackend& to, int font, std::string_view text, float left, float bottom, Rgba color,
               const mjrContext& con) {
  const int stroke = StrokeSize(font, con.fontScale);
  const std::vector<std::string_view> lines = Lines(text);
  const auto height = static_cast<float>(LineHeight(stroke));
  if (font == mjFONT_SHADOW) {
    const float below = height * static_cast<float>(lines.size() - 1);
    to.FillRectangle(left, bottom - below, static_cast<float>(Width(lines, stroke)), height + below, kShade);
  }
  DrawColumn(to, lines, stroke, left, bottom + height, color);
}

// Writes one line of text in the middle of a rectangle of another colour; what does not fit is cut off.
void WriteLabel(RenderBackend& to, mjrRect viewport, int font, std::string_view text, Rgba back, Rgba color,
                const mjrContext& con) {
  to.FillRectangle(static_cast<float>(viewport.left), static_cast<float>(viewport.bottom),
                   static_cast<float>(viewport.width), static_cast<float>(viewport.height), back);
  const int stroke = StrokeSize(font, con.fontScale);
  to.Clip(viewport);
  DrawLine(to, text, stroke, static_cast<float>(viewport.left + (viewport.width - LineWidth(text, stroke)) / 2),
           static_cast<float>(viewport.bottom + (viewport.height - LineHeight(stroke)) / 2), color);
  to.Clip({0, 0, 0, 0});
}

void WriteOverlay(RenderBackend& to, int font, int place, mjrRect viewport, std::string_view left,
                  std::string_view right, const mjrContext& con) {
  if (place < mjGRID_TOPLEFT || place > mjGRID_RIGHT) {
    throw Error("the place " + std::to_string(place) + " of an overlay does not exist", "use one of mjtGridPos");
  }
  // The longest text is mjMAXOVERLAY bytes with its end; what is longer is cut off.
  left = left.substr(0, mjMAXOVERLAY - 1);
  right = right.substr(0, mjMAXOVERLAY - 1);
  const int stroke = StrokeSize(font, con.fontScale);
  const std::vector<std::string_view> names = Lines(left), values = Lines(right);
  const bool two = !right.empty();
  const int name_width = Width(names, stroke), value_width = two ? Width(values, stroke) : 0;
  const int width = name_width + value_width + (two ? 3 : 2) * kPadding;
  const int height =
      static_cast<int>(std::max(names.size(), two ? values.size() : 0)) * LineHeight(stroke) + 2 * kPadding;

  const bool at_left = place == mjGRID_TOPLEFT || place == mjGRID_BOTTOMLEFT || place == mjGRID_LEFT;
  const bool at_right = place == mjGRID_TOPRIGHT || place == mjGRID_BOTTOMRIGHT || place == mjGRID_RIGHT;
  const bool at_top = place == mjGRID_TOPLEFT || place == mjGRID_TOPRIGHT || place == mjGRID_TOP;
  const bool at_bottom = place == mjGRID_BOTTOMLEFT || place == mjGRID_BOTTOMRIGHT || place == mjGRID_BOTTOM;
  const int x = viewport.left + (at_left ? 0 : at_right ? viewport.width - width : (viewport.width - width) / 2);
  const int y = viewport.bottom + (at_bottom ? 0 : at_top ? viewport.height - height : (viewport.height - height) / 2);

  to.Clip(viewport);
  to.FillRectangle(static_cast<float>(x), static_cast<float>(y), static_cast<float>(width), static_cast<float>(height),
                   kShade);
  const float top = static_cast<float>(y + height - kPadding);
  const Rgba dimmed = {kDimmed, kDimmed, kDimmed, 1};
  DrawColumn(to, names, stroke, static_cast<float>(x + kPadding), top, two && at_left ? dimmed : kWhite);
  if (two) DrawColumn(to, values, stroke, static_cast<float>(x + 2 * kPadding + name_width), top, kWhite);
  to.Clip({0, 0, 0, 0});
}

}  // namespace sinew::inline render
