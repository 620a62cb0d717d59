// A height field is a grid of elevations over the rectangle |x| <= sx, |y| <= sy, cut into triangles
// (model/field_grid.h). Below each triangle stands a prism down to z = -base. The geom is tested against every prism
// under its bounding box, as convex shapes, one contact each: rows outer, columns inner, and in a cell the triangles in
// their order.
//
// A margin m acts as in MuJoCo 3.8.0, so that models that are tuned with one keep their ground: it raises the surface
// by m and inflates the geom by m / 2. Contacts exist at true distances below m and say dist = distance - 1.5 m.
// Distances (mj_geomDistance) are true ones.
//
// A pair has room for 50 contacts. Of more, 50 are kept that lie as far from each other as possible, the deepest among
// them.
#include "collision/field/height_field.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/analytic/analytic.h"
#include "collision/broad/box_test.h"
#include "collision/convex/convex_pair.h"
#include "collision/spread.h"
#include "collision/stack_list.h"
#include "core/warning.h"
#include "model/field_grid.h"
#include "model/view_of.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

// A box around a shape in the frame of a geom.
struct LocalBox {
  Vec low, high;
};

double LowestIn(const Geom<double>& frame, int k, const ConvexShape& shape) {
  const Vec axis = frame.mat.Column(k);
  return Dot(axis, shape.Support(-axis) - frame.pos) - shape.radius();
}
double HighestIn(const Geom<double>& frame, int k, const ConvexShape& shape) {
  const Vec axis = frame.mat.Column(k);
  return Dot(axis, shape.Support(axis) - frame.pos) + shape.radius();
}

LocalBox BoundsIn(const Geom<double>& frame, const ConvexShape& shape, double margin) {
  LocalBox box;
  for (int k = 0; k < 3; ++k) {
    box.low[k] = LowestIn(frame, k, shape) - margin;
    box.high[k] = HighestIn(frame, k, shape) + margin;
  }
  return box;
}

// A larger box around the bounding box of a geom: it needs no supports, and is wider by more than their rounding.
LocalBox WideBoundsIn(const Geom<double>& frame, const mjModel* m, mjData* d, int geom) {
  const OrientedBox<double> box = BoxOfGeom(m, d, geom).Load();
  const Mat3<double> axes = Transpose(frame.mat) * box.axes;
  const Vec centre = frame.ToLocal(box.origin) + axes * box.centre;
  LocalBox wide;
  for (int k = 0; k < 3; ++k) {
    const double reach = Dot(Absolute(axes.Row(k)), box.half) + kCoarse;
    wide.low[k] = centre[k] - reach;
    wide.high[k] = centre[k] + reach;
  }
  return wide;
}

class HeightField {
 public:
  HeightField(const mjModel* m, mjData* d, int geom)
      : frame_(LoadGeom(ModelView<double>(m), DataView<double>(d), geom)),
        grid_(m, m->geom_dataid[geom]),
        size_x_(grid_.size(0)),
        size_y_(grid_.size(1)),
        top_(grid_.size(2)),
        base_(grid_.size(3)) {}

  const Geom<double>& frame() const { return frame_; }

  // Whether there is a prism for ForEachPrism.
  bool Reaches(const LocalBox& box, double raise) const;

  // Calls visit(prism) for the prisms under the box that reach up to it once the surface is raised.
  template <class Visit>
  void ForEachPrism(const LocalBox& box, double raise, Visit visit) const;

 private:
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
  bool Meets(const LocalBox& box, double raise) const {  // what is no number does not
    return box.low.x <= size_x_ && box.high.x >= -size_x_ && box.low.y <= size_y_ && box.high.y >= -size_y_ &&
           box.low.z <= top_ + raise && box.high.z >= -base_;
  }
  Footprint Under(const LocalBox& box) const {
    return {{box.low.y, box.high.y, size_y_, grid_.rows()}, {box.low.x, box.high.x, size_x_, grid_.columns()}};
  }

