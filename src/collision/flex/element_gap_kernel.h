// Whether two elements are certainly apart, without their distance. Along any direction n, convex sets a and b are no
// nearer than
//
//   gap(n) = max(min_b n.b - max_a n.a,  min_a n.a - max_b n.b) / |n|.
//
// Directions are those of the faces, and of the sides of a triangle within its plane, by which neighbours in a cloth
// are apart; and the line between the middles. Elements whose gap is too small along all of these may be apart still.
#ifndef SINEW_COLLISION_FLEX_ELEMENT_GAP_KERNEL_H_
#define SINEW_COLLISION_FLEX_ELEMENT_GAP_KERNEL_H_

#include "math/vec3.h"
#include "simd/functions.h"
#include "simd/unroll.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

// Whether all of b is farther than `reach` from all of a along n.
template <class S, int kA, int kB>
MaskOf<S> IsGapAlong(const Vec3<S>& n, const Vec3<S> (&a)[kA], const Vec3<S> (&b)[kB], S reach) {
  S low_a = Dot(n, a[0]), high_a = low_a, low_b = Dot(n, b[0]), high_b = low_b;
  Unroll<1, kA>([&](auto i) {
    const S at = Dot(n, a[i]);
    low_a = Min(at, low_a);
    high_a = Max(at, high_a);
  });
  Unroll<1, kB>([&](auto i) {
    const S at = Dot(n, b[i]);
    low_b = Min(at, low_b);
    high_b = Max(at, high_b);
  });
  const S gap = Max(low_b - high_a, low_a - high_b);
  return (gap > S(0)) & (gap * gap > reach * reach * Dot(n, n));
}

// Calls visit(n) for the directions of a triangle or of a tetrahedron.
template <class S, class Visit>
void ForNormals(const Vec3<S> (&corner)[3], const Visit& visit) {
  const Vec3<S> normal = Cross(corner[1] - corner[0], corner[2] - corner[0]);
  visit(normal);
  Unroll<0, 3>([&](auto i) { visit(Cross(normal, corner[(i + 1) % 3] - corner[i])); });
}
template <class S, class Visit>
void ForNormals(const Vec3<S> (&corner)[4], const Visit& visit) {
  const Vec3<S> u = corner[1] - corner[0], v = corner[2] - corner[0], w = corner[3] - corner[0];
  visit(Cross(u, v));
  visit(Cross(v, w));
  visit(Cross(w, u));
  visit(Cross(v - u, w - u));
}

// Whether a and b are certainly farther apart than `reach`. Coordinates should be those about a point nearby.
template <class S, int kA, int kB>
MaskOf<S> AreApart(const Vec3<S> (&a)[kA], const Vec3<S> (&b)[kB], S reach) {
  Vec3<S> middle_a = a[0], middle_b = b[0];
  Unroll<1, kA>([&](auto i) { middle_a += a[i]; });
  Unroll<1, kB>([&](auto i) { middle_b += b[i]; });
  MaskOf<S> apart = IsGapAlong(middle_b * S(1.0 / kB) - middle_a * S(1.0 / kA), a, b, reach);
  const auto try_along = [&](const Vec3<S>& n) { apart = apart | IsGapAlong(n, a, b, reach); };
  ForNormals(a, try_along);
  ForNormals(b, try_along);
  return apart;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FLEX_ELEMENT_GAP_KERNEL_H_
