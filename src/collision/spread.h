// Farthest-point sampling of contacts, where there are more than a pair may have (T. Gonzalez, Clustering to minimize
// the maximum intercluster distance, Theoretical Computer Science 38, 1985).
#ifndef SINEW_COLLISION_SPREAD_H_
#define SINEW_COLLISION_SPREAD_H_

#include <algorithm>

#include "collision/stack_list.h"
#include "math/vec3.h"
#include "simd/functions.h"

namespace sinew {

// Keeps `count` items that lie as far from each other as possible: starting from the deepest, the one that is farthest
// from those chosen is chosen next. They keep their order. An item has `dist` and `pos`. Without scratch memory, the
// first are kept.
template <class Item>
void KeepSpread(StackList<Item>& items, StackFrame& frame, int count) {
  const int total = items.size();
  double* distance2 = frame.Doubles(total);  // to the nearest chosen one; negative for those chosen
  if (!distance2) return items.Truncate(count);
  std::fill_n(distance2, total, kInfinity);
  int next = 0;
  for (int i = 1; i < total; ++i) {
    if (items[i].dist < items[next].dist) next = i;
  }
  for (int chosen = 0; chosen < count; ++chosen) {
    const Vec3<double> pos = items[next].pos;
    distance2[next] = -1;
    for (int i = 0; i < total; ++i) {
      const Vec3<double> apart = items[i].pos - pos;
      if (distance2[i] >= 0) distance2[i] = std::min(distance2[i], Dot(apart, apart));
    }
    next = static_cast<int>(std::max_element(distance2, distance2 + total) - distance2);
  }
  int kept = 0;
  for (int i = 0; i < total; ++i) {
    if (distance2[i] < 0) items[kept++] = items[i];
  }
  items.Truncate(count);
}

}  // namespace sinew

#endif  // SINEW_COLLISION_SPREAD_H_
