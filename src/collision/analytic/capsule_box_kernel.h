// Capsule and box: the sphere around one or two points of the capsule's axis against the box.
//
// In the box frame the axis is p + s H, |s| <= 1; b are the half sizes. The first point is the one nearest to the box:
// an end that lies over a face, or the point nearest to one of the twelve edges. The second lies as far along the axis
// as the capsule keeps over the feature that the first one points, so that a capsule rests on a face, an edge or
// across a corner without rocking:
//
// clang-format off
//   over a face             on, until the axis leaves the face's rectangle
//   at an edge or a vertex  only where the axis runs over exactly one of the two faces of the edge, or along one of the
//                           edges of the vertex; which one follows from the signs of H against those of the feature
// clang-format on
//
// Signs: sigma_k = + when H_k > 0, else -; D is the set of axes in which sigma differs from the sign c of the feature.
// An axis that is parallel to a face has no sign across it: it counts as one that rises over the face.
//
// An axis inside the box, or deeper than the radius, is pushed out along the direction of least overlap, which
// continues what the nearest points say outside (capsule_in_box_kernel.h).
#ifndef SINEW_COLLISION_ANALYTIC_CAPSULE_BOX_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_CAPSULE_BOX_KERNEL_H_

#include <type_traits>

#include "collision/analytic/capsule_capsule_kernel.h"
#include "collision/analytic/capsule_in_box_kernel.h"
#include "collision/analytic/sphere_box_kernel.h"
#include "math/block.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {
namespace capsule_box {

// Nearest point of the axis to the box, and the feature of the box that it is nearest to.
template <class S>
struct NearestPoint {
  S s = S(0), distance2 = S(kInfinity);
  S face = S(-1);             // axis of the face that the end lies over; -1: none
  S edge = S(-1);             // direction of the nearest edge; -1: none
  S t = S(0);                 // where on the edge, -1..1
  S on_line = S(0);           // the same of the infinite axis: +-1 at a vertex
  Vec3<S> sign = Zero3<S>();  // signs of the edge; along it, of its nearer end
};

// The end at s, if it is outside in at most one coordinate.
template <class S>
void TryEnd(const AxisAndBox<S>& a, S s, NearestPoint<S>& nearest) {
  const Vec3<S> end = a.Point(s);
  S outside(0), face(-1), distance2(0);
  for (int k = 0; k < 3; ++k) {
    const S beyond = Abs(end[k]) - a.b[k];
    const MaskOf<S> is_outside = beyond > S(0);
    outside += Select(is_outside, S(1), S(0));
    face = Select(is_outside, S(k), face);
    distance2 += Select(is_outside, beyond * beyond, S(0));
  }
  const MaskOf<S> nearer = (outside <= S(1)) & (distance2 < nearest.distance2);
  nearest.s = Select(nearer, s, nearest.s);
  nearest.distance2 = Select(nearer, distance2, nearest.distance2);
  nearest.face = Select(nearer, face, nearest.face);
}

// ---- edges: four parallel ones of one world in the lanes of a pack

template <class S>
Block<S> InBlock(const S& x) {
  if constexpr (kBlockSize<S> == 1) {
    return x;
  } else {
    return InAllLanes(x);
  }
}
template <class S>
Vec3<Block<S>> InBlock(const Vec3<S>& v) {
  return {InBlock(v.x), InBlock(v.y), InBlock(v.z)};
}
// x or -x for the edges from `first` on; the bits of `positive` say which.
template <class S>
Block<S> Signed(const S& x, unsigned positive, int first) {
  const auto at = [&](int i) { return positive >> i & 1 ? x : -x; };
  if constexpr (kBlockSize<S> == 1) {
    return at(first);
  } else {
    return block::Join(at(0), at(1), at(2), at(3));
  }
}

// Those in direction j. Parallel to the axis, they lead to nothing that the ends do not give.
template <class S>
void TryEdges(const AxisAndBox<S>& a, int j, NearestPoint<S>& nearest) {
  const int low = j == 0 ? 1 : 0, high = j == 2 ? 1 : 2;
  Vec3<S> half = Zero3<S>();
  half[j] = a.b[j];
  const AxisPair<S> directions(half, a.H, a.p);
  const MaskOf<S> crosses = !(Abs(directions.Determinant()) < directions.Parallel());
  if (!Any(crosses)) return;
  const Vec3<Block<S>> edge = InBlock(half), p = InBlock(a.p), H = InBlock(a.H);
  using Edges = std::conditional_t<kBlockSize<S> == 1, OneItem, FourNeighbours>;
  for (int first = 0; first < 4; first += kBlockSize<S>) {
    const Edges edges = {first};
    Vec3<Block<S>> middle = Zero3<Block<S>>();
    middle[low] = Signed(a.b[low], 0b1010, first);
    middle[high] = Signed(a.b[high], 0b1100, first);
    const AxisPair<Block<S>> pair(edge, H, middle - p);
    Block<S> t, s;
    pair.Nearest(t, s);
    const Vec3<Block<S>> apart = (p + H * s) - (middle + edge * t);
    const Block<S> distance2 = Dot(apart, apart), on_line = pair.FirstOfLines();
    for (int lane = 0; lane < kBlockSize<S>; ++lane) {
      const MaskOf<S> nearer = crosses & (!(Lane(edges, distance2, lane) >= nearest.distance2 - S(kMinVal)));
      if (!Any(nearer)) continue;
      const auto set = [nearer](S& to, S from) { to = Select(nearer, from, to); };
      const auto sign = [](S x) { return Select(x > S(0), S(1), S(-1)); };
      set(nearest.s, Lane(edges, s, lane));
      set(nearest.distance2, Lane(edges, distance2, lane));
      set(nearest.face, S(-1));
      set(nearest.edge, S(j));
      set(nearest.t, Lane(edges, t, lane));
      set(nearest.on_line, Lane(edges, on_line, lane));
      set(nearest.sign[j], sign(Lane(edges, on_line, lane)));
      set(nearest.sign[low], sign(Lane(edges, middle[low], lane)));
      set(nearest.sign[high], sign(Lane(edges, middle[high], lane)));
    }
  }
}

// ---- the second point, as a step along s from the first

// Not every first point has a second.
template <class S>
struct Step {
  MaskOf<S> exists;
  S length;
};

// When the end at s lies over a face, the step leads to where the axis leaves the face.
template <class S>
Step<S> BeyondFace(const AxisAndBox<S>& a, const NearestPoint<S>& n) {
  const Vec3<S> end = a.Point(n.s), motion = a.H * -n.s;
  S length(2);
  for (int k = 0; k < 3; ++k) {
    const S to_side = (CopySign(a.b[k], motion[k]) - end[k]) / motion[k];
    length = Select((n.face == S(k)) | (motion[k] == S(0)), length, Min(length, to_side));
  }
  return {n.face >= S(0), -n.s * length};
}

// In which axes the direction of the capsule differs from the sign of the nearest feature. A component that is rounding
// has no sign; among some axes, it counts as opposite to the largest of them.
template <class S>
struct Differences {
  MaskOf<S> differs[3], none[3];

