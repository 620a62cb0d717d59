#include "svg_chart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <pugixml.hpp>
#include <sstream>

namespace sinew {
namespace {

// Pixels of a chart, and of its plot inside.
constexpr double kWidth = 360, kHeight = 270, kLeft = 58, kRight = 14, kTop = 34, kBottom = 46, kHeading = 40;
constexpr const char* kColors[] = {"#1f4e9c", "#c0392b", "#2e8b57", "#b8860b", "#6b3fa0"};

std::string Text(double x) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.6g", x);
  return text;
}

// Round numbers around data: begin, end and distance of the ticks.
struct Scale {
  double begin = 0, end = 1, step = 0.5;

  Scale(double low, double high) {
    if (!(high > low)) high = low + 1;
    const double rough = (high - low) / 4, power = std::pow(10, std::floor(std::log10(rough)));
    step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
    begin = step * std::floor(low / step + 1e-9);
    end = step * std::ceil(high / step - 1e-9);
  }
  double Fraction(double x) const { return (x - begin) / (end - begin); }
};

Scale ScaleOf(const Chart& chart, std::vector<double> ChartLine::*values) {
  double low = INFINITY, high = -INFINITY;
  for (const ChartLine& line : chart.lines) {
    for (const double v : line.*values) {
      if (!std::isfinite(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  return low <= high ? Scale(low, high) : Scale(0, 1);
}

class ChartWriter {
 public:
  ChartWriter(const Chart& chart, pugi::xml_node parent, double left, double top)
      : chart_(chart),
        group_(parent.append_child("g")),
        x_(ScaleOf(chart, &ChartLine::x)),
        y_(ScaleOf(chart, &ChartLine::y)) {
    group_.append_attribute("transform") = (std::string("translate(") + Text(left) + "," + Text(top) + ")").c_str();
  }

  void Write() {
    Words(kWidth / 2, 20, chart_.title, "middle", 14);
    Words(kLeft + kPlotWidth / 2, kHeight - 8, chart_.x_label, "middle", 12);
    pugi::xml_node label = Words(0, 0, chart_.y_label, "middle", 12);
    label.append_attribute("transform") =
        (std::string("translate(14,") + Text(kTop + kPlotHeight / 2) + ") rotate(-90)").c_str();
    Ticks();
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) Line(chart_.lines[i], i);
  }

 private:
  static constexpr double kPlotWidth = kWidth - kLeft - kRight, kPlotHeight = kHeight - kTop - kBottom;

  double X(double x) const { return kLeft + kPlotWidth * x_.Fraction(x); }
  double Y(double y) const { return kTop + kPlotHeight * (1 - y_.Fraction(y)); }

  pugi::xml_node Words(double x, double y, const std::string& words, const char* anchor, int size) {
    pugi::xml_node text = group_.append_child("text");
    text.append_attribute("x") = x;
    text.append_attribute("y") = y;
    text.append_attribute("text-anchor") = anchor;
    text.append_attribute("font-size") = size;
    text.text().set(words.c_str());
    return text;
  }

  void Path(const std::string& points, const char* color, double width) {
    pugi::xml_node path = group_.append_child("path");
    path.append_attribute("d") = points.c_str();
    path.append_attribute("fill") = "none";
    path.append_attribute("stroke") = color;
    path.append_attribute("stroke-width") = width;
  }

  void Ticks() {
    for (double x = x_.begin; x < x_.end + x_.step / 2; x += x_.step) {
      Path(std::string("M") + Text(X(x)) + " " + Text(kTop) + "V" + Text(kTop + kPlotHeight), "#dddddd", 1);
      Words(X(x), kTop + kPlotHeight + 16, Text(std::fabs(x) < x_.step / 2 ? 0 : x), "middle", 11);
    }
    for (double y = y_.begin; y < y_.end + y_.step / 2; y += y_.step) {
      Path(std::string("M") + Text(kLeft) + " " + Text(Y(y)) + "H" + Text(kLeft + kPlotWidth), "#dddddd", 1);
      Words(kLeft - 6, Y(y) + 4, Text(std::fabs(y) < y_.step / 2 ? 0 : y), "end", 11);
    }
  }

  void Line(const ChartLine& line, std::size_t index) {
    std::ostringstream points;
    bool down = false;  // whether the pen is
    for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i) {
      const bool finite = std::isfinite(line.x[i]) && std::isfinite(line.y[i]);
      if (finite) points << (down ? "L" : "M") << Text(X(line.x[i])) << " " << Text(Y(line.y[i]));
      down = finite;
    }
    const char* color = kColors[index % std::size(kColors)];
    Path(points.str(), color, 2);
    if (line.label.empty()) return;
    Words(kLeft + 8, kTop + 14 + 14 * static_cast<double>(index), line.label, "start", 11).append_attribute("fill") =
        color;
  }

  const Chart& chart_;
  pugi::xml_node group_;
  const Scale x_, y_;
};

}  // namespace

std::string SvgDocument(const std::string& heading, const std::vector<Chart>& charts, int columns) {
  const int rows = (static_cast<int>(charts.size()) + columns - 1) / columns;
  const double width = kWidth * columns, height = kHeading + kHeight * rows;
  pugi::xml_document document;
  pugi::xml_node svg = document.append_child("svg");
  svg.append_attribute("xmlns") = "http://www.w3.org/2000/svg";
  svg.append_attribute("width") = width;
  svg.append_attribute("height") = height;
  svg.append_attribute("font-family") = "sans-serif";
  pugi::xml_node ground = svg.append_child("rect");
  ground.append_attribute("width") = width;
  ground.append_attribute("height") = height;
  ground.append_attribute("fill") = "white";
  pugi::xml_node title = svg.append_child("text");
  title.append_attribute("x") = width / 2;
  title.append_attribute("y") = 26;
  title.append_attribute("text-anchor") = "middle";
  title.append_attribute("font-size") = 18;
  title.text().set(heading.c_str());
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const int place = static_cast<int>(i);
    ChartWriter(charts[i], svg, kWidth * (place % columns), kHeading + kHeight * (place / columns)).Write();
  }
  std::ostringstream out;
  document.save(out, " ");
  return out.str();
}

}  // namespace sinew
