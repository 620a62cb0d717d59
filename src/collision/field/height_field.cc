// A geom meets the surface of a height field. It is tested against the prism below every triangle under its bounding
// box, as convex shapes, one contact each. A prism has walls where the ground goes on: only what is a contact with the
// whole surface counts, with a normal that the triangles around it permit. Where the way out of a prism leads through a
// wall, the contact is that with the prism's triangle: at the lowest point of the geom over it. A feature that lies
// flat on a triangle (a face, a cap, an edge or the line along a side) has up to four contacts with it.
//
// A sphere meets the surface at points that are nearest to its centre among those around them. From below, these are
// the ways out of the ground, as far as the sphere's radius, or the nearest one of all.
//
// A geom that meets prisms and has no contact with the surface, as deep in a narrow valley, is moved along the line
// from its centre to the nearest point of the surface.
//
// A pair has room for 50 contacts. Of more, 50 are kept that lie as far from each other as possible, the deepest among
// them.
#include "collision/field/height_field.h"

#include <algorithm>
#include <cmath>

#include "collision/analytic/analytic.h"
#include "collision/broad/box_test.h"
#include "collision/convex/convex_pair.h"
#include "collision/convex/flat_sides.h"
#include "collision/convex/lowest_point.h"
#include "collision/field/field_surface.h"
#include "collision/spread.h"
#include "collision/stack_list.h"
#include "core/warning.h"
#include "math/triangle.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

double LowestIn(const PlacedGeom<double>& frame, int k, const ConvexShape& shape) {
  const Vec axis = frame.mat.Column(k);
  return Dot(axis, shape.Support(-axis) - frame.pos) - shape.radius();
}
double HighestIn(const PlacedGeom<double>& frame, int k, const ConvexShape& shape) {
  const Vec axis = frame.mat.Column(k);
  return Dot(axis, shape.Support(axis) - frame.pos) + shape.radius();
}

LocalBox BoundsIn(const PlacedGeom<double>& frame, const ConvexShape& shape, double margin) {
  LocalBox box;
  for (int k = 0; k < 3; ++k) {
    box.low[k] = LowestIn(frame, k, shape) - margin;
    box.high[k] = HighestIn(frame, k, shape) + margin;
  }
  return box;
}

// A larger box around the bounding box of a geom: it needs no supports, and is wider by more than their rounding.
LocalBox WideBoundsIn(const PlacedGeom<double>& frame, const mjModel* m, mjData* d, int geom, double margin) {
  const OrientedBox<double> box = BoxOfGeom(m, d, geom).Load();
  const Mat3<double> axes = Transpose(frame.mat) * box.axes;
  const Vec centre = frame.ToLocal(box.origin) + axes * box.centre;
  LocalBox wide;
  for (int k = 0; k < 3; ++k) {
    const double reach = Dot(Absolute(axes.Row(k)), box.half) + kCoarse + margin;
    wide.low[k] = centre[k] - reach;
    wide.high[k] = centre[k] + reach;
  }
  return wide;
}

// ---- spheres

constexpr double kAtSurface = 1e-12;  // of the radius: nearer to the surface, the normal is that of the triangle
constexpr double kSlope = 1e-6;       // of normals, which are known to rounding

// Contacts of a sphere whose centre c, in the frame of the field, is over or below the grid.
void FindOfSphere(const HeightField& field, const Vec& c, double radius, double margin,
                  StackList<ContactPoint<double>>& points) {
  const double depth = field.HeightAt(c.x, c.y) - c.z, reach = std::max(radius + margin, depth);
  const bool below = depth > 0;
  const Vec around = {reach, reach, reach};
  const int first = points.size();
  double nearest = kInfinity;
  field.ForEachTriangle({c - around, c + around}, [&](const FieldTriangle& t) {
    const auto found = NearestOnTriangle(t.corner[0] - c, t.corner[1] - c, t.corner[2] - c);
    const double distance = std::sqrt(found.distance2);
    if (below ? distance > reach : distance - radius > margin) return;
    const Vec q = c + found.point;
    const Vec n = distance > kAtSurface * radius ? found.point * ((below ? 1 : -1) / distance) : t.Normal();
    if (!field.IsNormalAt(t, q, n, below, kSlope)) return;
    const PlacedGeom<double>& frame = field.frame();
    nearest = std::min(nearest, distance);
    points.Add({(below ? -distance : distance) - radius, frame.ToWorld((q + c - n * radius) * 0.5), frame.mat * n});
  });
  if (!below) return;
  const double farthest = std::max(radius, nearest * (1 + kSlope));
  int kept = first;
  for (int i = first; i < points.size(); ++i) {
    if (-points[i].dist - radius <= farthest) points[kept++] = points[i];
  }
  points.Truncate(kept);
}

