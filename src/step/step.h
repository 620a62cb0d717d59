// One time step, whole or in two halves between which a caller may set controls.
#ifndef SINEW_STEP_STEP_H_
#define SINEW_STEP_STEP_H_

#include <mujoco/mujoco.h>

namespace sinew::inline step {

void Step(const mjModel* m, mjData* d);

// The step of a model whose integrator controls its error, with the states (qpos, qvel, act) at `count` times within
// it, ascending. Throws for other integrators and other times.
void StepWithDenseOutput(const mjModel* m, mjData* d, const double* times, int count, double* states);

// Everything that does not depend on controls: position and velocity stages.
void Step1(const mjModel* m, mjData* d);

// Actuation, acceleration, constraints, integration. A model of Runge-Kutta or of a bounded error is
// integrated with Euler here.
void Step2(const mjModel* m, mjData* d);

}  // namespace sinew::inline step

#endif  // SINEW_STEP_STEP_H_
