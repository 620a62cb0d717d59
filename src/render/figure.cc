// Figures: a title, a pane with a grid, lines over it, numbers at the axes, a legend.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "render/overlay.h"
#include "render/text.h"

namespace sinew::inline render {
namespace {

constexpr int kGap = 5;  // [pixel]
constexpr int kMostGridLines = 20;
constexpr double kLeastSpan = 1e-5;
constexpr float kHighlight = 5;  // width of the highlighted line, relative to the others

// Colours of mjvFigure are three or four floats 0..1.
Rgba Opaque(const float* rgb) { return {rgb[0], rgb[1], rgb[2], 1}; }
Rgba Of(const float* rgba) { return {rgba[0], rgba[1], rgba[2], rgba[3]}; }

// Range is a range of data along one axis of the figure.
struct Range {
  double low, high;
  double span() const { return high - low; }
};

// Counts are set by programs and may be out of range.
int PointsOf(const mjvFigure& figure, int line) { return std::clamp(figure.linepnt[line], 0, mjMAXLINEPNT); }

// The range that the user has set, extended to the data if wanted, else the range of the data.
Range FindRange(const mjvFigure& figure, int axis) {
  Range range = {static_cast<double>(figure.range[axis][0]), static_cast<double>(figure.range[axis][1])};
  const bool given = range.low < range.high;
  if (given && !figure.flg_extend) return range;
  bool any = given;
  for (int line = 0; line < mjMAXLINE; ++line) {
    for (int i = 0; i < PointsOf(figure, line); ++i) {
      const double x = static_cast<double>(figure.linedata[line][2 * i + axis]);
      if (!std::isfinite(x)) continue;
      range = any ? Range{std::min(range.low, x), std::max(range.high, x)} : Range{x, x};
      any = true;
    }
  }
  return any ? range : Range{0, 1};
}

// Outwards to multiples of a power of ten.
void Round(Range& range) {
  const double step = std::pow(10.0, std::floor(std::log10(range.span())));
  range.low = std::floor(range.low / step) * step;
  range.high = std::ceil(range.high / step) * step;
}

// A range is never empty, since places divide by it. The one along x starts and ends with the data.
Range XRange(const mjvFigure& figure) {
  Range range = FindRange(figure, 0);
  if (range.span() < kLeastSpan) range.high = range.low + kLeastSpan;
  return range;
}

// The one along y is widened to round numbers, and about zero where the figure asks for symmetry.
Range YRange(const mjvFigure& figure) {
  Range range = FindRange(figure, 1);
  if (range.span() < kLeastSpan) range = {range.low - kLeastSpan / 2, range.high + kLeastSpan / 2};
  Round(range);
  if (figure.flg_symmetric) {
    const double reach = std::max(std::abs(range.low), std::abs(range.high));
    range = {-reach, reach};
  }
  return range;
}

// Formats of users may have only one number.
// Zeros after the point are dropped.
std::string TickText(const char* format, double value) {
  const std::string_view text(format);
  const size_t percent = text.find('%');
  const bool plain = percent != std::string_view::npos && text.find('%', percent + 1) == std::string_view::npos &&
                     text.find_first_of("diouxXcspn*lhLqjzt", percent) == std::string_view::npos;
  char buffer[64];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::snprintf(buffer, sizeof(buffer), plain ? format : "%.2g", value);
#pragma GCC diagnostic pop
  std::string tick = buffer;
  if (tick.find('.') != std::string::npos && tick.find('e') == std::string::npos) {
    tick.erase(tick.find_last_not_of('0') + 1);
    if (tick.back() == '.') tick.pop_back();
  }
  return tick;
}

// Lays out one figure in its viewport [pixel] and draws it through a backend's rectangles and lines. X and Y turn
// data into pixels.
class FigureDrawer {
 public:
  FigureDrawer(RenderBackend& to, mjrRect viewport, mjvFigure& figure, const mjrContext& con)
      : to_(to), viewport_(viewport), figure_(figure), con_(con), x_(XRange(figure)), y_(YRange(figure)) {
    stroke_ = StrokeSize(mjFONT_NORMAL, con.fontScale);
  }

