// Sphere and capsule: the sphere against the sphere around the nearest point of the capsule's axis,
//
//   x = clamp(a . (c1 - c2), -h, h),   a: unit axis of the capsule, h: half its length
//
// A centre on the axis between its ends is pushed out across the axis.
#ifndef SINEW_COLLISION_ANALYTIC_SPHERE_CAPSULE_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_SPHERE_CAPSULE_KERNEL_H_

#include "collision/analytic/sphere_sphere_kernel.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

template <class S>
ContactPoints<S, 1> SphereCapsule(const PlacedGeom<S>& sphere, const PlacedGeom<S>& capsule, S margin) {
  const Vec3<S> axis = capsule.Axis();
  const S x = Clamp(Dot(axis, sphere.pos - capsule.pos), -capsule.size.y, capsule.size.y);
  const auto when_close = [&](const Vec3<S>& normal, S length) {
    const Vec3<S> n = Select<S>(length < S(kMinVal), NormalOfAxes(sphere.Axis(), axis), normal);
    return Select<S>(Abs(x) < capsule.size.y, Across(n, axis), n);
  };
  ContactPoints<S, 1> out;
  out.hit[0] = SphereOnSphereAt(sphere.pos, sphere.size.x, capsule.pos + axis * x - sphere.pos, capsule.size.x, margin,
                                when_close, out.point[0]);
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_SPHERE_CAPSULE_KERNEL_H_
