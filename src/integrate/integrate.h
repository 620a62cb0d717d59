// Time integration: the accelerations, of the step as a whole, that an integrator moves the world with
// (docs/how/integrators.md). The move itself, and Runge-Kutta, which repeats the forward dynamics, belong to the step
// (step/integrators.h).
#ifndef SINEW_INTEGRATE_INTEGRATE_H_
#define SINEW_INTEGRATE_INTEGRATE_H_

#include <mujoco/mujoco.h>

#include "core/stack.h"

namespace sinew::inline integrate {

// Whether Euler's method treats joint damping implicitly: some dof or actuator may be damped, and neither damping nor
// its implicit integration is disabled. Without, it moves the world with qacc.
bool HasImplicitDamping(const mjModel* m);
// Whether it would, if some dof were damped.
bool MayHaveImplicitDamping(const mjModel* m);

// Whether velocities follow another acceleration than that of the solution, by a matrix. Runge-Kutta has none.
bool HasStepMatrix(const mjModel* m);

// Semi-implicit Euler with implicit damping (euler_kernel.h), and implicit in velocity: all smooth forces, or
// (implicitfast) all but the bias force; with `discrete` the acceleration is already that of the step. With
// `reuse_factors` the factors of an earlier step stand for the present ones.
void EulerAcceleration(const mjModel* m, mjData* d, bool reuse_factors, double* acceleration);
void ImplicitAcceleration(const mjModel* m, mjData* d, bool reuse_factors, double* acceleration);

// Whether the integrator moves some free body by the midpoint rule (midpoint_kernel.h), which is no function of the
// residual M a - f alone.
bool UsesMidpointRule(const mjModel* m);

// Velocities at the end of the step of the dofs that follow the midpoint rule (midpoint_kernel.h), and which they are.
struct MidpointDofs {
  double* qvel;
  bool* chosen;
  bool any;
};
// Memory belongs to the frame.
MidpointDofs MoveFreeBodies(const mjModel* m, mjData* d, StackFrame& frame);

// Coordinates (position_kernel.h).
void IntegratePos(const mjModel* m, double* qpos, const double* qvel, double dt);
void DifferentiatePos(const mjModel* m, double* qvel, double dt, const double* qpos1, const double* qpos2);
void NormalizeQuat(const mjModel* m, double* qpos);

}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_INTEGRATE_H_
