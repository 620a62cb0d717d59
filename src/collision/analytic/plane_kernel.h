// A plane and a primitive. The plane is infinite and solid: what is below it is in contact at any depth. Its normal is
// the z axis of its frame.
#ifndef SINEW_COLLISION_ANALYTIC_PLANE_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_PLANE_KERNEL_H_

#include <type_traits>

#include "collision/geom.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

// ---- sphere

// Plane through p with normal n, and a sphere with centre c:
//
//   dist = n . (c - p) - r,   pos = c - n (r + dist / 2)

// Returns whether the sphere is within `margin` of the plane; points are spheres of radius zero.
template <class S>
MaskOf<S> SphereOnPlane(const Vec3<S>& point, const Vec3<S>& normal, const Vec3<S>& centre, S radius, S margin,
                        ContactPoint<S>& contact) {
  const S height = Dot(normal, centre - point);
  contact.dist = height - radius;
  contact.pos = centre - normal * (radius + S(0.5) * contact.dist);
  contact.normal = normal;
  return height <= margin + radius;
}

template <class S>
ContactPoints<S, 1> PlaneSphere(const PlacedGeom<S>& plane, const PlacedGeom<S>& sphere, S margin) {
  ContactPoints<S, 1> out;
  out.hit[0] = SphereOnPlane(plane.pos, plane.Axis(), sphere.pos, sphere.size.x, margin, out.point[0]);
  return out;
}

// ---- capsule

// Plane and capsule: the plane against the spheres at the two ends of the axis, +z end first. The contact frames have
// the axis for their first tangent, so that rolling friction acts along and across it.
template <class S>
ContactPoints<S, 2> PlaneCapsule(const PlacedGeom<S>& plane, const PlacedGeom<S>& capsule, S margin) {
  const Vec3<S> axis = capsule.Axis(), half = axis * capsule.size.y;
  ContactPoints<S, 2> out;
  out.hit[0] = SphereOnPlane(plane.pos, plane.Axis(), capsule.pos + half, capsule.size.x, margin, out.point[0]);
  out.hit[1] = SphereOnPlane(plane.pos, plane.Axis(), capsule.pos - half, capsule.size.x, margin, out.point[1]);
  out.tangent = axis;
  return out;
}

// ---- ellipsoid

// Plane with normal n, and an ellipsoid with semi-axes s: contact at the ellipsoid's lowest point. With u = -R' n in
// its frame and D = diag(s), that is  D unit(D u).
template <class S>
ContactPoints<S, 1> PlaneEllipsoid(const PlacedGeom<S>& plane, const PlacedGeom<S>& ellipsoid, S margin) {
  const Vec3<S> normal = plane.Axis(), size = ellipsoid.size;
  const Vec3<S> down = -MulTransposed(ellipsoid.mat, normal);
  Vec3<S> lowest = {size.x * down.x, size.y * down.y, size.z * down.z};
  Normalize(lowest);
  lowest = {size.x * lowest.x, size.y * lowest.y, size.z * lowest.z};
  ContactPoints<S, 1> out;
  out.hit[0] = SphereOnPlane(plane.pos, normal, ellipsoid.ToWorld(lowest), S(0), margin, out.point[0]);
  return out;
}

// ---- cylinder

// Plane with normal n, and a cylinder with centre c, radius r, half length h and axis a, signed so that a . n <= 0: a
// points to the lower cap. On a rim, the lowest point lies along the steepest descent in the cap,
//
//   v = r unit(a (a . n) - n)
//
// Contacts: the lowest points P1 = c + v + h a and P2 = c + v - h a of the two rims, and on the lower rim
// P3,4 = c + h a - v/2 +- (sqrt(3)/2) r unit(v x a), which complete P1 to an equilateral triangle.
template <class S>
ContactPoints<S, 4> PlaneCylinder(const PlacedGeom<S>& plane, const PlacedGeom<S>& cylinder, S margin) {
  const S radius = cylinder.size.x;
  const Vec3<S> normal = plane.Axis();
  Vec3<S> axis = cylinder.Axis();
  S slope = Dot(normal, axis);
  const S sign = Select(slope > S(0), S(-1), S(1));
  axis = axis * sign;
  slope = slope * sign;

  // an upright cylinder has no steepest descent, but rounding: its x axis will do, and stays where it is
  constexpr double kUpright = std::is_same_v<typename LaneTraits<S>::Lane, float> ? 1e-5 : 1e-8;
  Vec3<S> descent = axis * slope - normal;
  const S length = Norm(descent);
  const MaskOf<S> upright = length < S(kUpright);
  descent = Select<S>(upright, cylinder.mat.Column(0) * radius, descent * (radius / Select(upright, S(1), length)));

  Vec3<S> side = Cross(descent, axis);
  Normalize(side);
  side = side * (radius * S(0.86602540378443864676));
  const Vec3<S> half = axis * cylinder.size.y;

  // heights of the centres of the caps, and of the lowest points of the rims over them
  const S centre = Dot(cylinder.pos - plane.pos, normal), rise = slope * cylinder.size.y;
  const S lower = centre + rise, upper = centre - rise, drop = Dot(descent, normal);
  const auto set = [&](S height, const Vec3<S>& point, ContactPoint<S>& t) {
    t = {height, point - normal * (S(0.5) * height), normal};
    return height <= margin;
  };
  ContactPoints<S, 4> out;
  out.hit[0] = set(lower + drop, cylinder.pos + descent + half, out.point[0]);
  out.hit[1] = out.hit[0] & set(upper + drop, cylinder.pos + descent - half, out.point[1]);
  const S third = lower - drop * S(0.5);
  out.hit[2] = out.hit[3] = out.hit[0] & set(third, cylinder.pos + side + half - descent * S(0.5), out.point[2]);
  set(third, cylinder.pos - side + half - descent * S(0.5), out.point[3]);
  return out;
}

// ---- box

// Plane and box: the corners on the lower side of the box's centre that are within the margin, at most four, in the
// order ---, +--, -+-, ++-, --+, ... of their signs. A box on its edge or tip may have two or four corners as high as
// its centre, up to rounding: they take what room the lower ones leave.
template <class S>
ContactPoints<S, 8> PlaneBox(const PlacedGeom<S>& plane, const PlacedGeom<S>& box, S margin) {
  constexpr double kSameHeight = 1e-12;  // of the sizes
  const Vec3<S> normal = plane.Axis();
  const S centre = Dot(normal, box.pos - plane.pos);  // its height
  const S level = S(-kSameHeight) * (box.size.x + box.size.y + box.size.z);
  ContactPoints<S, 8> out;
  MaskOf<S> is_lower[8];
  S room(4);
  for (int i = 0; i < 8; ++i) {
    const Vec3<S> corner = box.mat * Vec3<S>{i & 1 ? box.size.x : -box.size.x, i & 2 ? box.size.y : -box.size.y,
                                             i & 4 ? box.size.z : -box.size.z};
    const S offset = Dot(normal, corner), height = centre + offset;
    out.point[i] = {height, box.pos + corner - normal * (S(0.5) * height), normal};
    out.hit[i] = (height <= margin) & (offset <= S(0));
    is_lower[i] = offset < level;
    room -= Select(out.hit[i] & is_lower[i], S(1), S(0));
  }
  for (int i = 0; i < 8; ++i) {
    const MaskOf<S> beside = out.hit[i] & !is_lower[i];
    out.hit[i] = out.hit[i] & (is_lower[i] | (room > S(0)));
    room -= Select(beside, S(1), S(0));
  }
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_PLANE_KERNEL_H_
