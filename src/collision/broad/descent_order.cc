#include "collision/broad/descent_order.h"

namespace sinew {

// The turns on the way to the leaves, from the highest bit on: halves of a tree have equally many leaves, so that the
// way into two of them has less than 64.
uint64_t DescentOrder(const mjModel* m, const mjData* d, const int (&root)[2], const int (&leaf)[2]) {
  int node[2] = {root[0], root[1]};
  uint64_t turns = 0;
  for (int bit = 63; bit >= 0 && (node[0] != leaf[0] || node[1] != leaf[1]); --bit) {
    const int side = DescendsIntoSecond(m, d, node[0], node[1]) ? 1 : 0;
    const int* child = m->bvh_child + 2 * static_cast<ptrdiff_t>(node[side]);
    const bool into_second = leaf[side] >= root[side] + child[1];
    if (!into_second) turns |= uint64_t{1} << bit;
    node[side] = root[side] + child[into_second];
  }
  return turns;
}

}  // namespace sinew