// ---- other shapes

// Normals that come from a search are known to that angle; up to it, that of a triangle is taken, which is exact.
constexpr double kSearchedSlope = 1e-3, kFaceCosine = 1 - 5e-7;

// A query to a field: the shape, its geom (-1 for elements of flexes), and the margin.
struct Query {
  const mjModel* m;
  int geom;
  const ConvexShape& shape;
  double margin;
};

// The plane of a triangle in the world, and contacts with it.
struct TrianglePatch {
  Vec up, corner[3];

  TrianglePatch(const PlacedGeom<double>& frame, const FieldTriangle& t)
      : up(frame.mat * t.Normal()),
        corner{frame.ToWorld(t.corner[0]), frame.ToWorld(t.corner[1]), frame.ToWorld(t.corner[2])} {}

  double HeightOf(const Vec& p) const { return Dot(up, p - corner[0]); }
  Vec LowestOf(const ConvexShape& shape) const { return shape.Support(-up) - up * shape.radius(); }
  ContactPoint<double> ContactAt(const Vec& p) const {
    const double dist = HeightOf(p);
    return {dist, p - up * (0.5 * dist), up};
  }
  // Whether a point, seen along the normal, is in the triangle.
  bool IsBelow(const Vec& p) const {
    constexpr double kRounding = 1e-9;
    const auto is_inner = [&](int i) { return PastSide(i, p) >= -kRounding * SquareOfSide(i); };
    return is_inner(0) && is_inner(1) && is_inner(2);
  }
  // The side that a point is farthest outside of, or least inside.
  int OutermostSide(const Vec& p) const {
    int outermost = 0;
    for (int i = 1; i < 3; ++i) outermost = Inside(i, p) < Inside(outermost, p) ? i : outermost;
    return outermost;
  }
  // How far inside of a side a point is, seen along the normal.
  double Inside(int i, const Vec& p) const { return PastSide(i, p) / std::sqrt(SquareOfSide(i)); }
  // The direction across a side and across another one, outwards.
  Vec Outwards(int i, const Vec& across) const { return Normalized(Cross(Side(i), across)); }
  // Whether it is there by more than a distance from all sides.
  bool IsBelowBy(const Vec& p, double distance) const {
    const auto is_inner = [&](int i) {
      const double past = PastSide(i, p);
      return past > 0 && past * past > distance * distance * SquareOfSide(i);
    };
    return is_inner(0) && is_inner(1) && is_inner(2);
  }

 private:
  Vec Side(int i) const { return corner[(i + 1) % 3] - corner[i]; }
  double SquareOfSide(int i) const { return Dot(Side(i), Side(i)); }
  // How far inside of a side a point is, times the side's length.
  double PastSide(int i, const Vec& p) const { return Dot(Cross(Side(i), p - corner[i]), up); }
};

// Whether a plane through the side of a triangle that a shape's lowest point p is outside of has the shape above it,
// and the prism below: one that is inclined to the triangle by twice as much as p asks for, or the wall under the side.
bool IsBeyondSide(const HeightField& field, const TrianglePatch& patch, const Query& query, const Vec& lowest,
                  double sure) {
  const int side = patch.OutermostSide(lowest);
  const double outside = -patch.Inside(side, lowest), clear = query.margin + sure;
  if (!(outside > 0)) return false;
  const auto is_above = [&](const Vec& u) {
    const Vec p = query.shape.Support(-u) - u * query.shape.radius();
    return Dot(u, p - patch.corner[side]) > clear;
  };
  const Vec z = field.frame().Axis();
  const Vec inclined = patch.up + patch.Outwards(side, patch.up) * (2 * (clear - patch.HeightOf(lowest)) / outside);
  return (Dot(z, inclined) > 0 && is_above(Normalized(inclined))) || is_above(patch.Outwards(side, z));
}

