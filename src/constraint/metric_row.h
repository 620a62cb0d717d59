// Rows of the integrator `discrete` (docs/how/integrators.md). The metric's term of a tendon over several branches of a
// tree, or several trees, couples dofs that inertia does not. It is a row of constraints instead, with the weight h (D
// + h K) and without bounds, of the type of a tendon's friction: it resists any change of velocity. Flexes have rows of
// this type, too, with negative numbers in efc_id and a rate in efc_margin (flex_metric.cc).
#ifndef SINEW_CONSTRAINT_METRIC_ROW_H_
#define SINEW_CONSTRAINT_METRIC_ROW_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// The friction loss of these rows, which no force reaches, and by which they are known.
inline constexpr double kMetricLoss = 1e30;

inline bool IsMetricRow(const mjData* d, int row) {
  return d->efc_type[row] == mjCNSTR_FRICTION_TENDON && d->efc_frictionloss[row] == kMetricLoss;
}

// Whether a tendon has such a row.
bool HasMetricRow(const mjModel* m, int tendon);

// Gives the rows their weights. `slope` (ntendon): D + h K.
void SetMetricRows(const mjModel* m, mjData* d, const double* slope);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_METRIC_ROW_H_
