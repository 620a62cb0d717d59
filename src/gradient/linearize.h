// Derivatives of a step, analytically (docs/how/gradients.md).
#ifndef SINEW_GRADIENT_LINEARIZE_H_
#define SINEW_GRADIENT_LINEARIZE_H_

#include <string>

#include "linearization/finite_difference.h"

namespace sinew {

// Why steps of this model have no derivatives here; empty if they have.
std::string ObstacleToLinearize(const mjModel* m);

// The matrices of DifferentiateTransition, in closed form: one-sided derivatives of the active constraints. The world's
// state is left as it was; what a step computes from it is that of the forward dynamics there.
// Throws Error with the reason where there is an obstacle, where the state is bad, and where the solver has not
// converged, so that its result is no function of the state.
void LinearizeTransition(const mjModel* m, mjData* d, const TransitionMatrices& result);

}  // namespace sinew

#endif  // SINEW_GRADIENT_LINEARIZE_H_