// What the lowest point p of a shape over a triangle tells of the shape and the prism below, before any search. They
// are apart where p is over the triangle's plane, or another plane is between them. Where p is at the depth t below the
// triangle, by r inside of its sides, and the prism goes on for H below p, the depth is t, along the normal: along any
// other unit vector u, at an angle a to the normal, the prism has a point of the disc around p's projection, and the
// one under p, that make the overlap
//
//   h(u) >= t cos a + r sin a >= t  for tan(a/2) <= r/t,   h(u) >= -H z . u - t,
//
// z up in the field. With r >= 3 t, slopes of 37 degrees at most and H >= 8 t, one of both holds for each u.
enum class FromLowest { kApart, kAlongNormal, kUnknown };

FromLowest AskLowest(const HeightField& field, const TrianglePatch& patch, const Query& query, const Vec& lowest) {
  constexpr double kUpright = 0.8;
  const mjOption& option = query.m->opt;
  if (option.disableflags & mjDSBL_NATIVECCD) return FromLowest::kUnknown;
  const double depth = query.margin - patch.HeightOf(lowest);
  const double sure = SureDistance(option, field.Size());
  if (depth < -sure) return FromLowest::kApart;
  const bool is_along = depth > sure && Dot(patch.up, field.frame().Axis()) > kUpright &&
                        field.AboveBase(lowest) > kBelowOfDepth * depth &&
                        patch.IsBelowBy(lowest, kSpreadOfDepth * depth);
  if (is_along) return FromLowest::kAlongNormal;
  return IsBeyondSide(field, patch, query, lowest, sure) ? FromLowest::kApart : FromLowest::kUnknown;
}

// Appends the contacts of a flat side over a triangle, but for those that a neighbour has; returns whether there is
// one.
bool AddOfFlatSide(const TrianglePatch& patch, const Query& query, int first, StackList<ContactPoint<double>>& points) {
  if (query.geom < 0 || query.m->opt.disableflags & mjDSBL_MULTICCD) return false;
  constexpr double kSame = 1e-9;  // of the geom
  const double same = kSame * query.m->geom_rbound[query.geom];
  Vec side[4];
  const int count = FindFlatSideOver(query.m, query.geom, query.shape, patch.up, patch.corner, side);
  bool any = false;
  for (int i = 0; i < count; ++i) {
    const ContactPoint<double> point = patch.ContactAt(side[i]);
    if (!(point.dist < query.margin)) continue;
    any = true;
    const auto is_same = [&](const ContactPoint<double>& other) {
      return Norm(other.pos - point.pos) <= same && Norm(other.normal - point.normal) <= kSame;
    };
    if (std::none_of(points.begin() + first, points.end(), is_same)) points.Add(point);
  }
  return any;
}

// The contact with a triangle alone, at the lowest point of the shape where that is over the triangle.
bool FindOnTriangle(const TrianglePatch& patch, const Query& query, const Vec& lowest, ContactPoint<double>& out) {
  out = patch.ContactAt(lowest);
  return out.dist < query.margin && patch.IsBelow(lowest);
}

// The contact on the line from the centre of the shape to the nearest point of the surface.
bool FindFromCentre(const HeightField& field, const Query& query, ContactPoint<double>& out) {
  const PlacedGeom<double>& frame = field.frame();
  const Vec c = frame.ToLocal(query.shape.Centre());
  FieldTriangle triangle;
  const Vec q = field.NearestOnSurface(c, triangle), out_of_ground = c.z < field.HeightAt(c.x, c.y) ? q - c : c - q;
  const double distance = Norm(out_of_ground);
  const Vec n = frame.mat * (distance > kMinVal ? out_of_ground * (1 / distance) : triangle.Normal());
  const Vec lowest = query.shape.Support(-n) - n * query.shape.radius();
  const double dist = Dot(n, lowest - frame.ToWorld(q));
  out = {dist, lowest - n * (0.5 * dist), n};
  return dist < query.margin;
}

// Whether a contact is known to rounding: those of polytopes are, and of capsules whose axis is outside.
bool IsExact(const ConvexShape& shape, const ConvexContact& contact) {
  return shape.IsPolytope() || (shape.radius() > 0 && !contact.has_face);
}

// The contacts of a shape whose centre is at c, in the frame of the field, with the triangles of a field.
class ShapeOverField {
 public:
  ShapeOverField(const HeightField& field, const Query& query, const Vec& c, StackList<ContactPoint<double>>& points)
      : field_(field),
        query_(query),
        c_(c),
        upwards_(field.LeavesUpwards(c)),
        beside_(!field.IsOver(c)),
        first_(points.size()),
        points_(points) {}

