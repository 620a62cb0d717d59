#include "solve/supernodes.h"

#include <algorithm>
#include <numeric>

#include "solve/last_structure.h"
#include "solve/supernode_analysis.h"
#include "solve/tree_graph.h"
#include "solve/tree_order.h"

namespace sinew::inline solve {
namespace {

// ---- couplings by blocks of J

bool SameColumns(const JacobianBlock& a, const JacobianBlock& b) {
  return a.ncol == b.ncol && std::equal(a.col, a.col + a.ncol, b.col);
}

// Ascending runs of consecutive columns of a block.
RunList RunsOf(const JacobianBlock& block, const int* index, Run* run) {
  RunList list{0, run};
  int before = -2;
  for (int c = 0; c < block.ncol; ++c) {
    const int at = index[block.col[c]];
    if (at != before + 1) list.run[list.count++] = {c, at, 0};
    ++list.run[list.count - 1].count;
    before = at;
  }
  std::sort(list.run, list.run + list.count, [](const Run& a, const Run& b) { return a.index < b.index; });
  return list;
}

// Whether all columns are ancestors of the last one, or there are none. `parent`: of indices.
bool OnPath(const RunList& columns, const int* parent) {
  if (columns.count == 0) return true;
  int at = Last(columns);
  for (int r = columns.count - 1; r >= 0; --r) {
    const Run& run = columns.run[r];
    while (at >= run.end()) at = parent[at];
    for (int index = run.end() - 1; index >= run.index; --index, at = parent[at]) {
      if (at != index) return false;
    }
  }
  return true;
}

// Blocks that couple branches of the kinematic tree.
CouplingList CouplingsOfBlocks(const Problem& p, const int* index, StackFrame& frame) {
  ptrdiff_t count = 0;
  for (int b = 0; b < p.J.nblock; ++b) count += p.J.block[b].ncol;
  RunList* list = frame.Alloc<RunList>(p.J.nblock);
  Run* run = frame.Alloc<Run>(count);
  int* parent = frame.Ints(p.nv);
  if (frame.full()) return {};
  for (int i = 0; i < p.nv; ++i) parent[index[i]] = p.parent[i] < 0 ? -1 : index[p.parent[i]];

  int kept = 0;
  for (int b = 0; b < p.J.nblock; ++b) {
    if (b > 0 && SameColumns(p.J.block[b], p.J.block[b - 1])) continue;
    list[kept] = RunsOf(p.J.block[b], index, run);
    if (OnPath(list[kept], parent)) continue;
    run += list[kept++].count;
  }
  return {kept, list};
}

// ---- couplings by the graph of trees

// Each tree with those of its neighbours that stand before it.
CouplingList CouplingsOfGraph(const TreeGraph& graph, int nv, const int* index, StackFrame& frame) {
  int* first = frame.Ints(graph.ntree + 1);  // dof of each tree
  RunList* list = frame.Alloc<RunList>(graph.ntree);
  Run* run = frame.Alloc<Run>(graph.ntree + graph.start[graph.ntree]);
  if (frame.full()) return {};
  for (int i = nv - 1; i >= 0; --i) first[graph.tree[i]] = i;
  first[graph.ntree] = nv;

  int count = 0;
  for (int t = 0; t < graph.ntree; ++t) {
    const int begin = index[first[t]];
    RunList& columns = list[count] = {0, run};
    for (int e = graph.start[t]; e < graph.start[t + 1]; ++e) {
      const int other = graph.neighbour[e], before = index[first[other]];
      if (before < begin) columns.run[columns.count++] = {0, before, first[other + 1] - first[other]};
    }
    if (columns.count == 0) continue;
    columns.run[columns.count++] = {0, begin, first[t + 1] - first[t]};
    std::sort(columns.run, columns.run + columns.count, [](const Run& a, const Run& b) { return a.index < b.index; });
    run += columns.count;
    ++count;
  }
  return {count, list};
}

// ---- columns of blocks in the factor

// The columns of a block in pieces, ascending.
PieceList PiecesOf(const JacobianBlock& block, const Structure& s, Piece* piece) {
  int count = 0, before = -2;
  bool ascends = true;
  for (int c = 0; c < block.ncol; ++c) {
    const int at = s.index[block.col[c]];
    if (at != before + 1 || s.node_of[at] != piece[count - 1].node) {
      piece[count++] = {c, at, 0, s.node_of[at]};
      ascends &= at > before;
    }
    ++piece[count - 1].count;
    before = at;
  }
  if (!ascends) std::sort(piece, piece + count, [](const Piece& a, const Piece& b) { return a.index < b.index; });
  return {count, piece};
}

const PieceList* PiecesOfBlocks(const Problem& p, const Structure& s, StackFrame& frame) {
  ptrdiff_t columns = 0;
  for (int b = 0; b < p.J.nblock; ++b) columns += p.J.block[b].ncol;
  PieceList* block = frame.Alloc<PieceList>(p.J.nblock);
  Piece* piece = frame.Alloc<Piece>(columns);
  if (frame.full()) return nullptr;
  for (int b = 0; b < p.J.nblock; ++b) {
    block[b] = PiecesOf(p.J.block[b], s, piece);
    piece += block[b].count;
  }
  return block;
}

// ---- structures without blocks; unusable when the frame is full

// Up to this many dofs, arithmetic on a dense matrix costs less than finding the structure of a sparse one.
constexpr int kMaxDenseDofs = 16;

// All rows in one supernode, at their dofs.
Structure DenseStructure(const Problem& p, StackFrame& frame) {
  int* index = frame.Ints(2 * static_cast<ptrdiff_t>(p.nv));
  Supernode* node = frame.Alloc<Supernode>(1);
  if (frame.full()) return {};

  int* node_of = index + p.nv;
  std::iota(index, index + p.nv, 0);
  std::fill_n(node_of, p.nv, 0);
  *node = {0, p.nv, 0, 0, {0, nullptr}};
  return {p.nv, 1, static_cast<int>(node->Row(p.nv)), index, node_of, node, nullptr};
}

Structure SparseStructure(const Problem& p, mjData* d, StackFrame& frame) {
  Structure s{};
  if (FindLastStructure(p, d, frame, s) || frame.full()) return s;
  int* index = frame.Ints(p.nv);
  const TreeGraph graph = MakeTreeGraph(p, frame);
  if (frame.full()) return {};
  OrderDofs(graph, p.nv, d, frame, index);
  if (frame.full()) return {};
  const bool whole = TreesActAsWhole(p, graph.tree);
  const CouplingList couplings =
      whole ? CouplingsOfGraph(graph, p.nv, index, frame) : CouplingsOfBlocks(p, index, frame);
  if (frame.full()) return {};
  s = FindSupernodes(p, index, couplings, frame);
  if (whole && !frame.full()) KeepStructure(p, d, graph, s);
  return s;
}

}  // namespace

Structure FindStructure(const Problem& problem, mjData* d, StackFrame& frame) {
  Structure s = problem.nv <= kMaxDenseDofs ? DenseStructure(problem, frame) : SparseStructure(problem, d, frame);
  if (!frame.full()) s.block = PiecesOfBlocks(problem, s, frame);
  return s;
}

}  // namespace sinew::inline solve
