// The polygon on which a body stands: the convex hull of some of the points with which it touches a plane, as few as
// cover all of them up to a tolerance.
#ifndef SINEW_COLLISION_ANALYTIC_SUPPORT_POLYGON_H_
#define SINEW_COLLISION_ANALYTIC_SUPPORT_POLYGON_H_

#include "simd/functions.h"

namespace sinew::inline collision {

// A point of the plane: one, or one in each lane of S.
template <class S>
struct FootOf {
  S x, y;
};
using Foot = FootOf<double>;

template <class S>
S SquareOfDistance(const FootOf<S>& a, const FootOf<S>& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

class SupportPolygon {
 public:
  static constexpr int kMaxFeet = 8;

  int count() const { return count_; }

  // Makes a point one of the feet, of which there is room for kMaxFeet. The polygon has it after MakeOutline.
  void Add(const Foot& foot) {
    const auto is_before = [](const Foot& a, const Foot& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
    int at = count_++;
    for (; at > 0 && is_before(foot, feet_[at - 1]); --at) feet_[at] = feet_[at - 1];
    feet_[at] = foot;
  }

  // Counterclockwise, by monotone chains (A. Andrew, Another efficient algorithm for convex hulls in two dimensions,
  // Information Processing Letters 9, 1979).
  void MakeOutline() {
    Foot outline[kMaxFeet + 2];
    int corners = 0;
    const auto add = [&](const Foot& foot, int from) {
      while (corners >= from + 2 && Turn(outline[corners - 2], outline[corners - 1], foot) <= 0) --corners;
      outline[corners++] = foot;
    };
    for (int i = 0; i < count_; ++i) add(feet_[i], 0);
    const int back = corners - 1;
    for (int i = count_ - 2; i >= 0; --i) add(feet_[i], back);
    if (count_ > 1) --corners;  // the first one again
    edges_ = corners;
    for (int i = 0; i < corners; ++i) edge_[i] = Edge(outline[i], outline[(i + 1) % corners]);
  }

  // The square of the distance by which a point is outside of the polygon; zero inside. The nearest edge is one that
  // the point is on the outer side of.
  template <class S>
  S SquareBeyond(const FootOf<S>& p) const {
    if (edges_ <= 2) return edge_[0].SquareTo(p);
    S nearest(kInfinity);
    for (int i = 0; i < edges_; ++i) {
      const MaskOf<S> is_outer = edge_[i].Turn(p) < S(0);
      if (Any(is_outer)) nearest = Select(is_outer, Min(nearest, edge_[i].SquareTo(p)), nearest);
    }
    return Select(nearest < S(kInfinity), nearest, S(0));
  }

 private:
  // An edge leads from one corner of the outline to the next.
  struct Edge {
    Edge() = default;
    Edge(const Foot& a, const Foot& b) : from(a), dx(b.x - a.x), dy(b.y - a.y) {
      const double square = dx * dx + dy * dy;
      inverse = square > 0 ? 1 / square : 0;
    }

    // Twice the area of the triangle with a point, positive when it is counterclockwise.
    template <class S>
    S Turn(const FootOf<S>& p) const {
      return S(dx) * (p.y - S(from.y)) - S(dy) * (p.x - S(from.x));
    }
    template <class S>
    S SquareTo(const FootOf<S>& p) const {
      const S x = p.x - S(from.x), y = p.y - S(from.y);
      const S t = Max(S(0), Min((x * S(dx) + y * S(dy)) * S(inverse), S(1)));
      return SquareOfDistance(p, {S(from.x) + t * S(dx), S(from.y) + t * S(dy)});
    }

    Foot from;
    double dx, dy, inverse;  // of the square of the length; 0: there is none
  };
  static double Turn(const Foot& a, const Foot& b, const Foot& c) { return Edge(a, b).Turn(c); }

  int count_ = 0, edges_ = 0;
  Foot feet_[kMaxFeet];  // sorted along x
  Edge edge_[kMaxFeet];
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_SUPPORT_POLYGON_H_
