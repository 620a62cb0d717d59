// The step of a small system as a linear map, by the kernels that run in lanes, too (slot_linearization_kernel.h).
#ifndef SINEW_DERIVATIVES_SMALL_SYSTEMS_SLOT_LINEARIZATION_H_
#define SINEW_DERIVATIVES_SMALL_SYSTEMS_SLOT_LINEARIZATION_H_

#include <mujoco/mujoco.h>

#include <memory>

#include "core/stack.h"
#include "derivatives/base/columns.h"
#include "derivatives/base/matrices.h"

namespace sinew::inline derivatives {

// Whether the residual of the model is differentiated so: a system that Newton's method solves whole as slots, with
// only parts whose rows no position changes, beside contacts and balls, under Euler's method, implicitfast and
// Runge-Kutta.
bool IsResidualInSlots(const mjModel* m);

// Whether packs compute A and B of the model's steps.
bool AreTransitionsInLanes(const mjModel* m);

// The derivatives of the residual of a world that has gone through its forward dynamics, and has no compliant contacts.
// Throws where the solver has not converged, or a contact has no derivative.
class SlotDerivative {
 public:
  SlotDerivative(const mjModel* m, mjData* d, StackFrame& frame);
  ~SlotDerivative();
  SlotDerivative(const SlotDerivative&) = delete;
  SlotDerivative& operator=(const SlotDerivative&) = delete;

  ResidualPoint point() const;
  // The columns of the residual.
  void CopyTo(ResidualColumns& out) const;
  // Turns them into the changes of the acceleration b; called once.
  void Solve();
  // After Solve: changes of a, and of b where it differs.
  void CopySolutionTo(ResidualColumns& out) const;
  // After Solve: the rows of velocities, h db.
  void StoreVelocityRows(const TransitionMatrices& result) const;

  // As StepLinearization has them.
  void SolveTransposed(const double* change, double* force, double* step) const;
  void SolveTransposedSolution(const double* change, double* force) const;

 private:
  struct Parts;

  const mjModel* m_;
  mjData* d_;
  std::unique_ptr<Parts> parts_;
};

// A and B at the world's state. Throws as LinearizeTransition does. False, and nothing is written, where contacts are
// compliant.
bool LinearizeInSlots(const mjModel* m, mjData* d, const TransitionMatrices& result);

// Completes the matrices from the rows of velocities, h db, that are in place: the identity in them, rows of
// activations and of positions. The world has the state, and what actuators depend on; `b`: its acceleration.
void CompleteTransition(const mjModel* m, mjData* d, const double* b, const TransitionMatrices& result);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_SMALL_SYSTEMS_SLOT_LINEARIZATION_H_
