// The points of segments and triangles that are nearest to the origin, by their barycentric coordinates (C. Ericson,
// Real-Time Collision Detection, 2005, sec. 5.1.2 and 5.1.5). Vertices with a weight of zero are not needed: they tell
// whether the point is inside, on a side or at a corner.
#ifndef SINEW_MATH_TRIANGLE_H_
#define SINEW_MATH_TRIANGLE_H_

#include "math/vec3.h"
#include "simd/functions.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

template <int kVertices>
struct BarycentricPoint {
  double weight[kVertices];
  Vec3<double> point;
  double distance2;  // of the point from the origin, squared
};

inline BarycentricPoint<2> NearestOnSegment(const Vec3<double>& a, const Vec3<double>& b) {
  const Vec3<double> span = b - a;
  const double length2 = Dot(span, span);
  const double t = length2 > 0 ? Clamp(-Dot(a, span) / length2, 0.0, 1.0) : 0;
  const Vec3<double> point = a + span * t;
  return {{1 - t, t}, point, Dot(point, point)};
}

// Inside, the weights are the areas that the origin's projection spans with the sides. Else the point is on one of the
// sides that the origin is beyond; a triangle without area has all its sides asked.
inline BarycentricPoint<3> NearestOnTriangle(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  const Vec3<double> normal = Cross(b - a, c - a);
  const double area2 = Dot(normal, normal);
  const double u = Dot(Cross(b, c), normal), v = Dot(Cross(c, a), normal), w = Dot(Cross(a, b), normal);
  if (area2 > 0 && u > 0 && v > 0 && w > 0) {
    const double scale = 1 / (u + v + w);
    const Vec3<double> point = a * (u * scale) + b * (v * scale) + c * (w * scale);
    return {{u * scale, v * scale, w * scale}, point, Dot(point, point)};
  }
  const bool flat = !(area2 > 0);
  BarycentricPoint<3> best = {{0, 0, 0}, a, kInfinity};
  const auto try_side = [&best](const Vec3<double>& from, const Vec3<double>& to, int i, int j) {
    const BarycentricPoint<2> side = NearestOnSegment(from, to);
    if (!(side.distance2 < best.distance2)) return;
    best = {{0, 0, 0}, side.point, side.distance2};
    best.weight[i] = side.weight[0];
    best.weight[j] = side.weight[1];
  };
  if (flat || !(w > 0)) try_side(a, b, 0, 1);
  if (flat || !(u > 0)) try_side(b, c, 1, 2);
  if (flat || !(v > 0)) try_side(c, a, 2, 0);
  return best;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_TRIANGLE_H_
