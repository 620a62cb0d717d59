/* Derivatives of steps, analytically, also through contacts (docs/how/gradients.md). */
#ifndef SINEW_GRADIENTS_H_
#define SINEW_GRADIENTS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The matrices of mjd_transitionFD, in its layout, without finite steps: y' = A dy + B du, s = C dy + D du, with
   y = (qpos, qvel, act), positions in the tangent space, and s = sensordata. NULL: not wanted. They are one-sided
   derivatives of the constraints that act.
   Those of sensors (C, D) are not supported: an error unless NULL.
   The state is left as it was; what a step computes from it is that of mj_forward.
   Returns 0, or -1 and a text where there are no derivatives: what the model has is not supported, a number of the
   state is bad, the solver has not converged, the dynamics are singular. Matrices are not written then. */
MJAPI int sinew_transition(const mjModel* m, mjData* d, double* A, double* B, double* C, double* D, char* error,
                           int error_sz);

/* Why steps of the model have no analytic derivatives, or "" if they have: written to a buffer; returns its length. */
MJAPI int sinew_transitionObstacle(const mjModel* m, char* buffer, int buffer_sz);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_GRADIENTS_H_ */
