// Exported functions of history buffers. Times are seconds of simulation; a buffer has nsample values from the oldest
// to the newest. An interpolation order below zero means that of the model.
#include "model/state/history.h"

#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "capi/boundary.h"

using sinew::capi::Guard;

mjtNum mj_readCtrl(const mjModel* m, const mjData* d, int id, mjtNum time, int interp) {
  SINEW_CHECK(mj_readCtrl);
  return Guard("mj_readCtrl", [&] { return sinew::ReadCtrl(m, d, id, time, interp); });
}

// Returns the place of a sample that needs no interpolation, else null and the value in `result`.
const mjtNum* mj_readSensor(const mjModel* m, const mjData* d, int id, mjtNum time, mjtNum* result, int interp) {
  SINEW_CHECK(mj_readSensor);
  return Guard("mj_readSensor", [&] { return sinew::ReadSensor(m, d, id, time, result, interp); });
}

// Null times keep those of the buffer.
void mj_initCtrlHistory(const mjModel* m, mjData* d, int id, const mjtNum* times, const mjtNum* values) {
  SINEW_CHECK(mj_initCtrlHistory);
  Guard("mj_initCtrlHistory", [&] { sinew::InitCtrlHistory(m, d, id, times, values); });
}

// `phase` is the time of the sensor's latest measurement.
void mj_initSensorHistory(const mjModel* m, mjData* d, int id, const mjtNum* times, const mjtNum* values,
                          mjtNum phase) {
  SINEW_CHECK(mj_initSensorHistory);
  Guard("mj_initSensorHistory", [&] { sinew::InitSensorHistory(m, d, id, times, values, phase); });
}
