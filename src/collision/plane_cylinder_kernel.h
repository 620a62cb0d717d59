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
  const S length = Norm(descent);
  const MaskOf<S> upright = length < S(kMinVal);
  descent = Select<S>(upright, cylinder.mat.Column(0) * radius, descent * (radius / Select(upright, S(1), length)));

  Vec3<S> side = Cross(descent, axis);
  Normalize(side);
  side = side * (radius * S(0.86602540378443864676));
  const Vec3<S> half = axis * cylinder.size.y;

  // heights of the centres of the caps, and of the lowest points of the rims over them
  const S centre = Dot(cylinder.pos - plane.pos, normal), rise = slope * cylinder.size.y;
  const S lower = centre + rise, upper = centre - rise, drop = Dot(descent, normal);
  const auto touch = [&](S height, const Vec3<S>& point, Touch<S>& t) {
    t = {height, point - normal * (S(0.5) * height), normal};
    return height <= margin;
  };
  Touches<S, 4> out;
  out.hit[0] = touch(lower + drop, cylinder.pos + descent + half, out.touch[0]);
  out.hit[1] = out.hit[0] & touch(upper + drop, cylinder.pos + descent - half, out.touch[1]);
  const S third = lower - drop * S(0.5);
  out.hit[2] = out.hit[3] = out.hit[0] & touch(third, cylinder.pos + side + half - descent * S(0.5), out.touch[2]);
  touch(third, cylinder.pos - side + half - descent * S(0.5), out.touch[3]);
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_COLLISION_PLANE_CYLINDER_KERNEL_H_
