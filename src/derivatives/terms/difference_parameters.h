// Gradients by parameters that act through formulas without slopes here, by central differences of these formulas at
// fixed accelerations: errors are of rounding / 1e-6.
#ifndef SINEW_DERIVATIVES_TERMS_DIFFERENCE_PARAMETERS_H_
#define SINEW_DERIVATIVES_TERMS_DIFFERENCE_PARAMETERS_H_

#include <mujoco/mujoco.h>
#include <sinew/gradients.h>

#include "derivatives/base/residual_derivative.h"

namespace sinew::inline derivatives {

// Forces of a medium as functions of masses and inertias, by the boxes that stand for bodies, and of the sizes of geoms
// with ellipsoids; their coefficients (geom_fluid) are held constant.
void AddFluidParameters(const mjModel* m, mjData* d, const ResidualPoint& at, const ResidualDerivative::Slopes& slopes,
                        const sinewParameterGradients& out);

// Sizes of geoms that tendons wrap around. The world has other tendons and forces afterwards.
void AddWrapSizes(const mjModel* m, mjData* d, const ResidualPoint& at, const ResidualDerivative::Slopes& slopes,
                  double* geom_size);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_DIFFERENCE_PARAMETERS_H_
