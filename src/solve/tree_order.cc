#include "solve/tree_order.h"

#include <suitesparse/amd.h>

#include <cstring>

namespace sinew {
namespace {

void Fill(int* x, int n, int value) {
  for (int i = 0; i < n; ++i) x[i] = value;
}

int CountTrees(const Problem& p) {
  int count = 0;
  for (int i = 0; i < p.nv; ++i) count += p.parent[i] < 0;
  return count;
}

// tree[i]: number of the tree of dof i, in order of their roots.
void NumberTrees(const Problem& p, int* tree) {
  int count = 0;
  for (int i = 0; i < p.nv; ++i) tree[i] = p.parent[i] < 0 ? count++ : tree[p.parent[i]];
}

// The graph of trees, without loops and repetitions: neighbours of t are neighbour[start[t]..start[t + 1]).
struct Graph {
  int *start, *neighbour;
};

// Calls edge(a, b) for the trees of consecutive columns of a block: all pairs, since few blocks touch more than two.
// Dofs of a tree are consecutive, so that ends in one tree mean that all columns are.
template <class F>
void ForEachEdge(const Problem& p, const int* tree, F&& edge) {
  for (int b = 0; b < p.J.nblock; ++b) {
    const JacobianBlock& block = p.J.block[b];
    if (block.ncol == 0 || tree[block.col[0]] == tree[block.col[block.ncol - 1]]) continue;
    for (int c = 1; c < block.ncol; ++c) {
      const int low = tree[block.col[c - 1]], high = tree[block.col[c]];
      if (low != high) edge(low, high);
    }
  }
}

Graph TreeGraph(const Problem& p, StackFrame& frame, const int* tree, int ntree) {
  // neighbours with repetitions
  Graph graph{frame.Ints(ntree + 1), nullptr};
  int *end = frame.Ints(ntree + 1), *seen = frame.Ints(ntree);
  if (frame.full()) return graph;
  Fill(end, ntree + 1, 0);
  ForEachEdge(p, tree, [&](int a, int b) { ++end[a + 1], ++end[b + 1]; });
  for (int t = 0; t < ntree; ++t) end[t + 1] += end[t];
  graph.neighbour = frame.Ints(end[ntree]);
  if (frame.full()) return graph;
  std::memcpy(graph.start, end, static_cast<size_t>(ntree + 1) * sizeof(int));
  ForEachEdge(p, tree, [&](int a, int b) {
    graph.neighbour[end[a]++] = b;
    graph.neighbour[end[b]++] = a;
  });

  // each one once
  Fill(seen, ntree, -1);
  int kept = 0;
  for (int t = 0; t < ntree; ++t) {
    const int first = graph.start[t];
    graph.start[t] = kept;
    for (int e = first; e < end[t]; ++e) {
      const int other = graph.neighbour[e];
      if (seen[other] == t) continue;
      seen[other] = t;
      graph.neighbour[kept++] = other;
    }
  }
  graph.start[ntree] = kept;
  return graph;
}

// order[k]: the tree to eliminate as the k-th.
void MinimumDegree(const Graph& graph, int ntree, StackFrame& frame, int* order) {
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

void OrderDofs(const Problem& p, mjData* d, StackFrame& outer, int* index) {
  for (int i = 0; i < p.nv; ++i) index[i] = i;
  const int ntree = CountTrees(p);
  if (ntree < 3) return;
  StackFrame frame(d, WhenFull::kReport);
  int* tree = frame.Ints(p.nv);
  int *order = frame.Ints(ntree), *size = frame.Ints(ntree), *begin = frame.Ints(ntree);
  if (frame.full()) return outer.SetFull();
  NumberTrees(p, tree);
  const Graph graph = TreeGraph(p, frame, tree, ntree);
  if (frame.full()) return outer.SetFull();
  if (graph.start[ntree] == 0) return;
  MinimumDegree(graph, ntree, frame, order);
  if (frame.full()) return outer.SetFull();

  // where each tree begins, the first to be eliminated at the end; then its dofs in their order
  Fill(size, ntree, 0);
  for (int i = 0; i < p.nv; ++i) ++size[tree[i]];
  int end = p.nv;
  for (int k = 0; k < ntree; ++k) begin[order[k]] = end -= size[order[k]];
  for (int i = 0; i < p.nv; ++i) index[i] = begin[tree[i]]++;
}

}  // namespace sinew
