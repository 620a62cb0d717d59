// The distance is found by GJK (algorithm and sources: collision/convex/gjk.h); if only overlap matters, that is tested
// first.
#include "collision/convex/gjk.h"

#include <cmath>

#include "collision/convex/overlap.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr double kRelativeError = 1e-12;  // of |v|^2: the normal is then good to a millionth
constexpr double kTouching = 1e-12;       // of the size of the difference: distances that count as zero

bool Contains(const Simplex& simplex, const Vec& w) {
  for (int i = 0; i < simplex.count; ++i) {
    const Vec& p = simplex.point[i].w;
    if (p.x == w.x && p.y == w.y && p.z == w.z) return true;
  }
  return false;
}

// AskWhetherOverlap is for polytopes whose distance does not matter while they are apart. It is false when rounding
// decides; then the distance does.
bool AskWhetherOverlap(const ConvexShape& A, const ConvexShape& B, CoreDistance& out) {
  const Overlap overlap = FindOverlap(A, B, out.simplex);
  if (overlap == Overlap::kUnsure) {
    out.simplex.count = 0;
    return false;
  }
  out.result = overlap == Overlap::kInside ? GjkResult::kOverlap : GjkResult::kBeyond;
  out.iterations = 0;
  out.distance = 0;
  return true;
}

}  // namespace

SINEW_DISPATCH CoreDistance FindCoreDistance(const ConvexShape& A, const ConvexShape& B, double limit,
                                             const Accuracy& accuracy) {
  CoreDistance out;
  if (limit == 0 && accuracy.tolerance == 0 && AskWhetherOverlap(A, B, out)) return out;
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
    const bool points = nearest.distance2 <= Max(kTouching * kTouching * size2, tolerance2);
    if (!points && nearest.distance2 >= v2) break;  // rounding stops the descent: the simplex stays as it was
    Keep(nearest, count, simplex);
    if (points || simplex.count == 4) {
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

}  // namespace sinew::inline collision
