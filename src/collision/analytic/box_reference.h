// One of two boxes as the reference: its face that the other box points, and the other box in its frame.
#ifndef SINEW_COLLISION_ANALYTIC_BOX_REFERENCE_H_
#define SINEW_COLLISION_ANALYTIC_BOX_REFERENCE_H_

#include "collision/geom.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

// ---- a face as a rectangle in the plane

// Frame of a face of a box: x and y along the face, z outward. The choice of x and y sets the order of the contacts.
//
//   face    x    y    z
//    x     -z    y    x      times the side that the face is on, where an axis is turned
//    y      x   -z    y
//    z      x    y    z
template <class S>
struct BoxFace {
  MaskOf<S> is_x, is_y;  // normal to that axis of the box; to its z otherwise
  S side;                // 1 or -1
  S x, y, z;             // half sizes along the face's axes

  BoxFace() = default;
  BoxFace(const Vec3<S>& size, S axis, const Vec3<S>& towards)
      : is_x(axis == S(0)),
        is_y(axis == S(1)),
        side(Select(Normal(towards) < S(0), S(-1), S(1))),
        x(Select(is_x, size.z, size.x)),
        y(Select(is_y, size.z, size.y)),
        z(Normal(size)) {}

  // The component of a vector along the normal's axis.
  S Normal(const Vec3<S>& v) const { return Select(is_x, v.x, Select(is_y, v.y, v.z)); }
  // Turns a vector of the box into the face's axes.
  Vec3<S> Turned(const Vec3<S>& v) const {
    return {Select(is_y, S(1), Select(is_x, -side, side)) * Select(is_x, v.z, v.x),
            Select(is_y, -side, S(1)) * Select(is_y, v.z, v.y), side * Normal(v)};
  }
  // Turns a point of the box into the face's frame, whose origin is on the face.
  Vec3<S> ToFace(const Vec3<S>& v) const {
    const Vec3<S> turned = Turned(v);
    return {turned.x, turned.y, turned.z - z};
  }
  Vec3<S> ToBox(const Vec3<S>& v) const {
    const S height = v.z + z;
    return {Select(is_y, S(1), side) * Select(is_x, height, v.x), Select(is_y, side, S(1)) * Select(is_y, height, v.y),
            Select(is_x | is_y, -side, side) * Select(is_x, v.x, Select(is_y, v.y, height))};
  }
  MaskOf<S> HasStrictlyInside(const Vec3<S>& p) const {
    const S across_x = Abs(p.x), across_y = Abs(p.y);
    return (across_x < x) & (across_y < y);
  }
};

namespace box_box {

// Calls found(where, t) for the sides -x, +x, -y, +y of the rectangle: where the segment start + t span, 0 <= t <= 1,
// crosses them.
template <class S, class Found>
void CrossSides(const BoxFace<S>& f, const Vec3<S>& start, const Vec3<S>& span, Found found) {
  const auto cross = [&](S from, S along, S across_from, S across, S half, S across_half) {
    const MaskOf<S> crosses = Abs(along) > S(kMinVal);
    const auto meet = [&](S side) {
      const S t = (side - from) / along;
      found(crosses & (t >= S(0)) & (t <= S(1)) & (Abs(across_from + t * across) <= across_half), t);
    };
    meet(-half);
    meet(half);
  };
  cross(start.x, span.x, start.y, span.y, f.x, f.y);
  cross(start.y, span.y, start.x, span.x, f.y, f.x);
}

// Coordinates (u, v) of a point of the plane with respect to two spans: p = u span_u + v span_v.
template <class S>
struct PlaneCoordinates {
  Vec3<S> u, v;
  S det;

  PlaneCoordinates(const Vec3<S>& span_u, const Vec3<S>& span_v)
      : u(span_u), v(span_v), det(span_u.x * span_v.y - span_u.y * span_v.x) {}
  S U(const Vec3<S>& p) const { return p.x * v.y - p.y * v.x; }  // times det
  S V(const Vec3<S>& p) const { return u.x * p.y - u.y * p.x; }  // times det
};

}  // namespace box_box

// ---- the reference

template <class S>
struct BoxReference {
  PlacedGeom<S> box;  // the reference
  Vec3<S> other;      // half sizes of the other box
  Mat3<S> R;          // axes of the other box as columns, in the frame of the reference
  Vec3<S> D;          // its centre there
  BoxFace<S> face;    // of the reference
  S overlap;          // of the boxes
  S margin;

  static constexpr double kSlack = 1.01;  // tolerance on the sizes

  // Whether the boxes are within their margin only: by more than rounding.
  MaskOf<S> IsApart() const {
    constexpr double kTouching = 1e-9;  // of the sizes
    return overlap < S(-kTouching) * (box.size.x + box.size.y + box.size.z + other.x + other.y + other.z);
  }

  // Whether a candidate is a contact. Moves it, midway between the surfaces in the face's frame, to the world.
  MaskOf<S> Complete(Vec3<S>& p) const {
    const Vec3<S> point = face.ToBox(p);
    p = box.ToWorld(point);
    const MaskOf<S> apart = IsApart();
    return Any(apart) ? !(apart & IsStray(point)) : !Never<S>();
  }

 private:
  // Where boxes are apart, their outlines need not cross, and what takes the place of crossings may be far from where
  // the boxes are near: points well outside of the one that are not well inside of the other.
  MaskOf<S> IsStray(const Vec3<S>& point) const {
    const Vec3<S> seen = MulTransposed(R, point - D);  // from the other box
    const MaskOf<S> beyond1 = Beyond(point, Widened(box.size, kSlack)), beyond2 = Beyond(seen, Widened(other, kSlack));
    if (!Any(beyond1 | beyond2)) return beyond1;
    const MaskOf<S> within1 = Within(point, Widened(box.size, 1 / kSlack)),
                    within2 = Within(seen, Widened(other, 1 / kSlack));
    return (beyond1 & !within2) | (beyond2 & !within1);
  }
  Vec3<S> Widened(const Vec3<S>& size, double factor) const {
    return {(size.x + margin) * S(factor), (size.y + margin) * S(factor), (size.z + margin) * S(factor)};
  }
  static MaskOf<S> Within(const Vec3<S>& p, const Vec3<S>& half) {
    const Vec3<S> far = {Abs(p.x), Abs(p.y), Abs(p.z)};
    return (far.x < half.x) & (far.y < half.y) & (far.z < half.z);
  }
  static MaskOf<S> Beyond(const Vec3<S>& p, const Vec3<S>& half) {
    const Vec3<S> far = {Abs(p.x), Abs(p.y), Abs(p.z)};
    return (far.x > half.x) | (far.y > half.y) | (far.z > half.z);
  }
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_BOX_REFERENCE_H_
