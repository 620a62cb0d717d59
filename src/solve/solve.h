// The constraint stage: acceleration and constraint forces from everything that came before.
#ifndef SINEW_SOLVE_SOLVE_H_
#define SINEW_SOLVE_SOLVE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline solve {

// Writes qacc, qfrc_constraint, efc_b, efc_force, efc_state, and the islands' counterparts.
void SolveConstraints(const mjModel* m, mjData* d);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SOLVE_H_
