// The graph of kinematic trees: two of them are joined when a constraint acts on both.
#ifndef SINEW_SOLVE_TREE_GRAPH_H_
#define SINEW_SOLVE_TREE_GRAPH_H_

#include "solve/problem.h"

namespace sinew::inline solve {

// Neighbours of tree t, ascending: neighbour[start[t] .. start[t + 1]). Dofs of a tree are consecutive.
struct TreeGraph {
  int ntree;
  const int* tree;  // nv: the tree of each dof, in order of their roots
  const int *start, *neighbour;
};

// Up to so many trees that a block of J acts on, they are all joined with each other; of more, each with the next.
inline constexpr int kMaxJoinedTrees = 8;

// The trees that a block acts on, ascending. Returns their number, or kMaxJoinedTrees + 1 where there are more.
inline int TreesOf(const JacobianBlock& block, const int* tree, int* list) {
  int count = 0;
  for (int c = 0; c < block.ncol; ++c) {
    const int t = tree[block.col[c]];
    if (count > 0 && list[count - 1] == t) continue;
    if (count == kMaxJoinedTrees) return kMaxJoinedTrees + 1;
    list[count++] = t;
  }
  return count;
}

// Whether a block acts on one tree, or none.
inline bool ActsOnOneTree(const JacobianBlock& block, const int* tree) {
  return block.ncol == 0 || tree[block.col[0]] == tree[block.col[block.ncol - 1]];
}

// Memory belongs to the frame; unusable when that is full.
TreeGraph MakeTreeGraph(const Problem& problem, StackFrame& frame);

// Whether structures may take trees as a whole: each of them is a chain of few dofs, as of a free body or a vertex, and
// no block acts on more than kMaxJoinedTrees. Zeros that this adds to the factor are few, and the structure then
// follows from the graph alone.
bool TreesActAsWhole(const Problem& problem, const int* tree);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_TREE_GRAPH_H_
