#include "solve/tree_graph.h"

#include <algorithm>

namespace sinew::inline solve {
namespace {

// tree[i]: number of the tree of dof i. Returns how many there are.
int NumberTrees(const Problem& p, int* tree) {
  int count = 0;
  for (int i = 0; i < p.nv; ++i) tree[i] = p.parent[i] < 0 ? count++ : tree[p.parent[i]];
  return count;
}

// Calls edge(a, b), a < b, for the trees that blocks join, with repetitions.
template <class F>
void ForEachEdge(const Problem& p, const int* tree, F&& edge) {
  for (int b = 0; b < p.J.nblock; ++b) {
    const JacobianBlock& block = p.J.block[b];
    if (ActsOnOneTree(block, tree)) continue;
    int list[kMaxJoinedTrees];
    const int count = TreesOf(block, tree, list);
    if (count > kMaxJoinedTrees) {
      for (int c = 1; c < block.ncol; ++c) {
        const int low = tree[block.col[c - 1]], high = tree[block.col[c]];
        if (low != high) edge(low, high);
      }
      continue;
    }
    for (int high = 1; high < count; ++high) {
      for (int low = 0; low < high; ++low) edge(list[low], list[high]);
    }
  }
}

}  // namespace

TreeGraph MakeTreeGraph(const Problem& p, StackFrame& frame) {
  int* tree = frame.Ints(p.nv);
  if (frame.full()) return {};
  const int ntree = NumberTrees(p, tree);

  // neighbours with repetitions
  int *start = frame.Ints(ntree + 1), *end = frame.Ints(ntree + 1);
  if (frame.full()) return {};
  std::fill_n(end, ntree + 1, 0);
  ForEachEdge(p, tree, [&](int a, int b) { ++end[a + 1], ++end[b + 1]; });
  for (int t = 0; t < ntree; ++t) end[t + 1] += end[t];
  int* neighbour = frame.Ints(end[ntree]);
  if (frame.full()) return {};
  std::copy_n(end, ntree + 1, start);
  ForEachEdge(p, tree, [&](int a, int b) {
    neighbour[end[a]++] = b;
    neighbour[end[b]++] = a;
  });

  // each one once
  int kept = 0;
  for (int t = 0; t < ntree; ++t) {
    int* const first = neighbour + start[t];
    std::sort(first, neighbour + end[t]);
    const int* const last = std::unique(first, neighbour + end[t]);
    start[t] = kept;
    for (const int* other = first; other < last; ++other) neighbour[kept++] = *other;
  }
  start[ntree] = kept;
  return {ntree, tree, start, neighbour};
}

bool TreesActAsWhole(const Problem& p, const int* tree) {
  constexpr int kMaxDofs = 6;
  for (int i = 0; i < p.nv; ++i) {
    if (p.parent[i] >= 0 && p.parent[i] != i - 1) return false;
    if (i >= kMaxDofs && tree[i - kMaxDofs] == tree[i]) return false;
  }
  int list[kMaxJoinedTrees];
  return std::all_of(p.J.block, p.J.block + p.J.nblock, [&](const JacobianBlock& block) {
    return ActsOnOneTree(block, tree) || TreesOf(block, tree, list) <= kMaxJoinedTrees;
  });
}

}  // namespace sinew::inline solve
