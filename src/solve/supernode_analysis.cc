#include "solve/supernode_analysis.h"

#include <algorithm>

namespace sinew::inline solve {
namespace {

// Nodes may have a zero among so many entries.
constexpr int kEntriesPerZero = 6;

// A node while its rows are found.
struct OpenNode {
  int index, width;
  RunList above;    // columns before its own
  int sibling;      // the next node with the same parent
  ptrdiff_t zeros;  // entries that no row has, but that make its rows alike
};

// ---- lists of runs as sets of indices; sources do not count

// Adds a run that begins no earlier than the last one.
void Append(RunList& list, const Run& next) {
  if (list.count > 0 && list.run[list.count - 1].end() >= next.index) {
    Run& last = list.run[list.count - 1];
    last.count = std::max(last.end(), next.end()) - last.index;
  } else {
    list.run[list.count++] = next;
  }
}

// result = a united with b
void Unite(const RunList& a, const RunList& b, RunList& result) {
  result.count = 0;
  for (int i = 0, j = 0; i < a.count || j < b.count;) {
    const bool first = j == b.count || (i < a.count && a.run[i].index <= b.run[j].index);
    Append(result, first ? a.run[i++] : b.run[j++]);
  }
}

int CountIndices(const RunList& list) {
  int count = 0;
  for (int r = 0; r < list.count; ++r) count += list.run[r].count;
  return count;
}

void RemoveLast(RunList& list) {
  if (--list.run[list.count - 1].count == 0) --list.count;
}

// ---- analysis

class Analysis {
 public:
  Analysis(const Problem& problem, const int* index, const CouplingList& couplings, StackFrame& frame);
  void FindNodes();
  Structure Finish();

 private:
  bool Extends(const OpenNode& node, int at) const;
  void FindRow(int at);
  bool JoinsNode(OpenNode& node, int at) const;
  RunList KeepCurrent();
  void Close(int node);
  void AddPath(int at);
  void UniteWith(const RunList& other);
  int CountPieces(const RunList& runs) const;
  PieceList Split(const RunList& runs, Piece*& next) const;

