// Velocity derivatives of smooth forces (smooth_kernel.h), and the matrices that implicit integrators factor
// (implicit_kernel.h), for one world.
#ifndef SINEW_DERIVATIVE_SMOOTH_H_
#define SINEW_DERIVATIVE_SMOOTH_H_

#include <mujoco/mujoco.h>

namespace sinew {

// d->qDeriv. Without the bias force the result is symmetric.
void SmoothVelocityDerivative(const mjModel* m, mjData* d, bool with_bias);

// Acceleration of implicit integration for a force (nv), which it replaces: solves
//   (M - h qDeriv) x = force           with the LU factors d->qLU, for any qDeriv
//   the same, on the pattern of M      with the L'DL factors d->qH, for a symmetric qDeriv
//   (M + h B) x = force                the same, B the diagonal of joint damping
// and factorizes first.
void SolveImplicitLU(const mjModel* m, mjData* d, double* x);
void SolveImplicitLDL(const mjModel* m, mjData* d, double* x);
void SolveDampedInertia(const mjModel* m, mjData* d, double* x);

// result (nv) = X vec, X the matrix that the model's integrator solves with; the opposite of the functions above. For
// Euler's method it is the one with joint damping.
void MulImplicit(const mjModel* m, mjData* d, double* result, const double* vec);

}  // namespace sinew

#endif  // SINEW_DERIVATIVE_SMOOTH_H_
