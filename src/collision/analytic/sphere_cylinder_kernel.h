// Sphere with centre c, and a cylinder with radius r, half length h and axis a. With the centre's axial coordinate x
// and its distance rho from the axis, the nearest feature of the cylinder is
//
//   side  when |x| < h:                        the sphere of radius r about the axis at x
//   cap   when rho < r:                        the plane of the cap that faces the sphere
//   rim   otherwise:                           the nearest point of the rim
//
// A centre inside satisfies both of the first; the shallower way out wins: the cap when h - |x| < r - rho. On the axis,
// the side is left across it; on the rim, between cap and side.
//
// Whether shapes that just touch have a contact is a matter of rounding: the order of operations is that
// of MuJoCo 3.8.0.
#ifndef SINEW_COLLISION_ANALYTIC_SPHERE_CYLINDER_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_SPHERE_CYLINDER_KERNEL_H_

#include "collision/analytic/plane_kernel.h"
#include "collision/analytic/sphere_sphere_kernel.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

template <class S>
ContactPoints<S, 1> SphereCylinder(const PlacedGeom<S>& sphere, const PlacedGeom<S>& cylinder, S margin) {
  const S radius = cylinder.size.x, half = cylinder.size.y;
  const Vec3<S> axis = cylinder.Axis(), offset = sphere.pos - cylinder.pos;
  const S x = Dot(axis, offset);
  const Vec3<S> radial = offset - axis * x;
  const S rho_squared = Dot(radial, radial), rho = Sqrt(rho_squared);

  // squares, as in MuJoCo 3.8.0: robots exist whose parts touch the rim exactly
  const MaskOf<S> within_length = Abs(x) < half, within_radius = rho_squared < radius * radius;
  const MaskOf<S> cap_nearer = half - Abs(x) < radius - rho;
  const MaskOf<S> cap = within_radius & ((!within_length) | cap_nearer);
  const MaskOf<S> side = within_length & !cap;

  // side and rim: a sphere of radius r on the axis, or of radius zero on the rim
  const Vec3<S> out_axis = axis * Select(x > S(0), S(1), S(-1));
  const Vec3<S> to_rim = out_axis * half + radial * (radius / Max(rho, S(kMinVal)));
  const Vec3<S> centre = Select<S>(side, cylinder.pos + axis * x, cylinder.pos + to_rim);
  const auto when_close = [&](const Vec3<S>& normal, S length) {
    const Vec3<S> n = Select<S>(length < S(kMinVal), NormalOfAxes(sphere.Axis(), axis), normal);
    const Vec3<S> between = Normalized(out_axis + radial * (S(1) / Max(rho, S(kMinVal))));
    return Select<S>(side, Across(n, axis), -between);
  };
  ContactPoints<S, 1> out;
  out.hit[0] = SphereOnSphereAt(sphere.pos, sphere.size.x, centre - sphere.pos, Select(side, radius, S(0)), margin,
                                when_close, out.point[0]);
  if (!Any(cap)) return out;

  // cap: a plane; normals point from the sphere to the cylinder
  ContactPoint<S> on_cap;
  const MaskOf<S> hit =
      SphereOnPlane(cylinder.pos + out_axis * half, out_axis, sphere.pos, sphere.size.x, margin, on_cap);
  out.hit[0] = (cap & hit) | ((!cap) & out.hit[0]);
  out.point[0].dist = Select(cap, on_cap.dist, out.point[0].dist);
  out.point[0].pos = Select<S>(cap, on_cap.pos, out.point[0].pos);
  out.point[0].normal = Select<S>(cap, -out_axis, out.point[0].normal);
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_SPHERE_CYLINDER_KERNEL_H_
