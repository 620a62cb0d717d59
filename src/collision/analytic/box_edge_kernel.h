// Two boxes that touch with an edge of each, along a normal e across both: a face of box 2 next to its edge is
// projected along e onto a face of box 1 next to its own edge, the reference, and the two outlines are intersected.
// Distances are those of the two faces along e: no point is deeper than where the edges cross.
#ifndef SINEW_COLLISION_ANALYTIC_BOX_EDGE_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_BOX_EDGE_KERNEL_H_

#include "collision/analytic/box_pair_kernel.h"
#include "collision/analytic/box_reference.h"
#include "simd/unroll.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {
namespace box_box {

// v[i] for a number i that lanes may differ in.
template <class S>
S Component(const Vec3<S>& v, S i) {
  return Select(i == S(0), v.x, Select(i == S(1), v.y, v.z));
}
template <class S>
Vec3<S> ColumnOf(const Mat3<S>& m, S i) {
  return {Component(m.Row(0), i), Component(m.Row(1), i), Component(m.Row(2), i)};
}
template <class S>
Vec3<S> RowOf(const Mat3<S>& m, S i) {
  return {Component(m.Column(0), i), Component(m.Column(1), i), Component(m.Column(2), i)};
}

// Of the two axes other than `skip`, the one with the smaller component; of equal ones the last.
template <class S>
S SmallerOf(const Vec3<S>& v, S skip) {
  const MaskOf<S> no_x = skip == S(0), no_z = skip == S(2);
  const S last = Select(no_z, S(0), S(2)), other = Select(no_x | no_z, S(1), S(0));
  return Select(Abs(Component(v, other)) < Abs(Component(v, last)), other, last);
}

// The face of box 2, seen from that of box 1.
template <class S>
struct ProjectedFace {
  Vec3<S> normal;  // of the contact
  Vec3<S> Q[4];    // vertices: the ends of the edge, and the opposite ones in the same order
  S height[4];     // theirs along the normal over the plane of box 1's face
  Vec3<S> P[4];    // their projections along the normal into that plane

  // For edge1 of box 1 and edge2 of box 2; axis is the normal in box 1's frame.
  ProjectedFace(const BoxPair<S>& p, S edge1, S edge2, const Vec3<S>& axis, const BoxFace<S>& face)
      : normal(face.Turned(axis)) {
    // box 2's edge on the side towards box 1, and the way across the face
    const S normal_to_face = SmallerOf(RowOf(p.R, edge1), edge2);
    Vec3<S> middle = p.D, across = Zero3<S>();
    Unroll<0, 3>([&](auto k) {
      const Vec3<S> column = p.R.Column(k);
      const Vec3<S> half = column * Select(Dot(axis, column) >= S(0), p.b[k], -p.b[k]);
      const MaskOf<S> beside = edge2 != S(k);
      middle = Select<S>(beside, middle - half, middle);
      across = Select<S>(beside & (normal_to_face != S(k)), half * S(2), across);
    });

    const Vec3<S> along = ColumnOf(p.R, edge2) * Component(p.b, edge2);
    Project(0, middle + along, face);
    Project(1, middle - along, face);
    Project(2, middle + along + across, face);
    Project(3, middle - along + across, face);
  }

 private:
  void Project(int i, const Vec3<S>& vertex, const BoxFace<S>& face) {
    Q[i] = face.ToFace(vertex);
    height[i] = Q[i].z / normal.z;
    P[i] = Q[i] - normal * height[i];
  }
};

}  // namespace box_box

template <class S>
class BoxEdgeContacts {
 public:
  // Edges and their axis are those of BoxSeparation.
  BoxEdgeContacts(const PlacedGeom<S>& box1, const BoxPair<S>& p, S edges, const Vec3<S>& axis, S overlap, S margin)
      : at_(Reference(box1, p, edges, axis, overlap, margin)),
        axis_(axis),
        crossing_(EdgeCrossing(p, FirstEdge(edges), SecondEdge(edges), axis, overlap)),
        projected_(p, FirstEdge(edges), SecondEdge(edges), axis, at_.face) {}

  const BoxReference<S>& reference() const { return at_; }

  // Calls add(where, dist, p) for every candidate: p is midway between the surfaces, in the face's frame.
  template <class Add>
  void ForEachCandidate(Add add) const {
    MaskOf<S> found = Never<S>();
    S deepest(kInfinity);
    const auto add_found = [&](MaskOf<S> where, S dist, const Vec3<S>& p) {
      found = found | where;
      deepest = Select(where, Min(deepest, dist), deepest);
      add(where, dist, p);
    };
    AddOutlineCrossings(add_found);
    const MaskOf<S> no_crossings = at_.IsApart() & !found;
    AddRectangleCorners(no_crossings, add_found);
    AddOutlineVertices(no_crossings, at_.IsApart() & !found, add_found);

    // where the edges cross, unless rounding has kept that point above
    constexpr double kSame = 1e-9;  // of the sizes
    const MaskOf<S> is_lost = (!at_.IsApart()) & (deepest > S(kSame) * Norm(at_.box.size + at_.other) - at_.overlap);
    add(is_lost, -at_.overlap, at_.face.ToFace(crossing_));
  }

  // The normal from box 1 to box 2, in the world.
  Vec3<S> Normal() const { return at_.box.mat * axis_; }

