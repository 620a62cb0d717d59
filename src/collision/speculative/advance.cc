// Two shapes are `dist` apart along the normal n. Until they meet, no point of one gains on a point of the other by
// more than the sum of both advances along n: as long as that is less than dist, the plane between them keeps them
// apart, and the search may go on from there.
#include "collision/speculative/advance.h"

#include <algorithm>

#include "collision/convex/convex_pair.h"
#include "collision/convex/gjk.h"
#include "math/quat.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr int kAdvances = 32;       // of a spin at a small distance; most pairs take two or three
constexpr double kNear = 1e-3;      // of the first distance: a meeting
constexpr double kRounding = 1e-9;  // of the sizes: likewise
constexpr int kMaxIterations = 128;

// Nearest points of shapes that are apart; false where they are not.
bool FindGap(const mjOption& option, const ConvexShape& A, const ConvexShape& B, ContactPoint<double>& out) {
  const bool facets = A.HasFacets() && B.HasFacets();
  const Accuracy accuracy =
      facets ? Accuracy{0, kMaxIterations} : Accuracy{option.ccd_tolerance, option.ccd_iterations};
  const double radii = A.radius() + B.radius();
  const CoreDistance cores = FindCoreDistance(A, B, kInfinity, accuracy);
  if (cores.result != GjkResult::kApart || cores.distance <= radii) return false;
  Vec normal = cores.b - cores.a;
  Normalize(normal);
  out = {cores.distance - radii, (cores.a + cores.b + normal * (A.radius() - B.radius())) * 0.5, normal};
  return true;
}

// Goes on from the gap at the start, which is in `out`, by the most that is safe. find_gap(part, point): as FindGap,
// with shapes at that part of the step; closing(normal): the sum of both advances in the step.
template <class FindGapAt, class Closing>
bool Advance(const FindGapAt& find_gap, const Closing& closing, double margin, double until, double size, Impact& out) {
  const double meeting = kNear * (out.point.dist - margin) + kRounding * size;
  for (int i = 0; i < kAdvances; ++i) {
    const double gap = out.point.dist - margin;
    if (gap <= meeting) break;
    const double advance = closing(out.point.normal);
    const double part = out.part + (gap - 0.5 * meeting) / advance;
    if (advance <= 0 || !(part < until)) return false;
    if (!find_gap(part, out.point)) break;  // rounding: they were apart before
    out.part = part;
  }
  return true;
}

}  // namespace

void MovingShape::MoveTo(double part) {
  if (!moves_) return;
  shape_.Place(start_.pos + motion_.shift * part, ToMat3(ExpRotation(motion_.turn, part)) * start_.mat);
}

bool FindImpact(const mjOption& option, MovingShape& A, MovingShape& B, double margin, double until, Impact& out) {
  const double size = A.motion().radius + B.motion().radius;
  ConvexContact nearest;
  const double reach = A.motion().Sweep() + B.motion().Sweep() + margin;
  if (!FindNearest(option, A.shape(), B.shape(), reach, nearest)) return false;
  out = {0, nearest.point};
  return Advance(
      [&](double part, ContactPoint<double>& point) {
        A.MoveTo(part);
        B.MoveTo(part);
        return FindGap(option, A.shape(), B.shape(), point);
      },
      [&](const Vec& n) { return A.motion().AdvanceAlong(n) + B.motion().AdvanceAlong(-n); }, margin, until, size, out);
}

bool FindImpactOnPlane(const PlacedGeom<double>& plane, MovingShape& shape, double margin, Impact& out) {
  const Vec n = plane.Axis();
  const auto find_gap = [&](double part, ContactPoint<double>& point) {
    shape.MoveTo(part);
    const Vec lowest = shape.shape().Support(-n) - n * shape.shape().radius();
    const double dist = Dot(n, lowest - plane.pos);
    point = {dist, lowest - n * (0.5 * dist), n};
    return true;
  };
  out.part = 0;
  find_gap(0, out.point);
  return Advance(
      find_gap, [&](const Vec&) { return shape.motion().AdvanceAlong(-n); }, margin, 1, shape.motion().radius, out);
}

}  // namespace sinew::inline collision
