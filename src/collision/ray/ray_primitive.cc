// Rays are intersected with primitives in the frame of each: with a plane, with a box by its faces, and with quadrics
// by their equations.
#include "collision/ray/ray_primitive.h"

#include <mujoco/mujoco.h>

#include <cmath>

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

// A hit in the geom's frame; x < 0: none.
struct Hit {
  double x = -1;
  Vec normal{0, 0, 0};
};

// Roots of |p + x v| = r for metric diag(1/s^2): smaller first; false when the line misses.
bool Roots(double a, double b, double c, double root[2]) {
  const double discriminant = b * b - a * c;
  if (a < kMinVal || discriminant < 0) return false;
  const double s = std::sqrt(discriminant);
  root[0] = (-b - s) / a;
  root[1] = (-b + s) / a;
  return true;
}

double FirstNonNegative(const double root[2]) { return root[0] >= 0 ? root[0] : root[1] >= 0 ? root[1] : -1; }

bool MissesSphere(const Vec& p, const Vec& v, double radius) {
  double root[2];
  return !Roots(Dot(v, v), Dot(p, v), Dot(p, p) - radius * radius, root) || root[1] < 0;
}

Hit HitPlane(const Vec& size, const Vec& p, const Vec& v) {
  if (v.z > -kMinVal) return {};
  const double x = -p.z / v.z;
  const Vec at = p + v * x;
  const bool inside = (size.x <= 0 || std::fabs(at.x) <= size.x) && (size.y <= 0 || std::fabs(at.y) <= size.y);
  return x >= 0 && inside ? Hit{x, {0, 0, 1}} : Hit{};
}

Hit HitEllipsoid(const Vec& size, const Vec& p, const Vec& v) {
  const Vec w = {1 / (size.x * size.x), 1 / (size.y * size.y), 1 / (size.z * size.z)};
  const Vec wv = {w.x * v.x, w.y * v.y, w.z * v.z}, wp = {w.x * p.x, w.y * p.y, w.z * p.z};
  double root[2];
  if (!Roots(Dot(wv, v), Dot(wv, p), Dot(wp, p) - 1, root)) return {};
  const double x = FirstNonNegative(root);
  if (x < 0) return {};
  Vec normal = wp + wv * x;
  Normalize(normal);
  return {x, normal};
}

// Both roots of the lateral surface of an infinite cylinder.
bool SideRoots(double radius, const Vec& p, const Vec& v, double root[2]) {
  return Roots(v.x * v.x + v.y * v.y, v.x * p.x + v.y * p.y, p.x * p.x + p.y * p.y - radius * radius, root);
}

void Keep(Hit& best, const Hit& hit) {
  if (hit.x >= 0 && (best.x < 0 || hit.x < best.x)) best = hit;
}

// The side and both caps are quadrics; on each only a part belongs to the capsule.
Hit HitCapsule(double radius, double half, const Vec& p, const Vec& v) {
  if (MissesSphere(p, v, radius + half)) return {};
  Hit best;
  double root[2];

  // side
  if (SideRoots(radius, p, v, root)) {
    const double x = FirstNonNegative(root);
    const Vec at = p + v * x;
    if (x >= 0 && std::fabs(at.z) <= half) Keep(best, {x, {at.x / radius, at.y / radius, 0}});
  }

  // caps: each on its own half
  for (const double end : {half, -half}) {
    const Vec q = {p.x, p.y, p.z - end};
    if (!Roots(Dot(v, v), Dot(q, v), Dot(q, q) - radius * radius, root)) continue;
    for (const double x : root) {
      const Vec at = q + v * x;
      if (x >= 0 && (end > 0 ? at.z >= 0 : at.z <= 0)) Keep(best, {x, at * (1 / radius)});
    }
  }
  return best;
}

Hit HitCylinder(double radius, double half, const Vec& p, const Vec& v) {
  if (MissesSphere(p, v, std::sqrt(radius * radius + half * half))) return {};
  Hit best;

  // caps
  if (std::fabs(v.z) > kMinVal) {
    for (const double side : {-1.0, 1.0}) {
      const double x = (side * half - p.z) / v.z;
      const Vec at = p + v * x;
      if (at.x * at.x + at.y * at.y <= radius * radius) Keep(best, {x, {0, 0, side}});
    }
  }

  // side
  double root[2];
  if (SideRoots(radius, p, v, root)) {
    const double x = FirstNonNegative(root);
    const Vec at = p + v * x;
    if (x >= 0 && std::fabs(at.z) <= half) Keep(best, {x, {at.x / radius, at.y / radius, 0}});
  }
  return best;
}

// The first face in a direction is met from outside, the last one from inside.
Hit HitBox(const Vec& size, const Vec& p, const Vec& v) {
  if (MissesSphere(p, v, Norm(size))) return {};
  Hit best;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::fabs(v[axis]) <= kMinVal) continue;
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    for (const double side : {-1.0, 1.0}) {
      const double x = (side * size[axis] - p[axis]) / v[axis];
      const Vec at = p + v * x;
      if (std::fabs(at[b]) > size[b] || std::fabs(at[c]) > size[c]) continue;
      Hit hit{x, {0, 0, 0}};
      hit.normal[axis] = side;
      Keep(best, hit);
    }
  }
  return best;
}

// Sizes are those of the geom: radius and half length, semi-axes, or half lengths.
Hit HitLocal(int type, const Vec& size, const Vec& p, const Vec& v) {
  switch (type) {
    case mjGEOM_PLANE:
      return HitPlane(size, p, v);
    case mjGEOM_SPHERE:
      return HitEllipsoid({size.x, size.x, size.x}, p, v);
    case mjGEOM_CAPSULE:
      return HitCapsule(size.x, size.y, p, v);
    case mjGEOM_ELLIPSOID:
      return HitEllipsoid(size, p, v);
    case mjGEOM_CYLINDER:
      return HitCylinder(size.x, size.y, p, v);
    case mjGEOM_BOX:
      return HitBox(size, p, v);
    default:
      return {};
  }
}

}  // namespace

double RayPrimitive(const RayTarget& target, const Vec3<double>& point, const Vec3<double>& direction,
                    Vec3<double>* normal) {
  const Vec p = MulTransposed(target.rotation, point - target.position);
  const Hit hit = HitLocal(target.type, target.size, p, MulTransposed(target.rotation, direction));
  if (normal) *normal = target.rotation * hit.normal;
  return hit.x;
}

}  // namespace sinew::inline collision
