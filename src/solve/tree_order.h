// The order in which kinematic trees are eliminated from H = M + J' D J.
//
// Trees are the vertices of a graph (tree_graph.h). Eliminating a tree couples all its remaining neighbours with each
// other; approximate minimum degree (Amestoy, Davis and Duff, SIAM J. Matrix Anal.
// 17, 1996) keeps that fill small. Within a tree, dofs keep their order: leaves before ancestors add no fill.
#ifndef SINEW_SOLVE_TREE_ORDER_H_
#define SINEW_SOLVE_TREE_ORDER_H_

#include "solve/tree_graph.h"

namespace sinew::inline solve {

// Fills index (nv): where each dof stands in the factor. Rows are eliminated from last to first; ancestors stand before
// their descendants. Without constraints between three or more trees, indices are dof ids.
// Where the stack is too small for that, `frame` is full afterwards.
void OrderDofs(const TreeGraph& graph, int nv, mjData* d, StackFrame& frame, int* index);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_TREE_ORDER_H_
