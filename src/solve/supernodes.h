// Structure of the factor of H = M + J' D J: which entries it has, found before any number is computed.
//
// Dofs stand at places (tree_order.h) and are eliminated from the last to the first. Row i of the factor has columns at
// lower places: those of H, and those that the elimination of later rows passes on to it. Its last column before the
// diagonal is the row's parent in the elimination tree (Liu, The role of elimination trees in sparse factorization,
// SIAM J. Matrix Anal. 11, 1990). Consecutive rows of which each is the parent of the next, with the same columns
// otherwise, form a supernode: a dense trapezoid
//
//   row of place a + k:   [ columns above | own columns a .. a + k ]
//
// A limb of a robot and a free body are supernodes. The columns above are stored as pieces, runs of consecutive places
// in one supernode, so that all arithmetic runs over contiguous memory. Constraints on one path of the kinematic tree,
// contacts with the world among them, add no entries to those of M.
#ifndef SINEW_SOLVE_SUPERNODES_H_
#define SINEW_SOLVE_SUPERNODES_H_

#include "solve/problem.h"

namespace sinew {

// Columns [source, source + count) of a dense row are the places [place, place + count), all in one supernode.
struct Piece {
  int source, place, count, node;
};

// Ascending in place.
struct PieceList {
  int count;
  const Piece* piece;
};

struct Supernode {
  int place, width;   // its rows
  int above;          // number of columns before its own
  ptrdiff_t address;  // of its first entry
  PieceList pieces;   // the columns above

  // First entry of its row k; each row is one entry longer than the one before.
  ptrdiff_t Row(int k) const { return address + static_cast<ptrdiff_t>(k) * above + k * (k + 1) / 2; }

  // The place that follows it in the elimination tree, -1 for none.
  int Parent() const {
    if (pieces.count == 0) return -1;
    const Piece& last = pieces.piece[pieces.count - 1];
    return last.place + last.count - 1;
  }
};

// Finds where columns stand in the rows of a supernode; they must be asked for in ascending order of place.
class ColumnFinder {
 public:
  explicit ColumnFinder(const Supernode& node) : node_(node), piece_(node.pieces.piece) {}

  int operator()(int place) {
    if (place >= node_.place) return node_.above + place - node_.place;
    while (piece_->place + piece_->count <= place) ++piece_;
    return piece_->source + place - piece_->place;
  }

 private:
  const Supernode& node_;
  const Piece* piece_;
};

struct Structure {
  int nv, nnode, nonzeros;
  const int* place;        // nv: place of each dof
  const int* node_of;      // nv: supernode of each place
  const Supernode* node;   // in the order of elimination: descending places
  const PieceList* block;  // per block of J: its columns

  // First entry of the row of a place.
  ptrdiff_t Row(int at) const {
    const Supernode& s = node[node_of[at]];
    return s.Row(at - s.place);
  }
};

// Analyses a problem. Memory belongs to the frame; unusable when that is full.
Structure FindStructure(const Problem& problem, mjData* d, StackFrame& frame);

}  // namespace sinew

#endif  // SINEW_SOLVE_SUPERNODES_H_
