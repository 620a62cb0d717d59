// Forces and states of all constraint rows at the solution. (What mjData has of them may belong to the start of the
// solver: with islands, efc_state does.)
#ifndef SINEW_DERIVATIVES_BASE_ROW_FORCES_H_
#define SINEW_DERIVATIVES_BASE_ROW_FORCES_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "constraint/cost.h"
#include "derivatives/base/scalar_force_kernel.h"
#include "derivatives/base/smoothed_solution.h"

namespace sinew::inline derivatives {

// The law of rows: forces, weights and states, as RowForces has them. `scale`: of their noise, 0 for that of the
// solver.
void EvaluateLaw(const RowSet& rows, double scale, const double* residual, double* force, double* weight, int* state);

// How the residual of a row of a world depends on positions and velocities.
RowLaw<double> LawOfRow(const mjData* d, int row);

struct RowForces {
  std::vector<double> residual, force;
  std::vector<double> weight;  // the curvature of the cost, of rows without a Hessian of their cone
  std::vector<int> state;

  // At the accelerations a. Leaves the Hessians of cones in the contacts.
  RowForces(const mjModel* m, mjData* d, const double* a, const Smoothing& smoothing = {});

  double Weight(int row) const { return weight[static_cast<size_t>(row)]; }
  bool HasHessian(int row) const { return state[static_cast<size_t>(row)] == mjCNSTRSTATE_CONE; }
  double operator[](int row) const { return force[static_cast<size_t>(row)]; }
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_ROW_FORCES_H_
