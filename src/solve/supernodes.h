// Structure of the factor of H = M + J' D J: which entries it has, found before any number is computed.
//
// Dofs are numbered anew (tree_order.h), by indices, and eliminated from the last to the first. Row i of the factor has
// columns at lower indices: those of H, and those that the elimination of later rows passes on to it. Its last column
// before the diagonal is the row's parent in the elimination tree (Liu, The role of elimination trees in sparse
// factorization, SIAM J. Matrix Anal. 11, 1990). Consecutive rows of which each is the parent of the next, with the
// same columns otherwise but for a few, form a supernode: a dense trapezoid
//
//   row of index a + k:   [ columns above | own columns a .. a + k ]
//
// A limb of a robot and a free body are supernodes, and so are the vertices of a cloth that divide it into halves. The
// columns above are stored as pieces, runs of consecutive indices in one supernode, so that all arithmetic runs over
// contiguous memory. Constraints on one path of the kinematic tree, contacts with the world among them, add no entries
// to those of M.
#ifndef SINEW_SOLVE_SUPERNODES_H_
#define SINEW_SOLVE_SUPERNODES_H_

#include "solve/problem.h"

namespace sinew::inline solve {

// Columns [source, source + count) of a dense row are the indices [index, index + count), all in one supernode.
struct Piece {
  int source, index, count, node;
};

// Pieces ascend in index.
struct PieceList {
  int count;
  const Piece* piece;
};

struct Supernode {
  int index, width;   // its rows
  int above;          // number of columns before its own
  ptrdiff_t address;  // of its first entry
  PieceList pieces;   // the columns above

  // First entry of its row k; each row is one entry longer than the one before.
  ptrdiff_t Row(int k) const { return address + static_cast<ptrdiff_t>(k) * above + k * (k + 1) / 2; }

  // The index that follows it in the elimination tree, -1 for none.
  int Parent() const {
    if (pieces.count == 0) return -1;
    const Piece& last = pieces.piece[pieces.count - 1];
    return last.index + last.count - 1;
  }
};

// Finds where columns stand in the rows of a supernode; they must be asked for in ascending order of index.
class ColumnFinder {
 public:
  explicit ColumnFinder(const Supernode& node) : node_(node), piece_(node.pieces.piece) {}

  int operator()(int index) {
    if (index >= node_.index) return node_.above + index - node_.index;
    while (piece_->index + piece_->count <= index) ++piece_;
    return piece_->source + index - piece_->index;
  }

 private:
  const Supernode& node_;
  const Piece* piece_;
};

struct Structure {
  int nv, nnode, nonzeros;
  const int* index;        // nv: index of each dof
  const int* node_of;      // nv: supernode of each index
  const Supernode* node;   // in the order of elimination: descending indices
  const PieceList* block;  // per block of J: its columns

  // First entry of the row of a index.
  ptrdiff_t Row(int at) const {
    const Supernode& s = node[node_of[at]];
    return s.Row(at - s.index);
  }
};

// Analyses a problem. Memory belongs to the frame; unusable when that is full.
Structure FindStructure(const Problem& problem, mjData* d, StackFrame& frame);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SUPERNODES_H_