  // Later lines lie under earlier ones, so that the first stands out; lines end at the borders of the pane.
  void Draw() {
    Fill(viewport_, Of(figure_.figurergba));
    LayOut();
    if (pane_.width <= 0 || pane_.height <= 0) return;
    Fill(pane_, Of(figure_.panergba));
    DrawTitle();
    DrawGrid();
    to_.Clip(pane_);
    for (int line = mjMAXLINE - 1; line >= 0; --line) DrawData(line);
    if (figure_.flg_selection) {
      const float x = X(static_cast<double>(figure_.selection));
      const float ends[4] = {x, Bottom(), x, Bottom() + static_cast<float>(pane_.height)};
      to_.DrawLines(ends, 2, true, figure_.gridwidth * 2, Opaque(figure_.textrgb));
    }
    to_.Clip({0, 0, 0, 0});
    if (figure_.flg_legend) DrawLegend();
  }

 private:
  void Fill(const mjrRect& r, Rgba color) {
    to_.FillRectangle(static_cast<float>(r.left), static_cast<float>(r.bottom), static_cast<float>(r.width),
                      static_cast<float>(r.height), color);
  }
  void Text(std::string_view text, float left, float bottom) {
    WriteText(to_, mjFONT_NORMAL, text, left, bottom, Opaque(figure_.textrgb), con_);
  }

  // The pane is what title, names and numbers leave.
  // Writes where the pane and its data lie into the figure: programs place the mouse on it by these fields.
  void LayOut() {
    const int line = LineHeight(stroke_);
    int left = kGap, bottom = kGap, top = kGap;
    if (figure_.flg_ticklabel[1]) {
      left += LineWidth(figure_.minwidth, stroke_) + kGap;
      for (const double y : {y_.low, y_.high}) {
        left = std::max(left, LineWidth(TickText(figure_.yformat, y), stroke_) + 2 * kGap);
      }
    }
    if (figure_.flg_ticklabel[0]) bottom += line;
    if (figure_.xlabel[0]) bottom += line;
    if (figure_.title[0]) top += line;
    pane_ = {viewport_.left + left, viewport_.bottom + bottom, viewport_.width - left - 2 * kGap,
             viewport_.height - bottom - top};
    figure_.xaxispixel[0] = pane_.left;
    figure_.xaxispixel[1] = pane_.left + pane_.width;
    figure_.yaxispixel[0] = pane_.bottom;
    figure_.yaxispixel[1] = pane_.bottom + pane_.height;
    figure_.xaxisdata[0] = static_cast<float>(x_.low);
    figure_.xaxisdata[1] = static_cast<float>(x_.high);
    figure_.yaxisdata[0] = static_cast<float>(y_.low);
    figure_.yaxisdata[1] = static_cast<float>(y_.high);
  }

  float Bottom() const { return static_cast<float>(pane_.bottom); }
  float X(double x) const { return static_cast<float>(pane_.left + (x - x_.low) / x_.span() * pane_.width); }
  float Y(double y) const { return static_cast<float>(pane_.bottom + (y - y_.low) / y_.span() * pane_.height); }

  // Titles of subplots are separated by two spaces or more; that of the chosen one stands out.
  void DrawTitle() {
    const std::string_view title = figure_.title;
    std::vector<std::string_view> parts;
    for (size_t begin = 0; begin < title.size();) {
      const size_t end = std::min(title.find("  ", begin), title.size());
      parts.push_back(title.substr(begin, end - begin));
      begin = std::min(title.find_first_not_of(' ', end), title.size());
    }
    const float bottom = static_cast<float>(viewport_.bottom + viewport_.height - LineHeight(stroke_) - kGap / 2);
    for (size_t i = 0; i < parts.size(); ++i) {
      const int room = pane_.width / static_cast<int>(parts.size());
      const int middle = pane_.left + room * static_cast<int>(i) + room / 2;
      const bool dim = parts.size() > 1 && static_cast<int>(i) != figure_.subplot;
      const float* rgb = dim ? figure_.gridrgb : figure_.textrgb;
      WriteText(to_, mjFONT_NORMAL, parts[i], static_cast<float>(middle - LineWidth(parts[i], stroke_) / 2), bottom,
                Opaque(rgb), con_);
    }
    const std::string_view name = figure_.xlabel;
    Text(name, static_cast<float>(pane_.left + (pane_.width - LineWidth(name, stroke_)) / 2),
         static_cast<float>(viewport_.bottom + kGap / 2));
  }

