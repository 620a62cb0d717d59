// Sphere and capsule: the sphere against the sphere around the nearest point of the capsule's axis,
//
//   x = clamp(a . (c1 - c2), -h, h),   a: unit axis of the capsule, h: half its length
#ifndef SINEW_COLLISION_ANALYTIC_SPHERE_CAPSULE_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_SPHERE_CAPSULE_KERNEL_H_

#include "collision/analytic/sphere_sphere_kernel.h"

namespace sinew {
inline namespace SINEW_ISA {

template <class S>
ContactPoints<S, 1> SphereCapsule(const Geom<S>& sphere, const Geom<S>& capsule, S margin) {
  const Vec3<S> axis = capsule.Axis();
  const S x = Clamp(Dot(axis, sphere.pos - capsule.pos), -capsule.size.y, capsule.size.y);
  ContactPoints<S, 1> out;
  out.hit[0] = SphereOnSphere(sphere.pos, sphere.size.x, capsule.pos + axis * x, capsule.size.x, sphere.Axis(), axis,
                              margin, out.point[0]);
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_COLLISION_ANALYTIC_SPHERE_CAPSULE_KERNEL_H_
