// Sphere and box. In the box frame, let q be the centre c clamped to the box.
//
// Centre outside: the nearest point is q, n points from c to q, dist = |c - q| - r.
// Centre inside:  the nearest face decides, in the order -x, +x, -y, +y, -z, +z. With its outward normal f and the
// depth t
//                 of the centre below it,  n = -f,  dist = -t - r,  pos = c + n (r - t) / 2.
#ifndef SINEW_COLLISION_ANALYTIC_SPHERE_BOX_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_SPHERE_BOX_KERNEL_H_

#include "collision/geom.h"
#include "simd/functions.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

// The sphere around `centre`, given in the frame of a box with half sizes `size`; the contact is in that frame too.
template <class S>
MaskOf<S> SphereOnBox(const Vec3<S>& centre, S radius, const Vec3<S>& size, S margin, ContactPoint<S>& contact) {
  const Vec3<S> nearest = {Clamp(centre.x, -size.x, size.x), Clamp(centre.y, -size.y, size.y),
                           Clamp(centre.z, -size.z, size.z)};
  Vec3<S> normal = nearest - centre;
  const S length = Normalize(normal);
  contact.dist = length - radius;
  contact.pos = (nearest + centre + normal * radius) * S(0.5);
  contact.normal = normal;
  const MaskOf<S> hit = contact.dist <= margin;

  const MaskOf<S> inside = length <= S(kMinVal);
  if (!Any(inside)) return hit;
  S depth(kInfinity);
  Vec3<S> inward = Zero3<S>();
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2;
    const S sign(face % 2 ? 1.0 : -1.0);
    const S below = size[axis] - sign * centre[axis];
    const MaskOf<S> nearer = below < depth;
    Vec3<S> candidate = Zero3<S>();
    candidate[axis] = -sign;
    depth = Select(nearer, below, depth);
    inward = Select<S>(nearer, candidate, inward);
  }
  contact.dist = Select(inside, -depth - radius, contact.dist);
  contact.pos = Select<S>(inside, centre + inward * (S(0.5) * (radius - depth)), contact.pos);
  contact.normal = Select<S>(inside, inward, contact.normal);
  return hit | inside;
}

template <class S>
ContactPoints<S, 1> SphereBox(const PlacedGeom<S>& sphere, const PlacedGeom<S>& box, S margin) {
  ContactPoints<S, 1> out;
  ContactPoint<S>& contact = out.point[0];
  out.hit[0] = SphereOnBox(box.ToLocal(sphere.pos), sphere.size.x, box.size, margin, contact);
  contact.pos = box.ToWorld(contact.pos);
  contact.normal = box.mat * contact.normal;
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_SPHERE_BOX_KERNEL_H_
