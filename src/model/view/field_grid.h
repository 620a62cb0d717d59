// The surface of a height field as triangles: the one statement of it, which contacts, rays and pictures share.
//
// Elevations stand on a grid over |x| <= size[0], |y| <= size[1] of the geom's frame: columns along x, rows along y,
// the first of each on the negative side. Each cell is cut by the diagonal from its corner (row, column) to (row + 1,
// column + 1).
#ifndef SINEW_MODEL_VIEW_FIELD_GRID_H_
#define SINEW_MODEL_VIEW_FIELD_GRID_H_

#include <mujoco/mujoco.h>

#include <cstddef>

#include "math/vec3.h"

namespace sinew::inline model {

// A corner of a cell: rows and columns beyond those of the cell.
struct FieldCorner {
  int row, column;
};

// The two triangles of a cell, counter-clockwise seen from above; that on the side of larger y comes first.
inline constexpr FieldCorner kFieldTriangles[2][3] = {{{1, 0}, {0, 0}, {1, 1}}, {{0, 0}, {0, 1}, {1, 1}}};

// Points of a field's grid [m], in the frame of its geom.
class FieldGrid {
 public:
  FieldGrid(const mjModel* m, int field)
      : rows_(m->hfield_nrow[field]),
        columns_(m->hfield_ncol[field]),
        size_(m->hfield_size + 4 * static_cast<ptrdiff_t>(field)),
        elevation_(m->hfield_data + m->hfield_adr[field]) {}

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  double size(int k) const { return size_[k]; }  // half sizes along x and y, height of elevation 1, depth of the base
  float elevation(int row, int column) const { return elevation_[row * columns_ + column]; }

  double X(int column) const { return (2.0 * column / (columns_ - 1) - 1) * size_[0]; }
  double Y(int row) const { return (2.0 * row / (rows_ - 1) - 1) * size_[1]; }
  double Height(int row, int column) const { return size_[2] * static_cast<double>(elevation(row, column)); }
  Vec3<double> Corner(int row, int column) const { return {X(column), Y(row), Height(row, column)}; }

  // A corner of one of the two triangles of a cell.
  Vec3<double> Corner(int row, int column, int triangle, int corner) const {
    const FieldCorner& at = kFieldTriangles[triangle][corner];
    return Corner(row + at.row, column + at.column);
  }

 private:
  int rows_, columns_;
  const mjtNum* size_;
  const float* elevation_;
};

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_VIEW_FIELD_GRID_H_
