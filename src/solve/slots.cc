// Finds the structure of the Hessian of slots, with dofs as bits of a word: nv is at most 64. Elimination goes
// from the last dof to the first, and each row passes its columns on to the last of them, its parent in the
// elimination tree (J. Liu, The role of elimination trees in sparse factorization, 1990).
#include "solve/slots.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sinew::inline solve {
namespace {

uint64_t BitOf(int dof) { return uint64_t{1} << dof; }
int Highest(uint64_t dofs) { return 63 - std::countl_zero(dofs); }

// Whether the rows of M have all ancestors, as the pattern has.
bool IsWholeTree(int nv, const int* rownnz, const int* rowadr, const int* depth) {
  if (nv > 0 && rowadr[0] != 0) return false;
  for (int i = 0; i < nv; ++i) {
    if (rownnz[i] != depth[i] + 1) return false;
  }
  return true;
}

// The first dof of each tree, and behind them nv; and the tree of each dof. Returns the number of trees.
int FindTrees(int nv, const int* parent, int* first_dof, int* tree_of) {
  int trees = 0;
  for (int i = 0; i < nv; ++i) {
    if (parent[i] < 0) first_dof[trees++] = i;
    // a dof below an earlier tree joins all trees since then
    while (parent[i] >= 0 && first_dof[trees - 1] > parent[i]) --trees;
  }
  first_dof[trees] = nv;
  for (int t = 0; t < trees; ++t) std::fill(tree_of + first_dof[t], tree_of + first_dof[t + 1], t);
  return trees;
}

}  // namespace

SlotPattern FindSlotPattern(int nv, const int* parent, const int* M_rownnz, const int* M_rowadr, const int* M_colind,
                            Slot* slots, int count, int* memory) {
  int *depth = memory, *first_dof = depth + nv, *rownnz = first_dof + nv + 1, *rowadr = rownnz + nv;
  int* colind = rowadr + nv;

  // columns of the rows, of which elimination hands all but the last to the last
  uint64_t above[kMaxSlotDofs];
  for (int i = 0; i < nv; ++i) above[i] = parent[i] < 0 ? 0 : BitOf(parent[i]);
  for (int s = 0; s < count; ++s) {
    const Slot& slot = slots[s];
    uint64_t columns = 0;
    for (int c = 0; c + 1 < slot.ncol; ++c) columns |= BitOf(slot.col[c]);
    if (slot.ncol > 0) above[slot.col[slot.ncol - 1]] |= columns;
  }
  bool is_tree = true;
  for (int i = nv - 1; i >= 0; --i) {
    if (above[i] == 0) continue;
    const int last = Highest(above[i]);
    is_tree = is_tree && last == parent[i];
    above[last] |= above[i] & ~BitOf(last);
  }

  for (int i = 0; i < nv; ++i) depth[i] = above[i] == 0 ? 0 : depth[Highest(above[i])] + 1;
  SlotPattern pattern = {M_rownnz, M_rowadr, M_colind, depth, 0, is_tree && IsWholeTree(nv, M_rownnz, M_rowadr, depth),
                         0,        first_dof};
  for (int i = 0; i < nv; ++i) pattern.nonzeros += depth[i] + 1;
  // A row has the columns of its parent's row, and its own dof at the end.
  if (!pattern.is_inertia) {
    for (int i = 0, entry = 0; i < nv; ++i) {
      rowadr[i] = entry;
      rownnz[i] = depth[i] + 1;
      if (depth[i] > 0) std::copy_n(colind + rowadr[Highest(above[i])], depth[i], colind + entry);
      colind[entry + depth[i]] = i;
      entry += rownnz[i];
    }
    pattern.rownnz = rownnz;
    pattern.rowadr = rowadr;
    pattern.colind = colind;
  }
  int tree_of[kMaxSlotDofs];
  pattern.trees = FindTrees(nv, parent, first_dof, tree_of);
  for (int s = 0; s < count; ++s) {
    Slot& slot = slots[s];
    slot.first_tree = slot.ncol > 0 ? tree_of[slot.col[0]] : 0;  // columns ascend
    slot.last_tree = slot.ncol > 0 ? tree_of[slot.col[slot.ncol - 1]] : 0;
    slot.is_path = slot.ncol > 0 && depth[slot.col[slot.ncol - 1]] == slot.ncol - 1;
  }
  return pattern;
}

}  // namespace sinew::inline solve
