// Geometry of triangles for sampled distances of meshes: the nearest point with the angle that the triangle fills
// there, and whether a triangle meets a box.
#include "compile/geometry/triangle.h"

#include <algorithm>
#include <cmath>

#include "math/scalar.h"
#include "math/triangle.h"
#include "simd/functions.h"

namespace sinew::inline compile {
namespace {

// The angle between the sides from a corner to two others [rad].
double AngleBetween(const Vec3<double>& u, const Vec3<double>& v) { return Atan2(Norm(Cross(u, v)), Dot(u, v)); }

}  // namespace

// The corners that determine the nearest point show whether it is at one of them, on an edge or inside.
TrianglePoint NearestPoint(const Triangle& triangle, const Vec3<double>& p) {
  const Vec3<double> corner[3] = {triangle.a, triangle.b, triangle.c};
  const BarycentricPoint<3> nearest = NearestOnTriangle(corner[0] - p, corner[1] - p, corner[2] - p);
  int count = 0, last = 0;  // of the corners that the point needs
  for (int i = 0; i < 3; ++i) {
    if (nearest.weight[i] == 0) continue;
    ++count;
    last = i;
  }
  if (count == 3) return {p + nearest.point, 2 * kPi};
  if (count == 2) return {p + nearest.point, kPi};
  const Vec3<double>&at = corner[last], &next = corner[(last + 1) % 3], &previous = corner[(last + 2) % 3];
  return {at, AngleBetween(next - at, previous - at)};
}

// Two convex bodies are apart if an axis separates their projections: here a normal of the box, the normal of the
// triangle, or the cross product of an edge of each.
bool Meets(const Triangle& triangle, const Box& box) {
  const Vec3<double> v[3] = {triangle.a - box.center, triangle.b - box.center, triangle.c - box.center};
  const auto separates = [&](const Vec3<double>& axis) {
    const double p0 = Dot(axis, v[0]), p1 = Dot(axis, v[1]), p2 = Dot(axis, v[2]);
    const double reach =
        box.half.x * std::fabs(axis.x) + box.half.y * std::fabs(axis.y) + box.half.z * std::fabs(axis.z);
    return std::min({p0, p1, p2}) > reach || std::max({p0, p1, p2}) < -reach;
  };
  const Vec3<double> unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Vec3<double>& axis : unit) {
    if (separates(axis)) return false;
  }
  if (separates(Cross(v[1] - v[0], v[2] - v[0]))) return false;
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> edge = v[(i + 1) % 3] - v[i];
    for (const Vec3<double>& axis : unit) {
      if (separates(Cross(axis, edge))) return false;
    }
  }
  return true;
}

}  // namespace sinew::inline compile
