// Two spheres, centres c1 and c2:
//
//   n = (c2 - c1) / |c2 - c1|,   dist = |c2 - c1| - r1 - r2,   pos = c1 + n (r1 + dist / 2)
//
// Other pairs reduce to this one, with points of their axes for centres: hence the free choice of centre and radius.
// Coincident centres leave n open; the cross product of the geoms' z axes decides, or the x axis where that vanishes.
// Centres that nearly coincide leave it to rounding, which harms where a shape goes on along an axis: only across that
// axis are the radii the way out. So pairs say what n is there.
#ifndef SINEW_COLLISION_ANALYTIC_SPHERE_SPHERE_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_SPHERE_SPHERE_KERNEL_H_

#include <type_traits>

#include "collision/geom.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

// Up to which part of the radii the distance of two centres counts as close.
template <class S>
inline constexpr double kCloseCentres = std::is_same_v<typename LaneTraits<S>::Lane, float> ? 1e-3 : 1e-6;

// Which n follows from the axes of two geoms whose centres coincide.
template <class S>
Vec3<S> NormalOfAxes(const Vec3<S>& axis1, const Vec3<S>& axis2) {
  return Normalized(Cross(axis1, axis2));
}

// The unit vector across a unit axis that is nearest to `direction`; any, where that one is along the axis.
template <class S>
Vec3<S> Across(const Vec3<S>& direction, const Vec3<S>& axis) {
  const auto reject = [&axis](const Vec3<S>& v) { return v - axis * Dot(axis, v); };
  Vec3<S> across = reject(direction);
  const S x = Select(Abs(axis.x) < S(0.9), S(1), S(0));
  const MaskOf<S> along = Normalize(across) < S(kCloseCentres<S>);
  across = Select<S>(along, reject({x, S(1) - x, S(0)}), across);
  return Normalized(reject(across));
}

// Returns whether the spheres are within `margin`, the second one's centre being at c1 + offset. Where the centres are
// close, when_close(n, distance of the centres) returns the normal instead of n.
template <class S, class WhenClose>
MaskOf<S> SphereOnSphereAt(const Vec3<S>& c1, S r1, const Vec3<S>& offset, S r2, S margin, const WhenClose& when_close,
                           ContactPoint<S>& contact) {
  Vec3<S> normal = offset;
  const S reach = margin + r1 + r2;
  const MaskOf<S> hit = Dot(normal, normal) <= reach * reach;
  if (!Any(hit)) return hit;

  const S length = Normalize(normal);
  const MaskOf<S> close = length < Max(S(kCloseCentres<S>) * (r1 + r2), S(kMinVal));
  if (Any(close)) normal = Select<S>(close, when_close(normal, length), normal);
  contact.dist = length - r1 - r2;
  contact.pos = c1 + normal * (r1 + S(0.5) * contact.dist);
  contact.normal = normal;
  return hit;
}

// The same for shapes that end at their centres: axes count where the centres coincide.
template <class S>
MaskOf<S> SphereOnSphereAt(const Vec3<S>& c1, S r1, const Vec3<S>& offset, S r2, const Vec3<S>& axis1,
                           const Vec3<S>& axis2, S margin, ContactPoint<S>& contact) {
  const auto when_close = [&](const Vec3<S>& normal, S length) {
    return Select<S>(length < S(kMinVal), NormalOfAxes(axis1, axis2), normal);
  };
  return SphereOnSphereAt(c1, r1, offset, r2, margin, when_close, contact);
}
template <class S>
MaskOf<S> SphereOnSphere(const Vec3<S>& c1, S r1, const Vec3<S>& c2, S r2, const Vec3<S>& axis1, const Vec3<S>& axis2,
                         S margin, ContactPoint<S>& contact) {
  return SphereOnSphereAt(c1, r1, c2 - c1, r2, axis1, axis2, margin, contact);
}

template <class S>
ContactPoints<S, 1> SphereSphere(const PlacedGeom<S>& sphere1, const PlacedGeom<S>& sphere2, S margin) {
  ContactPoints<S, 1> out;
  out.hit[0] = SphereOnSphere(sphere1.pos, sphere1.size.x, sphere2.pos, sphere2.size.x, sphere1.Axis(), sphere2.Axis(),
                              margin, out.point[0]);
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_SPHERE_SPHERE_KERNEL_H_
