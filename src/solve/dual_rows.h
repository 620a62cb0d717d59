// Islands and weights of the rows of a dual problem, so that no row hides the error of another.
//
// Islands: those of the primal solvers (constraint/island_graph.h), whose rows have nothing to do with each other.
// Whether forces to start from are better than none is asked of each island.
//
// Weights: Gauss-Seidel ends when the dual cost has stopped to fall, which is a mass times the square of an
// acceleration: beside a tonne, a gram would not count. So what a row gains is measured by the lightest tree that it
// moves: with r the mean of trace(M) at qpos0 over n trees, over that of this tree, the scale of the whole counts
// r min(r, n) times where r is above one. So among trees that are alike, or in one, it is the scale of the whole, and
// for a tree that is far lighter than all others its own. A row that can move nothing has the weight 0: its cost is
// 1e18, and rounding of it more than what all others gain.
#ifndef SINEW_SOLVE_DUAL_ROWS_H_
#define SINEW_SOLVE_DUAL_ROWS_H_

#include "core/stack.h"
#include "solve/problem.h"

namespace sinew::inline solve {

// Writes weight, row_island and islands of the whole problem; unusable when the frame is full.
void DescribeDualRows(const mjModel* m, const mjData* d, Problem& problem, StackFrame& frame);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_DUAL_ROWS_H_
