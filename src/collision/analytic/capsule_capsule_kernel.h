// Two capsules: spheres around the nearest points of their axes. With A_i = h_i a_i (half length times unit axis) and
// p = c1 - c2, the points c1 + x1 A1 and c2 + x2 A2 are nearest on the infinite lines when
//
//   | A1.A1   -A1.A2 | (x1)   (-A1.p)
//   | -A1.A2   A2.A2 | (x2) = ( A2.p)        (normal equations of |p + x1 A1 - x2 A2|)
//
// then x1 is clamped to [-1, 1] and x2 recomputed, then x2 is clamped and x1 recomputed (C. Ericson, Real-Time
// Collision Detection, 2005, sec. 5.1.9). Parallel axes make the system singular: the ends of either capsule are paired
// with the nearest points of the other, +A1, -A1, +A2, -A2, until two contacts are found.
#ifndef SINEW_COLLISION_ANALYTIC_CAPSULE_CAPSULE_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_CAPSULE_CAPSULE_KERNEL_H_

#include "collision/analytic/sphere_sphere_kernel.h"

namespace sinew {
inline namespace SINEW_ISA {

// Nearest points of two segments, as coordinates along their half axes; the terms are those of the normal equations.
template <class S>
struct AxisPair {
  S aa, ab, bb, u, v;

  AxisPair(const Vec3<S>& a, const Vec3<S>& b, const Vec3<S>& p)
      : aa(Dot(a, a)), ab(-Dot(a, b)), bb(Dot(b, b)), u(-Dot(a, p)), v(Dot(b, p)) {}

  S Determinant() const { return aa * bb - ab * ab; }
  // Up to which determinant the axes count as parallel: that of MuJoCo 3.8.0 for half lengths of a millimetre and
  // more, relative to their size for smaller ones; never less than rounding.
  S Parallel() const {
    const S size = Min(aa * bb * S(1e12), S(1));
    return Max(S(kMinVal) * size * size, S(1e-14) * aa * bb);
  }
  // x1 of the infinite lines, clamped.
  S FirstOfLines() const { return Clamp((bb * u - ab * v) / Determinant(), S(-1), S(1)); }
  S NearestOnFirst(S x2) const { return Clamp((u - ab * x2) / aa, S(-1), S(1)); }
  S NearestOnSecond(S x1) const { return Clamp((v - ab * x1) / bb, S(-1), S(1)); }

  void Nearest(S& x1, S& x2) const {
    const S det = Determinant();
    const S free1 = (bb * u - ab * v) / det, free2 = (aa * v - ab * u) / det;
    x1 = Clamp(free1, S(-1), S(1));
    const S line2 = Select(x1 == free1, free2, (v - ab * x1) / bb);
    x2 = Clamp(line2, S(-1), S(1));
    x1 = Select(x2 == line2, x1, NearestOnFirst(x2));
  }
};

template <class S>
ContactPoints<S, 4> CapsuleCapsule(const Geom<S>& capsule1, const Geom<S>& capsule2, S margin) {
  const Vec3<S> axis1 = capsule1.Axis(), axis2 = capsule2.Axis();
  const Vec3<S> half1 = axis1 * capsule1.size.y, half2 = axis2 * capsule2.size.y;
  const AxisPair<S> pair(half1, half2, capsule1.pos - capsule2.pos);
  const auto set = [&](S x1, S x2, ContactPoint<S>& t) {
    return SphereOnSphere(capsule1.pos + half1 * x1, capsule1.size.x, capsule2.pos + half2 * x2, capsule2.size.x, axis1,
                          axis2, margin, t);
  };

  // crossing axes: one contact
  ContactPoints<S, 4> out;
  const MaskOf<S> parallel = Abs(pair.Determinant()) < pair.Parallel();
  S x1(1), x2(1);
  if (!All(parallel)) pair.Nearest(x1, x2);
  x1 = Select(parallel, S(1), x1);
  x2 = Select(parallel, pair.NearestOnSecond(S(1)), x2);
  out.hit[0] = set(x1, x2, out.point[0]);
  out.hit[1] = out.hit[2] = out.hit[3] = Never<S>();
  if (!Any(parallel)) return out;

  // parallel axes: up to two
  S count = Select(out.hit[0], S(1), S(0));
  for (int i = 1; i < 4; ++i) {
    const S end(i == 2 ? 1.0 : -1.0);
    if (i == 1) {
      out.hit[i] = set(end, pair.NearestOnSecond(end), out.point[i]);
    } else {
      out.hit[i] = set(pair.NearestOnFirst(end), end, out.point[i]);
    }
    out.hit[i] = out.hit[i] & parallel & (count < S(2));
    count += Select(out.hit[i], S(1), S(0));
  }
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_COLLISION_ANALYTIC_CAPSULE_CAPSULE_KERNEL_H_
