// Equalities that implicit integrators hold (integrate/held_rows_kernel.h), in one world.
#ifndef SINEW_STEP_HELD_ROWS_H_
#define SINEW_STEP_HELD_ROWS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline step {

// From the acceleration a' of a step without them to a. It needs the factors of the integrator's matrix. Where the
// stack is full, a warning is raised and nothing changes.
void HoldEqualities(const mjModel* m, mjData* d, double* acceleration);

// The other way round, for inverse dynamics: from X a = M b, with b in `acceleration` and a in qacc, to the
// acceleration of continuous time that a follows from.
void ReleaseEqualities(const mjModel* m, mjData* d, double* acceleration);

}  // namespace sinew::inline step

#endif  // SINEW_STEP_HELD_ROWS_H_
