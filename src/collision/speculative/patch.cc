// Outlines are made of supports, and surfaces are met by points that advance along a line: both work for every shape
// that has a support function.
#include "collision/speculative/patch.h"

#include <algorithm>
#include <cmath>

#include "collision/convex/gjk.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr int kDirections = 8;         // of supports: boxes have six corners at most, and round shapes eight
constexpr double kInside = 1e-4;       // of the outline, so that lines do not pass along its edge
constexpr double kInsideRound = 0.15;  // of an ellipsoid's, where its surface is half as high as in the middle
constexpr double kOnSurface = 1e-7;    // of the distance to the shape
constexpr double kLeastSlope = 1e-9;   // of a line towards a shape
constexpr int kAdvances = 32, kMaxIterations = 128;

}  // namespace

Mat3<double> AxesAlong(const Vec& n) {
  const Vec across = std::fabs(n.x) < 0.6 ? Vec{1, 0, 0} : Vec{0, 1, 0};
  const Vec first = Normalized(Cross(across, n));
  return FromColumns(first, Cross(n, first), n);
}

Outline::Outline(const ConvexShape& shape, const Mat3<double>& axes) {
  for (int k = 0; k < kDirections; ++k) {
    const double angle = 2 * kPi * (k + 0.5) / kDirections;
    const Vec direction = axes.Column(0) * std::cos(angle) + axes.Column(1) * std::sin(angle);
    const Vec corner = MulTransposed(axes, shape.Support(direction));
    polygon_.Add({corner.x, corner.y, 0});
  }
  RemoveDoubles(polygon_);
  inside_ = shape.type() == mjGEOM_ELLIPSOID ? kInsideRound : kInside;
  polygon_.normal = {0, 0, -1};  // about which its corners are clockwise
}

Outline Outline::Common(const Outline& a, const Outline& b) {
  const bool b_is_segment = b.polygon_.count == 2;
  Outline common = b_is_segment ? b : a;
  const Outline& other = b_is_segment ? a : b;
  common.inside_ = std::max(a.inside_, b.inside_);
  if (other.polygon_.count > 2) ClipBySides(other.polygon_, common.polygon_);
  return common;
}

int Outline::Corners(Vec* corners) const {
  if (polygon_.count < 2) return 0;
  Vec middle = Zero3<double>();
  for (int i = 0; i < polygon_.count; ++i) middle += polygon_.vertex[i] * (1.0 / polygon_.count);
  const int count = std::min(polygon_.count, kPatchCorners);
  for (int i = 0; i < count; ++i) {
    const Vec& corner = polygon_.vertex[i * polygon_.count / count];
    corners[i] = corner + (middle - corner) * inside_;
  }
  return count;
}

bool FirstPointOn(const mjOption& option, const ConvexShape& shape, const Vec& from, const Vec& direction, Vec& out) {
  const Accuracy accuracy =
      shape.HasFacets() ? Accuracy{0, kMaxIterations} : Accuracy{option.ccd_tolerance, option.ccd_iterations};
  out = from;
  double first = 0;
  for (int i = 0; i < kAdvances; ++i) {
    const CoreDistance cores = FindCoreDistance(ConvexShape(&out, 1, 0), shape, kInfinity, accuracy);
    const double distance = cores.distance - shape.radius();
    if (cores.result == GjkResult::kOverlap || distance <= kOnSurface * first) return true;
    if (i == 0) first = distance;
    const double slope = Dot(cores.b - cores.a, direction) / cores.distance;
    if (!(slope > kLeastSlope)) return false;
    out += direction * (distance / slope);
  }
  return true;
}

}  // namespace sinew::inline collision
