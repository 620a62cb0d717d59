// The parts of the end of a step, in which the state moves along the rates that an integrator has chosen.
#ifndef SINEW_STEP_ADVANCE_H_
#define SINEW_STEP_ADVANCE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline step {

// Controls and measurements of the present time enter the buffers of delays.
void RecordHistories(const mjModel* m, mjData* d);

// Activations at the end of the step.
void NextActivations(const mjModel* m, mjData* d, const double* act_dot);

// Velocities, positions and time at the end of the step; sleeping trees stay. Positions follow `qvel`, null for the new
// velocity.
void AdvanceMotion(const mjModel* m, mjData* d, const double* qacc, const double* qvel);

// Fibres of musculotendons follow the motion of the step (force/fiber_kernel.h); it comes after AdvanceMotion.
void AdvanceFibers(const mjModel* m, mjData* d);

// The next step's solver starts from the acceleration of this one.
void KeepWarmstart(const mjModel* m, mjData* d);

}  // namespace sinew::inline step

#endif  // SINEW_STEP_ADVANCE_H_
