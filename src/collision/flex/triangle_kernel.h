// Sphere, capsule and box against a triangle of a flex, which is rounded by the flex's radius rho.
//
//   sphere    its centre c against the nearest point x of the triangle:
//               dist = |x - c| - r - rho,  n = (x - c) / |x - c|
//   capsule   the spheres at both ends of its axis, then the triangle's corners against the inside of the axis
//   box       each corner of the triangle that is inside of the box widened by margin and rho, against the face to
//   which
//             it is nearest; then each corner of the box as a sphere without radius
//
// Contacts lie midway between the two surfaces. A centre on the triangle itself leaves n open: the triangle's normal
// decides.
#ifndef SINEW_COLLISION_FLEX_TRIANGLE_KERNEL_H_
#define SINEW_COLLISION_FLEX_TRIANGLE_KERNEL_H_

#include "collision/analytic/sphere_sphere_kernel.h"
#include "math/triangle.h"

namespace sinew {
inline namespace SINEW_ISA {

template <class S>
struct RoundedTriangle {
  Vec3<S> corner[3];
  S radius;

  Vec3<S> Nearest(const Vec3<S>& p) const { return NearestOnTriangle(p, corner[0], corner[1], corner[2]); }
};

// The sphere around `centre` against the triangle; returns whether they are within `margin`.
template <class S>
MaskOf<S> TouchTriangle(const Vec3<S>& centre, S radius, const RoundedTriangle<S>& triangle, S margin,
                        Touch<S>& touch) {
  const Vec3<S> u = triangle.corner[1] - triangle.corner[0], v = triangle.corner[2] - triangle.corner[0];
  return TouchSpheres(centre, radius, triangle.Nearest(centre), triangle.radius, u, v, margin, touch);
}

template <class S>
Touches<S, 1> SphereTriangle(const Geom<S>& sphere, const RoundedTriangle<S>& triangle, S margin) {
  Touches<S, 1> out;
  out.hit[0] = TouchTriangle(sphere.pos, sphere.size.x, triangle, margin, out.touch[0]);
  return out;
}

template <class S>
Touches<S, 5> CapsuleTriangle(const Geom<S>& capsule, const RoundedTriangle<S>& triangle, S margin) {
  const Vec3<S> axis = capsule.Axis(), half = axis * capsule.size.y;
  const S radius = capsule.size.x;
  Touches<S, 5> out;
  out.hit[0] = TouchTriangle(capsule.pos - half, radius, triangle, margin, out.touch[0]);
  out.hit[1] = TouchTriangle(capsule.pos + half, radius, triangle, margin, out.touch[1]);
  for (int i = 0; i < 3; ++i) {
    const Vec3<S>& corner = triangle.corner[i];
    const S x = Dot(axis, corner - capsule.pos);
    const MaskOf<S> inside = Abs(x) < capsule.size.y;
    out.hit[2 + i] = TouchSpheres(capsule.pos + axis * x, radius, corner, triangle.radius, axis,
                                  triangle.corner[(i + 1) % 3] - corner, margin, out.touch[2 + i]) &
                     inside;
  }
  return out;
}

// A point of radius `rho` inside of the box widened by margin + rho, against the face that it is nearest to.
template <class S>
MaskOf<S> TouchNearestFace(const Geom<S>& box, const Vec3<S>& point, S rho, S margin, Touch<S>& touch) {
  const Vec3<S> local = box.ToLocal(point);
  S height = Abs(local.x) - box.size.x;
  Vec3<S> normal = {CopySign(S(1), local.x), S(0), S(0)};
  S highest = height;
  for (int k = 1; k < 3; ++k) {
    const S above = Abs(local[k]) - box.size[k];
    const MaskOf<S> nearer = above > height;
    Vec3<S> outward = Zero3<S>();
    outward[k] = CopySign(S(1), local[k]);
    height = Select(nearer, above, height);
    normal = Select<S>(nearer, outward, normal);
    highest = Max(highest, above);
  }
  touch.normal = box.mat * normal;
  touch.dist = height - rho;
  touch.pos = point - touch.normal * (rho + S(0.5) * touch.dist);
  return highest <= margin + rho;
}

template <class S>
Touches<S, 11> BoxTriangle(const Geom<S>& box, const RoundedTriangle<S>& triangle, S margin) {
  Touches<S, 11> out;
  for (int i = 0; i < 3; ++i) {
    out.hit[i] = TouchNearestFace(box, triangle.corner[i], triangle.radius, margin, out.touch[i]);
  }
  for (int i = 0; i < 8; ++i) {
    const auto side = [i](int axis, S half) { return i >> axis & 1 ? half : -half; };
    const Vec3<S> corner = box.ToWorld({side(0, box.size.x), side(1, box.size.y), side(2, box.size.z)});
    out.hit[3 + i] = TouchTriangle(corner, S(0), triangle, margin, out.touch[3 + i]);
  }
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_COLLISION_FLEX_TRIANGLE_KERNEL_H_
