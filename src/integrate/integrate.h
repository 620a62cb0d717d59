// Time integration: each integrator takes the world from the forward dynamics of a state to the next state
// (docs/integrators.md).
#ifndef SINEW_INTEGRATE_INTEGRATE_H_
#define SINEW_INTEGRATE_INTEGRATE_H_

#include <mujoco/mujoco.h>

namespace sinew {

// Semi-implicit Euler, with joint damping implicit. With `reuse_factors` the factors of an earlier step stand for the
// present ones, here and in Implicit.
void Euler(const mjModel* m, mjData* d, bool reuse_factors = false);

// Implicit in velocity: all smooth forces, or (implicitfast) all but the bias force. Throws for models with another
// integrator.
void Implicit(const mjModel* m, mjData* d, bool reuse_factors = false);

// Runge-Kutta of order N; only 4 is there, others throw.
void RungeKutta(const mjModel* m, mjData* d, int N);

// A time step in internal steps of bounded error (error_control.h). Throws for models that were compiled for another
// integrator.
void AdaptiveSteps(const mjModel* m, mjData* d);

// Whether Euler's method treats joint damping implicitly: some dof or actuator may be damped, and neither damping nor
// its implicit integration is disabled.
bool HasImplicitDamping(const mjModel* m);

// The end of a step, from rates that an integrator has chosen: histories, activations, velocity, position, time,
// plugins, warm start of the next step. Positions follow `qvel`; null stands for the new velocity.
void Advance(const mjModel* m, mjData* d, const double* act_dot, const double* qacc, const double* qvel = nullptr);

// Controls and sensors enter their histories; part of Advance.
void RecordHistories(const mjModel* m, mjData* d);

// Coordinates (position_kernel.h).
void IntegratePos(const mjModel* m, double* qpos, const double* qvel, double dt);
void DifferentiatePos(const mjModel* m, double* qvel, double dt, const double* qpos1, const double* qpos2);
void NormalizeQuat(const mjModel* m, double* qpos);

}  // namespace sinew

#endif  // SINEW_INTEGRATE_INTEGRATE_H_
