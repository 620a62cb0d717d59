// Two boxes, half sizes a and b, by the separating axis test (S. Gottschalk, M. Lin, D. Manocha, OBBTree, SIGGRAPH
// 1996) and clipping. With R = R1' R2 and D = R1' (c2 - c1), the overlap along a unit vector e of box 1's frame is
//
//   o(e) = sum_i a_i |e_i| + sum_j b_j |e . R_j| - |D . e|
//
// over the 15 candidates: the three face normals of either box and the nine cross products of their edges. Any o <
// -margin separates. The least overlap decides how the boxes touch:
//
//   face   the box with that face is the reference. The feature of the other box that faces it, a vertex, an edge or a
//          face (the incident feature), is clipped to the reference face's rectangle (box_face_kernel.h).
//   edge   e = edge i of box 1 x edge j of box 2. A face of box 2 next to its edge is projected along e onto a face of
//          box 1 next to its own edge, and the two outlines are intersected (box_edge_kernel.h).
//
// Candidate points are those where an outline crosses a side of the rectangle, corners of the rectangle inside the
// other outline, and vertices of that outline inside the rectangle. However deep the boxes are, the point of the facet
// of their difference that is nearest to the origin is among them: the facet holds the foot of the perpendicular, so
// that the lowest point of the other box lies over the face, and edges cross between their ends.
//
// The direction of edges that are nearly parallel, at an angle t, is known to the rounding of R over t, and so is their
// overlap: it counts as less than a face's only by more than that.
#ifndef SINEW_COLLISION_ANALYTIC_BOX_PAIR_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_BOX_PAIR_KERNEL_H_

#include "collision/geom.h"
#include "simd/functions.h"
#include "simd/unroll.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

// Two boxes in the frame of the first.
template <class S>
struct BoxPair {
  Vec3<S> a, b;      // half sizes
  Mat3<S> R;         // axes of box 2 as columns
  Mat3<S> absolute;  // |R_ij|
  Vec3<S> D;         // centre of box 2
  S size;            // no less than what is summed to an overlap

  BoxPair(const PlacedGeom<S>& box1, const PlacedGeom<S>& box2)
      : a(box1.size), b(box2.size), R(Transpose(box1.mat) * box2.mat), D(box1.ToLocal(box2.pos)) {
    for (int i = 0; i < 9; ++i) absolute.m[i] = Abs(R.m[i]);
    size = a.x + a.y + a.z + b.x + b.y + b.z + Abs(D.x) + Abs(D.y) + Abs(D.z);
  }
};

// ---- the axis of least overlap

template <class S>
struct BoxSeparation {
  MaskOf<S> apart;  // farther than the margin; the rest means nothing then
  S overlap;
  S face;        // 2 k for axis k of box 1, 2 k + 1 for axis k of box 2; -1: edges
  S edges;       // 3 i + j for edge i of box 1 and edge j of box 2
  Vec3<S> axis;  // of these: unit, from box 1 to box 2, in box 1's frame
};

