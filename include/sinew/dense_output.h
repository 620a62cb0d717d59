/* States between the ends of a step, for models whose integrator controls its error (docs/how/error-control.md). */
#ifndef SINEW_DENSE_OUTPUT_H_
#define SINEW_DENSE_OUTPUT_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/* mj_step of a model with such an integrator, with the states at times within the step: rows of qpos, qvel and
   act, interpolated between the internal steps with an error of order 4. Times ascend, from that of
   the world to the end of the step; the step itself is that of mj_step, bit for bit. */
MJAPI void sinew_stepDense(const mjModel* m, mjData* d, const double* times, int ntime, double* states);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_DENSE_OUTPUT_H_ */
