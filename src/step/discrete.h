// The integrator `discrete` in the stages of a step (docs/how/integrators.md): accelerations, those of constraints
// included, are found in one metric (integrate/velocity_derivative/metric_kernel.h), and are those of the step, (v' -
// v) / h.
#ifndef SINEW_STEP_DISCRETE_H_
#define SINEW_STEP_DISCRETE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline step {

// qfrc_smooth and qacc_smooth in the metric, which is made, with its part in rows, islands and the dual matrix. It
// follows all forces but those of constraints.
void DiscreteAcceleration(const mjModel* m, mjData* d);

// The metric alone, with its part in rows: for inverse dynamics. `change` (nv) becomes f(q + h v, v) - f(q, v), the
// forces where the step leads less those where it begins.
void UpdateMetric(const mjModel* m, mjData* d, double* change);

}  // namespace sinew::inline step

#endif  // SINEW_STEP_DISCRETE_H_