  const Problem& p_;
  const CouplingList& couplings_;
  StackFrame& frame_;
  const int nv_;
  const int* index_;                      // of dofs
  int *parent_, *node_of_;                // of indices: in the kinematic tree; the supernode
  int *first_coupling_, *next_coupling_;  // couplings by the last of their indices
  OpenNode* node_;
  int nnode_ = 0;
  int* first_child_;  // closed nodes by their parent in the elimination tree
  RunList current_, scratch_;
};

Analysis::Analysis(const Problem& problem, const int* index, const CouplingList& couplings, StackFrame& frame)
    : p_(problem), couplings_(couplings), frame_(frame), nv_(problem.nv), index_(index) {
  int* ints = frame.Ints(4 * static_cast<ptrdiff_t>(nv_) + couplings.count);
  node_ = frame.Alloc<OpenNode>(nv_);
  current_ = {0, frame.Alloc<Run>(2 * static_cast<ptrdiff_t>(nv_))};
  if (frame.full()) return;
  scratch_ = {0, current_.run + nv_};
  parent_ = ints;
  node_of_ = ints + nv_;
  first_coupling_ = ints + 2 * nv_;
  first_child_ = ints + 3 * nv_;
  next_coupling_ = ints + 4 * nv_;
  std::fill(first_coupling_, next_coupling_, -1);
  for (int i = 0; i < nv_; ++i) parent_[index_[i]] = p_.parent[i] < 0 ? -1 : index_[p_.parent[i]];

  // the row where each coupling enters the elimination
  for (int c = 0; c < couplings.count; ++c) {
    int& first = first_coupling_[Last(couplings.list[c])];
    next_coupling_[c] = first;
    first = c;
  }
}

// Going from the last index to the first, each index joins the node of the next one or starts a node.
void Analysis::FindNodes() {
  for (int at = nv_ - 1; at >= 0; --at) {
    OpenNode* open = nnode_ > 0 ? &node_[nnode_ - 1] : nullptr;
    if (open && Extends(*open, at)) {
      open->index = at;
      ++open->width;
      RemoveLast(open->above);
      continue;
    }
    if (open) Close(nnode_ - 1);
    FindRow(at);
    if (open && JoinsNode(*open, at)) {
      open->index = at;
      ++open->width;
      open->above = KeepCurrent();
    } else {
      node_[nnode_++] = {at, 1, KeepCurrent(), -1, 0};
    }
    if (frame_.full()) return;
  }
}

// Whether the row of a index has the columns of the row after it: nothing else enters there.
bool Analysis::Extends(const OpenNode& node, int at) const {
  return parent_[at + 1] == at && node.index == at + 1 && first_coupling_[at] < 0 && first_child_[at] < 0;
}

// Registers a finished node with its parent, which inherits its columns.
void Analysis::Close(int node) {
  if (node_[node].above.count == 0) return;
  int& first = first_child_[Last(node_[node].above)];
  node_[node].sibling = first;
  first = node;
}

// Sets `current` to the columns of a row of the factor: its kinematic ancestors, and those that couplings and its
// children in the tree of elimination add.
void Analysis::FindRow(int at) {
  AddPath(at);
  for (int c = first_coupling_[at]; c >= 0; c = next_coupling_[c]) UniteWith(couplings_.list[c]);
  for (int c = first_child_[at]; c >= 0; c = node_[c].sibling) UniteWith(node_[c].above);
  RemoveLast(current_);
}

// Whether the row joins the node of its child that stands behind it: with the same columns, or with so few more that
// arithmetic on zeros costs less than that on two short pieces (C. Ashcraft and R. Grimes, The influence of relaxed
// supernode partitions on the multifrontal method, ACM Trans. Math. Software 15, 1989). Counts the zeros.
bool Analysis::JoinsNode(OpenNode& node, int at) const {
  if (node.above.count == 0 || Last(node.above) != at) return false;
  const ptrdiff_t columns = CountIndices(current_), width = node.width;
  const ptrdiff_t zeros = node.zeros + width * (columns + 1 - CountIndices(node.above));
  const ptrdiff_t entries = (width + 1) * (columns + width / 2 + 1);
  if (zeros * kEntriesPerZero > entries) return false;
  node.zeros = zeros;
  return true;
}

RunList Analysis::KeepCurrent() {
  const RunList kept = {current_.count, frame_.Alloc<Run>(current_.count)};
  if (!frame_.full()) std::copy(current_.run, current_.run + current_.count, kept.run);
  return kept;
}

// current = the path from the root to a index
void Analysis::AddPath(int at) {
  int begin = nv_;
  Run* const end = scratch_.run + nv_;
  for (int i = at; i >= 0; i = parent_[i]) {
    if (begin < nv_ && scratch_.run[begin].index == i + 1) {
      --scratch_.run[begin].index;
      ++scratch_.run[begin].count;
    } else {
      scratch_.run[--begin] = {0, i, 1};
    }
  }
  current_.count = nv_ - begin;
  std::copy(scratch_.run + begin, end, current_.run);
}

void Analysis::UniteWith(const RunList& other) {
  Unite(current_, other, scratch_);
  std::swap(current_, scratch_);
}

int Analysis::CountPieces(const RunList& runs) const {
  int count = 0;
  for (int r = 0; r < runs.count; ++r) count += node_of_[runs.run[r].index] - node_of_[runs.run[r].end() - 1] + 1;
  return count;
}

// Runs cut where supernodes end.
PieceList Analysis::Split(const RunList& runs, Piece*& next) const {
  Piece* const first = next;
  for (int r = 0; r < runs.count; ++r) {
    for (int k = 0; k < runs.run[r].count;) {
      const int index = runs.run[r].index + k, node = node_of_[index];
      const int rest = node_[node].index + node_[node].width - index;
      const int length = std::min(rest, runs.run[r].count - k);
      *next++ = {runs.run[r].source + k, index, length, node};
      k += length;
    }
  }
  return {static_cast<int>(next - first), first};
}

Structure Analysis::Finish() {
  for (int n = 0; n < nnode_; ++n) std::fill_n(node_of_ + node_[n].index, node_[n].width, n);
  int npiece = 0;
  for (int n = 0; n < nnode_; ++n) npiece += CountPieces(node_[n].above);
  Piece* piece = frame_.Alloc<Piece>(npiece);
  Supernode* node = frame_.Alloc<Supernode>(nnode_);
  if (frame_.full()) return {};

  // supernodes, one behind the other in memory
  ptrdiff_t address = 0;
  for (int n = 0; n < nnode_; ++n) {
    OpenNode& found = node_[n];
    int above = 0;
    for (int r = 0; r < found.above.count; ++r) {
      found.above.run[r].source = above;
      above += found.above.run[r].count;
    }
    node[n] = {found.index, found.width, above, address, Split(found.above, piece)};
    address = node[n].Row(found.width);
  }

  return {nv_, nnode_, static_cast<int>(address), index_, node_of_, node, nullptr};
}

}  // namespace

Structure FindSupernodes(const Problem& problem, const int* index, const CouplingList& couplings, StackFrame& frame) {
  Analysis analysis(problem, index, couplings, frame);
  if (!frame.full()) analysis.FindNodes();
  if (frame.full()) return {};
  return analysis.Finish();
}

}  // namespace sinew::inline solve
