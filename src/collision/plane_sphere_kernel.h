// Plane through p with normal n, and a sphere with centre c:
//
//   dist = n . (c - p) - r,   pos = c - n (r + dist / 2)
//
// The plane is infinite and solid: a sphere below it is in contact at any depth.
#ifndef SINEW_COLLISION_PLANE_SPHERE_KERNEL_H_
#define SINEW_COLLISION_PLANE_SPHERE_KERNEL_H_

#include "collision/geom.h"

namespace sinew {
inline namespace SINEW_ISA {

// Returns whether the sphere is within `margin` of the plane; points are spheres of radius zero.
template <class S>
MaskOf<S> TouchPlane(const Vec3<S>& point, const Vec3<S>& normal, const Vec3<S>& centre, S radius, S margin,
                     Touch<S>& touch) {
  const S height = Dot(normal, centre - point);
  touch.dist = height - radius;
  touch.pos = centre - normal * (radius + S(0.5) * touch.dist);
  touch.normal = normal;
  return height <= margin + radius;
}

template <class S>
Touches<S, 1> PlaneSphere(const Geom<S>& plane, const Geom<S>& sphere, S margin) {
  Touches<S, 1> out;
  out.hit[0] = TouchPlane(plane.pos, plane.Axis(), sphere.pos, sphere.size.x, margin, out.touch[0]);
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_COLLISION_PLANE_SPHERE_KERNEL_H_
