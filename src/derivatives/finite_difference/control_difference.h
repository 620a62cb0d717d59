// Derivatives of a step by controls and activations: these change the forces of their own actuators alone, so that all
// are perturbed together, and the residual changes by the actuators' moments times the change of force.
#ifndef SINEW_DERIVATIVES_FINITE_DIFFERENCE_CONTROL_DIFFERENCE_H_
#define SINEW_DERIVATIVES_FINITE_DIFFERENCE_CONTROL_DIFFERENCE_H_

#include <mujoco/mujoco.h>

#include "derivatives/base/step_linearization.h"

namespace sinew::inline derivatives {

// The whole of B, and the columns of A that belong to activations. Both matrices are zero before.
void ControlDifferences(const mjModel* m, mjData* d, double eps, bool centered, const StepLinearization& step,
                        double* B);
void ActivationDifferences(const mjModel* m, mjData* d, double eps, bool centered, const StepLinearization& step,
                           double* A);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_FINITE_DIFFERENCE_CONTROL_DIFFERENCE_H_
