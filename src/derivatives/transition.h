// Derivatives of a step, analytically (docs/how/gradients.md).
#ifndef SINEW_DERIVATIVES_TRANSITION_H_
#define SINEW_DERIVATIVES_TRANSITION_H_

#include <string>

#include "derivatives/base/matrices.h"
#include "derivatives/base/smoothed_solution.h"

namespace sinew::inline derivatives {

// Why steps of this model have no derivatives here; empty if they have.
std::string ObstacleToLinearize(const mjModel* m);

// The same for rollouts, whose controls may act later.
std::string ObstacleToDifferentiateRollouts(const mjModel* m);

// Throws Error, with the name of a sensor that has no derivatives.
void RequireSensorDerivatives(const mjModel* m);

// The matrices of DifferenceTransition, in closed form: one-sided derivatives of the active constraints. The world's
// state is left as it was; what a step computes from it is that of the forward dynamics there.
// With smoothing, A and B are those of the step with smoothed constraints, and there are no C and D.
// Throws Error with the reason where there is an obstacle, where the state is bad, and where the solver has not
// converged, so that its result is no function of the state.
void LinearizeTransition(const mjModel* m, mjData* d, const TransitionMatrices& result,
                         const Smoothing& smoothing = {});

// Derivatives of inverse dynamics, in the layout of DifferenceInverse: a row for each dof that is moved.
struct InverseDerivatives {
  double *DfDq, *DfDv, *DfDa;  // of qfrc_inverse (nv x nv); null for what is not wanted
};

// At the accelerations in qacc, of continuous time. With `subtract_actuators` the force is qfrc_inverse -
// qfrc_actuator. Throws Error with the reason where there is an obstacle, and where a number of the state is bad.
void LinearizeInverse(const mjModel* m, mjData* d, bool subtract_actuators, const InverseDerivatives& result);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TRANSITION_H_
