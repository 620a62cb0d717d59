// Derivatives of a step of Runge and Kutta: the chain of its four evaluations.
#ifndef SINEW_GRADIENT_RUNGE_KUTTA_H_
#define SINEW_GRADIENT_RUNGE_KUTTA_H_

#include "linearization/finite_difference.h"

namespace sinew {

// A and B; the state is restored. Throws as LinearizeTransition does.
void LinearizeRungeKutta(const mjModel* m, mjData* d, const TransitionMatrices& result);

}  // namespace sinew

#endif  // SINEW_GRADIENT_RUNGE_KUTTA_H_
