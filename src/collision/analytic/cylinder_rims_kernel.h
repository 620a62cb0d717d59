// The direction of least overlap of two cylinders (cylinder_search_kernel.h): caps, across both axes, across one axis
// to the other shape's centre, the rim of one and the line along the side of the other, and the two rims.
//
// Where the rims meet, o is smooth: with the point G of the shapes' difference that is farthest along u,
//
//   slope = G - u o,     curvature = rho1 t1 t1' + rho2 t2 t2' - o,     rho = r / |u x axis|,  t = u x axis / |u x
//   axis|
//
// in the plane across u. Newton's method starts at the best of the other directions, from which o falls to the one or
// the other side.
#ifndef SINEW_COLLISION_ANALYTIC_CYLINDER_RIMS_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_CYLINDER_RIMS_KERNEL_H_

#include "collision/analytic/cylinder_search_kernel.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {
namespace cylinder {

// Two cylinders in the frame of the first.
template <class S>
struct TwoCylinders {
  S r1, h1, r2, h2;
  Mat3<S> R;  // axes of the second as columns
  Vec3<S> d;  // centre of the second
  Vec3<S> D;  // the same along the axes of the second
  S size;     // no less than what is summed to an overlap

  TwoCylinders(const PlacedGeom<S>& first, const PlacedGeom<S>& second)
      : r1(first.size.x),
        h1(first.size.y),
        r2(second.size.x),
        h2(second.size.y),
        R(Transpose(first.mat) * second.mat),
        d(first.ToLocal(second.pos)),
        D(MulTransposed(R, d)) {
    size = r1 + h1 + r2 + h2 + Abs(d.x) + Abs(d.y) + Abs(d.z);
  }

  Least<S> FindLeast(S margin) const {
    Least<S> least(size);
    const Vec3<S> axis = Axis();
    Try(axis, least);
    Try({S(0), S(0), S(1)}, least);
    Try(Normalized(Cross(Z(), axis)), least);
    Try(Normalized(Vec3<S>{d.x, d.y, S(0)}), least);
    Try(Normalized(d - axis * Dot(axis, d)), least);
    if (All(least.overlap < -margin)) return least;
    TryLineAndRim(least);
    if (All(least.overlap < -margin)) return least;
    TryRims(least);
    return least;
  }

 private:
  static Vec3<S> Z() { return {S(0), S(0), S(1)}; }
  Vec3<S> Axis() const { return R.Column(2); }

  S Overlap(const Vec3<S>& u) const {
    return r1 * Sqrt(u.x * u.x + u.y * u.y) + h1 * Abs(u.z) + r2 * Norm(Cross(u, Axis())) + h2 * Abs(Dot(u, Axis())) -
           Abs(Dot(u, d));
  }
  void Try(const Vec3<S>& u, Least<S>& least) const { Try(u, !Never<S>(), least); }
  void Try(const Vec3<S>& u, MaskOf<S> where, Least<S>& least) const {
    least.Compare(Overlap(u), u * SignOf(Dot(u, d)), where);
  }

  // The rim of the one is to the axis of the other as to a box without width.
  void TryLineAndRim(Least<S>& least) const {
    RimAndLine<S>(r1, h1, Axis(), d)
        .ForEachArc([&] { return least.overlap - least.preference - r2; },
                    [&](MaskOf<S> where, const Vec3<S>& u) { Try(u, where, least); });
    // seen from the second cylinder
    RimAndLine<S>(r2, h2, R.Row(2), D)
        .ForEachArc([&] { return least.overlap - least.preference - r1; },
                    [&](MaskOf<S> where, const Vec3<S>& u) { Try(R * u, where, least); });
  }

  // ---- both rims

  // From the best direction, to the sides of the caps to which o falls. Deep in each other, shapes may have several
  // ways out: then from between the caps that face the other shape's centre, too.
  void TryRims(Least<S>& least) const {
    constexpr double kDeep = 0.1;  // of the least size
    const MaskOf<S> deep = least.overlap > S(kDeep) * Min(Min(r1, h1), Min(r2, h2));
    Caps caps = CapsAt(least.normal);
    const Vec3<S> start = StartAt(least.normal, least.overlap, caps);
    if (Any(caps.exist)) Descend(start, caps, least);
    if (!Any(deep)) return;
    caps = {SignOf(d.z), SignOf(D.z), deep};
    Descend(Normalized(Z() * caps.side1 + Axis() * caps.side2), caps, least);
  }

