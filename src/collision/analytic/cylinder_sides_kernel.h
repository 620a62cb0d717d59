// Contacts of a cylinder and another shape along the direction of least overlap n. What each of them turns to the other
// one along n, up to a small angle, is a point, a segment (an edge, or the line along a cylinder's side) or a face (of
// a box, or a cap):
//
//   a point and anything     one contact, at the point
//   two segments             where they cross, or at the ends of the length along which they lie beside each other
//   a segment and a face     at the ends of what lies over the face
//   two faces                up to four points of the area that they share, far apart
//
// All have the normal n and each its own distance along it: what has lifted off is no contact. The first contact is the
// deepest, whose distance is that of the shapes.
#ifndef SINEW_COLLISION_ANALYTIC_CYLINDER_SIDES_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_CYLINDER_SIDES_KERNEL_H_

#include "collision/analytic/cylinder_search_kernel.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {
namespace cylinder {

inline constexpr double kFlat = 2e-3;        // sine of the angle up to which a side counts as flat
inline constexpr double kFlatCosine = 2e-6;  // 1 - its cosine

// The side of a shape that faces the other one.
template <class S>
struct Side {
  MaskOf<S> is_face, is_segment;  // a point otherwise
  Vec3<S> middle;                 // of the segment or face; the point itself
  Vec3<S> half;                   // of a segment: from the middle to an end
  Vec3<S> normal;                 // of a face, outward
  Vec3<S> farthest;               // the point that is farthest towards the other shape, however flat the side is

  MaskOf<S> IsPoint() const { return !(is_face | is_segment); }
};

// Of a cylinder with that centre and axis, along u.
template <class S>
Side<S> SideOfCylinder(const Vec3<S>& centre, const Vec3<S>& axis, S r, S h, const Vec3<S>& u) {
  const S along = Dot(axis, u);
  Vec3<S> across = u - axis * along;
  const S width = Normalize(across);
  Side<S> side;
  side.is_face = width < S(kFlat);
  side.is_segment = Abs(along) < S(kFlat);
  side.half = axis * h;
  side.normal = axis * SignOf(along);
  const Vec3<S> cap = centre + side.normal * h, line = centre + across * r;
  side.farthest = cap + across * r;
  side.middle = Select<S>(side.is_face, cap, Select<S>(side.is_segment, line, side.farthest));
  return side;
}

// Which part of a segment lies over something: from `low` to `high` times its half.
template <class S>
struct Part {
  S low = S(-1), high = S(1);

  // Keeps where |at + s by| <= half.
  void ClipToSlab(S at, S by, S half, MaskOf<S> where) {
    const MaskOf<S> moves = where & (Abs(by) > S(kMinVal));
    const S inverse = S(1) / Select(moves, by, S(1)), one = (-half - at) * inverse, other = (half - at) * inverse;
    low = Select(moves, Max(low, Min(one, other)), low);
    high = Select(moves, Min(high, Max(one, other)), high);
    high = Select(where & !moves & (Abs(at) > half), S(-2), high);
  }
  // Keeps where |at + s by| <= radius for vectors across a cylinder's axis.
  void ClipToDisc(const Vec3<S>& at, const Vec3<S>& by, S radius, MaskOf<S> where) {
    const S a = Max(Dot(by, by), S(kMinVal * kMinVal)), b = Dot(at, by), c = Dot(at, at) - radius * radius;
    const S square = b * b - a * c, root = Sqrt(Max(square, S(0)));
    low = Select(where, Max(low, (-b - root) / a), low);
    high = Select(where, Min(high, (-b + root) / a), high);
    high = Select(where & (square < S(0)), S(-2), high);
  }
};

// The points of two lines at which they are nearest to each other, as parts of their halves.
template <class S>
void NearestOfSegments(const Side<S>& a, const Side<S>& b, S& s, S& t) {
  const Vec3<S> offset = b.point - a.point;
  const S aa = Dot(a.half, a.half), bb = Dot(b.half, b.half), ab = Dot(a.half, b.half);
  const S u = Dot(a.half, offset), v = Dot(b.half, offset), det = aa * bb - ab * ab;
  const S inverse = S(1) / Select(det > S(0), det, S(1));
  s = Clamp((u * bb - v * ab) * inverse, S(-1), S(1));
  t = Clamp((u * ab - v * aa) * inverse, S(-1), S(1));
}

// Four points of an area, far apart: the one that is farthest along a direction, the one that is farthest from it, and
// the farthest on both sides of the line through these.
template <class S, int kRoom>
struct Spread {
  Vec2<S> point[kRoom];
  MaskOf<S> where[kRoom];
  int count = 0;

  void Add(const Vec2<S>& p, MaskOf<S> is_there) {
    point[count] = p;
    where[count++] = is_there;
  }
  void ChooseFour(const Vec2<S>& along, S least, Vec2<S> (&four)[4], MaskOf<S> (&is_there)[4]) const {
    Choose([&](const Vec2<S>& p) { return Dot(p, along); }, S(-kInfinity), four[0], is_there[0]);
    const auto distance = [&](const Vec2<S>& p) {
      const Vec2<S> way = p - four[0];
      const S behind = Dot(way, along);
      return Dot(way, way) + S(0.25) * behind * behind;  // of equally far ones, that which is opposite
    };
    Choose(distance, least * least, four[1], is_there[1]);
    const Vec2<S> span = Vec2<S>::Choose(is_there[1], four[1] - four[0], {-along.y, along.x});
    const S bound = least * Sqrt(Dot(span, span));
    Choose([&](const Vec2<S>& p) { return Cross(span, p - four[0]); }, bound, four[2], is_there[2]);
    Choose([&](const Vec2<S>& p) { return -Cross(span, p - four[0]); }, bound, four[3], is_there[3]);
  }

