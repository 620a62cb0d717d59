#include "force/reflex.h"

#include <algorithm>

#include "model/state/history.h"

namespace sinew::inline force {
namespace {

// A sensor as it reads now; 0 of numbers that name none with a buffer of one number, which programs may write.
double Reading(const mjModel* m, const mjData* d, mjtNum sensor) {
  if (!(sensor >= 0 && sensor < static_cast<mjtNum>(m->nsensor))) return 0;
  const int id = static_cast<int>(sensor);
  if (m->sensor_dim[id] != 1 || m->sensor_history[2 * id] <= 0) return 0;
  mjtNum between = 0;
  const mjtNum* sample = ReadSensor(m, d, id, d->time, &between);
  return sample ? *sample : between;
}

bool Acts(const mjModel* m, const mjData* d, const mjtNum* reflex) {
  const mjtNum count = reflex[sinewREFLEX_PHASES];
  for (int i = 0; i < sinewMAX_REFLEX_PHASES && i < count; ++i) {
    const mjtNum* phase = reflex + sinewREFLEX_FIRST_PHASE + 3 * i;
    const double value = Reading(m, d, phase[0]);
    if (!(value >= phase[1] && value <= phase[2])) return false;
  }
  return true;
}

double Response(const mjModel* m, const mjData* d, const mjtNum* reflex) {
  double x = Reading(m, d, reflex[sinewREFLEX_SENSOR]) - reflex[sinewREFLEX_REFERENCE];
  if (reflex[sinewREFLEX_RECTIFY] == 1) x = std::max(x, 0.0);
  if (reflex[sinewREFLEX_FACTOR] >= 0) x *= Reading(m, d, reflex[sinewREFLEX_FACTOR]);
  return reflex[sinewREFLEX_OFFSET] + reflex[sinewREFLEX_GAIN] * x;
}

}  // namespace

double ReflexControl(const mjModel* m, const mjData* d, const Reflexes& reflexes, int actuator) {
  const ReflexList own = reflexes.Of(actuator);
  double sum = 0;
  for (int i = 0; i < own.count; ++i) {
    if (Acts(m, d, own[i])) sum += Response(m, d, own[i]);
  }
  return sum;
}

}  // namespace sinew::inline force
