#include "solve/tree_order.h"

#include <suitesparse/amd.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sinew::inline solve {
namespace {

// order[k]: the tree to eliminate as the k-th.
void MinimumDegree(const TreeGraph& graph, StackFrame& frame, int* order) {
  const int ntree = graph.ntree;
  // the library works in a copy of the graph with room for fill
  const int nedge = graph.start[ntree];
  const int room = nedge + nedge / 5 + 2 * ntree;
  int* list = frame.Ints(room);
  int* start = frame.Ints(ntree);
  int* degree = frame.Ints(ntree);
  int* work[6];
  for (int*& w : work) w = frame.Ints(ntree);
  if (frame.full()) return;
  if (nedge > 0) std::memcpy(list, graph.neighbour, static_cast<size_t>(nedge) * sizeof(int));
  for (int t = 0; t < ntree; ++t) {
    start[t] = graph.start[t];
    degree[t] = graph.start[t + 1] - graph.start[t];
  }

  double control[AMD_CONTROL], info[AMD_INFO];
  amd_defaults(control);
  amd_2(ntree, start, list, degree, room, nedge, work[0], work[1], order, work[2], work[3], work[4], work[5], control,
        info);
}

}  // namespace

void OrderDofs(const TreeGraph& graph, int nv, mjData* d, StackFrame& outer, int* index) {
  const int ntree = graph.ntree;
  std::iota(index, index + nv, 0);
  if (ntree < 3 || graph.start[ntree] == 0) return;
  StackFrame frame(d, WhenFull::kReport);
  int *order = frame.Ints(ntree), *size = frame.Ints(ntree), *begin = frame.Ints(ntree);
  if (!frame.full()) MinimumDegree(graph, frame, order);
  if (frame.full()) return outer.SetFull();

  // where each tree begins, the first to be eliminated at the end; then its dofs in their order
  std::fill_n(size, ntree, 0);
  for (int i = 0; i < nv; ++i) ++size[graph.tree[i]];
  int end = nv;
  for (int k = 0; k < ntree; ++k) begin[order[k]] = end -= size[order[k]];
  for (int i = 0; i < nv; ++i) index[i] = begin[graph.tree[i]]++;
}

}  // namespace sinew::inline solve