  // Sides of the caps whose rims may meet.
  struct Caps {
    S side1, side2;
    MaskOf<S> exist;
  };
  // The difference of their centres.
  Vec3<S> Between(const Caps& caps) const { return Z() * (caps.side1 * h1) + Axis() * (caps.side2 * h2) - d; }

  // To which side of the circle across an axis o falls; zero where it falls to none.
  static S FallingSide(S slope, S half) { return Select(slope < -half, S(1), Select(slope > half, S(-1), S(0))); }
  Caps CapsAt(const Vec3<S>& u) const {
    constexpr double kLevel = 1e-9;
    const Vec3<S> axis = Axis();
    const S along1 = u.z, along2 = Dot(u, axis);
    const MaskOf<S> level1 = Abs(along1) < S(kLevel), level2 = Abs(along2) < S(kLevel);
    const MaskOf<S> both = level1 & level2;  // along both sides, or where these cross
    const Vec3<S> discs = FarthestOfDiscs(u) - d;
    const S cap1 = Select(both, S(0), h1 * SignOf(along1)), cap2 = Select(both, S(0), h2 * SignOf(along2));
    const S half1 = h1 + Select(both, h2, S(0)), half2 = h2 + Select(both, h1, S(0));
    Caps caps;
    caps.side1 = Select(level1, FallingSide(discs.z + axis.z * cap2, half1), SignOf(along1));
    caps.side2 = Select(level2, FallingSide(Dot(discs, axis) + axis.z * cap1, half2), SignOf(along2));
    caps.exist = (!(caps.side1 == S(0))) & !(caps.side2 == S(0));
    return caps;
  }

  // The points of the discs that are farthest along u, from their centres.
  static Vec3<S> FarthestOfDisc(const Vec3<S>& axis, S r, const Vec3<S>& u, S& width) {
    const Vec3<S> across = u - axis * Dot(u, axis);
    width = Norm(across);
    return across * (r / Max(width, S(kMinVal)));
  }
  Vec3<S> FarthestOfDiscs(const Vec3<S>& u) const {
    S width;
    return FarthestOfDisc(Z(), r1, u, width) + FarthestOfDisc(Axis(), r2, u, width);
  }

  // Where the search starts: at the best direction u, but for a pole, a cap's normal, at which its rim has any normal.
  // Near it, a disc counts as one in the plane across u. Shapes that are apart start at the way to the nearest point;
  // others in the middle between two poles, or as far from a single one as the curvature of the other disc tells. At a
  // pole where o falls to no side, there is nothing to look for.
  Vec3<S> StartAt(const Vec3<S>& u, S overlap, Caps& caps) const {
    constexpr double kPole = 1e-6, kNear = 0.05, kFar = 0.3;
    S width1, width2;
    const Vec3<S> disc1 = FarthestOfDisc(Z(), r1, u, width1), disc2 = FarthestOfDisc(Axis(), r2, u, width2);
    const MaskOf<S> pole1 = width1 < S(kPole), pole2 = width2 < S(kPole);
    if (!Any(pole1 | pole2)) return u;
    const Vec3<S> between = Between(caps), none = Zero3<S>();
    const auto across = [&](const Vec3<S>& v) { return v - u * Dot(u, v); };
    const auto radius = [&](MaskOf<S> first, MaskOf<S> second) {
      return Select(first, r1, S(0)) + Select(second, r2, S(0));
    };
    const S slope = Norm(across(between + Select<S>(pole1, none, disc1) + Select<S>(pole2, none, disc2)));
    caps.exist = caps.exist & !((pole1 | pole2) & (slope < radius(pole1, pole2)));

    const MaskOf<S> near1 = width1 < S(kNear), near2 = width2 < S(kNear);
    const Vec3<S> G = between + Select<S>(near1, none, disc1) + Select<S>(near2, none, disc2), way = across(G);
    const S length = Max(Norm(way), S(kMinVal)), disc = radius(near1, near2);
    const Vec3<S> nearest = Normalized(way * Min(S(1), disc / length) - G);
    const Vec3<S> normal1 = Z() * caps.side1, normal2 = Axis() * caps.side2;
    const S tilt = Norm(Cross(normal1, normal2));
    const Vec3<S> middle = Normalized(normal1 + normal2 - way * (S(0.5) * tilt / length));

    const S width = Select(near1, width2, width1), other = Select(near1, r2, r1);
    const S turn = Dot(Cross(Select<S>(near1, normal2, normal1), u), way) / (width * length);
    const S bend = other * turn * turn / width - overlap;
    const S angle = Select(bend > S(0), Min((length - disc) / Select(bend > S(0), bend, S(1)), S(kFar)), S(kFar));
    const Vec3<S> beside = Normalized(u - way * (angle / length));
    const Vec3<S> start = Select<S>(near1 & near2, middle, beside);
    return Select<S>(pole1 | pole2, Select<S>((overlap < S(0)) & (disc < length), nearest, start), u);
  }

