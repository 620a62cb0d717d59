#include "step/advance.h"

#include "core/stack.h"
#include "force/activation_kernel.h"
#include "integrate/advance_kernel.h"
#include "math/dense.h"
#include "model/state/awake.h"
#include "model/state/history.h"
#include "sensor/sensor.h"

namespace sinew::inline step {
namespace {

// Controls enter their histories as the user set them, at the time of this step.
void RecordControls(const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nu; ++i) {
    if (m->actuator_history[2 * i] > 0) CtrlHistory(m, d, i).Insert(d->time, d->ctrl + i);
  }
}

// Whether sensordata holds the present value of a sensor. A delayed one delivers the past; what users and plugins
// compute is theirs, and never delayed.
bool DeliversThePresent(const mjModel* m, int sensor) {
  const int type = m->sensor_type[sensor];
  return m->sensor_delay[sensor] <= 0 || type == mjSENS_USER || type == mjSENS_PLUGIN;
}

// A sensor is recorded at every step, or when a period has passed since its latest measurement.
void RecordSensor(const mjModel* m, mjData* d, int sensor) {
  const HistoryBuffer<double> buffer = SensorHistory(m, d, sensor);
  const double period = m->sensor_interval[2 * sensor];
  if (period > 0) {
    if (buffer.User() + period > d->time) return;
    buffer.User() += period;
  }
  if (DeliversThePresent(m, sensor)) return buffer.Insert(d->time, d->sensordata + m->sensor_adr[sensor]);
  StackFrame frame(d);
  double* value = frame.Doubles(m->sensor_dim[sensor]);
  EvaluateSensor(m, d, sensor, value);
  buffer.Insert(d->time, value);
}

void RecordSensors(const mjModel* m, mjData* d) {
  if (m->opt.disableflags & mjDSBL_SENSOR) return;
  for (int i = 0; i < m->nsensor; ++i) {
    if (m->sensor_history[2 * i] > 0) RecordSensor(m, d, i);
  }
}

}  // namespace

void RecordHistories(const mjModel* m, mjData* d) {
  if (m->nhistory == 0) return;
  RecordControls(m, d);
  RecordSensors(m, d);
}

void NextActivations(const mjModel* m, mjData* d, const double* act_dot) {
  force::NextActivations<double>(m, d, act_dot, d->act);
}

void AdvanceMotion(const mjModel* m, mjData* d, const double* qacc, const double* qvel) {
  if (AnyAsleep(m, d)) {
    AdvanceMotion<double>(m, d, qacc, qvel, [&](int dof) { return d->tree_awake[m->dof_treeid[dof]] != 0; });
  } else {
    AdvanceMotion<double>(m, d, qacc, qvel, [](int) { return true; });
  }
}

SINEW_DISPATCH void AdvanceFibers(const mjModel* m, mjData* d) {
  if (HasFibers(m)) force::AdvanceFibers<double>(m, d);
}

void KeepWarmstart(const mjModel* m, mjData* d) { Copy(d->qacc_warmstart, d->qacc, static_cast<int>(m->nv)); }

}  // namespace sinew::inline step
