// The polygon on which a body stands: the convex hull of some of the points with which it touches a plane, as few as
// cover all of them up to a tolerance.
#ifndef SINEW_COLLISION_ANALYTIC_SUPPORT_POLYGON_H_
#define SINEW_COLLISION_ANALYTIC_SUPPORT_POLYGON_H_

#include <algorithm>
#include <cmath>

namespace sinew::inline collision {

// A point of the plane.
struct Foot {
  double x, y;
};

inline double SquareOfDistance(const Foot& a, const Foot& b) {
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
    corners_ = 0;
    const auto add = [this](const Foot& foot, int from) {
      while (corners_ >= from + 2 && Turn(outline_[corners_ - 2], outline_[corners_ - 1], foot) <= 0) --corners_;
      outline_[corners_++] = foot;
    };
    for (int i = 0; i < count_; ++i) add(feet_[i], 0);
    const int back = corners_ - 1;
    for (int i = count_ - 2; i >= 0; --i) add(feet_[i], back);
    if (count_ > 1) --corners_;  // the first one again
  }

  // The square of the distance by which a point is outside of the polygon; zero inside.
  double SquareBeyond(const Foot& p) const {
    if (corners_ == 1) return SquareOfDistance(p, outline_[0]);
    bool inside = corners_ > 2;
    double nearest = INFINITY;
    for (int i = 0; i < corners_; ++i) {
      const Foot &a = outline_[i], &b = outline_[(i + 1) % corners_];
      inside = inside && Turn(a, b, p) >= 0;
      nearest = std::min(nearest, SquareFromSegment(a, b, p));
    }
    return inside ? 0 : nearest;
  }

 private:
  // Twice the area of a triangle, positive when it is counterclockwise.
  static double Turn(const Foot& a, const Foot& b, const Foot& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  }
  static double SquareFromSegment(const Foot& a, const Foot& b, const Foot& p) {
    const double dx = b.x - a.x, dy = b.y - a.y, square = SquareOfDistance(a, b);
    const double along = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0, t = std::clamp(along, 0., 1.);
    return SquareOfDistance(p, {a.x + t * dx, a.y + t * dy});
  }

  int count_ = 0, corners_ = 0;
  Foot feet_[kMaxFeet];  // sorted along x
  Foot outline_[kMaxFeet + 2];
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_SUPPORT_POLYGON_H_
