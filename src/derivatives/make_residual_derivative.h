// The derivative of a world's residual, by the engine that suits the model.
#ifndef SINEW_DERIVATIVES_MAKE_RESIDUAL_DERIVATIVE_H_
#define SINEW_DERIVATIVES_MAKE_RESIDUAL_DERIVATIVE_H_

#include <memory>

#include "derivatives/base/force_changes.h"
#include "derivatives/base/residual_derivative.h"
#include "derivatives/base/smoothed_solution.h"
#include "derivatives/terms/actuator_columns.h"

namespace sinew::inline derivatives {

// Runs the forward dynamics of the present state and differentiates them. Throws where the state is bad or the solver
// has not converged. `changes`: see AddConstraintColumns. The stack of the world holds the result while it lives.
std::unique_ptr<ResidualDerivative> MakeResidualDerivative(const mjModel* m, mjData* d, const Smoothing& smoothing = {},
                                                           ForceChanges* changes = nullptr,
                                                           ControlColumns controls = ControlColumns::kPresent);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_MAKE_RESIDUAL_DERIVATIVE_H_
