#include "compile/triangle.h"

#include <algorithm>
#include <cmath>

#include "math/scalar.h"
#include "simd/functions.h"

namespace sinew {

namespace {

// Between the sides from a corner to two others.
double AngleBetween(const Vec3<double>& u, const Vec3<double>& v) { return Atan2(Norm(Cross(u, v)), Dot(u, v)); }

}  // namespace

// The Voronoi regions of the corners and of the edges, then of the inside.
TrianglePoint NearestPoint(const Triangle& triangle, const Vec3<double>& p) {
  const auto& [a, b, c] = triangle;
  const Vec3<double> ab = b - a, ac = c - a, bc = c - b;
  const Vec3<double> ap = p - a, bp = p - b, cp = p - c;
  const double d1 = Dot(ab, ap), d2 = Dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {a, AngleBetween(ab, ac)};
  const double d3 = Dot(ab, bp), d4 = Dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {b, AngleBetween(-ab, bc)};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + ab * (d1 / (d1 - d3)), kPi};
  const double d5 = Dot(ab, cp), d6 = Dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {c, AngleBetween(-ac, -bc)};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + ac * (d2 / (d2 - d6)), kPi};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return {b + bc * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), kPi};
  const double scale = 1 / (va + vb + vc);
  return {a + ab * (vb * scale) + ac * (vc * scale), 2 * kPi};
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

}  // namespace sinew
