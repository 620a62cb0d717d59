// Two spheres, centres c1 and c2:
//
//   n = (c2 - c1) / |c2 - c1|,   dist = |c2 - c1| - r1 - r2,   pos = c1 + n (r1 + dist / 2)
//
// Other pairs reduce to this one, with points for centres: hence the free choice of centre and radius. Coincident
// centres leave n open; the cross product of the geoms' z axes decides, or the x axis where that vanishes.
#ifndef SINEW_COLLISION_ANALYTIC_SPHERE_SPHERE_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_SPHERE_SPHERE_KERNEL_H_

#include "collision/geom.h"

namespace sinew {
inline namespace SINEW_ISA {

// Returns whether the spheres are within `margin`, the second one's centre being at c1 + offset. `axis1` and `axis2`
// decide about n when the centres coincide.
template <class S>
MaskOf<S> SphereOnSphereAt(const Vec3<S>& c1, S r1, const Vec3<S>& offset, S r2, const Vec3<S>& axis1,
                           const Vec3<S>& axis2, S margin, ContactPoint<S>& contact) {
  Vec3<S> normal = offset;
  const S reach = margin + r1 + r2;
  const MaskOf<S> hit = Dot(normal, normal) <= reach * reach;
  if (!Any(hit)) return hit;

  const S length = Normalize(normal);
  const MaskOf<S> coincident = length < S(kMinVal);
  if (Any(coincident)) {
    Vec3<S> cross = Cross(axis1, axis2);
    Normalize(cross);
    normal = Select<S>(coincident, cross, normal);
  }
  contact.dist = length - r1 - r2;
  contact.pos = c1 + normal * (r1 + S(0.5) * contact.dist);
  contact.normal = normal;
  return hit;
}

// Does the same for a second sphere whose centre is at c2.
template <class S>
MaskOf<S> SphereOnSphere(const Vec3<S>& c1, S r1, const Vec3<S>& c2, S r2, const Vec3<S>& axis1, const Vec3<S>& axis2,
                         S margin, ContactPoint<S>& contact) {
  return SphereOnSphereAt(c1, r1, c2 - c1, r2, axis1, axis2, margin, contact);
}

template <class S>
ContactPoints<S, 1> SphereSphere(const Geom<S>& sphere1, const Geom<S>& sphere2, S margin) {
  ContactPoints<S, 1> out;
  out.hit[0] = SphereOnSphere(sphere1.pos, sphere1.size.x, sphere2.pos, sphere2.size.x, sphere1.Axis(), sphere2.Axis(),
                              margin, out.point[0]);
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_COLLISION_ANALYTIC_SPHERE_SPHERE_KERNEL_H_
