// Derivatives of a step of Runge and Kutta: the chain of its four evaluations.
#ifndef SINEW_DERIVATIVES_RUNGE_KUTTA_H_
#define SINEW_DERIVATIVES_RUNGE_KUTTA_H_

#include <sinew/gradients.h>

#include <vector>

#include "derivatives/base/matrices.h"
#include "derivatives/base/smoothed_solution.h"
#include "derivatives/integrators/delayed_controls.h"

namespace sinew::inline derivatives {

// A and B; the state is restored. Throws as LinearizeTransition does.
void LinearizeRungeKutta(const mjModel* m, mjData* d, const Smoothing& smoothing, const TransitionMatrices& result);

// Takes slopes by the state (q, v, act) after a step back to the state before it, and writes those by its controls,
// stage by stage and without matrices; what belongs to delayed controls goes to the steps that gave them. Adds to the
// gradients by parameters, unless `parameters` is null. The state is restored.
void PullBackRungeKutta(const mjModel* m, mjData* d, const Smoothing& smoothing, const DelayedControls& delays,
                        const sinewParameterGradients* parameters, std::vector<double>& state,
                        std::vector<double>& control);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_RUNGE_KUTTA_H_
