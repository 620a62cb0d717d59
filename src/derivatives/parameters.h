// Derivatives of a scalar by parameters of the model, from its slopes by the residual of forces.
#ifndef SINEW_DERIVATIVES_PARAMETERS_H_
#define SINEW_DERIVATIVES_PARAMETERS_H_

#include <sinew/gradients.h>

#include "derivatives/base/residual_derivative.h"
#include "derivatives/base/smoothed_solution.h"

namespace sinew::inline derivatives {

// Adds the contribution of one step to the gradients. The world is that of the residual's derivative. Values that the
// compiler has derived from parameters (inverse weights, ranges of lengths) are held constant.
void AddParameterGradients(const mjModel* m, mjData* d, const ResidualPoint& at,
                           const ResidualDerivative::Slopes& slopes, const Smoothing& smoothing,
                           const sinewParameterGradients& out);

// The arrays of one world, by its place, among those of several.
sinewParameterGradients PartOf(const sinewParameterGradients& all, const mjModel& m, int place);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_PARAMETERS_H_
