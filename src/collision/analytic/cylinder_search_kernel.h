// How a cylinder and another shape separate: the direction of least overlap. In the cylinder's frame (axis z, radius r,
// half length h), with the other shape's reach t(u) about its centre d, both symmetric about their centres,
//
//   o(u) = r |u - z (u . z)| + h |u . z| + t(u) - |u . d|,    depth = min o(u) over unit vectors u;
//
// negative, it is the distance. A shape that has edges (a box, a capsule's axis) and the cylinder have few kinds of
// directions where o is least:
//
//   faces          of the box, the cap; across the axis and an edge       one each
//   corners        from the nearest point of the cylinder to the nearest corner, or across the axis to it
//   rim and edge   on the half circle across the edge, o is smooth between the directions of faces above
//
// On such an arc from u0 to u1, the points G0 and G1 of the shapes' difference that are farthest along its ends bound
// o from below by the larger of G0 . u and G1 . u, and these cross at the perpendicular of G1 - G0: few arcs can lead
// below what the directions above have found. There, the expanding polygon (the plane case of expanding polytopes) and
// Newton's method end at the least o.
#ifndef SINEW_COLLISION_ANALYTIC_CYLINDER_SEARCH_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_CYLINDER_SEARCH_KERNEL_H_

#include <type_traits>

#include "collision/geom.h"
#include "simd/functions.h"
#include "simd/unroll.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {
namespace cylinder {

template <class S>
S SignOf(S x) {
  return Select(x < S(0), S(-1), S(1));
}

// The best direction so far. Later ones must be better by more than rounding: flat sides have the normals of faces.
template <class S>
struct Least {
  static constexpr double kPreference = std::is_same_v<typename LaneTraits<S>::Lane, float> ? 1e-6 : 1e-12;

  S preference;  // a length
  S overlap = S(kInfinity);
  Vec3<S> normal = Zero3<S>();  // unit, from the cylinder to the other shape

  explicit Least(S size) : preference(S(kPreference) * size) {}
  void Compare(S along, const Vec3<S>& u, MaskOf<S> where) {
    const MaskOf<S> less = where & (along < overlap - preference);
    overlap = Select(less, along, overlap);
    normal = Select<S>(less, u, normal);
  }
  void Compare(S along, const Vec3<S>& u) { Compare(along, u, !Never<S>()); }
};

// ---- the rim and parallel edges

template <class S>
struct Vec2 {
  S x, y;

  friend S Dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
  friend S Cross(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
  friend Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
  friend Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.y + b.y}; }
  friend Vec2 operator*(const Vec2& a, S s) { return {a.x * s, a.y * s}; }
  static Vec2 Choose(MaskOf<S> m, const Vec2& a, const Vec2& b) { return {Select(m, a.x, b.x), Select(m, a.y, b.y)}; }
};

// Cylinder and edges in the plane across the edges, whose axes are two more of the other shape's.
template <class S>
class RimAndEdges {
 public:
  // The cylinder's radius, half length, components of its axis in the plane and along the edges; half sizes and centre
  // of the other shape.
  RimAndEdges() = default;
  RimAndEdges(S r, S h, const Vec2<S>& z, S beside, const Vec2<S>& half, const Vec2<S>& d)
      : r_(r), h_(h), z_(z), beside_(beside), half_(half), d_(d), towards_{SignOf(d.x), SignOf(d.y)} {
    const S beside2 = beside * beside, tiny(kMinVal * kMinVal);
    sine_x_ = Sqrt(Max(beside2 + z.y * z.y, tiny));
    sine_y_ = Sqrt(Max(beside2 + z.x * z.x, tiny));
    const S inverse = S(1) / Sqrt(Max(z.x * z.x + z.y * z.y, tiny)), product = r * z.x * z.y;
    level_ = {Abs(z.y) * inverse, Abs(z.x) * inverse};
    rim_x_ = {r * sine_x_, -product / sine_x_};
    rim_y_ = {-product / sine_y_, r * sine_y_};
  }

