// The nearest point of a triangle, in coordinates of its plane: from the first corner, x along the side to the second.
// The point asked about is projected onto the plane; there it is inside, or beyond some sides, the nearest of which has
// the point. Operations have the order that gives the bits of MuJoCo 3.8.0.
#ifndef SINEW_COLLISION_FLEX_TRIANGLE_PLANE_H_
#define SINEW_COLLISION_FLEX_TRIANGLE_PLANE_H_

#include "math/triangle.h"
#include "math/vec3.h"

namespace sinew::inline collision {

class TrianglePlane {
 public:
  explicit TrianglePlane(const Vec3<double> (&corner)[3]) : corner_(corner) {
    const Vec3<double> side = corner[1] - corner[0], other = corner[2] - corner[0];
    x_ = side;
    const double length = Normalize(x_);
    normal_ = Cross(side, other);
    has_area_ = Normalize(normal_) > kMinVal;
    y_ = Cross(normal_, side);
    Normalize(y_);
    place_[0] = {0, 0};
    place_[1] = {length, 0};
    place_[2] = {Dot(x_, other), Dot(y_, other)};
  }

  // Returns what leads from p to the nearest point.
  Vec3<double> Offset(const Vec3<double>& p) const {
    if (!has_area_) return NearestOnTriangle(corner_[0] - p, corner_[1] - p, corner_[2] - p).point;
    const Vec3<double> from_corner = p - corner_[0];
    const Vec3<double> projected = from_corner - normal_ * Dot(normal_, from_corner);
    const Place inside = {Dot(x_, projected), Dot(y_, projected)};
    Place nearest = inside;
    double least = kInfinity;
    for (int i = 0; i < 3; ++i) {
      const Place from = place_[i], side = place_[(i + 1) % 3] - from, offset = inside - from;
      if (side.x * offset.y >= side.y * offset.x) continue;  // on the inner side
      const double t = Dot(offset, side) / Dot(side, side);
      const Place point = t <= 0 ? from : t >= 1 ? place_[(i + 1) % 3] : from + side * t;
      const Place away = point - inside;
      if (Dot(away, away) >= least) continue;
      least = Dot(away, away);
      nearest = point;
    }
    const Vec3<double> on_triangle = least < kInfinity ? x_ * nearest.x + y_ * nearest.y : projected;
    return on_triangle - from_corner;
  }

 private:
  struct Place {
    double x, y;
    Place operator+(const Place& b) const { return {x + b.x, y + b.y}; }
    Place operator-(const Place& b) const { return {x - b.x, y - b.y}; }
    Place operator*(double s) const { return {x * s, y * s}; }
    friend double Dot(const Place& a, const Place& b) { return a.x * b.x + a.y * b.y; }
  };

  const Vec3<double> (&corner_)[3];
  Vec3<double> x_, y_, normal_;
  bool has_area_;
  Place place_[3];
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FLEX_TRIANGLE_PLANE_H_
