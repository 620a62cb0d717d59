// Samples of controls and sensors that act or read with a delay: where the buffers of a world are, what they hold after
// a reset, and how they are read at a time (docs/how/actuation.md, docs/how/sensors.md). The ring itself is in
// model/state/history.h.
#include "model/state/history.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"

namespace sinew::inline model {
namespace {

// A negative order means that of the model; orders above cubic are cubic.
Interpolation ToInterpolation(int requested, int of_model) {
  const int order = requested < 0 ? of_model : requested;
  return static_cast<Interpolation>(std::min(order, static_cast<int>(Interpolation::kCubic)));
}

// Interpolation divides by the time between samples, so equal times are refused along with descending ones.
void CheckAscending(const mjtNum* times, int n) {
  for (int i = 1; times && i < n; ++i) {
    if (!(times[i] - times[i - 1] >= kMinVal)) {
      throw Error("history times do not increase at sample " + std::to_string(i), "give them in ascending order");
    }
  }
}

// Zero samples whose times are those before time 0: of every step, or of the ticks of a period.
void Reset(const HistoryBuffer<mjtNum>& buffer, mjtNum timestep, mjtNum period, mjtNum last_tick) {
  const int n = buffer.samples();
  buffer.SetCursor(n - 1);
  for (int i = 0; i < n; ++i) {
    // A tick is recorded by the first step that does not precede it.
    buffer.Time(i) =
        period > 0 ? std::ceil((last_tick - (n - 1 - i) * period) / timestep) * timestep : (i - n) * timestep;
    std::fill_n(buffer.Value(i), buffer.dim(), 0.0);
  }
}

// Time of a sensor's latest measurement before time 0: its phase, or a whole period before.
mjtNum LastTick(mjtNum timestep, mjtNum period, mjtNum phase) {
  if (period > 0) return phase == 0 ? -period : phase;
  return -timestep;
}

}  // namespace

// actuator_history holds two integers for each actuator: the number of samples and the order of interpolation.
HistoryBuffer<mjtNum> CtrlHistory(const mjModel* m, const mjData* d, int actuator) {
  return {d->history + m->actuator_historyadr[actuator], m->actuator_history[2 * actuator], 1};
}

HistoryBuffer<mjtNum> SensorHistory(const mjModel* m, const mjData* d, int sensor) {
  return {d->history + m->sensor_historyadr[sensor], m->sensor_history[2 * sensor], m->sensor_dim[sensor]};
}

void RequireTimestepOfHistory(const mjModel* m) {
  const auto has_buffer = [](const int* history, mjtSize count) {
    for (mjtSize i = 0; i < count; ++i) {
      if (history[2 * i] > 0) return true;
    }
    return false;
  };
  if (m->opt.timestep > 0) return;
  if (has_buffer(m->actuator_history, m->nu) || has_buffer(m->sensor_history, m->nsensor)) {
    throw Error("a history buffer needs a positive timestep");
  }
}

void ResetHistory(const mjModel* m, mjData* d) {
  // Without a time step any will do, so that times increase: the world does not go on.
  const mjtNum h = m->opt.timestep > 0 ? m->opt.timestep : 1;
  for (int i = 0; i < m->nu; ++i) {
    if (m->actuator_history[2 * i] > 0) Reset(CtrlHistory(m, d, i), h, 0, 0);
  }
  for (int i = 0; i < m->nsensor; ++i) {
    if (m->sensor_history[2 * i] <= 0) continue;
    const mjtNum period = m->sensor_interval[2 * i];
    const mjtNum last_tick = LastTick(h, period, m->sensor_interval[2 * i + 1]);
    const HistoryBuffer<mjtNum> buffer = SensorHistory(m, d, i);
    Reset(buffer, h, period, last_tick);
    buffer.User() = last_tick;
  }
}

mjtNum ReadCtrl(const mjModel* m, const mjData* d, int actuator, mjtNum time, int interpolation) {
  if (m->actuator_history[2 * actuator] <= 0) return d->ctrl[actuator];
  const HistoryBuffer<mjtNum> buffer = CtrlHistory(m, d, actuator);
  const Interpolation order = ToInterpolation(interpolation, m->actuator_history[2 * actuator + 1]);
  const mjtNum then = time - m->actuator_delay[actuator];  // seconds
  const int exact = buffer.Exact(then, order);
  return exact >= 0 ? *buffer.Value(exact) : buffer.Interpolate(then, order, 0);
}

const mjtNum* ReadSensor(const mjModel* m, const mjData* d, int sensor, mjtNum time, mjtNum* result,
                         int interpolation) {
  if (m->sensor_history[2 * sensor] <= 0) return d->sensordata + m->sensor_adr[sensor];
  const HistoryBuffer<mjtNum> buffer = SensorHistory(m, d, sensor);
  const Interpolation order = ToInterpolation(interpolation, m->sensor_history[2 * sensor + 1]);
  const mjtNum then = time - m->sensor_delay[sensor];
  const int exact = buffer.Exact(then, order);
  if (exact >= 0) return buffer.Value(exact);
  for (int k = 0; k < buffer.dim(); ++k) result[k] = buffer.Interpolate(then, order, k);
  return nullptr;
}

void InitCtrlHistory(const mjModel* m, mjData* d, int actuator, const mjtNum* times, const mjtNum* values) {
  const int n = m->actuator_history[2 * actuator];
  if (n <= 0) throw Error("actuator " + std::to_string(actuator) + " has no history", "set its nsample");
  CheckAscending(times, n);
  CtrlHistory(m, d, actuator).Fill(times, values);
}

void InitSensorHistory(const mjModel* m, mjData* d, int sensor, const mjtNum* times, const mjtNum* values,
                       mjtNum phase) {
  const int n = m->sensor_history[2 * sensor];
  if (n <= 0) throw Error("sensor " + std::to_string(sensor) + " has no history", "set its nsample");
  CheckAscending(times, n);
  const HistoryBuffer<mjtNum> buffer = SensorHistory(m, d, sensor);
  buffer.Fill(times, values);
  buffer.User() = phase;
}

}  // namespace sinew::inline model