  // Draws a grid line at both ends of the range and equal steps between, each with its number below or to the left.
  void DrawGrid() {
    for (int axis = 0; axis < 2; ++axis) {
      const int count = std::clamp(figure_.gridsize[axis], 2, kMostGridLines);
      for (int i = 0; i < count; ++i) {
        const Range& range = axis == 0 ? x_ : y_;
        const double at = range.low + range.span() * i / (count - 1);
        axis == 0 ? DrawColumn(at) : DrawRow(at);
      }
    }
  }
  void DrawColumn(double at) {
    const float x = X(at), ends[4] = {x, Bottom(), x, Bottom() + static_cast<float>(pane_.height)};
    to_.DrawLines(ends, 2, true, figure_.gridwidth, Opaque(figure_.gridrgb));
    if (!figure_.flg_ticklabel[0]) return;
    const std::string text = TickText(figure_.xformat, at);
    Text(text, x - static_cast<float>(LineWidth(text, stroke_)) / 2,
         Bottom() - static_cast<float>(LineHeight(stroke_)));
  }
  void DrawRow(double at) {
    const float y = Y(at), left = static_cast<float>(pane_.left);
    const float ends[4] = {left, y, left + static_cast<float>(pane_.width), y};
    to_.DrawLines(ends, 2, true, figure_.gridwidth, Opaque(figure_.gridrgb));
    if (!figure_.flg_ticklabel[1]) return;
    const std::string text = TickText(figure_.yformat, at);
    Text(text, left - static_cast<float>(LineWidth(text, stroke_) + kGap),
         y - static_cast<float>(LineHeight(stroke_)) / 2);
  }

  // Draws a strip through the points, or a bar for each two of them.
  void DrawData(int line) {
    const int count = PointsOf(figure_, line);
    if (count == 0) return;
    std::vector<float> points;
    for (int i = 0; i < count; ++i) {
      points.push_back(X(static_cast<double>(figure_.linedata[line][2 * i])));
      points.push_back(Y(static_cast<double>(figure_.linedata[line][2 * i + 1])));
    }
    const float width = figure_.linewidth * (line == figure_.highlightid ? kHighlight : 1);
    to_.DrawLines(points.data(), count, !figure_.flg_barplot, width, Opaque(figure_.linergb[line]));
  }

  // Writes names from the upper right corner of the pane downwards; lines without points or name have none, and names
  // that find no room are left out.
  void DrawLegend() {
    std::vector<int> named;
    int width = 0;
    for (int line = std::max(figure_.legendoffset, 0); line < mjMAXLINE; ++line) {
      if (PointsOf(figure_, line) == 0 || !figure_.linename[line][0]) continue;
      named.push_back(line);
      width = std::max(width, LineWidth(figure_.linename[line], stroke_));
    }
    if (named.empty()) return;
    const int line_height = LineHeight(stroke_), most = (pane_.height - 2 * kGap) / line_height;
    if (static_cast<int>(named.size()) > most) named.resize(static_cast<size_t>(std::max(most, 0)));
    const int height = static_cast<int>(named.size()) * line_height;
    const int right = pane_.left + pane_.width - kGap, top = pane_.bottom + pane_.height - kGap;
    Fill({right - width - 2 * kGap, top - height, width + 2 * kGap, height}, Of(figure_.legendrgba));
    for (size_t i = 0; i < named.size(); ++i) {
      const char* name = figure_.linename[named[i]];
      WriteText(to_, mjFONT_NORMAL, name, static_cast<float>(right - kGap - LineWidth(name, stroke_)),
                static_cast<float>(top - static_cast<int>(i + 1) * line_height), Opaque(figure_.linergb[named[i]]),
                con_);
    }
  }

  RenderBackend& to_;
  const mjrRect viewport_;
  mjvFigure& figure_;
  const mjrContext& con_;
  const Range x_, y_;
  int stroke_ = 1;
  mjrRect pane_ = {0, 0, 0, 0};
};

}  // namespace

// An empty viewport draws nothing and leaves the figure as it was.
void WriteFigure(RenderBackend& to, mjrRect viewport, mjvFigure& figure, const mjrContext& con) {
  if (viewport.width <= 0 || viewport.height <= 0) return;
  FigureDrawer(to, viewport, figure, con).Draw();
}

}  // namespace sinew::inline render
