#include "collision/gjk.h"

#include <cmath>

namespace sinew {
namespace {

using Vec = Vec3<double>;

constexpr double kRelativeError = 1e-12;  // of |v|^2: the normal is then good to a millionth
constexpr double kFlat = 1e-14;           // rounding of the volume of a tetrahedron, relative to its edges
constexpr double kTouching = 1e-12;       // of the size of the difference: distances that count as zero

// ---- the point of a simplex that is nearest to the origin (C. Ericson, Real-Time Collision Detection, 2005, sec. 5.1)

// Barycentric coordinates of that point, and the point itself; zero weights fall away.
struct Nearest {
  double w[4] = {0, 0, 0, 0};
  Vec point;
  double distance2 = kInfinity;
};

// Of the segment between p[i] and p[j], if that is nearer.
void KeepNearerOnSegment(const Vec* p, int i, int j, Nearest& best) {
  const Vec span = p[j] - p[i];
  const double length2 = Dot(span, span);
  const double t = length2 > 0 ? Clamp(-Dot(p[i], span) / length2, 0.0, 1.0) : 0;
  const Vec point = p[i] + span * t;
  const double distance2 = Dot(point, point);
  if (!(distance2 < best.distance2)) return;
  best = {};
  best.w[i] = 1 - t;
  best.w[j] = t;
  best.point = point;
  best.distance2 = distance2;
}

// Of the triangle p[i], p[j], p[k], if that is nearer: inside, or on one of the sides that the origin is beyond.
void KeepNearerOnTriangle(const Vec* p, int i, int j, int k, Nearest& best) {
  const Vec a = p[i], b = p[j], c = p[k], normal = Cross(b - a, c - a);
  const double area2 = Dot(normal, normal);
  const double u = Dot(Cross(b, c), normal), v = Dot(Cross(c, a), normal), w = Dot(Cross(a, b), normal);
  if (area2 > 0 && u > 0 && v > 0 && w > 0) {
    const double scale = 1 / (u + v + w);
    const Vec point = a * (u * scale) + b * (v * scale) + c * (w * scale);
    const double distance2 = Dot(point, point);
    if (!(distance2 < best.distance2)) return;
    best = {};
    best.w[i] = u * scale;
    best.w[j] = v * scale;
    best.w[k] = w * scale;
    best.point = point;
    best.distance2 = distance2;
    return;
  }
  const bool flat = !(area2 > 0);
  if (flat || !(w > 0)) KeepNearerOnSegment(p, i, j, best);
  if (flat || !(u > 0)) KeepNearerOnSegment(p, j, k, best);
  if (flat || !(v > 0)) KeepNearerOnSegment(p, k, i, best);
}

// Of the tetrahedron: inside when no face has the origin on its outer side, else on one of those faces. The volumes of
// the origin with each face, signed as the opposite vertex, are the coordinates; those that are only rounding do not
// count.
Nearest NearestOnTetrahedron(const Vec* p) {
  const Vec a = p[0] - p[3], b = p[1] - p[3], c = p[2] - p[3];
  const Vec bc = Cross(b, c), ca = Cross(c, a), ab = Cross(a, b), sides = Cross(b - a, c - a);
  const double towards = Dot(a, bc), sign = towards < 0 ? -1 : 1;
  const double volume[4] = {-sign * Dot(p[3], bc), -sign * Dot(p[3], ca), -sign * Dot(p[3], ab),
                            sign * Dot(p[0], sides)};

  // squares of edges: rounding of a volume is that of the product of three of them
  const double a2 = Dot(a, a), b2 = Dot(b, b), c2 = Dot(c, c), origin2 = Dot(p[3], p[3]);
  const Vec side1 = p[1] - p[0], side2 = p[2] - p[0];
  const double base2 = Dot(side1, side1) * Dot(side2, side2);
  const double faces2[4] = {b2 * c2, c2 * a2, a2 * b2, base2};
  const double reach2[4] = {origin2, origin2, origin2, Dot(p[0], p[0])};
  const double least2 = kFlat * kFlat;
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

Nearest NearestTo(const Vec* p, int count) {
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

// Of `count` points, keeps those that the nearest one needs.
void Keep(const Nearest& nearest, int count, Simplex& simplex) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    if (nearest.w[i] == 0) continue;
    if (kept < i) simplex.point[kept] = simplex.point[i];
    simplex.weight[kept++] = nearest.w[i];
  }
  simplex.count = kept;
}

bool Contains(const Simplex& simplex, const Vec& w) {
  for (int i = 0; i < simplex.count; ++i) {
    const Vec& p = simplex.point[i].w;
    if (p.x == w.x && p.y == w.y && p.z == w.z) return true;
  }
  return false;
}

}  // namespace

SINEW_DISPATCH CoreDistance FindCoreDistance(const ConvexShape& A, const ConvexShape& B, double limit,
                                             const Accuracy& accuracy) {
  CoreDistance out;
  out.result = GjkResult::kApart;
  Simplex& simplex = out.simplex;
  Vec w[4];  // its points
  Vec v = A.Centre() - B.Centre();
  if (Norm(v) < kMinVal) v = {1, 0, 0};  // any direction will do
  double v2 = kInfinity, size2 = 0;
  for (out.iterations = 1; out.iterations <= accuracy.iterations; ++out.iterations) {
    const DifferencePoint next = SupportOfDifference(A, B, -v);
    size2 = Max(size2, Dot(next.w, next.w));
    const double along = Dot(v, next.w);  // |v| times a lower bound of the distance
    if (along > 0 && along * along > limit * limit * Dot(v, v)) {
      out.result = GjkResult::kBeyond;
      return out;
    }
    const double tolerance2 = Min(accuracy.tolerance * accuracy.tolerance, kCoarseBounds * kCoarseBounds * size2);
    const double bound = v2 - along;
    const bool is_close = bound <= kRelativeError * v2 || bound < 0.5 * tolerance2;
    if (simplex.count > 0 && (is_close || Contains(simplex, next.w))) break;

    const int count = simplex.count + 1;
    simplex.point[count - 1] = next;
    if (count == 4 && limit == 0 && accuracy.tolerance > 0) {
      simplex.count = count;
      out.result = GjkResult::kOverlap;
      return out;
    }
    for (int i = 0; i < count; ++i) w[i] = simplex.point[i].w;
    const Nearest nearest = NearestTo(w, count);
    const bool touches = nearest.distance2 <= Max(kTouching * kTouching * size2, tolerance2);
    if (!touches && nearest.distance2 >= v2) break;  // rounding stops the descent: the simplex stays as it was
    Keep(nearest, count, simplex);
    if (touches || simplex.count == 4) {
      out.result = GjkResult::kOverlap;
      out.distance = 0;
      return out;
    }
    v = nearest.point;
    v2 = nearest.distance2;
  }

  out.distance = Norm(v);
  out.a = out.b = Zero3<double>();
  for (int i = 0; i < simplex.count; ++i) {
    out.a += simplex.point[i].a * simplex.weight[i];
    out.b += simplex.point[i].b * simplex.weight[i];
  }
  return out;
}

}  // namespace sinew
