#include "step/discrete.h"

#include <algorithm>

#include "constraint/island.h"
#include "constraint/metric_row.h"
#include "constraint/project.h"
#include "core/stack.h"
#include "integrate/velocity_derivative/smooth.h"
#include "math/dense.h"

namespace sinew::inline step {

void DiscreteAcceleration(const mjModel* m, mjData* d) {
  StackFrame frame(d);
  double* row_slope = frame.Doubles(m->ntendon);
  MetricAcceleration(m, d, row_slope);
  SetMetricRows(m, d, row_slope);
  RenewIslandMetric(m, d);
  ProjectConstraint(m, d);
}

void UpdateMetric(const mjModel* m, mjData* d, double* change) {
  StackFrame frame(d);
  const int nv = static_cast<int>(m->nv);
  double *row_slope = frame.Doubles(m->ntendon), *smooth = frame.Doubles(nv);
  Copy(smooth, d->qfrc_smooth, nv);
  Zero(d->qfrc_smooth, nv);
  MakeMetric(m, d, row_slope);
  SetMetricRows(m, d, row_slope);
  Copy(change, d->qfrc_smooth, nv);
  Copy(d->qfrc_smooth, smooth, nv);
}

}  // namespace sinew::inline step