  // A step of Newton's method from u, damped, which also leads down where o is not convex.
  struct Step {
    S x, y;  // along t1, and along u x t1
    S curvature;
    S sine;  // of the angle to the nearer axis
    MaskOf<S> is_plain;
  };
  Step StepFrom(const Vec3<S>& u, const Vec3<S>& G, S o, S damping, Vec3<S>& t1, Vec3<S>& e) const {
    constexpr double kSlack = 0.1;
    t1 = Cross(Z(), u);
    Vec3<S> t2 = Cross(Axis(), u);
    const S sine1 = Max(Normalize(t1), S(kMinVal)), sine2 = Max(Normalize(t2), S(kMinVal));
    const S rho1 = r1 / sine1, rho2 = r2 / sine2;
    e = Cross(u, t1);
    const S a = Dot(t2, t1), b = Dot(t2, e), gx = Dot(G, t1), gy = Dot(G, e);
    const S xx = rho1 + rho2 * a * a - o, xy = rho2 * a * b, yy = rho2 * b * b - o;
    const S middle = S(0.5) * (xx + yy), half = S(0.5) * (xx - yy), most = middle + Sqrt(half * half + xy * xy);
    const S least = (xx * yy - xy * xy) / Select(most > S(kMinVal), most, S(1));
    const S shift = damping + Select(least > S(0), S(0), S(kSlack) * Abs(o) - least);
    const S hxx = xx + shift, hyy = yy + shift, inverse = S(1) / Max(hxx * hyy - xy * xy, S(kMinVal * kMinVal));
    return {(xy * gy - hyy * gx) * inverse, (xy * gx - hxx * gy) * inverse, Abs(middle), Min(sine1, sine2),
            shift == S(0)};
  }

  // Where u turns to the other side of a cap, other rims meet, and the least o of these lies on the circle between.
  void Descend(Vec3<S> u, const Caps& caps, Least<S>& least) const {
    constexpr int kMost = 30;
    constexpr double kEnd = std::is_same_v<typename LaneTraits<S>::Lane, float> ? 1e-3 : 1e-7;  // rad
    const Vec3<S> between = Between(caps);
    Vec3<S> G = FarthestOfDiscs(u) + between, t1, e;
    const Vec3<S> axis = Axis();
    S damping(0);
    MaskOf<S> active = caps.exist;
    for (int i = 0; i < kMost && Any(active); ++i) {
      const S o = Dot(G, u);
      const Step step = StepFrom(u, G, o, damping, t1, e);
      const Vec3<S> next = Normalized(u + t1 * step.x + e * step.y), at_next = FarthestOfDiscs(next) + between;
      const MaskOf<S> is_end =
          step.is_plain & (step.x * step.x + step.y * step.y < S(kEnd * kEnd) * step.sine * step.sine);
      const MaskOf<S> leads_down = Dot(at_next, next) < o, is_taken = active & (is_end | leads_down);
      const S less = Select(damping < S(0.01) * step.curvature, S(0), damping * S(0.1));
      damping = Select(is_taken, less, Max(S(4) * damping, S(0.5) * step.curvature));
      u = Select<S>(is_taken, next, u);
      G = Select<S>(is_taken, at_next, G);
      const MaskOf<S> leaves = (caps.side1 * u.z < S(0)) | (caps.side2 * Dot(u, axis) < S(0));
      active = active & !(is_end | (is_taken & leaves));
    }
    Try(u, caps.exist, least);
  }
};

}  // namespace cylinder
}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_CYLINDER_RIMS_KERNEL_H_
