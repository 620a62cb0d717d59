#include "collision/triangles/patches.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>

#include "collision/spread.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;
using Point = ContactPoint<double>;

constexpr double kSameNormal = 0.9;  // cosine within a patch, about 26 degrees
constexpr double kSamePlace = 1e-4;  // in sizes
constexpr double kSameDepth = 1e-6;  // in sizes
constexpr double kNarrow = 1e-3;     // in sizes: what is narrower is a line

// Of contacts at the same place with the same normal, as at a side that two faces share, the deepest stays.
void MergeSame(StackList<Point>& points, double size) {
  int kept = 0;
  for (const Point& point : points) {
    const auto is_same = [&](const Point& other) {
      return Norm(other.pos - point.pos) <= kSamePlace * size && Dot(other.normal, point.normal) > 1 - 1e-5;
    };
    Point* const end = points.begin() + kept;
    Point* const same = std::find_if(points.begin(), end, is_same);
    if (same == end) {
      points[kept++] = point;
    } else if (point.dist < same->dist) {
      *same = point;
    }
  }
  points.Truncate(kept);
}

// The index from `first` on that has the largest value.
template <class Value>
int Largest(int first, int end, const Value& value) {
  int best = first;
  double most = -HUGE_VAL;
  for (int i = first; i < end; ++i) {
    const double v = value(i);
    if (v > most) {
      most = v;
      best = i;
    }
  }
  return best;
}

// Moves to the front of a patch the contacts that stay, and returns their number: the one that is farthest from the
// middle, the one farthest from that, the one farthest from their line, and the one farthest on its other side; and the
// deepest, if it is deeper than these.
int SpanPatch(Point* p, int count, double size) {
  if (count <= 4) return count;
  Vec middle = Zero3<double>();
  for (int i = 0; i < count; ++i) middle += p[i].pos * (1.0 / count);
  int kept = 0;
  const auto take = [&](int i) { std::swap(p[kept++], p[i]); };
  take(Largest(0, count, [&](int i) { return Norm(p[i].pos - middle); }));
  take(Largest(1, count, [&](int i) { return Norm(p[i].pos - p[0].pos); }));
  const Vec side = Normalized(Cross(p[0].normal, p[1].pos - p[0].pos));
  const auto beside = [&](int i) { return Dot(side, p[i].pos - p[0].pos); };
  const int third = Largest(2, count, [&](int i) { return std::fabs(beside(i)); });
  const double width = beside(third);
  if (std::fabs(width) > kNarrow * size) {
    take(third);
    const int fourth = Largest(3, count, [&](int i) { return width > 0 ? -beside(i) : beside(i); });
    if (beside(fourth) * width < -kNarrow * size * std::fabs(width)) take(fourth);
  }
  const int deepest = Largest(0, count, [&](int i) { return -p[i].dist; });
  double least = HUGE_VAL;
  for (int i = 0; i < kept; ++i) least = std::min(least, p[i].dist);
  if (p[deepest].dist < least - kSameDepth * size) take(deepest);
  return kept;
}

}  // namespace

void KeepPatches(StackList<Point>& points, StackFrame& frame, double size) {
  MergeSame(points, size);
  int kept = 0;
  for (int first = 0; first < points.size();) {
    const Vec normal = points[first].normal;
    Point* const begin = points.begin() + first;
    Point* const end = std::partition(
        begin, points.end(), [&normal](const Point& point) { return Dot(point.normal, normal) > kSameNormal; });
    const int count = SpanPatch(begin, static_cast<int>(end - begin), size);
    std::copy(begin, begin + count, points.begin() + kept);
    kept += count;
    first = static_cast<int>(end - points.begin());
  }
  points.Truncate(kept);
  if (points.size() > mjMAXCONPAIR) KeepSpread(points, frame, mjMAXCONPAIR);
}

}  // namespace sinew::inline collision
