// Sensors of the velocity stage that look at rows of limits.
#include "sensor/evaluate.h"

namespace sinew::inline sensor {
namespace {

// The velocity of the row of a limit, zero while the limit is not active.
double LimitVelocity(const mjData* d, int type, int id) {
  const int row = LimitRow(d, type, id);
  return row < 0 ? 0 : d->efc_vel[row];
}

}  // namespace

void EvaluateVelocity(const mjData* d, const SensorSpec& s, double* out) {
  if (s.type == mjSENS_JOINTLIMITVEL) out[0] = LimitVelocity(d, mjCNSTR_LIMIT_JOINT, s.objid);
  if (s.type == mjSENS_TENDONLIMITVEL) out[0] = LimitVelocity(d, mjCNSTR_LIMIT_TENDON, s.objid);
}

}  // namespace sinew::inline sensor
