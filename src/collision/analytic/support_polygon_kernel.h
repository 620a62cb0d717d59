// The polygon on which a body stands: the convex hull of some of the points with which it touches a plane, as few as
// cover all of them up to a tolerance. W numbers are computed at a time.
#ifndef SINEW_COLLISION_ANALYTIC_SUPPORT_POLYGON_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_SUPPORT_POLYGON_KERNEL_H_

#include "collision/analytic/mesh_feet.h"
#include "simd/functions.h"
#include "simd/lane_bits.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

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

template <class S>
S LoadNumbers(const double* x) {
  S numbers;
  __builtin_memcpy(&numbers.v, x, sizeof(numbers.v));
  return numbers;
}
template <class S>
void StoreNumbers(const S& numbers, double* x) {
  __builtin_memcpy(x, &numbers.v, sizeof(numbers.v));
}

template <int W>
class SupportPolygon {
 public:
  SupportPolygon(const Foot* feet, int count) : count_(count) {
    for (int i = 0; i < count; ++i) feet_[i] = feet[i];
    MakeOutline();
  }

  // Makes a point outside of the polygon a foot, of which there is room for kMaxFeet.
  void Add(const Foot& foot) {
    feet_[count_++] = foot;
    if (!Grow(foot)) MakeOutline();
  }

  // The square of the distance by which a point is outside of the polygon; zero inside. The nearest edge is one that
  // the point is on the outer side of.
  template <class S>
  S SquareBeyond(const FootOf<S>& p) const {
    if (edges_ <= 2) return SquareTo(0, p);  // a point or a segment
    S nearest(kInfinity);
    for (int i = 0; i < edges_; ++i) {
      const S square = SquareTo(i, p);
      nearest = Select((TurnOf(i, p) < S(0)) & (square < nearest), square, nearest);
    }
    return Select(nearest < S(kInfinity), nearest, S(0));
  }

 private:
  using Edges = Pack<double, W>;

  static bool IsBefore(const Foot& a, const Foot& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }

  // Twice the area of a triangle, positive when it is counterclockwise.
  static double Turn(const Foot& a, const Foot& b, const Foot& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  }
  // Returns twice the area of the triangle that edge i makes with a point.
  template <class S>
  S TurnOf(int i, const FootOf<S>& p) const {
    const auto all = [](const double& x) { return S(x); };
    return all(dx_[i]) * (p.y - all(y_[i])) - all(dy_[i]) * (p.x - all(x_[i]));
  }
  template <class S>
  S SquareTo(int i, const FootOf<S>& p) const {
    const auto all = [](const double& x) { return S(x); };
    const S dx = all(dx_[i]), dy = all(dy_[i]), from_x = all(x_[i]), from_y = all(y_[i]);
    const S t = Max(S(0), Min(((p.x - from_x) * dx + (p.y - from_y) * dy) * all(inverse_[i]), S(1)));
    return SquareOfDistance(p, {from_x + t * dx, from_y + t * dy});
  }

  void Sort() {
    for (int i = 1; i < count_; ++i) {
      const Foot foot = feet_[i];
      int at = i;
      for (; at > 0 && IsBefore(foot, feet_[at - 1]); --at) feet_[at] = feet_[at - 1];
      feet_[at] = foot;
    }
  }
  // Counterclockwise, by monotone chains (A. Andrew, Another efficient algorithm for convex hulls in two dimensions,
  // Information Processing Letters 9, 1979).
  void MakeOutline() {
    Sort();
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
    SetCorners(outline, corners);
  }

  // Bits of the edges that a point is not on the inner side of.
  unsigned OuterEdges(const Foot& foot) const {
    unsigned outer = 0;
    for (int i = 0; i < kMaxFeet; i += W) {
      const auto load = [i](const double* x) { return LoadNumbers<Edges>(x + i); };
      const Edges turn = load(dx_) * (Edges(foot.y) - load(y_)) - load(dy_) * (Edges(foot.x) - load(x_));
      outer |= LaneBits(turn <= Edges(0.0)) << i;
    }
    return outer & live_;
  }

  // Puts a point in the place of the corners between edges that it is on the outer side of. False where these are not
  // one part of the outline: that has no area, or rounding decides.
  bool Grow(const Foot& foot) {
    const unsigned outer = OuterEdges(foot);
    if (__builtin_popcount(live_) < 3 || outer == 0 || outer == live_) return false;
    int first = __builtin_ctz(outer), others = 0;
    while (outer >> before_[first] & 1) first = before_[first];
    int last = first;
    for (; outer >> after_[last] & 1; ++others) last = after_[last];
    if (1 + others != __builtin_popcount(outer)) return false;
    const int next = after_[last];
    for (int edge = first; edge != next; edge = after_[edge]) Remove(edge);
    const Foot from = {x_[first], y_[first]}, to = {x_[next], y_[next]};
    SetEdge(first, from, foot);
    const int second = __builtin_ctz(~live_);
    SetEdge(second, foot, to);
    Join(first, second);
    Join(second, next);
    return true;
  }

  void SetCorners(const Foot* corner, int count) {
    for (int i = 0; i < kMaxFeet; ++i) Remove(i);
    for (int i = 0; i < count; ++i) {
      const int next = i + 1 < count ? i + 1 : 0;
      SetEdge(i, corner[i], corner[next]);
      Join(i, next);
    }
  }
  void SetEdge(int i, const Foot& from, const Foot& to) {
    live_ |= 1u << i;
    edges_ = edges_ > i ? edges_ : i + 1;
    x_[i] = from.x;
    y_[i] = from.y;
    dx_[i] = to.x - from.x;
    dy_[i] = to.y - from.y;
    const double square = dx_[i] * dx_[i] + dy_[i] * dy_[i];
    inverse_[i] = square > 0 ? 1 / square : 0;
  }
  // No point is on the outer side of an edge without length.
  void Remove(int i) {
    live_ &= ~(1u << i);
    dx_[i] = dy_[i] = 0;
  }
  void Join(int edge, int next) {
    after_[edge] = next;
    before_[next] = edge;
  }

  int count_ = 0;
  Foot feet_[kMaxFeet];
  // Edges in any order, and bits of those of the outline: where each begins, where it leads, the inverse square of its
  // length (0: it has none), and its neighbours.
  unsigned live_ = 0;
  int edges_ = 0;  // all are before
  double x_[kMaxFeet] = {}, y_[kMaxFeet] = {}, dx_[kMaxFeet] = {}, dy_[kMaxFeet] = {}, inverse_[kMaxFeet] = {};
  int before_[kMaxFeet], after_[kMaxFeet];
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_SUPPORT_POLYGON_KERNEL_H_