  // Below a triangle of a cell, whose surface is raised.
  ConvexShape Prism(int row, int column, int triangle, double raise) const {
    Vec corners[6];
    for (int i = 0; i < 3; ++i) {
      const Vec top = grid_.Corner(row, column, triangle, i);
      corners[i] = frame_.ToWorld({top.x, top.y, -base_});
      corners[3 + i] = frame_.ToWorld({top.x, top.y, top.z + raise});
    }
    return ConvexShape(corners, frame_.mat);
  }

  Geom<double> frame_;
  FieldGrid grid_;
  double size_x_, size_y_, top_, base_;
};

template <class Visit>
void HeightField::ForEachPrism(const LocalBox& box, double raise, Visit visit) const {
  if (!Meets(box, raise)) return;
  const auto [row, column] = Under(box);
  const double lowest = box.low.z - raise;  // prisms that stay below it are passed over before their corners are made
  for (int r = row.first; r < row.end; ++r) {
    for (int c = column.first; c < column.end; ++c) {
      for (int k = 0; k < 2; ++k) {
        double highest = -kInfinity;
        for (const FieldCorner& at : kFieldTriangles[k]) {
          highest = std::max(highest, grid_.Height(r + at.row, c + at.column));
        }
        if (highest >= lowest) visit(Prism(r, c, k, raise));
      }
    }
  }
}

bool HeightField::Reaches(const LocalBox& box, double raise) const {
  if (!Meets(box, raise)) return false;
  const auto [row, column] = Under(box);
  const double lowest = box.low.z - raise;
  bool reaches = false;  // where it does is hard to predict: there is no branch
  for (int r = row.first; r <= row.end; ++r) {
    for (int c = column.first; c <= column.end; ++c) reaches |= grid_.Height(r, c) >= lowest;
  }
  return reaches;
}

// One contact for each prism below the box that the shape meets.
void FindInHeightField(const mjOption& option, const HeightField& field, const LocalBox& box, const ConvexShape& shape,
                       double margin, StackList<ContactPoint<double>>& points) {
  ConvexShape inflated = shape;
  inflated.Grow(0.5 * margin);
  field.ForEachPrism(box, margin, [&](const ConvexShape& prism) {
    ConvexContact found;
    if (FindConvexContact(option, prism, inflated, 0, found)) points.Add(found.point);
  });
}

}  // namespace

SINEW_DISPATCH int HeightFieldConvex(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const HeightField field(m, d, g1);
  if (!field.Reaches(WideBoundsIn(field.frame(), m, d, g2), margin)) return 0;  // of most geoms, no more is asked
  HullCache hulls(m);
  StackFrame frame(d, WhenFull::kReport);
  StackList<ContactPoint<double>> points(frame);
  const ConvexShape shape(m, d, g2, hulls);
  FindInHeightField(m->opt, field, BoundsIn(field.frame(), shape, 0), shape, margin, points);
  if (points.size() > mjMAXCONPAIR) KeepSpread(points, frame, mjMAXCONPAIR);
  if (frame.full()) RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
  for (int i = 0; i < points.size(); ++i) WriteContactPoint(points[i], Zero3<double>(), con[i]);
  return points.size();
}

// Prisms are searched below the corners of the element, without its radius, as in MuJoCo 3.8.0: one that touches a
// prism with its rounding alone does not meet it.
void HeightFieldElement(const mjModel* m, mjData* d, int geom, const ConvexShape& element, double margin,
                        StackList<ContactPoint<double>>& points) {
  const HeightField field(m, d, geom);
  FindInHeightField(m->opt, field, BoundsIn(field.frame(), element, -element.radius()), element, margin, points);
}

bool NearestInHeightField(const mjModel* m, mjData* d, int g1, int g2, double limit, ContactPoint<double>& nearest) {
  const HeightField field(m, d, g1);
  HullCache hulls(m);
  const ConvexShape shape(m, d, g2, hulls);
  nearest.dist = limit;
  field.ForEachPrism(BoundsIn(field.frame(), shape, limit), 0, [&](const ConvexShape& prism) {
    ConvexContact found;
    if (FindNearest(m->opt, prism, shape, nearest.dist, found)) nearest = found.point;
  });
  return nearest.dist < limit;
}

}  // namespace sinew
