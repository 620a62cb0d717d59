#include "collision/convex/normal_cones.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

// By so much cones and cells are larger than they are: more than projections in double precision are rounded by, of
// the largest coordinate, and more than quotients in single precision.
constexpr double kSlack = 1e-12, kBorder = 1e-5;

double LargestCoordinate(const Hull& hull) {
  double largest = 0;
  for (int i = 0; i < hull.Count(); ++i) {
    const Vec v = hull.Vertex(i);
    largest = std::max({largest, std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
  }
  return largest;
}

}  // namespace

NormalCones::NormalCones(const Hull& hull, int cells)
    : hull_(hull), cells_(cells), slack_(kSlack * LargestCoordinate(hull)) {}

void NormalCones::AppendCells(int vertex, std::vector<int>& cells) {
  for (int face = 0; face < 6; ++face) {
    CutFace(face, vertex);
    if (!polygon_.empty()) AppendRows(face, cells);
  }
}

// What the bounds by all neighbours leave of a face of the cube. Directions there are
//   u = sign * axis + row * (next axis) + column * (the one after).
void NormalCones::CutFace(int face, int vertex) {
  constexpr double kEnd = 1 + kBorder;
  polygon_ = {{-kEnd, -kEnd}, {kEnd, -kEnd}, {kEnd, kEnd}, {-kEnd, kEnd}};
  const int axis = face / 2, sign = face % 2 ? 1 : -1;
  const Vec at = hull_.Vertex(vertex);
  for (HullNeighbours next(hull_, vertex); !next.AtEnd() && !polygon_.empty(); next.Advance()) {
    const Vec from = at - hull_.Vertex(next.Get());
    CutBy({sign * from[axis] + slack_, from[(axis + 1) % 3], from[(axis + 2) % 3]});
  }
}

void NormalCones::CutBy(const Bound& bound) {
  cut_.clear();
  for (size_t i = 0; i < polygon_.size(); ++i) {
    const Point &p = polygon_[i], &q = polygon_[i + 1 < polygon_.size() ? i + 1 : 0];
    const double at_p = bound.At(p), at_q = bound.At(q);
    if (at_p >= 0) cut_.push_back(p);
    if ((at_p >= 0) == (at_q >= 0)) continue;
    const double t = at_p / (at_p - at_q);
    cut_.push_back({p.row + t * (q.row - p.row), p.column + t * (q.column - p.column)});
  }
  std::swap(polygon_, cut_);
}

int NormalCones::CellAt(double quotient) const {
  return std::clamp(static_cast<int>(std::floor((quotient + 1) * 0.5 * cells_)), 0, cells_ - 1);
}

void NormalCones::AppendRows(int face, std::vector<int>& cells) const {
  const auto [least, most] = std::minmax_element(polygon_.begin(), polygon_.end(),
                                                 [](const Point& a, const Point& b) { return a.row < b.row; });
  const int last = CellAt(most->row + kBorder);
  for (int row = CellAt(least->row - kBorder); row <= last; ++row) {
    const double low = 2.0 * row / cells_ - 1, high = 2.0 * (row + 1) / cells_ - 1;
    double from, to;
    if (!ColumnsInRow(low - kBorder, high + kBorder, from, to)) continue;
    const int end = CellAt(to + kBorder);
    for (int column = CellAt(from - kBorder); column <= end; ++column) {
      cells.push_back((face * cells_ + row) * cells_ + column);
    }
  }
}

// The range of columns of the polygon's part between two rows: that of its edges there.
bool NormalCones::ColumnsInRow(double low, double high, double& from, double& to) const {
  bool any = false;
  for (size_t i = 0; i < polygon_.size(); ++i) {
    const Point &p = polygon_[i], &q = polygon_[i + 1 < polygon_.size() ? i + 1 : 0];
    if (std::max(p.row, q.row) < low || std::min(p.row, q.row) > high) continue;
    const double length = q.row - p.row;
    for (const double end : {low, high}) {
      const double t = length == 0 ? (end == low ? 0 : 1) : std::clamp((end - p.row) / length, 0.0, 1.0);
      const double column = p.column + t * (q.column - p.column);
      from = any ? std::min(from, column) : column;
      to = any ? std::max(to, column) : column;
      any = true;
    }
  }
  return any;
}

}  // namespace sinew::inline collision
