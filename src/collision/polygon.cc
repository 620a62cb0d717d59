#include "collision/polygon.h"

#include <algorithm>

namespace sinew {
namespace {

using Vec = Vec3<double>;

constexpr double kLarge = 0.25;  // part of the area within reach that a choice of four vertices should span

// Keeps what lies on the inner side of the plane through `point` (I. Sutherland, G. Hodgman, Reentrant polygon
// clipping, Comm. ACM 17, 1974). What was the second vertex comes first.
void ClipByPlane(const Vec& point, const Vec& outward, Polygon& polygon) {
  Polygon kept;
  const int sides = polygon.count == 2 ? 1 : polygon.count;  // an edge is not closed
  for (int i = 0; i < polygon.count; ++i) {
    const Vec from = polygon.vertex[i], to = polygon.vertex[(i + 1) % polygon.count];
    const double out_from = Dot(outward, from - point), out_to = Dot(outward, to - point);
    if (i < sides && (out_from > 0) != (out_to > 0)) kept.Add(from + (to - from) * (out_from / (out_from - out_to)));
    if (out_to <= 0) kept.Add(to);
  }
  std::copy_n(kept.vertex, kept.count, polygon.vertex);
  polygon.count = kept.count;
}

// ---- four of many

struct Four {
  int index[4];
};

// Twice the area of a quadrilateral whose diagonals connect the first two vertices and the last two.
double AreaOfDiagonals(const Polygon& p, const Four& four) {
  const auto& [a, b, c, d] = four.index;
  return Norm(Cross(p.vertex[b] - p.vertex[a], p.vertex[d] - p.vertex[c]));
}

Four Advanced(const Polygon& p, Four four, int k) {
  four.index[k] = (four.index[k] + 1) % p.count;
  return four;
}

// Moves one of the four on around the polygon while the area grows.
void AdvanceWhileLarger(const Polygon& p, int k, Four& four) {
  for (Four next; AreaOfDiagonals(p, next = Advanced(p, four, k)) > AreaOfDiagonals(p, four);) four = next;
}

// The choice of established models: the end of one diagonal moves on while the area grows, and is followed by the other
// vertices; then the first vertex moves on. The end of the search depends on where it starts, and two of the four may
// coincide.
Four EstablishedFour(const Polygon& p) {
  Four four = {{0, 1, 2, 3}}, best = four;
  double largest = AreaOfDiagonals(p, four);
  for (; four.index[0] < p.count && four.index[0] != four.index[1]; ++four.index[0]) {
    for (Four next; AreaOfDiagonals(p, next = Advanced(p, four, 3)) > largest;) {
      four = next;
      AdvanceWhileLarger(p, 2, four);
      AdvanceWhileLarger(p, 1, four);
      largest = AreaOfDiagonals(p, four);
      best = four;
    }
  }
  return best;
}

// Twice the area that the four vertices span in the order of the polygon.
double SpannedArea(const Polygon& p, Four four) {
  std::sort(four.index, four.index + 4);
  std::swap(four.index[1], four.index[2]);
  return AreaOfDiagonals(p, four);
}

// Four vertices that span a large area: from each start, each in turn is moved on around the polygon while the area
// grows (D. Dobkin, L. Snyder, On a general method for maximizing and minimizing among certain geometric problems, FOCS
// 1979).
Four LargeFour(const Polygon& p) {
  Four best = {{0, 1, 2, 3}};
  for (int first = 0; first < p.count; ++first) {
    Four four = {{first, (first + 1) % p.count, (first + 2) % p.count, (first + 3) % p.count}};
    for (bool moved = true; moved;) {
      moved = false;
      for (int k = 3; k > 0; --k) {
        const Four next = Advanced(p, four, k);
        if (next.index[k] == next.index[(k + 1) % 4] || SpannedArea(p, next) <= SpannedArea(p, four)) continue;
        four = next;
        moved = true;
      }
    }
    if (SpannedArea(p, four) > SpannedArea(p, best)) best = four;
  }
  return best;
}

}  // namespace

void ClipBySides(const Polygon& face, Polygon& polygon) {
  for (int i = 0; i < face.count && polygon.count > 0; ++i) {
    const Vec from = face.vertex[i], to = face.vertex[(i + 1) % face.count];
    ClipByPlane(from, Cross(face.normal, to - from), polygon);
  }
}

void RemoveDoubles(Polygon& polygon) {
  int kept = 0;
  for (int i = 0; i < polygon.count; ++i) {
    const auto same = [&](const Vec& v) { return Norm(v - polygon.vertex[i]) < kMinVal; };
    if (std::none_of(polygon.vertex, polygon.vertex + kept, same)) polygon.vertex[kept++] = polygon.vertex[i];
  }
  polygon.count = kept;
}

void KeepFour(Polygon& polygon) {
  const Four large = LargeFour(polygon), established = EstablishedFour(polygon);
  const bool is_large = SpannedArea(polygon, established) >= kLarge * SpannedArea(polygon, large);
  const auto& [a, b, c, d] = (is_large ? established : large).index;
  const Vec kept[4] = {polygon.vertex[a], polygon.vertex[b], polygon.vertex[c], polygon.vertex[d]};
  std::copy_n(kept, 4, polygon.vertex);
  polygon.count = 4;
}

}  // namespace sinew