namespace box_box {

inline constexpr double kEdgePreference = 1e-12;  // by how much, relatively, an edge must beat a face
inline constexpr double kSurely = 1 + 1e-6;       // ratio of squares beyond rounding
inline constexpr double kRounding = 4e-15;        // of a product of rotations, and what is summed with it

// Overlap along the unit vector e = (edge I of box 1) x (edge J of box 2) / length. Its cosines with the edges of box 2
// are entries of R over the length. Of boxes that stand on each other, an edge ties with a face up to the rounding of
// this sum.
template <int I, int J, class S>
S EdgeOverlap(const BoxPair<S>& p, const Vec3<S>& e, S length) {
  S width = S(0);
  Unroll<0, 3>([&](auto k) {
    width += p.a[k] * Abs(e[k]);
    if constexpr (k != J) width += p.b[k] * p.absolute(I, 3 - J - k) / length;
  });
  return width - Abs(Dot(p.D, e));
}

// Whether the overlap along edge I x edge J is surely larger than `least` > 0, without normalizing that direction e:
// its components and its cosines with the edges are entries of R.
//
//   overlap |e| = a_k |R_lj| + a_l |R_kj| + b_m |R_in| + b_n |R_im| - |D_l R_kj - D_k R_lj|,  |e|^2 = R_kj^2 + R_lj^2
//
// for i, k, l and j, m, n in cyclic order. As |e| <= 1, what is larger than `least` before the division is so after it.
template <int I, int J, class S>
MaskOf<S> OverlapsMore(const BoxPair<S>& p, S least) {
  constexpr int k = (I + 1) % 3, l = (I + 2) % 3, m = (J + 1) % 3, n = (J + 2) % 3;
  const S width =
      p.a[k] * p.absolute(l, J) + p.a[l] * p.absolute(k, J) + p.b[m] * p.absolute(I, n) + p.b[n] * p.absolute(I, m);
  const S overlap = width - Abs(p.D[l] * p.R(k, J) - p.D[k] * p.R(l, J));
  const MaskOf<S> overlaps = (least > S(0)) & (overlap > S(0)), more = overlap > least * S(kSurely);
  if (All(more)) return overlaps;
  const S length2 = p.R(k, J) * p.R(k, J) + p.R(l, J) * p.R(l, J);
  return overlaps & (more | (overlap * overlap > least * least * length2 * S(kSurely)));
}

// Compares the overlap along edge I x edge J with the least one so far; parallel edges span no plane.
template <int I, int J, class S>
void CompareEdges(const BoxPair<S>& p, S margin, BoxSeparation<S>& best) {
  if (All(OverlapsMore<I, J>(p, best.overlap) | best.apart)) return;
  Vec3<S> unit = Zero3<S>();
  unit[I] = S(1);
  Vec3<S> e = Cross(unit, p.R.Column(J));
  const S length = Normalize(e);
  const S overlap = EdgeOverlap<I, J>(p, e, length);
  const MaskOf<S> crossing = !(length < S(kMinVal));
  const S rounding = S(kRounding) * p.size / length;
  best.apart = best.apart | (crossing & (overlap + rounding < -margin));
  const S limit = best.overlap * S(1 - kEdgePreference) - Select(best.overlap > S(0), rounding, S(0));
  const MaskOf<S> less = crossing & !(overlap >= limit);
  best.overlap = Select(less, overlap, best.overlap);
  best.face = Select(less, S(-1), best.face);
  best.edges = Select(less, S(3 * I + J), best.edges);
  best.axis = Select<S>(less, Select<S>(Dot(p.D, e) < S(0), -e, e), best.axis);
}

}  // namespace box_box

// Aligned boxes overlap equally along faces of either, up to rounding: the order of summation decides which of them
// becomes the reference.
template <class S>
BoxSeparation<S> FindLeastOverlap(const BoxPair<S>& p, S margin) {
  const Vec3<S> D2 = MulTransposed(p.R, p.D), reach1 = p.absolute * p.b, reach2 = MulTransposed(p.absolute, p.a);
  BoxSeparation<S> best = {S(0) > S(0), S(kInfinity), S(-1), S(-1), Zero3<S>()};
  const auto compare = [&](S overlap, int face) {
    best.apart = best.apart | (overlap < -margin);
    const MaskOf<S> less = overlap < best.overlap;
    best.overlap = Select(less, overlap, best.overlap);
    best.face = Select(less, S(face), best.face);
  };
  Unroll<0, 3>([&](auto k) {
    compare((p.a[k] - Abs(p.D[k])) + reach1[k], 2 * k);
    compare((p.b[k] - Abs(D2[k])) + reach2[k], 2 * k + 1);
  });
  Unroll<0, 9>([&](auto pair) { box_box::CompareEdges<pair / 3, pair % 3>(p, margin, best); });
  return best;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_BOX_PAIR_KERNEL_H_
