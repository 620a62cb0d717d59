// The step, linearized about the residual of forces: from a change of the residual to a change of the next state.
//
//   v' = v + h b,   X b = M a,   da = -H^-1 dr,   db = X^-1 (M da + ds)
//
// with the names of finite_difference/residual_difference.h. Everything that is factored belongs to the unperturbed
// step.
#ifndef SINEW_DERIVATIVES_BASE_STEP_LINEARIZATION_H_
#define SINEW_DERIVATIVES_BASE_STEP_LINEARIZATION_H_

#include <mujoco/mujoco.h>

#include "core/stack.h"
#include "derivatives/base/residual.h"
#include "derivatives/base/solution_derivative.h"

namespace sinew::inline derivatives {

// A perturbation of one component of the state or of the controls.
struct Perturbation {
  double below, above;     // its two ends
  int position, velocity;  // the dof that is perturbed, -1 for none
};

class StepLinearization {
 public:
  // Linearizes at the forward dynamics that the world has gone through, and factors its matrix X.
  // Unusable when the frame is full. `weights`: see SolutionDerivative.
  StepLinearization(const mjModel* m, mjData* d, StackFrame& frame, const RowWeights* weights = nullptr);

  // Whether there is a solution to linearize about.
  bool AtSolution() const { return solution_.AtMinimum(); }

  const Accelerations& nominal() const { return nominal_; }

  // Leads from a change of the residual (`step` null: none) to that of the accelerations.
  void Solve(const double* force, const double* step, const Accelerations& change) const;

  // The same for blocks of columns (math/column_block.h) in place: `force` becomes the change of a, `step` that of b,
  // which is used only where the integrator has a matrix. scratch: two blocks.
  void SolveBlock(double* force, double* step, double* scratch) const;

  // The transposed map: how a scalar with the slope `change` by b depends on the changes of the residual,
  //   change . db = force . dr + step . ds
  // `step` may be null where the integrator has no matrix.
  void SolveTransposed(const double* change, double* force, double* step) const;
  // The same for a slope by a, which the solver finds:  change . da = force . dr
  void SolveTransposedSolution(const double* change, double* force) const;

  // Writes the derivatives of the next positions and velocities to a column of a zeroed matrix with `columns` columns,
  // given the change of the integrator's acceleration from one end of the perturbation to the other.
  void StoreColumn(const Perturbation& perturbation, const double* change, double* matrix, int columns,
                   int column) const;

 private:
  void StorePositions(const Perturbation& p, double* matrix, int columns, int column) const;
  bool same() const { return nominal_.a == nominal_.b; }

  const mjModel* m_;
  const mjData* d_;
  Accelerations nominal_;
  SolutionDerivative solution_;
  double *qpos_, *M_, *next_qvel_;  // of the unperturbed step: its start, its inertia, its end
  double* change_;                  // scratch: of next_qvel
};

// Turns or shifts a dof.
void MoveDof(const mjModel* m, double* qpos, int dof, double step);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_STEP_LINEARIZATION_H_
