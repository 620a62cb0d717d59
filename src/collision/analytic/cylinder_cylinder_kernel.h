// Two cylinders: the direction of least overlap (cylinder_rims_kernel.h) and the sides that meet along it
// (cylinder_contacts_kernel.h).
#ifndef SINEW_COLLISION_ANALYTIC_CYLINDER_CYLINDER_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_CYLINDER_CYLINDER_KERNEL_H_

#include "collision/analytic/cylinder_contacts_kernel.h"
#include "collision/analytic/cylinder_rims_kernel.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

template <class S>
ContactPoints<S, 4> CylinderCylinder(const PlacedGeom<S>& cylinder1, const PlacedGeom<S>& cylinder2, S margin) {
  const cylinder::TwoCylinders<S> pair(cylinder1, cylinder2);
  const cylinder::Least<S> least = pair.FindLeast(margin);
  if (!Any(-least.overlap < margin)) return cylinder::NoContacts<S>();
  const Vec3<S> axis = pair.R.Column(2);
  const cylinder::Side<S> first =
      cylinder::SideOfCylinder(Zero3<S>(), {S(0), S(0), S(1)}, pair.r1, pair.h1, least.normal);
  const cylinder::Side<S> second = cylinder::SideOfCylinder(pair.d, axis, pair.r2, pair.h2, -least.normal);
  ContactPoints<S, 4> out = cylinder::Meeting<S, cylinder::Cap<S>>(pair.r1, first, second, {axis, pair.r2},
                                                                   least.normal, least.overlap, pair.size, margin)
                                .Find();
  cylinder::ToWorld(cylinder1, out);
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_CYLINDER_CYLINDER_KERNEL_H_
