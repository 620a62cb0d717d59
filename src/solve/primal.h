// Newton and conjugate gradients on the primal problem (problem.h). Both descend along a direction that they choose,
// with an exact line search; they share everything else.
#ifndef SINEW_SOLVE_PRIMAL_H_
#define SINEW_SOLVE_PRIMAL_H_

#include "solve/problem.h"

namespace sinew::inline solve {

// From problem.qacc to the minimum: writes qacc, force, state, qfrc_constraint and the statistics.
// They return false, with nothing of use written, where the stack is too small.
[[nodiscard]] bool SolveNewton(const Problem& problem, const SolverOptions& options, mjData* d);
[[nodiscard]] bool SolveCG(const Problem& problem, const SolverOptions& options, mjData* d);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_PRIMAL_H_
