// Overlap is decided from signs of products of the simplex' points (collision/convex/overlap.h); when rounding could
// change one, the answer is that it is unsure.
#include "collision/convex/overlap.h"

#include <cmath>
#include <initializer_list>

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr double kSure2 = 1e-20;  // square of the least ratio of a distance to the points' that is no rounding
constexpr int kMaxSupports = 24;  // polytopes in contact need four to twelve

class OverlapSearch {
 public:
  OverlapSearch(const ConvexShape& A, const ConvexShape& B, Simplex& simplex) : A_(A), B_(B), simplex_(simplex) {}

  Overlap Run() {
    simplex_.count = 0;
    direction_ = B_.Centre() - A_.Centre();
    if (Dot(direction_, direction_) < kMinVal * kMinVal) direction_ = {-1, 0, 0};  // any will do
    for (int i = 0; i < kMaxSupports; ++i) {
      DifferencePoint& next = simplex_.point[simplex_.count++];
      next = SupportOfDifference(A_, B_, direction_);
      const double along = Dot(direction_, next.w);
      if (along <= 0) {
        return along * along > kSure2 * Dot(direction_, direction_) * Dot(next.w, next.w) ? Overlap::kApart
                                                                                          : Overlap::kUnsure;
      }
      switch (Reduce()) {
        case Step::kOn:
          continue;
        case Step::kInside:
          return Overlap::kInside;
        case Step::kUnsure:
          return Overlap::kUnsure;
      }
    }
    return Overlap::kUnsure;
  }

 private:
  enum class Step { kOn, kInside, kUnsure };
  static Step OnIf(bool sure) { return sure ? Step::kOn : Step::kUnsure; }

  // The newest point is the last. As it is farther towards the origin than all others, the nearest part has it for a
  // corner. Keeps that part, in the order in which its points were found.
  Step Reduce() {
    newest_ = simplex_.count - 1;
    to_origin_ = -simplex_.point[newest_].w;
    switch (newest_) {
      case 0:
        return ToPoint();
      case 1:
        return ToSegmentOrPoint();
      case 2:
        return ToTriangle(0, 1);
      default:
        return ToTetrahedron();
    }
  }

  Vec FromNewest(int i) const { return simplex_.point[i].w - simplex_.point[newest_].w; }
  void KeepNewestWith(std::initializer_list<int> others) {
    int count = 0;
    for (const int i : others) {
      if (count != i) simplex_.point[count] = simplex_.point[i];
      ++count;
    }
    if (count != newest_) simplex_.point[count] = simplex_.point[newest_];
    simplex_.count = count + 1;
  }

  Step ToPoint() {
    KeepNewestWith({});
    direction_ = to_origin_;
    return Step::kOn;
  }

  // The direction is (span x to_origin) x span.
  Step ToSegment(int i, const Vec& span) {
    KeepNewestWith({i});
    const double length2 = Dot(span, span);
    direction_ = to_origin_ * length2 - span * Dot(span, to_origin_);
    return OnIf(Dot(direction_, direction_) > kSure2 * length2 * length2 * Dot(to_origin_, to_origin_));
  }

  Step ToSegmentOrPoint() {
    const Vec span = FromNewest(0);
    return Dot(span, to_origin_) > 0 ? ToSegment(0, span) : ToPoint();
  }

  // With spans b and c, n = b x c, and o the origin, all seen from the newest point: it is beyond the side b where
  //   (b x n) . o = (b . o) (b . c) - (c . o) (b . b) > 0.
  Step ToTriangle(int i, int j) {
    const Vec b = FromNewest(i), c = FromNewest(j);
    const double along_b = Dot(b, to_origin_), along_c = Dot(c, to_origin_), bc = Dot(b, c);
    const bool beyond_b = along_b * bc > along_c * Dot(b, b), beyond_c = along_c * bc > along_b * Dot(c, c);
    if (beyond_b && along_b > 0) return ToSegment(i, b);
    if (beyond_c && along_c > 0) return ToSegment(j, c);
    if (beyond_b || beyond_c) return ToPoint();
    KeepNewestWith({i, j});
    const Vec normal = Cross(b, c);
    const double height = Dot(normal, to_origin_);
    direction_ = height > 0 ? normal : -normal;
    return OnIf(height * height > kSure2 * Dot(normal, normal) * Dot(to_origin_, to_origin_));
  }

  // Volumes that the origin spans with the faces at the newest point, positive on the side of the tetrahedron.
  Step ToTetrahedron() {
    const Vec a = FromNewest(0), b = FromNewest(1), c = FromNewest(2);
    const Vec across[3] = {Cross(b, c), Cross(c, a), Cross(a, b)};  // from the point that the face lacks
    const double volume = Dot(a, across[0]), sign = volume < 0 ? -1 : 1;
    const double origin2 = Dot(to_origin_, to_origin_);
    double part[3], rest = std::fabs(volume);
    bool sure = volume * volume > kSure2 * Dot(a, a) * Dot(b, b) * Dot(c, c);
    int beyond = 0, missing = 0;
    for (int k = 0; k < 3; ++k) {
      part[k] = sign * Dot(across[k], to_origin_);
      rest -= part[k];
      sure = sure && part[k] * part[k] > kSure2 * Dot(across[k], across[k]) * origin2;
      if (part[k] <= 0) {
        ++beyond;
        missing = k;
      }
    }
    if (!sure) return Step::kUnsure;
    if (beyond == 0) return rest * rest > kSure2 * volume * volume ? Step::kInside : Step::kUnsure;
    if (beyond == 1) return missing == 0 ? ToTriangle(1, 2) : missing == 1 ? ToTriangle(0, 2) : ToTriangle(0, 1);
    return ToNearest();
  }

  // The origin is beyond several faces: the one that is nearest decides the next direction.
  Step ToNearest() {
    Vec w[4];
    for (int i = 0; i < 4; ++i) w[i] = simplex_.point[i].w;
    const Nearest nearest = NearestOnTetrahedron(w);
    Keep(nearest, 4, simplex_);
    direction_ = -nearest.point;
    return OnIf(nearest.distance2 > kSure2 * Dot(to_origin_, to_origin_));
  }

  const ConvexShape &A_, &B_;
  Simplex& simplex_;
  Vec direction_;
  int newest_;
  Vec to_origin_;  // from the newest point
};

}  // namespace

SINEW_DISPATCH Overlap FindOverlap(const ConvexShape& A, const ConvexShape& B, Simplex& simplex) {
  return OverlapSearch(A, B, simplex).Run();
}

}  // namespace sinew::inline collision