  // Where the signs of u and u . z are known, o is one function: that of the rim's ellipse and the point w.
  struct Arc {
    Vec2<S> u0, u1, G0, G1;
    Vec2<S> w;
    MaskOf<S> exists;
  };
  // Three quadrants have directions towards the other shape. The direction across the cylinder's axis, which is level,
  // divides each of them, or none.
  static constexpr int kArcs = 6;
  Arc GetArc(int index) const {
    constexpr double kAlong = 1e-8;  // rad: an axis along that of the cylinder
    const int quadrant = index / 2;
    const Vec2<S> sign = {quadrant == 2 ? -towards_.x : towards_.x, quadrant == 1 ? -towards_.y : towards_.y};
    const S up_x = sign.x * z_.x, up_y = sign.y * z_.y;
    const MaskOf<S> is_divided = up_x * up_y < S(0);
    const Vec2<S> level = {sign.x * level_.x, sign.y * level_.y};
    if (index % 2 == 0) {
      const Vec2<S> w = Corner(sign, Select(is_divided, SignOf(up_x), SignOf(up_x + up_y)));
      const Vec2<S> Gx = Vec2<S>::Choose(sine_x_ < S(kAlong), {S(0), r_ * sign.y}, rim_x_ * sign.x) + w;
      const Vec2<S> Gy = EndY(sign, S(kAlong)) + w;
      return {{sign.x, S(0)},
              Vec2<S>::Choose(is_divided, level, {S(0), sign.y}),
              Gx,
              Vec2<S>::Choose(is_divided, level * r_ + w, Gy),
              w,
              !Never<S>()};
    }
    const Vec2<S> w = Corner(sign, SignOf(up_y));
    return {level, {S(0), sign.y}, level * r_ + w, EndY(sign, S(kAlong)) + w, w, is_divided};
  }

  // Whether o may be less than `least` inside of the arc.
  static MaskOf<S> MayLead(const Arc& a, S least) {
    const S cosine = Dot(a.u0, a.u1), f0 = Dot(a.G0, a.u0), f1 = Dot(a.G1, a.u1);
    const MaskOf<S> falls = Dot(a.G0, a.u1) < Max(f0, f0 * cosine), rises = Dot(a.G1, a.u0) < Max(f1, f1 * cosine);
    const Vec2<S> side = a.G1 - a.G0;
    const S area = Cross(a.G0, a.G1);
    const MaskOf<S> is_inside = (area * Cross(a.u0, a.u1) > S(0)) & (f0 > S(0)) & (f1 > S(0));
    const MaskOf<S> is_beyond = is_inside & (area * area >= Max(least, S(0)) * least * Dot(side, side));
    return a.exists & falls & rises & !is_beyond;
  }

  // The direction of least o on the arc, for the lanes of a mask, as long as o may be less than `least`. A step of
  // Newton's method leads to the direction of the nearest point of the circle of curvature.
  Vec2<S> FindLeast(Arc a, S least, MaskOf<S> active) const {
    constexpr int kMost = 16;
    constexpr double kEnd =
        std::is_same_v<typename LaneTraits<S>::Lane, float> ? 1e-3 : 1e-7;  // rad: the next is its square
    const S turn = SignOf(Cross(a.u0, a.u1));
    Vec2<S> u = Between(a, turn);
    for (int i = 0; i < kMost; ++i) {
      const auto [G, curvature, sine] = Farthest(a.w, u);
      const S slope = Cross(u, G), rise = curvature - Dot(u, G);
      const MaskOf<S> goes_on = slope * turn < S(0);
      a.u0 = Vec2<S>::Choose(goes_on, u, a.u0);
      a.G0 = Vec2<S>::Choose(goes_on, G, a.G0);
      a.u1 = Vec2<S>::Choose(goes_on, a.u1, u);
      a.G1 = Vec2<S>::Choose(goes_on, a.G1, G);
      active = active & MayLead(a, least);
      if (!Any(active)) return u;
      const S step = -slope / Select(rise > S(0), rise, S(1));
      const Vec2<S> ahead = {u.x - u.y * step, u.y + u.x * step};
      const MaskOf<S> works = (rise > S(0)) & !(Cross(a.u0, ahead) * turn < S(0)) & !(Cross(ahead, a.u1) * turn < S(0));
      const Vec2<S> next = Vec2<S>::Choose(works, ahead * (S(1) / Sqrt(Dot(ahead, ahead))), Between(a, turn));
      u = Vec2<S>::Choose(active, next, u);
      active = active & !(works & (Abs(step) < S(kEnd) * sine));
      if (!Any(active)) return u;
    }
    return u;
  }

