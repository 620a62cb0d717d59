// Vector-Jacobian products of rollouts: how a scalar of the states depends on the start, on controls and parameters.
#ifndef SINEW_DERIVATIVES_ROLLOUT_H_
#define SINEW_DERIVATIVES_ROLLOUT_H_

#include <sinew/gradients.h>

#include "derivatives/base/smoothed_solution.h"

namespace sinew::inline derivatives {

// A rollout of `steps` from the present state, with a row of controls for each step.
struct Rollout {
  int steps;
  const double* controls;   // steps x nu
  const double* by_states;  // steps x (nq + nv + na): slopes of the scalar by the state after each step
};

// Writes the gradients by the state at the start (nq + nv + na) and by the controls, and adds those by parameters; what
// is null is not wanted. Quaternions' gradients are tangent to the unit sphere.
//
// Memory grows with the root of the number of steps: states are kept at every sqrt(steps)-th step, and the steps in
// between are repeated when they are needed, from the last to the first (A. Griewank, Achieving logarithmic growth of
// temporal and spatial complexity in reverse automatic differentiation, Optim. Methods Softw. 1992, with two levels).
// With smoothing, the states are those of the real steps, and each step is differentiated with smoothed constraints.
// The state of the world is put back. Throws as LinearizeTransition does, and when a step resets the world.
void DifferentiateRollout(const mjModel* m, mjData* d, const Rollout& rollout, double* by_start, double* by_controls,
                          const sinewParameterGradients& by_parameters, const Smoothing& smoothing = {});

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_ROLLOUT_H_
