// Farthest-point sampling of contacts, where there are more than a pair may have (T. Gonzalez, Clustering to minimize
// the maximum intercluster distance, Theoretical Computer Science 38, 1985).
#ifndef SINEW_COLLISION_SPREAD_H_
#define SINEW_COLLISION_SPREAD_H_

#include <algorithm>

#include "collision/stack_list.h"
#include "math/vec3.h"
#include "simd/functions.h"

namespace sinew::inline collision {

// Brings the squared distances of column[3] up to date with the item that was chosen last, at `from`; returns the first
// of those that are now farthest.
int FarthestAfterChoice(const double (&from)[3], double* const (&column)[4], int total);

// Keeps `count` items that lie as far from each other as possible: starting from the deepest, the one that is farthest
// from those chosen is chosen next. They keep their order. An item has `dist` and `pos`. Without scratch memory, the
// first are kept.
template <class Item>
void KeepSpread(StackList<Item>& items, StackFrame& frame, int count) {
  const int total = items.size();
  double* column[4];  // coordinates, and squared distances to the nearest chosen item: negative for those chosen
  for (double*& c : column) c = frame.Doubles(total);
  if (frame.full()) return items.Truncate(count);
  double *const x = column[0], *const y = column[1], *const z = column[2], *const distance2 = column[3];
  int next = 0;
  for (int i = 0; i < total; ++i) {
    const Vec3<double> pos = items[i].pos;
    x[i] = pos.x;
    y[i] = pos.y;
    z[i] = pos.z;
    distance2[i] = kInfinity;
    if (items[i].dist < items[next].dist) next = i;
  }
  for (int chosen = 0; chosen < count; ++chosen) {
    const double from[3] = {x[next], y[next], z[next]};
    distance2[next] = -1;
    next = FarthestAfterChoice(from, column, total);
  }
  int kept = 0;
  for (int i = 0; i < total; ++i) {
    if (distance2[i] < 0) items[kept++] = items[i];
  }
  items.Truncate(count);
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_SPREAD_H_
