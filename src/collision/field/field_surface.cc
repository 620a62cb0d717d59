// The nearest point of the surface, and its normals: a triangle gives candidates, which its neighbours confirm.
#include "collision/field/field_surface.h"

#include "math/triangle.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr double kOnFeature = 1e-9;  // of a cell: up to there, a point is on the side of a triangle
constexpr double kOnSurface = 1e-6;  // of the field: how far the point of a contact may be off the surface

// Whether a point is in a triangle, seen from above; `beyond` returns which sides it is on.
bool HasBelow(const FieldTriangle& t, const Vec& p, bool (&on_side)[3]) {
  const auto area = [](const Vec& a, const Vec& b, const Vec& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  };
  const double whole = area(t.corner[0], t.corner[1], t.corner[2]);
  bool inside = true;
  for (int i = 0; i < 3; ++i) {
    const double part = area(t.corner[i], t.corner[(i + 1) % 3], p);
    inside = inside && part >= -kOnFeature * whole;
    on_side[i] = part <= kOnFeature * whole;
  }
  return inside;
}

}  // namespace

HeightField::HeightField(const mjModel* m, mjData* d, int geom)
    : frame_(LoadGeom(ModelView<double>(m), DataView<double>(d), geom)),
      grid_(m, m->geom_dataid[geom]),
      size_x_(grid_.size(0)),
      size_y_(grid_.size(1)),
      top_(grid_.size(2)),
      base_(grid_.size(3)) {}

bool HeightField::Reaches(const LocalBox& box) const {
  if (!Meets(box)) return false;
  const auto [row, column] = Under(box);
  bool reaches = false;  // where it does is hard to predict: there is no branch
  for (int r = row.first; r <= row.end; ++r) {
    for (int c = column.first; c <= column.end; ++c) reaches |= Height(r, c) >= box.low.z;
  }
  return reaches;
}

// Corners are in the order in which support functions search them.
ConvexShape HeightField::PrismBelow(const FieldTriangle& triangle) const {
  const bool is_lower = triangle.corner[1].y == triangle.corner[0].y;
  const int order[3] = {0, is_lower ? 2 : 1, is_lower ? 1 : 2};
  Vec corners[6];
  for (int i = 0; i < 3; ++i) {
    const Vec& top = triangle.corner[order[i]];
    corners[i] = frame_.ToWorld({top.x, top.y, -base_});
    corners[3 + i] = frame_.ToWorld(top);
  }
  return ConvexShape(corners, frame_.mat);
}

double HeightField::HeightAt(double x, double y) const {
  const auto place = [](double at, double size, int points) {
    return std::clamp((at + size) * (points - 1) / (2 * size), 0.0, points - 1.0);
  };
  const double u = place(x, size_x_, grid_.columns()), v = place(y, size_y_, grid_.rows());
  const int c = std::min(static_cast<int>(u), grid_.columns() - 2), r = std::min(static_cast<int>(v), grid_.rows() - 2);
  const double s = u - c, t = v - r;
  const double near = Height(r, c), far = Height(r + 1, c + 1), beside = t > s ? Height(r + 1, c) : Height(r, c + 1);
  return t > s ? near + t * (beside - near) + s * (far - beside) : near + s * (beside - near) + t * (far - beside);
}

Vec HeightField::NearestOnSurface(const Vec& c, FieldTriangle& of) const {
  const double reach = std::fabs(c.z - HeightAt(c.x, c.y));  // straight above or below
  const Vec around = {reach, reach, reach};
  const Footprint cells = Under({c - around, c + around});
  Vec nearest = Zero3<double>();
  double least = kInfinity;
  const auto compare = [&](const FieldTriangle& t) {
    const auto found = NearestOnTriangle(t.corner[0] - c, t.corner[1] - c, t.corner[2] - c);
    if (found.distance2 >= least) return;
    least = found.distance2;
    nearest = c + found.point;
    of = t;
  };
  for (int row = cells.row.first; row < std::max(cells.row.end, cells.row.first + 1); ++row) {
    for (int column = cells.column.first; column < std::max(cells.column.end, cells.column.first + 1); ++column) {
      if (row > grid_.rows() - 2 || column > grid_.columns() - 2) continue;
      compare(TriangleOf(row, column, 0));
      compare(TriangleOf(row, column, 1));
    }
  }
  return nearest;
}

bool HeightField::IsOnBorder(const Vec& a, const Vec& b) const {
  const auto at = [](double one, double other, double size) { return one == other && std::fabs(one) >= size; };
  return at(a.x, b.x, size_x_ * (1 - 1e-12)) || at(a.y, b.y, size_y_ * (1 - 1e-12));
}

bool HeightField::IsNormalAt(const FieldTriangle& triangle, const Vec& q, const Vec& n, bool from_below,
                             double tolerance) const {
  const double sign = from_below ? -1 : 1, nearby = kOnFeature * Size();  // q itself may be a corner, but for rounding
  Vec up = Zero3<double>();
  const auto permits = [&](const Vec& v) { return sign * Dot(n, v - q) <= tolerance * (Norm(v - q) + nearby); };
  const auto agrees = [&](const FieldTriangle& t) {
    bool on_side[3];
    if (!HasBelow(t, q, on_side)) return true;
    up += t.Normal();
    for (int i = 0; i < 3; ++i) {
      const Vec &a = t.corner[i], &b = t.corner[(i + 1) % 3], &c = t.corner[(i + 2) % 3];
      if (!permits(a)) return false;
      if (on_side[i] && IsOnBorder(a, b) && !permits(a + b - c)) return false;
    }
    return true;
  };
  for (int r = std::max(triangle.row - 1, 0); r <= std::min(triangle.row + 1, grid_.rows() - 2); ++r) {
    for (int c = std::max(triangle.column - 1, 0); c <= std::min(triangle.column + 1, grid_.columns() - 2); ++c) {
      if (!agrees(TriangleOf(r, c, 0)) || !agrees(TriangleOf(r, c, 1))) return false;
    }
  }
  return Dot(n, up) > 0;
}

bool HeightField::IsContact(const FieldTriangle& triangle, const ContactPoint<double>& contact, const Vec& c,
                            double tolerance) const {
  const Vec n = MulTransposed(frame_.mat, contact.normal), up = triangle.Normal();
  const Vec q = frame_.ToLocal(contact.pos - contact.normal * (0.5 * contact.dist));
  const double slack = kOnSurface * Size();
  const bool is_on_surface = Dot(up, q - triangle.corner[0]) > -slack;
  if (LeavesUpwards(c)) return is_on_surface && IsNormalAt(triangle, q, n, false, tolerance);
  const auto is_wall = [&](double at, double size, double outward, double centre) {
    return std::fabs(centre) > size && at * centre > 0 && std::fabs(at) >= size - slack && outward * centre >= 0;
  };
  if (is_wall(q.x, size_x_, n.x, c.x) || is_wall(q.y, size_y_, n.y, c.y)) return true;
  if (c.z < -base_ && q.z <= -base_ + slack && n.z <= 0) return true;
  return is_on_surface && IsNormalAt(triangle, q, n, false, tolerance);
}

}  // namespace sinew::inline collision
