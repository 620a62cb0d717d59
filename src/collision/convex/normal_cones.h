// The cells of a cube map of directions (collision/convex/hull_lists_kernel.h) that the normal cones of a hull's
// vertices meet.
#ifndef SINEW_COLLISION_CONVEX_NORMAL_CONES_H_
#define SINEW_COLLISION_CONVEX_NORMAL_CONES_H_

#include <vector>

#include "collision/convex/hull.h"

namespace sinew::inline collision {

// On a face of the cube, directions are points of a square. The cone of a vertex cuts a polygon out of it, and the
// polygon meets cells, row by row.
class NormalCones {
 public:
  NormalCones(const Hull& hull, int cells);

  // Appends the number of each cell that the cone of a vertex meets, once.
  void AppendCells(int vertex, std::vector<int>& cells);

 private:
  struct Point {
    double row, column;  // quotients of coordinates, from -1 to 1
  };
  // A half plane of directions: constant + row * by_row + column * by_column >= 0.
  struct Bound {
    double constant, by_row, by_column;
    double At(const Point& p) const { return constant + by_row * p.row + by_column * p.column; }
  };

  void CutFace(int face, int vertex);
  void CutBy(const Bound& bound);
  void AppendRows(int face, std::vector<int>& cells) const;
  bool ColumnsInRow(double low, double high, double& from, double& to) const;
  int CellAt(double quotient) const;

  const Hull& hull_;
  int cells_;
  double slack_;  // [m]: by so much may another vertex be farther
  std::vector<Point> polygon_, cut_;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_NORMAL_CONES_H_
