// Capsule and cylinder: the direction of least overlap of the cylinder and the capsule's axis
// (cylinder_edges_kernel.h), which is that of the shapes, and the sides that meet along it
// (cylinder_contacts_kernel.h).
#ifndef SINEW_COLLISION_ANALYTIC_CAPSULE_CYLINDER_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_CAPSULE_CYLINDER_KERNEL_H_

#include "collision/analytic/cylinder_contacts_kernel.h"
#include "collision/analytic/cylinder_edges_kernel.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {
namespace cylinder {

// The side of a capsule that faces along -n: an end, or the line along its side.
template <class S>
Side<S> SideOfCapsule(const Vec3<S>& centre, const Vec3<S>& axis, S r, S h, const Vec3<S>& n) {
  const S along = -Dot(axis, n);
  const Vec3<S> surface = centre - n * r;
  Side<S> side;
  side.is_face = Never<S>();
  side.is_segment = Abs(along) < S(kFlat);
  side.half = axis * h;
  side.normal = Zero3<S>();
  side.farthest = surface + side.half * SignOf(along);
  side.middle = Select<S>(side.is_segment, surface, side.farthest);
  return side;
}

}  // namespace cylinder

template <class S>
ContactPoints<S, 4> CapsuleCylinder(const PlacedGeom<S>& capsule, const PlacedGeom<S>& cylinder, S margin) {
  const PlacedGeom<S> axis = {capsule.pos, capsule.mat, {S(0), S(0), capsule.size.y}};
  const S radius = capsule.size.x;
  const cylinder::CylinderAndBox<S, 2> pair(cylinder, axis);
  const cylinder::Least<S> least = pair.FindLeast(margin + radius);
  const S overlap = least.overlap + radius;
  if (!Any(-overlap < margin)) return cylinder::NoContacts<S>();
  const cylinder::Side<S> first =
      cylinder::SideOfCylinder(Zero3<S>(), {S(0), S(0), S(1)}, pair.r, pair.h, least.normal);
  const cylinder::Side<S> second =
      cylinder::SideOfCapsule(pair.d, pair.R.Column(2), radius, capsule.size.y, least.normal);
  ContactPoints<S, 4> out =
      cylinder::Meeting<S, cylinder::NoFace<S>>(pair.r, first, second, {}, least.normal, overlap, pair.size, margin)
          .Find();
  cylinder::ToWorld(cylinder, out);
  for (ContactPoint<S>& point : out.point) point.normal = -point.normal;
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_CAPSULE_CYLINDER_KERNEL_H_
