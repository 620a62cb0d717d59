// The direction along which two solids, a and b, are farthest apart, or least deep in each other. Along a unit vector
// n, from a to b, they are
//
//   gap(n) = min_b n.b - max_a n.a
//
// apart. Where they overlap, the greatest gap over all n is their negative depth, and it is found at a normal of a face
// of one of them or at the cross product of an edge of each (D. Gregorius, The separating axis test between convex
// polyhedra, Game Developers Conference 2013). Where they are apart, it bounds their distance from below.
#ifndef SINEW_COLLISION_FLEX_DEEPEST_AXIS_KERNEL_H_
#define SINEW_COLLISION_FLEX_DEEPEST_AXIS_KERNEL_H_

#include "math/vec3.h"
#include "simd/functions.h"
#include "simd/unroll.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

template <class S>
struct Range {
  S low, high;
};

// A box of half sizes about the origin of its frame.
template <class S>
struct BoxSolid {
  static constexpr int kFaces = 3, kEdges = 3;  // each stands for those that are parallel to it
  Vec3<S> half;

  Range<S> Along(const Vec3<S>& n) const {
    const S reach = half.x * Abs(n.x) + half.y * Abs(n.y) + half.z * Abs(n.z);
    return {-reach, reach};
  }
  // The product of a unit vector along an edge with another vector.
  template <int k>
  S EdgeLength2() const {
    return S(1);
  }
  template <int k>
  Vec3<S> CrossEdge(const Vec3<S>& v) const {
    if constexpr (k == 0) return {S(0), -v.z, v.y};
    if constexpr (k == 1) return {v.z, S(0), -v.x};
    if constexpr (k == 2) return {-v.y, v.x, S(0)};
  }
};

inline constexpr int kTetraEdge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// A tetrahedron by its corners. Faces have the number of the corner opposite.
template <class S>
struct TetraSolid {
  static constexpr int kFaces = 4, kEdges = 6;
  Vec3<S> corner[4];

  Range<S> Along(const Vec3<S>& n) const {
    Range<S> range = {Dot(n, corner[0]), Dot(n, corner[0])};
    Unroll<1, 4>([&](auto i) {
      const S at = Dot(n, corner[i]);
      range = {Min(at, range.low), Max(at, range.high)};
    });
    return range;
  }
  template <int e>
  Vec3<S> Edge() const {
    return corner[kTetraEdge[e][1]] - corner[kTetraEdge[e][0]];
  }
  template <int e>
  S EdgeLength2() const {
    return Dot(Edge<e>(), Edge<e>());
  }
  template <int e>
  Vec3<S> CrossEdge(const Vec3<S>& v) const {
    return Cross(Edge<e>(), v);
  }
  // Points into the tetrahedron, and has unit length.
  template <int i>
  Vec3<S> FaceNormal() const {
    const Vec3<S>& base = corner[(i + 1) % 4];
    const Vec3<S> n = Cross(corner[(i + 2) % 4] - base, corner[(i + 3) % 4] - base);
    return n * (CopySign(S(1), Dot(n, corner[i] - base)) / Norm(n));
  }
  // Whether it has an inside, for its faces to look away from.
  MaskOf<S> HasVolume() const {
    constexpr double kFlat = 1e-6;  // of the volume of a cube of the same edges
    const Vec3<S> u = Edge<0>(), v = Edge<1>(), w = Edge<2>();
    const S volume = Dot(Cross(u, v), w);
    return volume * volume > S(kFlat * kFlat) * Dot(u, u) * Dot(v, v) * Dot(w, w);
  }
};

// Axes are numbered: the faces of a, those of b, and then the pairs of edges, those of a first.
template <class S>
struct DeepestAxis {
  S gap;
  Vec3<S> normal;
  S number;
};

template <class S, class SolidA>
class DeepestAxisSearch {
 public:
  static constexpr int kFacesOfB = SolidA::kFaces, kEdgePairs = kFacesOfB + TetraSolid<S>::kFaces;

  DeepestAxisSearch(const SolidA& a, const TetraSolid<S>& b) : a_(a), b_(b) {}

  DeepestAxis<S> Find() {
    TryFaces(a_);
    Unroll<0, 4>([this](auto i) {
      const Vec3<S> n = b_.template FaceNormal<i>();
      Offer(Dot(n, b_.corner[(i + 1) % 4]) - a_.Along(n).high, n, kFacesOfB + i);
    });
    Unroll<0, 6>([this](auto e) {
      const Vec3<S> edge = b_.template Edge<e>();
      Unroll<0, SolidA::kEdges>([&](auto k) {
        const S lengths2 = Dot(edge, edge) * a_.template EdgeLength2<k>();
        TryEdges(a_.template CrossEdge<k>(edge), lengths2, kEdgePairs + 6 * k + e);
      });
    });
    return best_;
  }

 private:
  static constexpr double kParallel = 1e-6;  // sine of an angle at which two edges have no normal
  static constexpr double kTie = 1e-12;      // [m] of axes of which the first counts: faces before edges

  void Offer(S gap, const Vec3<S>& normal, int number) {
    const MaskOf<S> better = gap > best_.gap + S(kTie);
    best_.gap = Select(better, gap, best_.gap);
    best_.normal = Select<S>(better, normal, best_.normal);
    best_.number = Select(better, S(static_cast<double>(number)), best_.number);
  }

  // Of both directions the better one.
  void OfferLine(const Vec3<S>& n, const Range<S>& a, const Range<S>& b, int number) {
    const S above = b.low - a.high, below = a.low - b.high;
    Offer(Max(above, below), n * Select(above > below, S(1), S(-1)), number);
  }

  void TryFaces(const BoxSolid<S>& box) {
    Unroll<0, 3>([&](auto k) {
      Vec3<S> n = Zero3<S>();
      n[k] = S(1);
      Range<S> range = {b_.corner[0][k], b_.corner[0][k]};
      Unroll<1, 4>([&](auto i) { range = {Min(b_.corner[i][k], range.low), Max(b_.corner[i][k], range.high)}; });
      OfferLine(n, {-box.half[k], box.half[k]}, range, k);
    });
  }
  void TryFaces(const TetraSolid<S>& tetra) {
    Unroll<0, 4>([&](auto i) {
      const Vec3<S> n = -tetra.template FaceNormal<i>();
      Offer(b_.Along(n).low - Dot(n, tetra.corner[(i + 1) % 4]), n, i);
    });
  }

  // n: the product of two edges; lengths2: that of their squared lengths
  void TryEdges(Vec3<S> n, S lengths2, int number) {
    const S length2 = Dot(n, n);
    const MaskOf<S> parallel = length2 <= S(kParallel * kParallel) * lengths2;
    n *= S(1) / Sqrt(Select(parallel, S(1), length2));
    Range<S> range = a_.Along(n);
    range.high = Select(parallel, S(kInfinity), range.high);
    range.low = Select(parallel, S(-kInfinity), range.low);
    OfferLine(n, range, b_.Along(n), number);
  }

  const SolidA& a_;
  const TetraSolid<S>& b_;
  DeepestAxis<S> best_ = {S(-kInfinity), Zero3<S>(), S(-1)};
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FLEX_DEEPEST_AXIS_KERNEL_H_
