// Derivatives of whole steps, and of inverse dynamics, by finite differences. Stages that a perturbed quantity cannot
// change are not computed again: controls and activations leave positions and velocities alone, velocities leave
// positions alone.
#ifndef SINEW_DERIVATIVES_DIFFERENCE_TRANSITION_H_
#define SINEW_DERIVATIVES_DIFFERENCE_TRANSITION_H_

#include <mujoco/mujoco.h>

#include "derivatives/base/matrices.h"

namespace sinew::inline derivatives {

// Forward differences of size eps, or central ones. A control is not moved out of its range. The state is restored;
// what a step computes from it belongs to the last difference. Throws for Runge-Kutta and for models with histories.
void DifferenceTransition(const mjModel* m, mjData* d, double eps, bool centered, const TransitionMatrices& result);

// Forward differences of size eps. With `subtract_actuators` the force is qfrc_inverse - qfrc_actuator. Throws for
// Runge-Kutta and for the noslip solver, whose dynamics have no inverse.
void DifferenceInverse(const mjModel* m, mjData* d, double eps, bool subtract_actuators, const InverseMatrices& result);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_DIFFERENCE_TRANSITION_H_