 private:
  Vec2<S> Corner(const Vec2<S>& sign, S up) const {
    return {sign.x * half_.x + up * h_ * z_.x - d_.x, sign.y * half_.y + up * h_ * z_.y - d_.y};
  }
  Vec2<S> EndY(const Vec2<S>& sign, S along) const {
    return Vec2<S>::Choose(sine_y_ < along, {r_ * sign.x, S(0)}, rim_y_ * sign.y);
  }

  // The point of the difference that is farthest along the unit vector u, the radius of curvature there, and the sine
  // of the angle to the cylinder's axis.
  struct Point {
    Vec2<S> G;
    S curvature, sine;
  };
  Point Farthest(const Vec2<S>& w, const Vec2<S>& u) const {
    const S along = Dot(u, z_), across = Cross(u, z_);
    const S sine = Sqrt(Max(across * across + beside_ * beside_, S(kMinVal * kMinVal))), scale = S(1) / sine;
    const S rim = r_ * scale, turn = across * scale;
    return {{rim * (u.x - along * z_.x) + w.x, rim * (u.y - along * z_.y) + w.y}, rim * (S(1) - turn * turn), sine};
  }

  // Between the ends of an arc: across the chord of the points there; half way where that fails.
  static Vec2<S> Between(const Arc& a, S turn) {
    const Vec2<S> side = (a.G1 - a.G0) * turn, middle = a.u0 + a.u1;
    const Vec2<S> across = {side.y, -side.x};
    const MaskOf<S> works = (Cross(a.u0, across) * turn > S(0)) & (Cross(across, a.u1) * turn > S(0));
    const Vec2<S> u = Vec2<S>::Choose(works, across, middle);
    return u * (S(1) / Sqrt(Max(Dot(u, u), S(kMinVal * kMinVal))));
  }

  S r_, h_;
  Vec2<S> z_;
  S beside_;
  Vec2<S> half_, d_;
  Vec2<S> towards_;        // signs of d
  S sine_x_, sine_y_;      // of the angles between the axes of the plane and that of the cylinder
  Vec2<S> level_;          // across the cylinder's axis, without signs
  Vec2<S> rim_x_, rim_y_;  // the points of a rim that are farthest along the axes of the plane
};

// The same for a single edge through the centre of the other shape, along a unit vector `edge` of the cylinder's frame.
// The second axis of the plane across it is where the cylinder's axis leans to.
template <class S>
struct RimAndLine {
  Vec3<S> x, y;  // axes of the plane
  RimAndEdges<S> rims;

  RimAndLine(S r, S h, const Vec3<S>& edge, const Vec3<S>& d) {
    const S zero(0);
    Vec3<S> lean = {-edge.x * edge.z, -edge.y * edge.z, edge.x * edge.x + edge.y * edge.y};
    const S length = Normalize(lean);
    const Vec3<S> any =
        Normalized(Cross(edge, Select<S>(Abs(edge.x) < S(0.5), Vec3<S>{S(1), zero, zero}, Vec3<S>{zero, S(1), zero})));
    const MaskOf<S> is_parallel = length < S(kMinVal);
    y = Select<S>(is_parallel, any, lean);
    x = Cross(y, edge);
    rims =
        RimAndEdges<S>(r, h, {zero, Select(is_parallel, zero, length)}, edge.z, {zero, zero}, {Dot(d, x), Dot(d, y)});
  }
  // Calls found(where, u) for directions that may lead below least(). No quadrant is divided.
  template <class Limit, class Found>
  void ForEachArc(const Limit& least, const Found& found) const {
    for (int i = 0; i < RimAndEdges<S>::kArcs; i += 2) {
      const auto arc = rims.GetArc(i);
      const S limit = least();
      const MaskOf<S> may = rims.MayLead(arc, limit);
      if (!Any(may)) continue;
      const Vec2<S> u = rims.FindLeast(arc, limit, may);
      found(may, x * u.x + y * u.y);
    }
  }
};

}  // namespace cylinder
}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_CYLINDER_SEARCH_KERNEL_H_
