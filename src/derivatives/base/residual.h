// The residual of forces of a world at given accelerations.
#ifndef SINEW_DERIVATIVES_BASE_RESIDUAL_H_
#define SINEW_DERIVATIVES_BASE_RESIDUAL_H_

#include <mujoco/mujoco.h>

#include "core/stack.h"

namespace sinew::inline derivatives {

// Accelerations that should balance a world: the solution of the dynamics, and what the integrator makes of it by
// X b = M a (integrate/velocity_derivative/smooth.h).
struct Accelerations {
  double *a, *b;
};

struct ResidualParts {
  double* force;  // M a - qfrc_smooth - J' f(J a - aref), zero at the solution
  double* step;   // M a - X b, zero when b belongs to a
  double* act;    // activations at the end of the step
};
ResidualParts MakeResidual(const mjModel* m, StackFrame& frame);

// Smooth forces from the present velocity stage, controls and activations: result.act, and what EvaluateResidual needs.
// Without `with_step`, result.step is left alone.
void UpdateForces(const mjModel* m, mjData* d, bool with_step, const ResidualParts& result);
// False where the stack is too small.
[[nodiscard]] bool EvaluateResidual(const mjModel* m, mjData* d, const Accelerations& at, bool with_step,
                                    const ResidualParts& result);

// Which contacts and constraint rows a world has. Finite differences of a residual make sense as long as they stay.
class ConstraintList {
 public:
  // Unusable when the frame is full.
  ConstraintList(const mjData* d, StackFrame& frame);
  bool SameIn(const mjData* d) const;

 private:
  int ncon_, nefc_;
  int *geom_, *type_, *id_;
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_RESIDUAL_H_
