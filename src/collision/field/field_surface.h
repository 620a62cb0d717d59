// The surface of a height field, as contacts see it: the triangles of its grid (model/view/field_grid.h), below each of
// which stands a prism down to z = -base.
#ifndef SINEW_COLLISION_FIELD_FIELD_SURFACE_H_
#define SINEW_COLLISION_FIELD_FIELD_SURFACE_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>

#include "collision/convex/convex_shape.h"
#include "collision/geom.h"
#include "model/view/field_grid.h"

namespace sinew::inline collision {

// A box around a shape in the frame of a geom.
struct LocalBox {
  Vec3<double> low, high;
};

// One of the two triangles of a cell, in the frame of the field.
struct FieldTriangle {
  Vec3<double> corner[3];  // counterclockwise, seen from above
  int row, column;         // of its cell

  Vec3<double> Normal() const { return Normalized(Cross(corner[1] - corner[0], corner[2] - corner[0])); }
};

class HeightField {
 public:
  HeightField(const mjModel* m, mjData* d, int geom);

  const PlacedGeom<double>& frame() const { return frame_; }

  // Whether there is a prism for ForEachTriangle.
  bool Reaches(const LocalBox& box) const;

  // Calls visit(triangle) for the triangles over the box that reach up to it: rows outer, columns inner, and in a cell
  // the one on the side of larger y first.
  template <class Visit>
  void ForEachTriangle(const LocalBox& box, Visit visit) const;

  ConvexShape PrismBelow(const FieldTriangle& triangle) const;

  // Whether a point is over or below the grid, and how high the surface is there.
  bool IsOver(const Vec3<double>& p) const { return std::fabs(p.x) <= size_x_ && std::fabs(p.y) <= size_y_; }
  double HeightAt(double x, double y) const;

  // How far a point of the world is above the base, and the sum of the field's sizes.
  double AboveBase(const Vec3<double>& p) const { return Dot(frame_.Axis(), p - frame_.pos) + base_; }
  double Size() const { return size_x_ + size_y_ + top_ + base_; }

  // Whether a body whose centre is at c leaves the ground upwards: it is not beside the field, nor below its base.
  bool LeavesUpwards(const Vec3<double>& c) const { return IsOver(c) && (c.z >= -base_ || c.z >= HeightAt(c.x, c.y)); }

  // The point of the surface that is nearest to one over or below the grid.
  Vec3<double> NearestOnSurface(const Vec3<double>& c, FieldTriangle& of) const;

  // Whether the normal n at a point q of a triangle is one of the whole surface there: seen along n, the corners of all
  // triangles that meet at q are not above it. With `from_below`, not below it: q is the nearest point of the surface
  // from inside the ground. Beyond its border, the surface goes on as it is there.
  bool IsNormalAt(const FieldTriangle& triangle, const Vec3<double>& q, const Vec3<double>& n, bool from_below,
                  double tolerance) const;

  // The same for the contact of a prism and a body with its centre at c, from the prism to the body: walls between
  // prisms are no part of the surface. Outer walls and the base are, for bodies beside or below.
  bool IsContact(const FieldTriangle& triangle, const ContactPoint<double>& contact, const Vec3<double>& c,
                 double tolerance) const;

 private:
  double Height(int row, int column) const { return grid_.Height(row, column); }
  // One of the two triangles of a cell, by its number in kFieldTriangles.
  FieldTriangle TriangleOf(int row, int column, int k) const {
    return {{grid_.Corner(row, column, k, 0), grid_.Corner(row, column, k, 1), grid_.Corner(row, column, k, 2)},
            row,
            column};
  }

  // Cells under an interval along one axis: the first one, and the one behind the last.
  struct Cells {
    int first, end;
    Cells(double low, double high, double size, int points) {
      const double scale = (points - 1) / (2 * size), last = points - 1;
      first = static_cast<int>(std::clamp(std::floor((low + size) * scale), 0.0, last));
      end = static_cast<int>(std::clamp(std::ceil((high + size) * scale), 0.0, last));
    }
  };
  // Those under a box that meets the whole; rows, and columns.
  struct Footprint {
    Cells row, column;
  };
  bool Meets(const LocalBox& box) const {  // false for NaN
    return box.low.x <= size_x_ && box.high.x >= -size_x_ && box.low.y <= size_y_ && box.high.y >= -size_y_ &&
           box.low.z <= top_ && box.high.z >= -base_;
  }
  Footprint Under(const LocalBox& box) const {
    return {{box.low.y, box.high.y, size_y_, grid_.rows()}, {box.low.x, box.high.x, size_x_, grid_.columns()}};
  }
  bool IsOnBorder(const Vec3<double>& a, const Vec3<double>& b) const;

  PlacedGeom<double> frame_;
  FieldGrid grid_;
  double size_x_, size_y_, top_, base_;
};

template <class Visit>
void HeightField::ForEachTriangle(const LocalBox& box, Visit visit) const {
  if (!Meets(box)) return;
  const auto [row, column] = Under(box);
  for (int r = row.first; r < row.end; ++r) {
    for (int c = column.first; c < column.end; ++c) {
      for (int k = 0; k < 2; ++k) {
        double highest = Height(r, c);  // a corner of both triangles
        for (const FieldCorner& at : kFieldTriangles[k]) highest = std::max(highest, Height(r + at.row, c + at.column));
        if (highest >= box.low.z) visit(TriangleOf(r, c, k));
      }
    }
  }
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FIELD_FIELD_SURFACE_H_
