// Exported functions of history buffers. Times are seconds of simulation; a buffer has nsample values from the oldest
// to the newest. An interpolation order below zero means that of the model.
#include "model/history.h"

#include <mujoco/mujoco.h>

#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/error.h"

using sinew::capi::Guard;

namespace {

void CheckId(const char* what, int id, mjtSize count) {
  if (id < 0 || id >= count) throw sinew::Error("invalid " + std::string(what) + " id " + std::to_string(id));
}

}  // namespace

mjtNum mj_readCtrl(const mjModel* m, const mjData* d, int id, mjtNum time, int interp) {
  SINEW_NOT_NULL(mj_readCtrl, m, d);
  return Guard("mj_readCtrl", [&] {
    CheckId("actuator", id, m->nu);
    return sinew::ReadCtrl(m, d, id, time, interp);
  });
}

// Returns the place of a sample that needs no interpolation, else null and the value in `result`.
const mjtNum* mj_readSensor(const mjModel* m, const mjData* d, int id, mjtNum time, mjtNum* result, int interp) {
  SINEW_NOT_NULL(mj_readSensor, m, d);
  SINEW_NOT_NULL_IF(m->nsensor > 0, mj_readSensor, result);
  return Guard("mj_readSensor", [&] {
    CheckId("sensor", id, m->nsensor);
    return sinew::ReadSensor(m, d, id, time, result, interp);
  });
}

// Null times keep those of the buffer.
void mj_initCtrlHistory(const mjModel* m, mjData* d, int id, const mjtNum* times, const mjtNum* values) {
  SINEW_NOT_NULL(mj_initCtrlHistory, m, d);
  SINEW_NOT_NULL_IF(m->nu > 0, mj_initCtrlHistory, values);
  Guard("mj_initCtrlHistory", [&] {
    CheckId("actuator", id, m->nu);
    sinew::InitCtrlHistory(m, d, id, times, values);
  });
}

// `phase` is the time of the sensor's latest measurement.
void mj_initSensorHistory(const mjModel* m, mjData* d, int id, const mjtNum* times, const mjtNum* values,
                          mjtNum phase) {
  SINEW_NOT_NULL(mj_initSensorHistory, m, d);
  SINEW_NOT_NULL_IF(m->nsensor > 0, mj_initSensorHistory, values);
  Guard("mj_initSensorHistory", [&] {
    CheckId("sensor", id, m->nsensor);
    sinew::InitSensorHistory(m, d, id, times, values, phase);
  });
}
