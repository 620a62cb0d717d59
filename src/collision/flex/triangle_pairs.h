// Sphere, capsule and box against a triangle of a flex, which is rounded by the flex's radius rho.
//
//   sphere    its centre c against the nearest point x of the triangle:
//               dist = |x - c| - r - rho,  n = (x - c) / |x - c|
//   capsule   the spheres at both ends of its axis, then the triangle's corners against the inside of the axis
//   box       each corner of the triangle that is inside of the box widened by margin and rho, against the face to
//             which it is nearest; then each corner of the box as a sphere without radius
//
// Contacts lie midway between the two surfaces. A centre on the triangle itself leaves n open: the triangle's normal
// decides. Operations have the order that gives the bits of MuJoCo 3.8.0.
#ifndef SINEW_COLLISION_FLEX_TRIANGLE_PAIRS_H_
#define SINEW_COLLISION_FLEX_TRIANGLE_PAIRS_H_

#include "collision/analytic/sphere_sphere_kernel.h"
#include "collision/flex/triangle_plane.h"

namespace sinew::inline collision {

struct RoundedTriangle {
  Vec3<double> corner[3];
  double radius;
};

// The sphere around `centre` against the triangle; returns whether they are within `margin`.
inline bool SphereOnTriangle(const Vec3<double>& centre, double radius, const RoundedTriangle& triangle,
                             const TrianglePlane& plane, double margin, ContactPoint<double>& point) {
  const Vec3<double> u = triangle.corner[1] - triangle.corner[0], v = triangle.corner[2] - triangle.corner[0];
  return SphereOnSphereAt(centre, radius, plane.Offset(centre), triangle.radius, u, v, margin, point);
}

inline ContactPoints<double, 1> SphereTriangle(const PlacedGeom<double>& sphere, const RoundedTriangle& triangle,
                                               double margin) {
  ContactPoints<double, 1> out;
  out.hit[0] =
      SphereOnTriangle(sphere.pos, sphere.size.x, triangle, TrianglePlane(triangle.corner), margin, out.point[0]);
  return out;
}

inline ContactPoints<double, 5> CapsuleTriangle(const PlacedGeom<double>& capsule, const RoundedTriangle& triangle,
                                                double margin) {
  const Vec3<double> axis = capsule.Axis(), half = axis * capsule.size.y;
  const double radius = capsule.size.x;
  const TrianglePlane plane(triangle.corner);
  ContactPoints<double, 5> out;
  out.hit[0] = SphereOnTriangle(capsule.pos - half, radius, triangle, plane, margin, out.point[0]);
  out.hit[1] = SphereOnTriangle(capsule.pos + half, radius, triangle, plane, margin, out.point[1]);
  const Vec3<double> start = capsule.pos - half, span = (capsule.pos + half) - start;
  const double length2 = 4 * capsule.size.y * capsule.size.y;
  for (int i = 0; i < 3; ++i) {
    const Vec3<double>& corner = triangle.corner[i];
    const double t = Dot(corner - start, span) / length2;
    out.hit[2 + i] = false;
    if (!(t > 0 && t < 1)) continue;
    const Vec3<double> inside = start + span * t;
    ContactPoint<double>& point = out.point[2 + i];
    out.hit[2 + i] = SphereOnSphere(inside, radius, corner, triangle.radius, axis,
                                    triangle.corner[(i + 1) % 3] - corner, margin, point);
    if (out.hit[2 + i]) point.pos = (inside + corner) * 0.5 + point.normal * (0.5 * (radius - triangle.radius));
  }
  return out;
}

// A point of radius `rho` inside of the box widened by margin + rho, against the face that it is nearest to.
inline bool PointOnNearestFace(const PlacedGeom<double>& box, const Vec3<double>& vertex, double rho, double margin,
                               ContactPoint<double>& contact) {
  const Vec3<double> local = box.ToLocal(vertex);
  const auto height = [&](int k) { return Abs(local[k]) - box.size[k]; };
  int nearest = 0;
  for (int k = 1; k < 3; ++k) {
    if (height(k) > height(nearest)) nearest = k;
  }
  contact.normal = box.mat.Column(nearest) * CopySign(1.0, local[nearest]);
  contact.dist = height(nearest) - rho;
  contact.pos = vertex - contact.normal * (rho + 0.5 * contact.dist);
  return contact.dist <= margin;
}

inline ContactPoints<double, 11> BoxTriangle(const PlacedGeom<double>& box, const RoundedTriangle& triangle,
                                             double margin) {
  ContactPoints<double, 11> out;
  for (int i = 0; i < 3; ++i) {
    out.hit[i] = PointOnNearestFace(box, triangle.corner[i], triangle.radius, margin, out.point[i]);
  }
  const TrianglePlane plane(triangle.corner);
  for (int i = 0; i < 8; ++i) {
    const auto side = [i](int axis, double half) { return i >> axis & 1 ? half : -half; };
    const Vec3<double> corner = box.ToWorld({side(0, box.size.x), side(1, box.size.y), side(2, box.size.z)});
    out.hit[3 + i] = SphereOnTriangle(corner, 0, triangle, plane, margin, out.point[3 + i]);
  }
  return out;
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FLEX_TRIANGLE_PAIRS_H_