  void Collide(const FieldTriangle& t) {
    const TrianglePatch patch(field_.frame(), t);
    const Vec lowest = patch.LowestOf(query_.shape);
    const FromLowest known = AskLowest(field_, patch, query_, lowest);
    if (known == FromLowest::kApart) return;
    ConvexContact found;
    bool is_along = known == FromLowest::kAlongNormal;
    if (!is_along) {
      if (!FindConvexContact(query_.m->opt, field_.PrismBelow(t), query_.shape, query_.margin, found)) return;
      is_along = Dot(found.point.normal, patch.up) > kFaceCosine;
    }
    meets_ = true;
    if (!is_along && field_.IsContact(t, found.point, c_, IsExact(query_.shape, found) ? kSlope : kSearchedSlope)) {
      points_.Add(found.point);
    } else if (is_along || upwards_ || beside_) {
      if (AddOfFlatSide(patch, query_, first_, points_)) return;
      ContactPoint<double> at_lowest;
      if (FindOnTriangle(patch, query_, lowest, at_lowest)) {
        points_.Add(at_lowest);
      } else if (is_along && field_.IsContact(t, found.point, c_, kSlope)) {
        points_.Add(found.point);
      }
    }
  }
  // A shape that meets prisms and not the surface.
  void CollideWithNearest() {
    ContactPoint<double> point;
    if (meets_ && points_.size() == first_ && upwards_ && FindFromCentre(field_, query_, point)) points_.Add(point);
  }

 private:
  const HeightField& field_;
  const Query& query_;
  const Vec c_;
  const bool upwards_, beside_;
  const int first_;
  StackList<ContactPoint<double>>& points_;
  bool meets_ = false;
};

void FindOfShape(const HeightField& field, const LocalBox& box, const Query& query,
                 StackList<ContactPoint<double>>& points) {
  ShapeOverField shape(field, query, field.frame().ToLocal(query.shape.Centre()), points);
  field.ForEachTriangle(box, [&shape](const FieldTriangle& t) { shape.Collide(t); });
  shape.CollideWithNearest();
}

void FindInHeightField(const HeightField& field, const LocalBox& box, const Query& query,
                       StackList<ContactPoint<double>>& points) {
  const Vec c = field.frame().ToLocal(query.shape.Centre());
  if (query.shape.type() == mjGEOM_SPHERE && field.LeavesUpwards(c)) {
    FindOfSphere(field, c, query.shape.radius(), query.margin, points);
  } else {
    FindOfShape(field, box, query, points);
  }
}

}  // namespace

SINEW_DISPATCH int HeightFieldConvex(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const HeightField field(m, d, g1);
  // of most geoms, no more is asked
  if (!field.Reaches(WideBoundsIn(field.frame(), m, d, g2, std::max(margin, 0.0)))) return 0;
  StackFrame frame(d, WhenFull::kReport);
  StackList<ContactPoint<double>> points(frame);
  const ConvexShape shape(m, d, g2);
  FindInHeightField(field, BoundsIn(field.frame(), shape, margin), {m, g2, shape, margin}, points);
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
  FindInHeightField(field, BoundsIn(field.frame(), element, margin - element.radius()), {m, -1, element, margin},
                    points);
}

bool NearestInHeightField(const mjModel* m, mjData* d, int g1, int g2, double limit, ContactPoint<double>& nearest) {
  const HeightField field(m, d, g1);
  const ConvexShape shape(m, d, g2);
  nearest.dist = limit;
  field.ForEachTriangle(BoundsIn(field.frame(), shape, limit), [&](const FieldTriangle& t) {
    ConvexContact found;
    if (FindNearest(m->opt, field.PrismBelow(t), shape, nearest.dist, found)) nearest = found.point;
  });
  if (nearest.dist >= 0) return nearest.dist < limit;

  // they overlap: as deep as in the surface
  StackFrame frame(d, WhenFull::kReport);
  StackList<ContactPoint<double>> points(frame);
  FindInHeightField(field, BoundsIn(field.frame(), shape, 0), {m, g2, shape, 0}, points);
  if (points.size() > 0) nearest = points[0];
  for (const ContactPoint<double>& point : points) {
    if (point.dist < nearest.dist) nearest = point;
  }
  return nearest.dist < limit;
}

}  // namespace sinew::inline collision
