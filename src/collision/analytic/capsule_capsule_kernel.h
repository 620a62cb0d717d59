// Two capsules: spheres around the nearest points of their axes. With A_i = h_i a_i (half length times unit axis) and
// p = c1 - c2, the points c1 + x1 A1 and c2 + x2 A2 are nearest on the infinite lines when
//
//   | A1.A1   -A1.A2 | (x1)   (-A1.p)
//   | -A1.A2   A2.A2 | (x2) = ( A2.p)        (normal equations of |p + x1 A1 - x2 A2|)
//
// then x1 is clamped to [-1, 1] and x2 recomputed, then x2 is clamped and x1 recomputed (C. Ericson, Real-Time
// Collision Detection, 2005, sec. 5.1.9). Where the axes meet between their ends, the way out is across both.
//
// Parallel axes make the system singular: the ends of either capsule are paired with the nearest points of the other,
// +A1, -A1, +A2, -A2, until two contacts are found. Where the axes lie beside each other over some length, only the
// ends of that length count: there the distance is that of the axes, and both contacts share a normal.
#ifndef SINEW_COLLISION_ANALYTIC_CAPSULE_CAPSULE_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_CAPSULE_CAPSULE_KERNEL_H_

#include "collision/analytic/sphere_sphere_kernel.h"

namespace sinew::inline collision {
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
  // Nearest points of the infinite lines to a point of the other axis, and of the segments.
  S FreeOnFirst(S x2) const { return (u - ab * x2) / aa; }
  S FreeOnSecond(S x1) const { return (v - ab * x1) / bb; }
  S NearestOnFirst(S x2) const { return Clamp(FreeOnFirst(x2), S(-1), S(1)); }
  S NearestOnSecond(S x1) const { return Clamp(FreeOnSecond(x1), S(-1), S(1)); }

  void Nearest(S& x1, S& x2) const {
    const S det = Determinant();
    const S free1 = (bb * u - ab * v) / det, free2 = (aa * v - ab * u) / det;
    x1 = Clamp(free1, S(-1), S(1));
    const S line2 = Select(x1 == free1, free2, (v - ab * x1) / bb);
    x2 = Clamp(line2, S(-1), S(1));
    x1 = Select(x2 == line2, x1, NearestOnFirst(x2));
  }
};

namespace capsule_capsule {

// The normal where the points x1 and x2 of the axes are close: across both axes where they meet between their ends,
// across one where only that one goes on.
template <class S>
Vec3<S> NormalOfClose(const Vec3<S>& axis1, const Vec3<S>& axis2, S x1, S x2, const Vec3<S>& normal, S length) {
  Vec3<S> common = Cross(axis1, axis2);
  const MaskOf<S> on1 = Abs(x1) < S(1), on2 = Abs(x2) < S(1), cross = !(Normalize(common) < S(kMinVal));
  const MaskOf<S> coincident = length < S(kMinVal);
  const Vec3<S> n = Select<S>(coincident, common, normal);
  const Vec3<S> across = Across(n, Select<S>(on2 & !on1, axis2, axis1));
  const S sign = Select(coincident, S(1), CopySign(S(1), Dot(normal, common)));
  return Select<S>(on1 & on2 & cross, common * sign, Select<S>(on1 | on2 | !cross, across, n));
}

}  // namespace capsule_capsule

template <class S>
ContactPoints<S, 4> CapsuleCapsule(const PlacedGeom<S>& capsule1, const PlacedGeom<S>& capsule2, S margin) {
  const Vec3<S> axis1 = capsule1.Axis(), axis2 = capsule2.Axis();
  const Vec3<S> half1 = axis1 * capsule1.size.y, half2 = axis2 * capsule2.size.y;
  const AxisPair<S> pair(half1, half2, capsule1.pos - capsule2.pos);
  const auto set = [&](S x1, S x2, ContactPoint<S>& t) {
    const auto when_close = [&](const Vec3<S>& normal, S length) {
      return capsule_capsule::NormalOfClose(axis1, axis2, x1, x2, normal, length);
    };
    const Vec3<S> c1 = capsule1.pos + half1 * x1, c2 = capsule2.pos + half2 * x2;
    return SphereOnSphereAt(c1, capsule1.size.x, c2 - c1, capsule2.size.x, margin, when_close, t);
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

  // parallel axes: up to two of the ends +A1, -A1, +A2, -A2
  constexpr double kBeside = 1 + 1e-9;  // an end is beside the other axis up to rounding
  const S first[4] = {S(1), S(-1), pair.FreeOnFirst(S(1)), pair.FreeOnFirst(S(-1))};
  const S second[4] = {pair.FreeOnSecond(S(1)), pair.FreeOnSecond(S(-1)), S(1), S(-1)};
  MaskOf<S> beside[4], overlap = Never<S>();
  for (int i = 0; i < 4; ++i) {
    beside[i] = (Abs(first[i]) <= S(kBeside)) & (Abs(second[i]) <= S(kBeside));
    overlap = overlap | beside[i];
  }
  S count(0), x_taken(0);
  for (int i = 0; i < 4; ++i) {
    const S end1 = Clamp(first[i], S(-1), S(1)), end2 = Clamp(second[i], S(-1), S(1));
    if (i > 0) out.hit[i] = set(end1, end2, out.point[i]) & parallel & (count < S(2));
    const MaskOf<S> elsewhere = (count == S(0)) | (Abs(end1 - x_taken) > S(1e-6));
    out.hit[i] = out.hit[i] & ((!(parallel & overlap)) | (beside[i] & elsewhere));
    count += Select(out.hit[i], S(1), S(0));
    x_taken = Select(out.hit[i] & (count == S(1)), end1, x_taken);
  }
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_CAPSULE_CAPSULE_KERNEL_H_
