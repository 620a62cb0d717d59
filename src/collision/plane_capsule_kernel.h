// Plane and capsule: the plane against the spheres at the two ends of the axis, +z end first. The contact frames have
// the axis for their first tangent, so that rolling friction acts along and across it.
#ifndef SINEW_COLLISION_PLANE_CAPSULE_KERNEL_H_
#define SINEW_COLLISION_PLANE_CAPSULE_KERNEL_H_

#include "collision/plane_sphere_kernel.h"

namespace sinew {
inline namespace SINEW_ISA {

template <class S>
Touches<S, 2> PlaneCapsule(const Geom<S>& plane, const Geom<S>& capsule, S margin) {
  const Vec3<S> axis = capsule.Axis(), half = axis * capsule.size.y;
  Touches<S, 2> out;
  out.hit[0] = TouchPlane(plane.pos, plane.Axis(), capsule.pos + half, capsule.size.x, margin, out.touch[0]);
  out.hit[1] = TouchPlane(plane.pos, plane.Axis(), capsule.pos - half, capsule.size.x, margin, out.touch[1]);
  out.tangent = axis;
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_COLLISION_PLANE_CAPSULE_KERNEL_H_
