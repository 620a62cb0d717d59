// Derivatives of the accelerations of a world by (q, v, act, u): da = -H^-1 dr, db = X^-1 (M da + ds).
#ifndef SINEW_GRADIENT_ACCELERATION_H_
#define SINEW_GRADIENT_ACCELERATION_H_

#include "core/stack.h"
#include "gradient/actuator_columns.h"
#include "gradient/columns.h"
#include "linearization/step_linearization.h"

namespace sinew {

class AccelerationDerivative {
 public:
  // Runs the forward dynamics of the present state and differentiates them. Throws where the state is bad or the solver
  // has not converged.
  AccelerationDerivative(const mjModel* m, mjData* d);

  // b, with which the step moves the velocities, and its change.
  const double* step_acceleration() const { return b_.data(); }
  const Columns& step_change() const { return columns_.step; }
  // The change of a.
  const Columns& change() const { return columns_.force; }
  const std::vector<ActivationSlopes>& activations() const { return activations_; }

 private:
  BalanceColumns columns_;
  std::vector<double> b_;
  std::vector<ActivationSlopes> activations_;
};

}  // namespace sinew

#endif  // SINEW_GRADIENT_ACCELERATION_H_