  Differences(const AxisAndBox<S>& a, const NearestPoint<S>& n) {
    constexpr double kNone = 1e-10;  // of the length: far below what decides which edge is nearest
    for (int k = 0; k < 3; ++k) {
      differs[k] = Select(a.H[k] > S(0), S(1), S(-1)) * n.sign[k] < S(0);
      none[k] = Abs(a.H[k]) < S(kNone) * a.length;
    }
  }
  MaskOf<S> OppositeTo(int k, MaskOf<S> of_largest) const {
    return (none[k] & !of_largest) | ((!none[k]) & differs[k]);
  }
};

template <class S>
Step<S> BeyondVertex(const AxisAndBox<S>& a, const NearestPoint<S>& n, const Differences<S>& signs) {
  S most = Abs(a.H[0]);
  MaskOf<S> largest = signs.differs[0];
  for (int k = 1; k < 3; ++k) {
    const MaskOf<S> larger = Abs(a.H[k]) > most;
    most = Select(larger, Abs(a.H[k]), most);
    largest = (larger & signs.differs[k]) | ((!larger) & largest);
  }
  const MaskOf<S> differs[3] = {signs.OppositeTo(0, largest), signs.OppositeTo(1, largest),
                                signs.OppositeTo(2, largest)};
  S count(0), along(0), crossing(0), others(kInfinity);
  for (const MaskOf<S>& d : differs) count += Select(d, S(1), S(0));
  const MaskOf<S> one = count == S(1), two = count == S(2);
  for (int k = 0; k < 3; ++k) {
    const MaskOf<S> is_axis = (differs[k] & one) | ((!differs[k]) & two);  // that which differs alone, or does not
    along = Select(is_axis, a.H[k], along);
    crossing = Select(is_axis, a.Crossing(k), crossing);
    others = Select(is_axis, others, Min(others, a.Crossing(k)));
  }
  const S mu = Select(one, S(1), S(-1));
  const S on = mu * Min(S(1) - mu * n.s, crossing), back = -mu * Min(S(1) + mu * n.s, others);
  const MaskOf<S> exists = one | two;
  return {exists, Select(along * along > S(0.5) * a.length * a.length, on, back)};
}

// The step from a point next to an edge in direction j. It exists when the axis runs over exactly one of the two faces.
template <class S>
Step<S> BeyondEdge(const AxisAndBox<S>& a, const NearestPoint<S>& n, int j, const Differences<S>& signs) {
  const int k1 = (j + 1) % 3, k2 = (j + 2) % 3;
  const MaskOf<S> first = Abs(a.H[k1]) > Abs(a.H[k2]), up = a.H[j] > S(0);
  const MaskOf<S> differs_k = (signs.differs[k1] & first) | (signs.differs[k2] & (!first));
  const S mu = Select(differs_k, S(1), S(-1));
  const S toward_end = Select((up & differs_k) | ((!up) & (!differs_k)), S(1) - n.t, S(1) + n.t);
  const S crossing = Select(first, a.Crossing(k1), a.Crossing(k2)), to_end = a.b[j] * toward_end / Abs(a.H[j]);
  const MaskOf<S> differs_other =
      (signs.OppositeTo(k2, differs_k) & first) | (signs.OppositeTo(k1, differs_k) & !first);
  const MaskOf<S> over_one_face = (differs_k | differs_other) & !(differs_k & differs_other);
  return {over_one_face, mu * Min(S(1) - mu * n.s, Min(crossing, to_end))};
}

// The step from the first point to the second. One of length zero doubles the contact, which an axis that is parallel
// to a face has no reason for.
template <class S>
Step<S> ToSecondPoint(const AxisAndBox<S>& a, const NearestPoint<S>& n) {
  const Differences<S> signs(a, n);
  const MaskOf<S> at_edge = n.edge >= S(0), at_vertex = at_edge & (Abs(n.on_line) == S(1));
  Step<S> step = BeyondFace(a, n);
  const auto take = [&step](MaskOf<S> here, const Step<S>& other) {
    step.exists = (here & other.exists) | ((!here) & step.exists);
    step.length = Select(here, other.length, step.length);
  };
  if (Any(at_vertex)) take(at_vertex, BeyondVertex(a, n, signs));
  for (int j = 0; j < 3; ++j) {
    const MaskOf<S> here = (n.edge == S(j)) & (!at_vertex);
    if (Any(here)) take(here, BeyondEdge(a, n, j, signs));
  }
  const MaskOf<S> is_free = at_edge & (signs.none[0] | signs.none[1] | signs.none[2]);
  step.exists = step.exists & !(is_free & (Abs(step.length) < S(1e-9)));
  return step;
}

}  // namespace capsule_box

