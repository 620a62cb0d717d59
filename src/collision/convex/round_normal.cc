// Each kind of round surface has its normal at the point that is nearest to the contact.
#include "collision/convex/round_normal.h"

#include <algorithm>
#include <cmath>

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr int kMaxHalvings = 60;
constexpr double kSideOfCylinder = 0.95;  // part of the half length that counts as side
constexpr double kNearRim = 0.25;         // ratio of the distances from cap and side below which a cap is touched

// Where x is the point of the ellipsoid that is nearest to p, p - x is along the normal (x_i / s_i^2): with a
// multiplier t, x_i = s_i^2 p_i / (t + s_i^2). The sum of (x_i / s_i)^2 falls with t; it is one on the surface, which
// is found by bisection. Inside, t is negative.
Vec NormalOfEllipsoid(const Vec& p, const Vec& size) {
  const Vec s2 = {size.x * size.x, size.y * size.y, size.z * size.z};
  const auto gradient = [&](double t) { return Vec{p.x / (t + s2.x), p.y / (t + s2.y), p.z / (t + s2.z)}; };
  const auto is_inside = [&](double t) {
    const Vec g = gradient(t);
    return s2.x * g.x * g.x + s2.y * g.y * g.y + s2.z * g.z * g.z < 1;
  };
  double low = -std::min({s2.x, s2.y, s2.z}), high = Norm(p) * std::max({size.x, size.y, size.z});
  for (int i = 0; i < kMaxHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (is_inside(middle) ? high : low) = middle;
  }
  return gradient(high);
}

// Outward normal, of any length, of a shape's surface near a point of its frame; zero where the shape is not round.
Vec NormalNear(const ConvexShape& shape, const Vec& p) {
  const Vec& size = shape.geom().size;
  switch (shape.type()) {
    case mjGEOM_SPHERE:
      return p;
    case mjGEOM_CAPSULE:
      return {p.x, p.y, p.z - Clamp(p.z, -size.y, size.y)};
    case mjGEOM_ELLIPSOID:
      return NormalOfEllipsoid(p, size);
    case mjGEOM_CYLINDER: {
      const double from_cap = std::fabs(size.y - std::fabs(p.z));
      const double from_side = std::fabs(size.x - std::sqrt(p.x * p.x + p.y * p.y));
      if (std::fabs(p.z) > kSideOfCylinder * size.y || from_cap < kNearRim * from_side) return Zero3<double>();
      return {p.x, p.y, 0};
    }
    default:
      return Zero3<double>();
  }
}

// The same in the world, of length one, or zero.
Vec WorldNormal(const ConvexShape& shape, const Vec& pos) {
  const Vec normal = NormalNear(shape, shape.geom().ToLocal(pos));
  const double length = Norm(normal);
  return length > kMinVal ? shape.geom().mat * (normal * (1 / length)) : Zero3<double>();
}

}  // namespace

Vec RoundNormal(const ConvexShape& A, const ConvexShape& B, const Vec& pos, const Vec& normal) {
  const Vec mean = WorldNormal(A, pos) - WorldNormal(B, pos);
  const double length = Norm(mean);
  return length > kMinVal ? mean * (1 / length) : normal;
}

}  // namespace sinew::inline collision
