// Sphere, capsule and box against a triangle of a flex, which is rounded by the flex's radius rho.
//
//   sphere    its centre c against the nearest point x of the triangle:
//               dist = |x - c| - r - rho,  n = (x - c) / |x - c|
//   capsule   the spheres at both ends of its axis, then the triangle's corners against the inside of the axis
//   box       each corner of the triangle that is inside of the box widened by margin and rho, against the face to
//   which
//             it is nearest; then each corner of the box as a sphere without radius
//
// Contacts lie midway between the two surfaces. A centre on the triangle itself leaves n open: the triangle's normal
// decides.
#ifndef SINEW_COLLISION_FLEX_TRIANGLE_PAIRS_H_
#define SINEW_COLLISION_FLEX_TRIANGLE_PAIRS_H_

#include "collision/analytic/sphere_sphere_kernel.h"
#include "math/triangle.h"

namespace sinew {

// The nearest point is searched in the plane of the triangle, in a frame at its first corner with x along the first
// side. Triangles share sides and corners; what is nearest on these differs by rounding, and which of such contacts are
// kept of too many hangs on it: the operations and their order are those whose results MuJoCo 3.8.0 has.
class RoundedTriangle {
 public:
  RoundedTriangle(const Vec3<double> (&corners)[3], double rounding)
      : corner{corners[0], corners[1], corners[2]}, radius(rounding) {
    const Vec3<double> side = corner[1] - corner[0], other = corner[2] - corner[0];
    normal_ = Cross(side, other);
    has_plane_ = Normalize(normal_) > kMinVal;
    x_ = side;
    const double length = Normalize(x_);
    y_ = Normalized(Cross(normal_, side));
    corner_in_plane_[0] = {0, 0};
    corner_in_plane_[1] = {length, 0};
    corner_in_plane_[2] = {Dot(other, x_), Dot(other, y_)};
  }

  // From p to the nearest point.
  Vec3<double> ToNearest(const Vec3<double>& p) const {
    if (!has_plane_) return NearestOnTriangle(corner[0] - p, corner[1] - p, corner[2] - p).point;
    const Vec3<double> place = p - corner[0], in_plane = place - normal_ * Dot(place, normal_);
    const Point q = {Dot(in_plane, x_), Dot(in_plane, y_)};
    bool is_inside = true;
    double least = kInfinity;
    Point nearest = {0, 0};
    for (int i = 0; i < 3; ++i) {
      const Point &from = corner_in_plane_[i], &to = corner_in_plane_[(i + 1) % 3];
      const Point span = to - from, offset = q - from;
      if (span.x * offset.y - span.y * offset.x >= 0) continue;  // on the side where the triangle is
      is_inside = false;
      const double t = Dot(offset, span) / Dot(span, span);
      const Point on_side = t <= 0 ? from : t >= 1 ? to : Point{from.x + span.x * t, from.y + span.y * t};
      const Point apart = on_side - q;
      if (!(Dot(apart, apart) < least)) continue;
      least = Dot(apart, apart);
      nearest = on_side;
    }
    return (is_inside ? in_plane : x_ * nearest.x + y_ * nearest.y) - place;
  }

  Vec3<double> corner[3];
  double radius;

 private:
  struct Point {
    double x, y;
    friend Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }
    friend double Dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }
  };

  Vec3<double> normal_, x_, y_;
  bool has_plane_;  // else the corners are on a line
  Point corner_in_plane_[3];
};

// The sphere around `centre` against the triangle; returns whether they are within `margin`.
inline bool SphereOnTriangle(const Vec3<double>& centre, double radius, const RoundedTriangle& triangle, double margin,
                             ContactPoint<double>& point) {
  const Vec3<double> u = triangle.corner[1] - triangle.corner[0], v = triangle.corner[2] - triangle.corner[0];
  const bool hit =
      SphereOnSphere(Zero3<double>(), radius, triangle.ToNearest(centre), triangle.radius, u, v, margin, point);
  point.pos += centre;
  return hit;
}

inline ContactPoints<double, 1> SphereTriangle(const Geom<double>& sphere, const RoundedTriangle& triangle,
                                               double margin) {
  ContactPoints<double, 1> out;
  out.hit[0] = SphereOnTriangle(sphere.pos, sphere.size.x, triangle, margin, out.point[0]);
  return out;
}

inline ContactPoints<double, 5> CapsuleTriangle(const Geom<double>& capsule, const RoundedTriangle& triangle,
                                                double margin) {
  const Vec3<double> axis = capsule.Axis(), half = axis * capsule.size.y;
  const double radius = capsule.size.x;
  ContactPoints<double, 5> out;
  out.hit[0] = SphereOnTriangle(capsule.pos - half, radius, triangle, margin, out.point[0]);
  out.hit[1] = SphereOnTriangle(capsule.pos + half, radius, triangle, margin, out.point[1]);
  for (int i = 0; i < 3; ++i) {
    const Vec3<double>& corner = triangle.corner[i];
    const double x = Dot(axis, corner - capsule.pos);
    const bool inside = Abs(x) < capsule.size.y;
    out.hit[2 + i] = SphereOnSphere(capsule.pos + axis * x, radius, corner, triangle.radius, axis,
                                    triangle.corner[(i + 1) % 3] - corner, margin, out.point[2 + i]) &
                     inside;
  }
  return out;
}

// A point of radius `rho` inside of the box widened by margin + rho, against the face that it is nearest to.
inline bool PointOnNearestFace(const Geom<double>& box, const Vec3<double>& vertex, double rho, double margin,
                               ContactPoint<double>& contact) {
  const Vec3<double> local = box.ToLocal(vertex);
  const auto height = [&](int k) { return Abs(local[k]) - box.size[k]; };
  int nearest = 0;
  for (int k = 1; k < 3; ++k) {
    if (height(k) > height(nearest)) nearest = k;
  }
  contact.normal = box.mat.Column(nearest) * CopySign(1.0, local[nearest]);
  contact.dist = height(nearest) - rho;
  contact.pos = vertex - contact.normal * (rho + 0.5 * contact.dist);
  return contact.dist <= margin;
}

inline ContactPoints<double, 11> BoxTriangle(const Geom<double>& box, const RoundedTriangle& triangle, double margin) {
  ContactPoints<double, 11> out;
  for (int i = 0; i < 3; ++i) {
    out.hit[i] = PointOnNearestFace(box, triangle.corner[i], triangle.radius, margin, out.point[i]);
  }
  for (int i = 0; i < 8; ++i) {
    const auto side = [i](int axis, double half) { return i >> axis & 1 ? half : -half; };
    const Vec3<double> corner = box.ToWorld({side(0, box.size.x), side(1, box.size.y), side(2, box.size.z)});
    out.hit[3 + i] = SphereOnTriangle(corner, 0, triangle, margin, out.point[3 + i]);
  }
  return out;
}

}  // namespace sinew

#endif  // SINEW_COLLISION_FLEX_TRIANGLE_PAIRS_H_
