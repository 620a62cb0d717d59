// Terms of the integrator `discrete` in the residual beside inertia (integrate/velocity_derivative/metric_kernel.h):
// forces where the step leads, and h (D + h K) a, along the rows of dofs, tendons and actuators.
#ifndef SINEW_DERIVATIVES_INTEGRATORS_METRIC_COLUMNS_H_
#define SINEW_DERIVATIVES_INTEGRATORS_METRIC_COLUMNS_H_

#include <mujoco/mujoco.h>

#include <string>

#include "derivatives/base/columns.h"
#include "derivatives/terms/tendon_rows.h"

namespace sinew::inline derivatives {

// Why a model has no derivatives under `discrete`; empty where it has.
std::string ObstacleOfMetric(const mjModel* m);

// Takes the changes of the forces from the residual, and adds those of h (D + h K) a. Throws at a state where a free
// body has a metric of its own.
void AddMetricColumns(const mjModel* m, mjData* d, const TendonRows& tendons, const double* a, Columns& force);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_INTEGRATORS_METRIC_COLUMNS_H_
