// Simplices of the difference A - B of two shapes, and the point of one that is nearest to the origin (C. Ericson,
// Real-Time Collision Detection, 2005, sec. 5.1).
#ifndef SINEW_COLLISION_CONVEX_GJK_SIMPLEX_H_
#define SINEW_COLLISION_CONVEX_GJK_SIMPLEX_H_

#include <cmath>

#include "collision/convex/convex_shape.h"
#include "math/triangle.h"
#include "simd/functions.h"

namespace sinew::inline collision {

// A point of A - B with the points it comes from.
struct DifferencePoint {
  Vec3<double> w, a, b;    // w = a - b
  int vertex_a, vertex_b;  // as in SupportPoint
};

template <Ties kTies = Ties::kPositive>
DifferencePoint SupportOfDifference(const ConvexShape& A, const ConvexShape& B, const Vec3<double>& direction) {
  const SupportPoint a = A.FindSupport<kTies>(direction), b = B.FindSupport<kTies>(-direction);
  return {a.point - b.point, a.point, b.point, a.vertex, b.vertex};
}

struct Simplex {
  DifferencePoint point[4];
  double weight[4];  // barycentric coordinates of the nearest point
  int count = 0;
};

// Rounding of the volume of a tetrahedron, relative to its edges.
inline constexpr double kFlatVolume = 1e-14;

// The point of a simplex that is nearest to the origin, and its barycentric coordinates; zero weights fall away.
struct Nearest {
  double w[4] = {0, 0, 0, 0};
  Vec3<double> point;
  double distance2 = kInfinity;
};

// Keeps the point of the segment or the triangle between some of the points p, if that is nearer.
inline void KeepNearerOnSegment(const Vec3<double>* p, int i, int j, Nearest& best) {
  const BarycentricPoint<2> nearest = NearestOnSegment(p[i], p[j]);
  if (!(nearest.distance2 < best.distance2)) return;
  best = {{0, 0, 0, 0}, nearest.point, nearest.distance2};
  best.w[i] = nearest.weight[0];
  best.w[j] = nearest.weight[1];
}
inline void KeepNearerOnTriangle(const Vec3<double>* p, int i, int j, int k, Nearest& best) {
  const BarycentricPoint<3> nearest = NearestOnTriangle(p[i], p[j], p[k]);
  if (!(nearest.distance2 < best.distance2)) return;
  best = {{0, 0, 0, 0}, nearest.point, nearest.distance2};
  best.w[i] = nearest.weight[0];
  best.w[j] = nearest.weight[1];
  best.w[k] = nearest.weight[2];
}

// The nearest point of a tetrahedron is the origin itself when no face has the origin on its outer side, else it is on
// one of those faces. The volumes of the origin with each face, signed as the opposite vertex, are the coordinates;
// those that are only rounding do not count.
inline Nearest NearestOnTetrahedron(const Vec3<double>* p) {
  const Vec3<double> a = p[0] - p[3], b = p[1] - p[3], c = p[2] - p[3];
  const Vec3<double> bc = Cross(b, c), ca = Cross(c, a), ab = Cross(a, b), sides = Cross(b - a, c - a);
  const double towards = Dot(a, bc), sign = towards < 0 ? -1 : 1;
  const double volume[4] = {-sign * Dot(p[3], bc), -sign * Dot(p[3], ca), -sign * Dot(p[3], ab),
                            sign * Dot(p[0], sides)};

  // squares of edges: rounding of a volume is that of the product of three of them
  const double a2 = Dot(a, a), b2 = Dot(b, b), c2 = Dot(c, c), origin2 = Dot(p[3], p[3]);
  const Vec3<double> side1 = p[1] - p[0], side2 = p[2] - p[0];
  const double base2 = Dot(side1, side1) * Dot(side2, side2);
  const double faces2[4] = {b2 * c2, c2 * a2, a2 * b2, base2};
  const double reach2[4] = {origin2, origin2, origin2, Dot(p[0], p[0])};
  const double least2 = kFlatVolume * kFlatVolume;
  const bool flat = !(towards * towards > least2 * a2 * b2 * c2);

  Nearest best;
  bool inside = true;
  static constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  for (int f = 3; f >= 0; --f) {
    if (!flat && volume[f] > 0 && volume[f] * volume[f] > least2 * faces2[f] * reach2[f]) continue;
    inside = false;
    KeepNearerOnTriangle(p, kFaces[f][0], kFaces[f][1], kFaces[f][2], best);
  }
  if (!inside) return best;
  const double scale = 1 / (volume[0] + volume[1] + volume[2] + volume[3]);
  for (int i = 0; i < 4; ++i) best.w[i] = volume[i] * scale;
  best.point = Zero3<double>();
  best.distance2 = 0;
  return best;
}

inline Nearest NearestTo(const Vec3<double>* p, int count) {
  Nearest nearest;
  switch (count) {
    case 1:
      nearest.w[0] = 1;
      nearest.point = p[0];
      nearest.distance2 = Dot(p[0], p[0]);
      return nearest;
    case 2:
      KeepNearerOnSegment(p, 0, 1, nearest);
      return nearest;
    case 3:
      KeepNearerOnTriangle(p, 0, 1, 2, nearest);
      return nearest;
    default:
      return NearestOnTetrahedron(p);
  }
}

// Keeps those of `count` points that the nearest one needs.
inline void Keep(const Nearest& nearest, int count, Simplex& simplex) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    if (nearest.w[i] == 0) continue;
    if (kept < i) simplex.point[kept] = simplex.point[i];
    simplex.weight[kept++] = nearest.w[i];
  }
  simplex.count = kept;
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_GJK_SIMPLEX_H_