 private:
  template <class Measure>
  void Choose(const Measure& measure, S least, Vec2<S>& best, MaskOf<S>& is_there) const {
    best = {S(0), S(0)};
    is_there = Never<S>();
    for (int i = 0; i < count; ++i) {
      const S value = measure(point[i]);
      const MaskOf<S> better = where[i] & (value > least);
      least = Select(better, value, least);
      best = Vec2<S>::Choose(better, point[i], best);
      is_there = is_there | better;
    }
  }
};

// ---- faces of the other shape

// A capsule has none.
template <class S>
struct NoFace {
  void Clip(const Vec3<S>&, const Vec3<S>&, MaskOf<S>, Part<S>&) const {}
};

// A rectangle, from its middle to the middles of its sides; the face of a box.
template <class S>
struct Rectangle {
  Vec3<S> p, q;

  void Clip(const Vec3<S>& at, const Vec3<S>& by, MaskOf<S> where, Part<S>& part) const {
    part.ClipToSlab(Dot(at, p), Dot(by, p), Dot(p, p), where);
    part.ClipToSlab(Dot(at, q), Dot(by, q), Dot(q, q), where);
  }
};

// A cap of a cylinder.
template <class S>
struct Cap {
  Vec3<S> axis;
  S r;

  void Clip(const Vec3<S>& at, const Vec3<S>& by, MaskOf<S> where, Part<S>& part) const {
    part.ClipToDisc(at - axis * Dot(at, axis), by - axis * Dot(by, axis), r, where);
  }
};

// Points that bound what a cap with centre zero and the rectangle or cap share, seen along z.
template <class S>
struct SharedArea {
  static constexpr int kRim = 8, kRoom = 20;
  static constexpr double kSlack = 1 + 1e-9;
  S r;
  Vec2<S> along;  // from which the points on rims are counted
  Spread<S, kRoom> points;

  void Add(const Vec3<S>& centre, const Rectangle<S>& face) {
    const Vec2<S> c = {centre.x, centre.y}, p = {face.p.x, face.p.y}, q = {face.q.x, face.q.y};
    const S p_room = Dot(p, p) * S(kSlack), q_room = Dot(q, q) * S(kSlack), room = r * r * S(kSlack);
    AddRim({S(0), S(0)}, r,
           [&](const Vec2<S>& x) { return (Abs(Dot(x - c, p)) <= p_room) & (Abs(Dot(x - c, q)) <= q_room); });
    const auto add_side = [&](const Vec2<S>& middle, const Vec2<S>& half) {
      const Vec2<S> corner = middle + half;
      points.Add(corner, Dot(corner, corner) <= room);
      const S a = Max(Dot(half, half), S(kMinVal * kMinVal)), b = Dot(middle, half);
      const S square = b * b - a * (Dot(middle, middle) - r * r), root = Sqrt(Max(square, S(0)));
      const auto cross = [&](S t) { points.Add(middle + half * t, (square > S(0)) & (Abs(t) <= S(1))); };
      cross((-b - root) / a);
      cross((-b + root) / a);
    };
    add_side(c + p, q);
    add_side(c + q, p * S(-1));
    add_side(c - p, q * S(-1));
    add_side(c - q, p);
  }

  void Add(const Vec3<S>& centre, const Cap<S>& cap) {
    const Vec2<S> c = {centre.x, centre.y};
    const S square = Dot(c, c), r2 = cap.r, room1 = r * r * S(kSlack), room2 = r2 * r2 * S(kSlack);
    AddRim({S(0), S(0)}, r, [&](const Vec2<S>& x) { return Dot(x - c, x - c) <= room2; });
    AddRim(c, r2, [&](const Vec2<S>& x) { return Dot(x, x) <= room1; });
    // both rims: on the line at the distance x along c
    const S distance2 = Max(square, S(kMinVal * kMinVal)), part = S(0.5) * (square + r * r - r2 * r2) / distance2;
    const S rest = r * r / distance2 - part * part, root = Sqrt(Max(rest, S(0)));
    points.Add({c.x * part - c.y * root, c.y * part + c.x * root}, rest > S(0));
    points.Add({c.x * part + c.y * root, c.y * part - c.x * root}, rest > S(0));
  }

 private:
  template <class IsInside>
  void AddRim(const Vec2<S>& centre, S radius, const IsInside& is_inside) {
    constexpr double kRoot = 0.70710678118654752440;
    const Vec2<S> x = along * radius, y = {-x.y, x.x}, between = (x + y) * S(kRoot), beside = (y - x) * S(kRoot);
    for (const Vec2<S>& way : {x, between, y, beside}) {
      for (const Vec2<S>& point : {centre + way, centre - way}) points.Add(point, is_inside(point));
    }
  }
};

}  // namespace cylinder
}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_CYLINDER_SIDES_KERNEL_H_
