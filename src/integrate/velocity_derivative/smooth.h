// Velocity derivatives of smooth forces (smooth_kernel.h), and the matrices that implicit integrators factor
// (implicit_kernel.h), for one world.
#ifndef SINEW_INTEGRATE_VELOCITY_DERIVATIVE_SMOOTH_H_
#define SINEW_INTEGRATE_VELOCITY_DERIVATIVE_SMOOTH_H_

#include <mujoco/mujoco.h>

namespace sinew::inline integrate {

// d->qDeriv. Without the bias force the result is symmetric.
void SmoothVelocityDerivative(const mjModel* m, mjData* d, bool with_bias);

// The metric of the integrator `discrete` (metric_kernel.h), and with the second function qfrc_smooth and qacc_smooth
// in it. `row_slope` (ntendon) becomes the slopes of tendons over branches.
void MakeMetric(const mjModel* m, mjData* d, double* row_slope);
void MetricAcceleration(const mjModel* m, mjData* d, double* row_slope);

// The matrix X that an implicit integrator solves with,  X a = M qacc:
//   M - h qDeriv     implicit, and, on the pattern of M, implicitfast
//   M + h B          Euler, with B the diagonal of joint damping
// FactorImplicit makes the factors that belong to the model's integrator: d->qLU, or d->qH and d->qHDiagInv.
// SolveImplicit replaces x (nv) by X^-1 x with the factors that are there.
void FactorImplicit(const mjModel* m, mjData* d);
void SolveImplicit(const mjModel* m, const mjData* d, double* x);
// x = X^-T x
void SolveImplicitTransposed(const mjModel* m, const mjData* d, double* x);

// result (nv) = X vec, without factors. Implicit integrators need d->qDeriv: UpdateImplicit computes it.
void UpdateImplicit(const mjModel* m, mjData* d);
void MulImplicit(const mjModel* m, const mjData* d, double* result, const double* vec);

}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_VELOCITY_DERIVATIVE_SMOOTH_H_
