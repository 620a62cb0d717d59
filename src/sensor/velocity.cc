// Sensors of the velocity stage that look at rows of limits.
#include "sensor/evaluate.h"

namespace sinew::inline sensor {
void EvaluateVelocity(const mjData* d, const SensorSpec& s, double* out) {
  if (s.type == mjSENS_JOINTLIMITVEL) out[0] = LimitNumber(d, mjCNSTR_LIMIT_JOINT, s.objid, d->efc_vel);
  if (s.type == mjSENS_TENDONLIMITVEL) out[0] = LimitNumber(d, mjCNSTR_LIMIT_TENDON, s.objid, d->efc_vel);
}

}  // namespace sinew::inline sensor
