// Plane with normal n, and an ellipsoid with semi-axes s: contact at the ellipsoid's lowest point. With u = -R' n in
// its frame and D = diag(s), that is  D unit(D u).
#ifndef SINEW_COLLISION_PLANE_ELLIPSOID_KERNEL_H_
#define SINEW_COLLISION_PLANE_ELLIPSOID_KERNEL_H_

#include "collision/plane_sphere_kernel.h"

namespace sinew {
inline namespace SINEW_ISA {

template <class S>
Touches<S, 1> PlaneEllipsoid(const Geom<S>& plane, const Geom<S>& ellipsoid, S margin) {
  const Vec3<S> normal = plane.Axis(), size = ellipsoid.size;
  const Vec3<S> down = -MulTransposed(ellipsoid.mat, normal);
  Vec3<S> lowest = {size.x * down.x, size.y * down.y, size.z * down.z};
  Normalize(lowest);
  lowest = {size.x * lowest.x, size.y * lowest.y, size.z * lowest.z};
  Touches<S, 1> out;
  out.hit[0] = TouchPlane(plane.pos, normal, ellipsoid.ToWorld(lowest), S(0), margin, out.touch[0]);
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_COLLISION_PLANE_ELLIPSOID_KERNEL_H_
