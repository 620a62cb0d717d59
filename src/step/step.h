// One time step, whole or in two halves between which a caller may set controls.
#ifndef SINEW_STEP_STEP_H_
#define SINEW_STEP_STEP_H_

#include <mujoco/mujoco.h>

namespace sinew {

void Step(const mjModel* m, mjData* d);

// Everything that does not depend on controls: position and velocity stages.
void Step1(const mjModel* m, mjData* d);

// Actuation, acceleration, constraints, integration. A model of Runge-Kutta or of a bounded error is
// integrated with Euler here.
void Step2(const mjModel* m, mjData* d);

}  // namespace sinew

#endif  // SINEW_STEP_STEP_H_
