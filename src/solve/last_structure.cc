#include "solve/last_structure.h"

#include <algorithm>

#include "core/lasting_memory.h"

namespace sinew::inline solve {
namespace {

// Sizes at the beginning of the memory; nv is 0 where nothing is kept.
struct StoredSizes {
  int nv, ntree, nneighbour, nnode, npiece, nonzeros;
};

// The arrays behind the sizes.
struct StoredArrays {
  Supernode* node;
  Piece* piece;
  int *parent, *tree, *index, *node_of;  // nv
  int *start, *neighbour;                // the graph

  // Places the arrays behind the sizes at `begin`; `end` becomes the end of the last one.
  StoredArrays(const StoredSizes& n, char* begin, char*& end) {
    end = begin + sizeof(StoredSizes);
    Place(node, n.nnode, end);
    Place(piece, n.npiece, end);
    for (int** dofs : {&parent, &tree, &index, &node_of}) Place(*dofs, n.nv, end);
    Place(start, n.ntree + 1, end);
    Place(neighbour, n.nneighbour, end);
  }

 private:
  template <class T>
  static void Place(T*& array, int count, char*& end) {
    array = reinterpret_cast<T*>(end);
    end += static_cast<size_t>(count) * sizeof(T);
  }
};
static_assert(sizeof(StoredSizes) % alignof(Supernode) == 0 && sizeof(Supernode) % alignof(Piece) == 0);

int CountPieces(const Structure& s) {
  int count = 0;
  for (int n = 0; n < s.nnode; ++n) count += s.node[n].pieces.count;
  return count;
}

// Whether blocks join the trees that the graph joins, and no others. Edges are counted at the smaller of their trees.
bool HasGraph(const Problem& p, const TreeGraph& graph, StackFrame& frame) {
  const int nneighbour = graph.start[graph.ntree];
  bool* seen = frame.Alloc<bool>(nneighbour);
  if (frame.full()) return false;
  std::fill_n(seen, nneighbour, false);
  int count = 0;
  for (int b = 0; b < p.J.nblock; ++b) {
    const JacobianBlock& block = p.J.block[b];
    if (ActsOnOneTree(block, graph.tree)) continue;
    int list[kMaxJoinedTrees];
    const int ntree = TreesOf(block, graph.tree, list);
    if (ntree > kMaxJoinedTrees) return false;
    for (int low = 0; low < ntree - 1; ++low) {
      const int* const end = graph.neighbour + graph.start[list[low] + 1];
      const int* edge = graph.neighbour + graph.start[list[low]];
      for (int high = low + 1; high < ntree; ++high) {
        while (edge < end && *edge < list[high]) ++edge;
        if (edge == end || *edge != list[high]) return false;
        count += !seen[edge - graph.neighbour];
        seen[edge - graph.neighbour] = true;
      }
    }
  }
  return 2 * count == nneighbour;
}

}  // namespace

bool FindLastStructure(const Problem& p, const mjData* d, StackFrame& frame, Structure& structure) {
  const LastingMemory memory = p.keeps_structure ? LastingMemoryOf(d) : LastingMemory{};
  if (memory.bytes < sizeof(StoredSizes)) return false;
  const StoredSizes& n = *reinterpret_cast<const StoredSizes*>(memory.begin);
  if (n.nv != p.nv) return false;
  char* end;
  const StoredArrays kept(n, memory.begin, end);
  if (!std::equal(p.parent, p.parent + p.nv, kept.parent)) return false;
  if (!HasGraph(p, {n.ntree, kept.tree, kept.start, kept.neighbour}, frame)) return false;
  structure = {n.nv, n.nnode, n.nonzeros, kept.index, kept.node_of, kept.node, nullptr};
  return true;
}

void KeepStructure(const Problem& p, const mjData* d, const TreeGraph& graph, const Structure& s) {
  const LastingMemory memory = p.keeps_structure ? LastingMemoryOf(d) : LastingMemory{};
  if (memory.bytes < sizeof(StoredSizes)) return;
  const StoredSizes n = {p.nv, graph.ntree, graph.start[graph.ntree], s.nnode, CountPieces(s), s.nonzeros};
  char* end;
  const StoredArrays kept(n, memory.begin, end);
  if (end > memory.begin + memory.bytes) return;

  *reinterpret_cast<StoredSizes*>(memory.begin) = n;
  std::copy_n(p.parent, n.nv, kept.parent);
  std::copy_n(graph.tree, n.nv, kept.tree);
  std::copy_n(s.index, n.nv, kept.index);
  std::copy_n(s.node_of, n.nv, kept.node_of);
  std::copy_n(graph.start, n.ntree + 1, kept.start);
  std::copy_n(graph.neighbour, n.nneighbour, kept.neighbour);
  Piece* piece = kept.piece;
  for (int i = 0; i < n.nnode; ++i) {
    kept.node[i] = s.node[i];
    kept.node[i].pieces.piece = piece;
    piece = std::copy_n(s.node[i].pieces.piece, s.node[i].pieces.count, piece);
  }
}

}  // namespace sinew::inline solve
