#include "solve/elimination_tree.h"

#include <cstring>

namespace sinew {
namespace {

// The tree of the inertia matrix alone: the column before the diagonal. Rows of simple dofs hold the diagonal only.
void InertiaTree(const Problem& p, int* parent) {
  for (int i = 0; i < p.nv; ++i) {
    const int nnz = p.M_rownnz[i];
    parent[i] = nnz > 1 ? p.M_colind[p.M_rowadr[i] + nnz - 2] : -1;
  }
}

// Whether every constraint lies on paths of the tree already: each column then is an ancestor of the next.
bool OnPaths(const Problem& p, const int* parent) {
  for (int b = 0; b < p.J.nblock; ++b) {
    const JacobianBlock& block = p.J.block[b];
    for (int c = block.ncol - 1; c > 0; --c) {
      int i = block.col[c];
      while (i > block.col[c - 1]) i = parent[i];
      if (i != block.col[c - 1]) return false;
    }
  }
  return true;
}

// Edges (low, high) by their lower end: in each block, consecutive columns suffice, because eliminating the higher one
// passes its couplings on to the lower one.
struct Edges {
  int* start;  // nv + 1
  int* high;
};

template <class F>
void ForEachEdge(const Problem& p, const int* inertia_parent, F&& edge) {
  for (int i = 0; i < p.nv; ++i) {
    if (inertia_parent[i] >= 0) edge(inertia_parent[i], i);
  }
  for (int b = 0; b < p.J.nblock; ++b) {
    const JacobianBlock& block = p.J.block[b];
    for (int c = 1; c < block.ncol; ++c) edge(block.col[c - 1], block.col[c]);
  }
}

Edges SortEdges(const Problem& p, StackFrame& frame, const int* inertia_parent) {
  Edges edges;
  edges.start = frame.Ints(p.nv + 1);
  std::memset(edges.start, 0, static_cast<size_t>(p.nv + 1) * sizeof(int));
  ForEachEdge(p, inertia_parent, [&](int low, int) { ++edges.start[low + 1]; });
  for (int i = 0; i < p.nv; ++i) edges.start[i + 1] += edges.start[i];
  edges.high = frame.Ints(edges.start[p.nv]);
  int* next = frame.Ints(p.nv);
  std::memcpy(next, edges.start, static_cast<size_t>(p.nv) * sizeof(int));
  ForEachEdge(p, inertia_parent, [&](int low, int high) { edges.high[next[low]++] = high; });
  return edges;
}

// Liu's algorithm, from the last dof to the first, with path compression.
void JoinEdges(const Edges& edges, int nv, int* parent, int* root) {
  for (int low = nv - 1; low >= 0; --low) {
    parent[low] = root[low] = -1;
    for (int e = edges.start[low]; e < edges.start[low + 1]; ++e) {
      for (int i = edges.high[e]; i != -1 && i != low;) {
        const int next = root[i];
        root[i] = low;
        if (next == -1) parent[i] = low;
        i = next;
      }
    }
  }
}

}  // namespace

void EliminationTree(const Problem& p, StackFrame& frame, int* parent) {
  InertiaTree(p, parent);
  if (OnPaths(p, parent)) return;
  int* inertia_parent = frame.Ints(p.nv);
  std::memcpy(inertia_parent, parent, static_cast<size_t>(p.nv) * sizeof(int));
  JoinEdges(SortEdges(p, frame, inertia_parent), p.nv, parent, frame.Ints(p.nv));
}

int PathRows(int nv, const int* parent, int* rownnz, int* rowadr) {
  int count = 0;
  for (int i = 0; i < nv; ++i) {
    rownnz[i] = parent[i] < 0 ? 1 : rownnz[parent[i]] + 1;
    rowadr[i] = count;
    count += rownnz[i];
  }
  return count;
}

void PathColumns(int nv, const int* parent, const int* rownnz, const int* rowadr, int* colind) {
  for (int i = 0; i < nv; ++i) {
    int* row = colind + rowadr[i];
    const int above = rownnz[i] - 1;
    if (above > 0) std::memcpy(row, colind + rowadr[parent[i]], static_cast<size_t>(above) * sizeof(int));
    row[above] = i;
  }
}

}  // namespace sinew
