// The integrators: each takes the world from the forward dynamics of a state to the next state
// (docs/how/integrators.md).
#ifndef SINEW_STEP_INTEGRATORS_H_
#define SINEW_STEP_INTEGRATORS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline integrate {
struct DenseOutput;  // integrate/error_control.h
}

namespace sinew::inline step {

// Moves the world by one of mjtIntegrator, or by one that controls its error (model/storage/error_control.h).
void Integrate(const mjModel* m, mjData* d, int integrator);

// Semi-implicit Euler, with joint damping implicit. With `reuse_factors` the factors of an earlier step stand for the
// present ones, here and in Implicit.
void Euler(const mjModel* m, mjData* d, bool reuse_factors = false);

// Implicit in velocity: all smooth forces, or (implicitfast) all but the bias force. Throws for models with another
// integrator.
void Implicit(const mjModel* m, mjData* d, bool reuse_factors = false);

// Runge-Kutta of order N; only 4 is there, others throw.
void RungeKutta(const mjModel* m, mjData* d, int N);

// A time step in internal steps of bounded error (integrate/error_control.h). Throws for models that were compiled for
// another integrator. `dense`: times within the step for which states (qpos, qvel, act) are asked, or null.
void AdaptiveSteps(const mjModel* m, mjData* d, DenseOutput* dense = nullptr);

// The end of a step, from rates that an integrator has chosen: histories, activations, velocity, position, time,
// plugins, warm start of the next step. Positions follow `qvel`; null stands for the new velocity.
void Advance(const mjModel* m, mjData* d, const double* act_dot, const double* qacc, const double* qvel = nullptr);

}  // namespace sinew::inline step

#endif  // SINEW_STEP_INTEGRATORS_H_
