// Derivatives of a step from finite differences of the residual of forces.
//
// A step ends at v' = v + h b with the acceleration b of the integrator, X b = M a, where a balances all forces,
//   r(a; q, v, u) = 0.
// Perturbed by p, with a and b kept, the residual becomes dr and M a - X b becomes ds. To first order then
//   da = -H^-1 dr,    db = X^-1 (M da + ds),    H = dr/da
// with the factors of the unperturbed step: no perturbation needs a factorization or a solver. The error is of the
// order of that of the differences themselves. Reference: J. Carpentier, N. Mansard, Analytical derivatives of rigid
// body dynamics algorithms, RSS 2018, whose derivative of the inverse dynamics is our dr.
//
// Since dr is local, trees without a common neighbour are perturbed together (tree_coupling.h), and so are all
// controls.
#ifndef SINEW_DERIVATIVES_FINITE_DIFFERENCE_RESIDUAL_DIFFERENCE_H_
#define SINEW_DERIVATIVES_FINITE_DIFFERENCE_RESIDUAL_DIFFERENCE_H_

#include <mujoco/mujoco.h>

#include "derivatives/base/matrices.h"

namespace sinew::inline derivatives {

// Writes A and B, and restores the state. Returns false, with the state restored, for what needs whole steps: sensors,
// callbacks and plugins, sleeping, solvers that need not converge (PGS, noslip), free bodies under the midpoint
// rule.
bool DifferenceResidual(const mjModel* m, mjData* d, double eps, bool centered, const TransitionMatrices& result);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_FINITE_DIFFERENCE_RESIDUAL_DIFFERENCE_H_
