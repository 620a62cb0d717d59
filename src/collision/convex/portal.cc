// A portal is found around the ray from the centre through the origin, then moved outwards (algorithm and source:
// collision/convex/portal.h).
#include "collision/convex/portal.h"

#include <algorithm>
#include <utility>

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr double kTiny = 1e-14;  // [m] of a centre that coincides with the origin: any direction will do

// Points of the difference: the centre, and the portal.
struct Portal {
  DifferencePoint v[4];

  const Vec& operator[](int i) const { return v[i].w; }
};

DifferencePoint Support(const ConvexShape& A, const ConvexShape& B, const Vec& direction) {
  return SupportOfDifference<Ties::kMiddle>(A, B, direction);
}

bool IsTiny(const Vec& x) { return Dot(x, x) < kMinVal * kMinVal; }

// Normal of the plane of three points, oriented by their order.
Vec NormalOf(const Vec& a, const Vec& b, const Vec& c) { return Normalized(Cross(b - a, c - a)); }
Vec NormalOf(const Portal& p) { return NormalOf(p[1], p[2], p[3]); }

enum class Search { kApart, kPortal, kOnSegment };

// A first triangle through which the ray from the centre towards the origin passes. kOnSegment: the origin lies between
// the centre and the point v1.
Search FindPortal(const ConvexShape& A, const ConvexShape& B, const Accuracy& accuracy, Portal& p) {
  const Vec a = A.Centre(), b = B.Centre();
  p.v[0] = {a - b, a, b, 0, 0};
  if (IsTiny(p[0])) p.v[0].w = {kTiny, 0, 0};

  // towards the origin
  Vec direction = Normalized(-p[0]);
  p.v[1] = Support(A, B, direction);
  if (Dot(p[1], direction) <= 0) return Search::kApart;

  // across the plane of centre, origin and that point
  direction = Cross(p[0], p[1]);
  if (IsTiny(direction)) return Search::kOnSegment;
  direction = Normalized(direction);
  p.v[2] = Support(A, B, direction);
  if (Dot(p[2], direction) <= 0) return Search::kApart;

  // beyond the plane of centre and both points, on the side of the origin
  direction = NormalOf(p[0], p[1], p[2]);
  if (Dot(direction, p[0]) > 0) {
    std::swap(p.v[1], p.v[2]);
    direction = -direction;
  }
  for (int i = 0; i <= accuracy.iterations; ++i) {
    p.v[3] = Support(A, B, direction);
    if (Dot(p[3], direction) <= 0) return Search::kApart;

    // the ray passes beside a side of the triangle: a neighbour takes its place
    if (Dot(Cross(p[1], p[3]), p[0]) < 0) {
      p.v[2] = p.v[3];
    } else if (Dot(Cross(p[3], p[2]), p[0]) < 0) {
      p.v[1] = p.v[3];
    } else {
      return Search::kPortal;
    }
    direction = NormalOf(p[0], p[1], p[2]);
  }
  return Search::kApart;
}

// Whether the support along the portal's normal is hardly beyond it.
bool IsOnBoundary(const Portal& p, const DifferencePoint& support, const Vec& normal, double tolerance) {
  const double beyond = Dot(support.w, normal);
  const double inner = std::max({Dot(p[1], normal), Dot(p[2], normal), Dot(p[3], normal)});
  return beyond - inner <= tolerance;
}

// The support replaces the vertex that leaves the ray inside.
void Expand(const DifferencePoint& support, Portal& p) {
  const Vec plane = Cross(support.w, p[0]);
  const int replaced = Dot(p[1], plane) > 0 ? (Dot(p[2], plane) > 0 ? 1 : 3) : (Dot(p[3], plane) > 0 ? 2 : 1);
  p.v[replaced] = support;
}

// Moves the portal outwards until the origin is on its inner side. False when the shapes are apart, or have no place at
// all (NaN), which only the number of supports ends.
bool PassOrigin(const ConvexShape& A, const ConvexShape& B, const Accuracy& accuracy, Portal& p) {
  constexpr int kMaxSupports = 1000;  // some ten are usual
  for (int i = 0; i < kMaxSupports; ++i) {
    const Vec normal = NormalOf(p);
    if (Dot(normal, p[1]) >= 0) return true;
    const DifferencePoint support = Support(A, B, normal);
    if (Dot(support.w, normal) < 0 || IsOnBoundary(p, support, normal, accuracy.tolerance)) return false;
    Expand(support, p);
  }
  return false;
}

// ---- the contact

// Where the origin lies in the tetrahedron of centre and portal, or without volume, along the normal in the portal: the
// same mean of the points of A, and of B.
Vec Middle(const Portal& p, const Vec& normal) {
  double weight[4] = {Dot(Cross(p[1], p[2]), p[3]), Dot(Cross(p[3], p[2]), p[0]), Dot(Cross(p[0], p[1]), p[3]),
                      Dot(Cross(p[2], p[1]), p[0])};
  double sum = weight[0] + weight[1] + weight[2] + weight[3];
  if (!(sum > 0)) {
    weight[0] = 0;
    weight[1] = Dot(Cross(p[2], p[3]), normal);
    weight[2] = Dot(Cross(p[3], p[1]), normal);
    weight[3] = Dot(Cross(p[1], p[2]), normal);
    sum = weight[1] + weight[2] + weight[3];
  }
  Vec middle = Zero3<double>();
  for (int i = 0; i < 4; ++i) middle += (p.v[i].a + p.v[i].b) * (0.5 * weight[i] / sum);
  return middle;
}

}  // namespace

bool FindPortalContact(const ConvexShape& A, const ConvexShape& B, const Accuracy& accuracy, PortalContact& out) {
  Portal p;
  const Search search = FindPortal(A, B, accuracy, p);
  if (search == Search::kApart) return false;
  if (search == Search::kOnSegment) {
    out.depth = Norm(p[1]);
    out.normal = Normalized(p[1]);
    out.pos = (p.v[1].a + p.v[1].b) * 0.5;
    return out.depth > 0;
  }
  if (!PassOrigin(A, B, accuracy, p)) return false;
  for (int i = 1;; ++i) {
    const Vec normal = NormalOf(p);
    const DifferencePoint support = Support(A, B, normal);
    if (i > accuracy.iterations || IsOnBoundary(p, support, normal, accuracy.tolerance)) {
      const Vec nearest = NearestOnTriangle(p[1], p[2], p[3]).point;
      out.depth = Norm(nearest);
      out.normal = out.depth > kMinVal ? nearest * (1 / out.depth) : normal;
      out.pos = Middle(p, normal);
      return true;
    }
    Expand(support, p);
  }
}

}  // namespace sinew::inline collision
