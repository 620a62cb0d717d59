// The axis of a capsule inside a box: the way out along the direction of least overlap.
//
// In the box frame the axis is p + s H, |s| <= 1; b are the half sizes. The difference of box and segment is a polytope
// with two kinds of facets: faces of the box, and products of an edge of the box with the axis. Along a unit normal e
// of one of them, segment and box overlap by
//
//   o(e) = sum_k b_k |e_k| + |H . e| - |p . e|,     e = e_k   or   e = H x e_k / |H x e_k|
//
// The least is the depth of the axis; the capsule's is larger by its radius, as the depth of an axis outside of the box
// is smaller by its distance. The point of the facet that is nearest to the origin tells where: the deepest end of the
// axis lies over the face, or the axis crosses the edge. Contacts are there and where the axis, seen along e, leaves
// the face next to it, and share the normal.
#ifndef SINEW_COLLISION_ANALYTIC_CAPSULE_IN_BOX_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_CAPSULE_IN_BOX_KERNEL_H_

#include "collision/geom.h"
#include "simd/functions.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {
namespace capsule_box {

// The capsule's axis and the box, in the box frame.
template <class S>
struct AxisAndBox {
  Vec3<S> p, H, b;
  S length;  // |H|

  Vec3<S> Point(S s) const { return p + H * s; }
  // How far the axis may run on in direction k before it has crossed the whole box.
  S Crossing(int k) const { return S(2) * b[k] / Abs(H[k]); }

  // Whether it is farther from the box than `reach` along a normal of the faces: most that are asked for are.
  MaskOf<S> IsBeyond(S reach) const {
    constexpr double kSure = 1e-9;  // [m] more than the rounding of what decides otherwise
    const auto gap = [this](int k) { return Abs(p[k]) - Abs(H[k]) - b[k]; };
    return Max(gap(0), Max(gap(1), gap(2))) > reach + S(kSure);
  }
};

// How the axis is pushed out of the box.
template <class S>
struct LeastOverlap {
  MaskOf<S> inside;  // the axis and the box have points in common, up to rounding; the rest means nothing elsewhere
  S overlap = S(kInfinity);
  Vec3<S> out = Zero3<S>();  // unit, out of the box

  explicit LeastOverlap(const AxisAndBox<S>& a) {
    const S slack = S(-kTouching) * (a.length + a.b.x + a.b.y + a.b.z);
    inside = !Never<S>();
    for (int k = 0; k < 3; ++k) inside = inside & (FaceOverlap(a, k) > slack);
    if (!Any(inside)) return;
    for (int k = 0; k < 3; ++k) {
      Vec3<S> e = Zero3<S>();
      e[k] = S(1);
      Compare(a, e, FaceOverlap(a, k), inside);
    }
    for (int k = 0; k < 3; ++k) {
      Vec3<S> e = Zero3<S>();
      e[k] = S(1);
      e = Cross(a.H, e);
      const S length = Normalize(e);
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      const S width = a.b[l] * Abs(e[l]) + a.b[m] * Abs(e[m]) - Abs(a.p[l] * e[l] + a.p[m] * e[m]);
      const MaskOf<S> crosses = length > S(kParallel) * a.length;
      inside = inside & ((width > slack) | !crosses);
      Compare(a, e, width, crosses);
    }
  }

 private:
  static constexpr double kTouching = 1e-10;  // of the sizes: distances with a direction that is rounding
  // An axis along an edge, up to that angle, adds no facet of any width; its direction is rounding.
  static constexpr double kParallel = 1e-6;
  static constexpr double kPreference = 1e-9;  // by how much, relatively, an edge must beat a face

  static S FaceOverlap(const AxisAndBox<S>& a, int k) { return a.b[k] + Abs(a.H[k]) - Abs(a.p[k]); }
  void Compare(const AxisAndBox<S>& a, const Vec3<S>& e, S along, MaskOf<S> where) {
    const MaskOf<S> less = where & ((along < overlap - S(kPreference) * Abs(overlap)) | (overlap == S(kInfinity)));
    overlap = Select(less, along, overlap);
    out = Select<S>(less, Select<S>(Dot(a.p, e) < S(0), -e, e), out);
  }
};

// The part of the axis that lies over a face, seen along the way out, and how deep it is there.
template <class S>
struct AxisOverFace {
  S low = S(-1), high = S(1);
  S height, slope;  // of the face over the axis, along the way out: height - s slope at s

  AxisOverFace(const AxisAndBox<S>& a, const Vec3<S>& out) {
    const S x = Abs(out.x), y = Abs(out.y), z = Abs(out.z);
    const MaskOf<S> is_x = (x >= y) & (x >= z), is_y = (!is_x) & (y >= z);
    const auto normal_to_face = [&](const Vec3<S>& v) { return Select(is_x, v.x, Select(is_y, v.y, v.z)); };
    const S steep = normal_to_face(out);
    height = (CopySign(normal_to_face(a.b), steep) - normal_to_face(a.p)) / steep;
    slope = normal_to_face(a.H) / steep;
    for (int k = 0; k < 3; ++k) {
      const MaskOf<S> along_face = !(k == 0 ? is_x : k == 1 ? is_y : !(is_x | is_y));
      Clip(along_face, a.p[k] + out[k] * height, a.H[k] - out[k] * slope, a.b[k]);
    }
    const S middle = Clamp(S(0.5) * (low + high), S(-1), S(1));
    const MaskOf<S> none = low > high;  // by rounding
    low = Select(none, middle, low);
    high = Select(none, middle, high);
  }
  S Depth(S s) const { return height - s * slope; }

 private:
  // Keeps where |at + s by| <= half.
  void Clip(MaskOf<S> where, S at, S by, S half) {
    const MaskOf<S> moves = where & (Abs(by) > S(kMinVal));
    const S inverse = S(1) / Select(moves, by, S(1)), one = (-half - at) * inverse, other = (half - at) * inverse;
    low = Select(moves, Max(low, Min(one, other)), low);
    high = Select(moves, Min(high, Max(one, other)), high);
  }
};

}  // namespace capsule_box

template <class S>
void FromLeastOverlap(const PlacedGeom<S>& capsule, const PlacedGeom<S>& box, const capsule_box::AxisAndBox<S>& a,
                      const capsule_box::LeastOverlap<S>& least, S margin, MaskOf<S> where, ContactPoints<S, 2>& out) {
  constexpr double kSamePlace = 1e-6;  // of the half axis
  const capsule_box::AxisOverFace<S> over(a, least.out);
  const MaskOf<S> low_first = over.Depth(over.low) >= over.Depth(over.high);
  const S first = Select(low_first, over.low, over.high), second = Select(low_first, over.high, over.low);
  const Vec3<S> normal = box.mat * -least.out;
  const auto add = [&](int i, S s, S depth, MaskOf<S> asked) {
    const S dist = -depth - capsule.size.x;
    const Vec3<S> pos = a.Point(s) - least.out * (capsule.size.x + S(0.5) * dist);
    ContactPoint<S>& t = out.point[i];
    t.dist = Select(where, dist, t.dist);
    t.pos = Select<S>(where, box.ToWorld(pos), t.pos);
    t.normal = Select<S>(where, normal, t.normal);
    out.hit[i] = (where & asked) | ((!where) & out.hit[i]);
  };
  add(0, first, least.overlap, where);
  const S depth = over.Depth(second);
  add(1, second, depth, (-depth - capsule.size.x <= margin) & (Abs(first - second) > S(kSamePlace)));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_CAPSULE_IN_BOX_KERNEL_H_
