#include "collision/gjk.h"

#include <cmath>

namespace sinew {
namespace {

using Vec = Vec3<double>;

constexpr int kMaxIterations = 128;       // smooth shapes take up to 50
constexpr double kRelativeError = 1e-12;  // of |v|^2: the normal is then good to a millionth
constexpr double kFlat = 1e-14;           // rounding of the volume of a tetrahedron, relative to its edges
constexpr double kTouching = 1e-12;       // of the size of the difference: distances that count as zero

// ---- the point of a simplex that is nearest to the origin (C. Ericson, Real-Time Collision Detection, 2005, sec. 5.1)

// Barycentric coordinates of that point; zero weights fall away.
struct Weights {
  double w[4] = {0, 0, 0, 0};
  double distance2;
};

Vec Combine(const Vec* p, const double* weight, int count) {
  Vec sum = Zero3<double>();
  for (int i = 0; i < count; ++i) sum += p[i] * weight[i];
  return sum;
}

// Of the segment between p[i] and p[j].
Weights NearestOnSegment(const Vec* p, int i, int j) {
  const Vec span = p[j] - p[i];
  const double length2 = Dot(span, span);
  const double t = length2 > 0 ? Clamp(-Dot(p[i], span) / length2, 0.0, 1.0) : 0;
  Weights nearest;
  nearest.w[i] = 1 - t;
  nearest.w[j] = t;
  const Vec v = p[i] + span * t;
  nearest.distance2 = Dot(v, v);
  return nearest;
}

void KeepNearer(Weights& best, const Weights& candidate) {
  if (candidate.distance2 < best.distance2) best = candidate;
}

// Of the triangle p[i], p[j], p[k]: inside, or on one of its sides.
Weights NearestOnTriangle(const Vec* p, int i, int j, int k) {
  const Vec a = p[i], b = p[j], c = p[k], normal = Cross(b - a, c - a);
  const double area2 = Dot(normal, normal);
  const double u = Dot(Cross(b, c), normal), v = Dot(Cross(c, a), normal), w = Dot(Cross(a, b), normal);
  if (area2 > 0 && u > 0 && v > 0 && w > 0) {
    Weights nearest;
    const double sum = u + v + w;
    nearest.w[i] = u / sum;
    nearest.w[j] = v / sum;
    nearest.w[k] = w / sum;
    const Vec point = a * nearest.w[i] + b * nearest.w[j] + c * nearest.w[k];
    nearest.distance2 = Dot(point, point);
    return nearest;
  }
  Weights best = NearestOnSegment(p, i, j);
  KeepNearer(best, NearestOnSegment(p, j, k));
  KeepNearer(best, NearestOnSegment(p, k, i));
  return best;
}

// Of the tetrahedron: inside when no face has the origin on its outer side, else on one of those faces.
Weights NearestOnTetrahedron(const Vec* p) {
  static constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  Weights best;
  best.distance2 = kInfinity;
  double volume[4];  // of the origin with each face, signed as the opposite vertex
  bool inside = true;
  for (int f = 0; f < 4; ++f) {
    const auto& [i, j, k, opposite] = kFaces[f];
    const Vec side1 = p[j] - p[i], side2 = p[k] - p[i], apex = p[opposite] - p[i], normal = Cross(side1, side2);
    const double towards = Dot(normal, apex), origin = -Dot(normal, p[i]);
    volume[opposite] = std::copysign(1.0, towards) * origin;
    const double rounding = kFlat * Norm(side1) * Norm(side2);
    if (std::fabs(towards) > rounding * Norm(apex) && volume[opposite] > rounding * Norm(p[i])) continue;
    inside = false;
    KeepNearer(best, NearestOnTriangle(p, i, j, k));
  }
  if (!inside) return best;
  const double sum = volume[0] + volume[1] + volume[2] + volume[3];
  for (int i = 0; i < 4; ++i) best.w[i] = volume[i] / sum;
  best.distance2 = 0;
  return best;
}

Weights Nearest(const Vec* p, int count) {
  switch (count) {
    case 1: {
      Weights only;
      only.w[0] = 1;
      only.distance2 = Dot(p[0], p[0]);
      return only;
    }
    case 2:
      return NearestOnSegment(p, 0, 1);
    case 3:
      return NearestOnTriangle(p, 0, 1, 2);
    default:
      return NearestOnTetrahedron(p);
  }
}

// Drops the points that the nearest one does not need; returns the nearest point.
Vec Reduce(Simplex& simplex) {
  Vec p[4];
  for (int i = 0; i < simplex.count; ++i) p[i] = simplex.point[i].w;
  const Weights nearest = Nearest(p, simplex.count);
  const Vec v = Combine(p, nearest.w, simplex.count);
  int kept = 0;
  for (int i = 0; i < simplex.count; ++i) {
    if (nearest.w[i] == 0) continue;
    simplex.point[kept] = simplex.point[i];
    simplex.weight[kept++] = nearest.w[i];
  }
  simplex.count = kept;
  return v;
}

bool Contains(const Simplex& simplex, const Vec& w) {
  for (int i = 0; i < simplex.count; ++i) {
    const Vec& p = simplex.point[i].w;
    if (p.x == w.x && p.y == w.y && p.z == w.z) return true;
  }
  return false;
}

}  // namespace

DifferencePoint SupportOfDifference(const ConvexShape& A, const ConvexShape& B, const Vec& direction) {
  const SupportPoint a = A.FindSupport(direction), b = B.FindSupport(-direction);
  return {a.point - b.point, a.point, b.point, a.vertex, b.vertex};
}

CoreDistance FindCoreDistance(const ConvexShape& A, const ConvexShape& B, double limit) {
  CoreDistance out;
  out.result = GjkResult::kApart;
  Simplex& simplex = out.simplex;
  Vec v = A.Centre() - B.Centre();
  if (Norm(v) < kMinVal) v = {1, 0, 0};  // any direction will do
  double v2 = kInfinity, size2 = 0;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const DifferencePoint next = SupportOfDifference(A, B, -v);
    size2 = Max(size2, Dot(next.w, next.w));
    const double along = Dot(v, next.w);  // |v| times a lower bound of the distance
    if (along > 0 && along * along > limit * limit * Dot(v, v)) {
      out.result = GjkResult::kBeyond;
      return out;
    }
    const double bound = v2 - along;
    if (simplex.count > 0 && (bound <= kRelativeError * v2 || Contains(simplex, next.w))) break;

    const Simplex previous = simplex;
    simplex.point[simplex.count++] = next;
    const Vec nearest = Reduce(simplex);
    const double nearer = Dot(nearest, nearest);
    if (simplex.count == 4 || nearer <= kTouching * kTouching * size2) {
      out.result = GjkResult::kOverlap;
      out.distance = 0;
      return out;
    }
    if (nearer >= v2) {  // rounding stops the descent
      simplex = previous;
      break;
    }
    v = nearest;
    v2 = nearer;
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