// The contacts of axes outside of the box.
template <class S>
void FromNearestPoints(const PlacedGeom<S>& capsule, const PlacedGeom<S>& box, const capsule_box::AxisAndBox<S>& a,
                       S margin, MaskOf<S> where, ContactPoints<S, 2>& out) {
  capsule_box::NearestPoint<S> nearest;
  capsule_box::TryEnd(a, S(-1), nearest);
  capsule_box::TryEnd(a, S(1), nearest);
  for (int j = 0; j < 3; ++j) capsule_box::TryEdges(a, j, nearest);
  const MaskOf<S> found = where & !(nearest.distance2 == S(kInfinity));
  const capsule_box::Step<S> step = capsule_box::ToSecondPoint(a, nearest);

  const auto add = [&](int i, S at, MaskOf<S> asked) {
    if (!Any(asked)) return;
    ContactPoint<S>& t = out.point[i];
    out.hit[i] = SphereOnBox(a.Point(at), capsule.size.x, a.b, margin, t) & asked;
    t.pos = box.ToWorld(t.pos);
    t.normal = box.mat * t.normal;
  };
  add(0, nearest.s, found);
  add(1, nearest.s + step.length, found & step.exists);
}

template <class S>
ContactPoints<S, 2> CapsuleBox(const PlacedGeom<S>& capsule, const PlacedGeom<S>& box, S margin) {
  const S radius = capsule.size.x, half = capsule.size.y;
  const capsule_box::AxisAndBox<S> a = {box.ToLocal(capsule.pos), MulTransposed(box.mat, capsule.Axis()) * half,
                                        box.size, half};
  ContactPoints<S, 2> out;
  const MaskOf<S> beyond = a.IsBeyond(radius + margin);
  out.hit[0] = out.hit[1] = Never<S>();
  if (All(beyond)) return out;

  const capsule_box::LeastOverlap<S> least(a);
  const MaskOf<S> deep = least.inside & !beyond;
  if (!All(deep | beyond)) FromNearestPoints(capsule, box, a, margin, !(deep | beyond), out);
  if (Any(deep)) FromLeastOverlap(capsule, box, a, least, margin, deep, out);
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_CAPSULE_BOX_KERNEL_H_