 private:
  static S FirstEdge(S edges) { return Select(edges < S(3), S(0), Select(edges < S(6), S(1), S(2))); }
  static S SecondEdge(S edges) { return edges - S(3) * FirstEdge(edges); }

  static BoxReference<S> Reference(const PlacedGeom<S>& box1, const BoxPair<S>& p, S edges, const Vec3<S>& axis,
                                   S overlap, S margin) {
    const S normal_to_face = box_box::SmallerOf(box_box::ColumnOf(p.R, SecondEdge(edges)), FirstEdge(edges));
    return {box1, p.b, p.R, p.D, BoxFace<S>(p.a, normal_to_face, axis), overlap, margin};
  }

  // The point midway between the two edges where they cross, seen along the axis; in the frame of box 1. With a point
  // m1 of the one, along u, and a point m2 of the other, along v, moved out by the overlap: m1 + s u = m2 + t v.
  static Vec3<S> EdgeCrossing(const BoxPair<S>& p, S edge1, S edge2, const Vec3<S>& axis, S overlap) {
    Vec3<S> m1 = Zero3<S>(), m2 = p.D + axis * overlap, u = Zero3<S>();
    Unroll<0, 3>([&](auto k) {
      const Vec3<S> column = p.R.Column(k);
      m1[k] = Select(edge1 == S(k), S(0), CopySign(p.a[k], axis[k]));
      u[k] = Select(edge1 == S(k), S(1), S(0));
      m2 = m2 - column * Select(edge2 == S(k), S(0), CopySign(p.b[k], Dot(axis, column)));
    });
    const Vec3<S> v = box_box::ColumnOf(p.R, edge2), across = Cross(u, v);
    const S half = box_box::Component(p.a, edge1), s = Dot(Cross(m2 - m1, v), across) / Dot(across, across);
    return m1 + u * Clamp(s, -half, half) - axis * (S(0.5) * overlap);
  }

  // Where the projected outline crosses the sides of the rectangle.
  template <class Add>
  void AddOutlineCrossings(Add add) const {
    const auto side = [&](int from, int to) {
      const Vec3<S> start = projected_.P[from], span = projected_.P[to] - start;
      const S low = projected_.height[from], rise = projected_.height[to] - low;
      box_box::CrossSides(at_.face, start, span, [&](MaskOf<S> where, S t) {
        const S height = low + t * rise;
        add(where & (height <= at_.margin), height, start + span * t + projected_.normal * (S(0.5) * height));
      });
    };
    side(0, 1);
    side(0, 2);
    side(1, 3);
    side(2, 3);
  }

  // Corners of the rectangle under box 2's face. In lanes `none`, which are apart and where nothing was found before, a
  // corner that is out in one coordinate only is compared with the nearest point of the outline.
  template <class Add>
  void AddRectangleCorners(MaskOf<S> none, Add add) const {
    const Vec3<S>*P = projected_.P, *Q = projected_.Q;
    const box_box::PlaneCoordinates<S> plane(P[1] - P[0], P[2] - P[0]);
    const S scale = S(1) / plane.det;
    const auto corner_at = [&](S x, S y) {
      const Vec3<S> corner = {x, y, S(0)};
      S u = plane.U(corner - P[0]) * scale, v = plane.V(corner - P[0]) * scale;
      const MaskOf<S> u_in = (u >= S(0)) & (u <= S(1)), v_in = (v >= S(0)) & (v <= S(1));
      const MaskOf<S> counts = (u_in & v_in) | (none & (u_in | v_in));
      u = Clamp(u, S(0), S(1));
      v = Clamp(v, S(0), S(1));
      const Vec3<S> X = Q[0] * (S(1) - u - v) + Q[1] * u + Q[2] * v;
      const S distance = Norm(corner - X);
      add(counts & !((X.z > S(0)) & (distance > at_.margin)), Select(X.z < S(0), -distance, distance),
          (corner + X) * S(0.5));
    };
    const BoxFace<S>& face = at_.face;
    corner_at(-face.x, -face.y);
    corner_at(-face.x, face.y);
    corner_at(face.x, -face.y);
    corner_at(face.x, face.y);
  }

  // Vertices of box 2's face over the rectangle, with the same exception when there were no crossings.
  template <class Add>
  void AddOutlineVertices(MaskOf<S> no_crossings, MaskOf<S> none, Add add) const {
    const BoxFace<S>& face = at_.face;
    Unroll<0, 4>([&](auto i) {
      const Vec3<S>&p = projected_.P[i], &q = projected_.Q[i];
      const S height = projected_.height[i];
      const MaskOf<S> x_in = Abs(p.x) < face.x, y_in = Abs(p.y) < face.y;
      const MaskOf<S> counts = (x_in & y_in) | (no_crossings & (x_in | y_in | none));
      const Vec3<S> clamped = {Clamp(p.x, -face.x, face.x), Clamp(p.y, -face.y, face.y), S(0)};
      const Vec3<S> shift = p - clamped;
      const S distance = Sqrt(Dot(shift, shift) + height * height);
      add(counts & !((q.z > S(0)) & (distance > at_.margin)), Select(q.z < S(0), -distance, distance),
          (q + clamped) * S(0.5));
    });
  }

  BoxReference<S> at_;
  Vec3<S> axis_, crossing_;
  box_box::ProjectedFace<S> projected_;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_BOX_EDGE_KERNEL_H_
