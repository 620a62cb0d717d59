// The elimination tree of H = M + J' D J when dofs are eliminated from last to first: parent[i] < i is the next dof
// that the elimination of dof i couples to, -1 for none.
#ifndef SINEW_SOLVE_ELIMINATION_TREE_H_
#define SINEW_SOLVE_ELIMINATION_TREE_H_

#include "solve/problem.h"

namespace sinew {

// Fills parent (nv).
void EliminationTree(const Problem& problem, StackFrame& frame, int* parent);

// Rows of a matrix that stores in row i the path from the root to i, ascending. Fills rownnz and rowadr (nv) and
// returns the number of entries.
int PathRows(int nv, const int* parent, int* rownnz, int* rowadr);

// Their column indices.
void PathColumns(int nv, const int* parent, const int* rownnz, const int* rowadr, int* colind);

}  // namespace sinew

#endif  // SINEW_SOLVE_ELIMINATION_TREE_H_
