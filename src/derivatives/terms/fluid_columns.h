// Forces of a surrounding medium: their part of the residual's derivatives.
#ifndef SINEW_DERIVATIVES_TERMS_FLUID_COLUMNS_H_
#define SINEW_DERIVATIVES_TERMS_FLUID_COLUMNS_H_

#include "derivatives/base/columns.h"
#include "derivatives/base/rnea_derivatives_kernel.h"

namespace sinew::inline derivatives {

// Adds the derivatives by q and v at a world that has gone through its velocity stage; the tree has its rates p at the
// velocities of the world.
void AddFluidColumns(const mjModel* m, mjData* d, const TreeDerivative<double>& tree, Columns& force);

// The implicit integrators take the slopes Q_v of these forces in: adds the derivatives of h Q_v b, their part of the
// step. `ahead` has velocities and rates p at speeds b of the dofs.
void AddFluidOfStep(const mjModel* m, mjData* d, const TreeDerivative<double>& tree,
                    const TreeDerivative<double>& ahead, Columns& step);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_FLUID_COLUMNS_H_
