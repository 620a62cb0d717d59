// The dual problem: minimize over admissible forces f   1/2 f' (A + R) f + f' b,   A = J M^-1 J',  b = J a_s - aref.
//
// Projected Gauss-Seidel solves it row by row. Noslip afterwards solves for friction alone without the regularization
// R, which suppresses the slow creep of soft contacts.
#ifndef SINEW_SOLVE_DUAL_H_
#define SINEW_SOLVE_DUAL_H_

#include "solve/dual_problem.h"

namespace sinew {

// From problem.force to the minimum, through `dual`, which belongs to the problem. Needs efc_AR and efc_b. Writes force
// and state, statistics from entry 0.
void SolvePGS(const mjModel* m, const mjData* d, const Problem& problem, DualProblem& dual);

// Improves friction forces; statistics follow those of the main solver. `dual` as above.
void SolveNoslip(const mjModel* m, const Problem& problem, DualProblem& dual);

}  // namespace sinew

#endif  // SINEW_SOLVE_DUAL_H_
