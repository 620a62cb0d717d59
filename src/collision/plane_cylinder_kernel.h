// Plane with normal n, and a cylinder with centre c, radius r, half length h and axis a, signed so that a . n <= 0: a
// points to the lower cap. On a rim, the lowest point lies along the steepest descent in the cap,
//
//   v = r unit(a (a . n) - n)
//
// Contacts: the lowest points P1 = c + v + h a and P2 = c + v - h a of the two rims, and on the lower rim
// P3,4 = c + h a - v/2 +- (sqrt(3)/2) r unit(v x a), which complete P1 to an equilateral triangle.
#ifndef SINEW_COLLISION_PLANE_CYLINDER_KERNEL_H_
#define SINEW_COLLISION_PLANE_CYLINDER_KERNEL_H_

#include "collision/plane_sphere_kernel.h"

namespace sinew {
inline namespace SINEW_ISA {

template <class S>
Touches<S, 4> PlaneCylinder(const Geom<S>& plane, const Geom<S>& cylinder, S margin) {
  const S radius = cylinder.size.x;
  const Vec3<S> normal = plane.Axis();
  Vec3<S> axis = cylinder.Axis();
  S slope = Dot(normal, axis);
  const S sign = Select(slope > S(0), S(-1), S(1));
  axis = axis * sign;
  slope = slope * sign;

  // an upright cylinder has no steepest descent: its x axis will do
  Vec3<S> descent = axis * slope - normal;
  const MaskOf<S> upright = Dot(descent, descent) < S(kMinVal * kMinVal);
  Normalize(descent);
  descent = Select<S>(upright, cylinder.mat.Column(0), descent) * radius;

  Vec3<S> side = Cross(descent, axis);
  Normalize(side);
  side = side * (radius * S(0.86602540378443864676));
  const Vec3<S> half = axis * cylinder.size.y;
  const Vec3<S> back = cylinder.pos + half - descent * S(0.5);

  const auto touch = [&](const Vec3<S>& point, Touch<S>& t) {
    return TouchPlane(plane.pos, normal, point, S(0), margin, t);
  };
  Touches<S, 4> out;
  out.hit[0] = touch(cylinder.pos + descent + half, out.touch[0]);
  out.hit[1] = out.hit[0] & touch(cylinder.pos + descent - half, out.touch[1]);
  // P3 and P4 are equally high: rounding must not keep one of them
  out.hit[2] = out.hit[3] = out.hit[0] & touch(back + side, out.touch[2]);
  touch(back - side, out.touch[3]);
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_COLLISION_PLANE_CYLINDER_KERNEL_H_
