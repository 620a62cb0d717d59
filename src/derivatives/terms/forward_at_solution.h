// Forward dynamics as derivatives need them: at the exact solution, with exact contacts.
#ifndef SINEW_DERIVATIVES_TERMS_FORWARD_AT_SOLUTION_H_
#define SINEW_DERIVATIVES_TERMS_FORWARD_AT_SOLUTION_H_

#include <mujoco/mujoco.h>

#include "derivatives/base/smoothed_solution.h"

namespace sinew::inline derivatives {

// The model, with Newton's method in the place of PGS: both look for the minimum of the same cost, and derivatives are
// those of the minimum, from which PGS stays some of its tolerance away. It refers to the arrays of m.
mjModel WithPrimalSolver(const mjModel& m);

// Forward dynamics, with exact contacts: what a search has found is noise where its derivatives are concerned. With
// smoothed constraints, the solution is theirs. Throws where a number is bad.
RowWeights ForwardAtSolution(const mjModel* m, mjData* d, const Smoothing& smoothing);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_FORWARD_AT_SOLUTION_H_
