// The derivative of a world's balance of forces, and what follows from it: accelerations, or their transposed map.
#ifndef SINEW_DERIVATIVES_RESIDUAL_DERIVATIVE_H_
#define SINEW_DERIVATIVES_RESIDUAL_DERIVATIVE_H_

#include <optional>

#include "core/stack.h"
#include "derivatives/base/columns.h"
#include "derivatives/base/force_changes.h"
#include "derivatives/base/smoothed_solution.h"
#include "derivatives/base/step_linearization.h"
#include "derivatives/integrators/implicit_cell_columns.h"
#include "derivatives/small_systems/slot_linearization.h"
#include "derivatives/terms/actuator_columns.h"

namespace sinew {

// The model, with Newton's method in the place of PGS: both look for the minimum of the same cost, and derivatives are
// those of the minimum, from which PGS stays some of its tolerance away. It refers to the arrays of m.
mjModel WithPrimalSolver(const mjModel& m);

// Forward dynamics, with exact contacts: what a search has found is noise where its derivatives are concerned. With
// smoothed constraints, the solution is theirs. Throws where a number is bad.
RowWeights ForwardAtSolution(const mjModel* m, mjData* d, const Smoothing& smoothing);

[[noreturn]] void ThrowNotConverged();

class ResidualDerivative {
 public:
  // Runs the forward dynamics of the present state and differentiates them. Throws where the state is bad or the solver
  // has not converged. `changes`: see AddConstraintColumns.
  ResidualDerivative(const mjModel* m, mjData* d, const Smoothing& smoothing = {}, ForceChanges* changes = nullptr,
                     ControlColumns controls = ControlColumns::kPresent);

  // The accelerations of the world: of its solution, and those that velocities follow.
  ResidualPoint point() const {
    if (slots_) return slots_->point();
    return {step_->nominal().a, cells_ ? cells_->acceleration() : step_->nominal().b};
  }
  const std::vector<ActivationRow>& activations() const { return activations_; }

  // Of the balance; after Solve, `force` has the change of a instead, and `step` that of b.
  const ResidualColumns& columns() const { return columns_; }

  // da = -H^-1 dr, db = X^-1 (M da + ds) for all columns. Throws where factors are singular.
  void Solve();

  // A scalar's slopes by the balance, from that by b:  by_b . db = force . dr + step . ds
  struct Slopes {
    std::vector<double> force, step;  // step: empty without a matrix of the integrator
  };
  // `by_a`: slopes by a beside those by b, or null.
  Slopes Transposed(const double* by_b, const double* by_a = nullptr) const;
  // From the slopes by a, which integrators of several stages move the world with.
  Slopes TransposedSolution(const double* by_a) const;

 private:
  void AddColumns(mjData* d, const Smoothing& smoothing, ForceChanges* changes, ControlColumns controls);
  // Of all but constraints.
  void AddForces(mjData* d, const TendonRows& tendons, const ResidualPoint& at, ControlColumns controls,
                 ResidualColumns& out) const;
  void SolveBlocks();

  const mjModel* m_;
  StackFrame frame_;
  ResidualColumns columns_;
  RowWeights smoothed_;
  std::optional<SlotDerivative> slots_;    // of small systems
  std::optional<StepLinearization> step_;  // of others
  std::optional<ImplicitCells> cells_;     // after which velocities follow their accelerations
  std::vector<ActivationRow> activations_;
};

}  // namespace sinew

#endif  // SINEW_DERIVATIVES_RESIDUAL_DERIVATIVE_H_
