// Inverse dynamics: the forces that belong to a given acceleration.
//
//   qfrc_inverse = M qacc + bias - passive - constraint(qacc)
//
// Constraint forces follow from the acceleration in closed form, because the constraints are soft
// (docs/how/solvers.md).
#ifndef SINEW_STEP_INVERSE_H_
#define SINEW_STEP_INVERSE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline step {

// in: qpos, qvel, qacc                  out: qfrc_inverse, qfrc_constraint, efc_force, and all stages before
// Actuation and applied forces play no part. With the flag invdiscrete, qacc is the difference quotient of velocities
// that the model's integrator made. Throws for Runge-Kutta with that flag.
void Inverse(const mjModel* m, mjData* d);

// The same, skipping stages as ForwardSkip does.
void InverseSkip(const mjModel* m, mjData* d, int skip_stage, bool skip_sensors);

// The stages.
void InvPosition(const mjModel* m, mjData* d);
void InvVelocity(const mjModel* m, mjData* d);
void InvConstraint(const mjModel* m, mjData* d);

// Runs inverse dynamics at the acceleration in qacc and stores the difference to forward dynamics in solver_fwdinv:
// norms of the discrepancy of constraint forces and of applied forces, zeros where the stack is too small. Constraint
// forces and states are restored; qfrc_inverse is not. With the flag invdiscrete, qacc is read as Inverse reads it: the
// norms are those of rounding when it is the difference quotient of velocities, and not inside of a step, whose
// acceleration is that of continuous time.
void CompareFwdInv(const mjModel* m, mjData* d);

}  // namespace sinew::inline step

#endif  // SINEW_STEP_INVERSE_H_
