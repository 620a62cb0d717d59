// Line charts side by side, as an SVG document.
#ifndef SINEW_APPS_SVG_CHART_H_
#define SINEW_APPS_SVG_CHART_H_

#include <string>
#include <vector>

namespace sinew {

struct ChartLine {
  std::string label;
  std::vector<double> x, y;
};

struct Chart {
  std::string title, x_label, y_label;
  std::vector<ChartLine> lines;
};

// Charts in rows of `columns`, below a heading. Axes begin and end at round numbers around the data.
std::string SvgDocument(const std::string& heading, const std::vector<Chart>& charts, int columns);

}  // namespace sinew

#endif  // SINEW_APPS_SVG_CHART_H_
