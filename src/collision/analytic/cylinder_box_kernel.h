// Cylinder and box: the direction of least overlap (cylinder_edges_kernel.h) and the sides that meet along it
// (cylinder_contacts_kernel.h).
#ifndef SINEW_COLLISION_ANALYTIC_CYLINDER_BOX_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_CYLINDER_BOX_KERNEL_H_

#include "collision/analytic/cylinder_contacts_kernel.h"
#include "collision/analytic/cylinder_edges_kernel.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {
namespace cylinder {

// The corner, edge or face of a box that faces along -n, and the face it belongs to.
template <class S>
Side<S> SideOfBox(const CylinderAndBox<S, 0>& p, const Vec3<S>& n, Rectangle<S>& face) {
  const Vec3<S> u = -MulTransposed(p.R, n);
  S least = S(kFlat), most = S(1 - kFlatCosine);
  MaskOf<S> is_edge[3], is_face[3];
  for (int k = 0; k < 3; ++k) {
    const S along = Abs(u[k]);
    is_face[k] = along > most;
    is_edge[k] = along < least;
    least = Min(least, along);
  }
  const MaskOf<S> flat = is_face[0] | is_face[1] | is_face[2];
  is_edge[0] = is_edge[0] & !(is_edge[1] | is_edge[2]) & !flat;
  is_edge[1] = is_edge[1] & !is_edge[2] & !flat;
  is_edge[2] = is_edge[2] & !flat;

  Side<S> side;
  side.is_face = flat;
  side.is_segment = is_edge[0] | is_edge[1] | is_edge[2];
  side.middle = side.farthest = p.d;
  side.half = side.normal = face.p = face.q = Zero3<S>();
  for (int k = 0; k < 3; ++k) {
    const Vec3<S> half = p.R.Column(k) * p.b[k], towards = half * SignOf(u[k]);
    side.farthest += towards;
    const MaskOf<S> spans = is_edge[k] | (flat & !is_face[k]);
    side.middle = side.middle + Select<S>(spans, Zero3<S>(), towards);
    side.half = Select<S>(is_edge[k], half, side.half);
    side.normal = Select<S>(is_face[k], p.R.Column(k) * SignOf(u[k]), side.normal);
    // the two axes of the face in any order
    const MaskOf<S> is_first = flat & (k == 0 ? !is_face[0] : k == 1 ? is_face[0] : Never<S>());
    face.p = Select<S>(is_first, half, face.p);
    face.q = Select<S>(flat & !is_face[k] & !is_first, half, face.q);
  }
  return side;
}

}  // namespace cylinder

template <class S>
ContactPoints<S, 4> CylinderBox(const PlacedGeom<S>& cylinder, const PlacedGeom<S>& box, S margin) {
  const cylinder::CylinderAndBox<S, 0> pair(cylinder, box);
  const cylinder::Least<S> least = pair.FindLeast(margin);
  if (!Any(-least.overlap < margin)) return cylinder::NoContacts<S>();
  const cylinder::Side<S> first =
      cylinder::SideOfCylinder(Zero3<S>(), {S(0), S(0), S(1)}, pair.r, pair.h, least.normal);
  cylinder::Rectangle<S> face;
  const cylinder::Side<S> second = cylinder::SideOfBox(pair, least.normal, face);
  ContactPoints<S, 4> out = cylinder::Meeting<S, cylinder::Rectangle<S>>(pair.r, first, second, face, least.normal,
                                                                         least.overlap, pair.size, margin)
                                .Find();
  cylinder::ToWorld(cylinder, out);
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_CYLINDER_BOX_KERNEL_H_
