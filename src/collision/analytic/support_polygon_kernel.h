// The polygon on which a body stands: the convex hull of some of the points with which it touches a plane, as few as
// cover all of them up to a tolerance. W numbers are computed at a time.
#ifndef SINEW_COLLISION_ANALYTIC_SUPPORT_POLYGON_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_SUPPORT_POLYGON_KERNEL_H_

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
  static constexpr int kMaxFeet = 8;

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
    if (edges_ <= 2) return SquareTo(0, p);
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
  // That of edge i with a point.
  template <class S>
  S TurnOf(int i, const FootOf<S>& p) const {
    return S(dx_[i]) * (p.y - S(y_[i])) - S(dy_[i]) * (p.x - S(x_[i]));
  }
  template <class S>
  S SquareTo(int i, const FootOf<S>& p) const {
    const S dx(dx_[i]), dy(dy_[i]), from_x(x_[i]), from_y(y_[i]);
    const S t = Max(S(0), Min(((p.x - from_x) * dx + (p.y - from_y) * dy) * S(inverse_[i]), S(1)));
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
    return outer & ((1u << edges_) - 1);
  }

  // Puts a point in the place of the corners between edges that it is on the outer side of. False where these are not
  // one part of the outline: that has no area, or rounding decides.
  bool Grow(const Foot& foot) {
    if (edges_ < 3) return false;
    const unsigned all = (1u << edges_) - 1, outer = OuterEdges(foot);
    const unsigned begin = outer & ~((outer << 1 | outer >> (edges_ - 1)) & all);
    if (begin == 0 || (begin & (begin - 1)) != 0) return false;
    const int after = __builtin_ctz(begin) + __builtin_popcount(outer);  // the first edge that stays
    const int kept = edges_ - __builtin_popcount(outer) + 1;             // corners
    Foot corner[kMaxFeet];
    int from = after;
    for (int i = 0; i < kept; ++i, ++from) {
      if (from >= edges_) from -= edges_;
      corner[i] = {x_[from], y_[from]};
    }
    corner[kept] = foot;
    SetCorners(corner, kept + 1);
    return true;
  }

  // Edge i leads from corner i to the next.
  void SetCorners(const Foot* corner, int count) {
    edges_ = count;
    for (int i = 0; i < count; ++i) {
      const Foot &from = corner[i], &to = corner[i + 1 < count ? i + 1 : 0];
      x_[i] = from.x;
      y_[i] = from.y;
      dx_[i] = to.x - from.x;
      dy_[i] = to.y - from.y;
      const double square = dx_[i] * dx_[i] + dy_[i] * dy_[i];
      inverse_[i] = square > 0 ? 1 / square : 0;
    }
  }

  int count_ = 0, edges_ = 0;
  Foot feet_[kMaxFeet];
  // Of each edge: where it begins, where it leads, and the inverse square of its length; 0: it has none.
  double x_[kMaxFeet] = {}, y_[kMaxFeet] = {}, dx_[kMaxFeet] = {}, dy_[kMaxFeet] = {}, inverse_[kMaxFeet] = {};
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_SUPPORT_POLYGON_KERNEL_H_
