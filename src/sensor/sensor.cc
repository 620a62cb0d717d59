// Runs the sensors of a stage: evaluation, history, cutoff, callbacks of the program, and plugins. A sensor belongs to
// the first stage at which its inputs are known, and writes its own part of sensordata.
#include "sensor/sensor.h"

#include "constraint/body_forces.h"
#include "kinematics/velocity.h"
#include "math/dense.h"
#include "model/state/awake.h"
#include "model/state/history.h"
#include "model/view/view_of.h"
#include "plugin/hooks.h"
#include "sensor/evaluate.h"

namespace sinew::inline sensor {
namespace {

// Values of these come from the program or a library.
bool IsEvaluatedElsewhere(int type) { return type == mjSENS_USER || type == mjSENS_PLUGIN; }

// Whether a sensor shows its history now: it is delayed, or samples at intervals and none has ended yet.
bool ShowsHistory(const mjModel* m, const mjData* d, int sensor) {
  if (ViewOf(m).sensor_history(sensor)[0] <= 0) return false;
  const double interval = m->sensor_interval[2 * sensor];
  if (m->sensor_delay[sensor] > 0) return true;
  return interval > 0 && SensorHistory(m, d, sensor).User() + interval > d->time;
}

// A delayed sensor reads its history instead of the present; one with an interval keeps the value of its last tick.
void Show(const mjModel* m, mjData* d, int sensor) {
  double* value = d->sensordata + m->sensor_adr[sensor];
  if (!ShowsHistory(m, d, sensor)) return EvaluateSensor(m, d, sensor, value);
  const double* sample = ReadSensor(m, d, sensor, d->time, value);
  if (sample) Copy(value, sample, m->sensor_dim[sensor]);
}

// All touch sensors share one pass over the contacts, which there may be many of.
void ShowTouches(const mjModel* m, mjData* d) {
  EvaluateTouches(m, d, {d->contact, nullptr, d->ncon});
  for (int i = 0; i < m->nsensor; ++i) {
    if (IsPlainTouch(m, d, i)) Cutoff(ViewOf(m), i, d->sensordata + m->sensor_adr[i]);
  }
}

// Computes fields that callbacks of a stage may read, and that built-in sensors compute only when they need them.
void ProvideForCallbacks(const mjModel* m, mjData* d, int stage) {
  if (stage == mjSTAGE_VEL && !d->flg_subtreevel) SubtreeVel(m, d);
  if (stage == mjSTAGE_ACC && !d->flg_rnepost) RnePostConstraint(m, d);
}

// Disabling sensors leaves sensordata as it is. Sensors that `done` marks, where it is given, keep their numbers.
void Stage(const mjModel* m, mjData* d, int stage, const bool* done) {
  if (m->opt.disableflags & mjDSBL_SENSOR) return;

  // built-in sensors; numbers of the user start from zero, those of plugins from what they left
  bool user = false, touch = false;
  for (int i = 0; i < m->nsensor; ++i) {
    if (m->sensor_needstage[i] != stage || (done && done[i])) continue;
    if (IsEvaluatedElsewhere(m->sensor_type[i])) {
      if (m->sensor_type[i] == mjSENS_PLUGIN) continue;
      user = true;
      Zero(d->sensordata + m->sensor_adr[i], m->sensor_dim[i]);
    } else if (IsPlainTouch(m, d, i)) {
      touch = true;
    } else if (!IsSensorAsleep(m, d, i)) {
      Show(m, d, i);
    }
  }
  if (touch) ShowTouches(m, d);

  // sensors of the user and of plugins
  if (user && mjcb_sensor) {
    ProvideForCallbacks(m, d, stage);
    mjcb_sensor(m, d, stage);
  }
  if (AnySensesAt(m, stage)) {
    ProvideForCallbacks(m, d, stage);
    SensePlugins(m, d, stage);
  }
  for (int i = 0; i < m->nsensor; ++i) {
    const bool elsewhere = IsEvaluatedElsewhere(m->sensor_type[i]) && m->sensor_needstage[i] == stage;
    if (elsewhere) Cutoff(ViewOf(m), i, d->sensordata + m->sensor_adr[i]);
  }
}

}  // namespace

// Rays and contacts in a site's volume may meet anything.
bool IsSensorAsleep(const mjModel* m, const mjData* d, int sensor) {
  if (!AnyAsleep(m, d)) return false;
  const SensorSpec s = SpecOf(m, sensor);
  if (s.type == mjSENS_RANGEFINDER || (s.type == mjSENS_CONTACT && s.objtype == mjOBJ_SITE)) return false;
  return CombinedSleepState(SleepStateOf(*m, *d, s.objtype, s.objid), SleepStateOf(*m, *d, s.reftype, s.refid)) ==
         mjS_ASLEEP;
}

namespace {

// Computes a field that sensors of one stage share, once a step, when the first of them needs it.
void Provide(const mjModel* m, mjData* d, SensorInput input) {
  const bool needs_forces = input == SensorInput::kBodyAccelerations || input == SensorInput::kBodyForces;
  if (input == SensorInput::kSubtreeVelocities && !d->flg_subtreevel) SubtreeVel(m, d);
  if (needs_forces && !d->flg_rnepost) RnePostConstraint(m, d);
}

void EvaluateWithoutFormula(const mjModel* m, mjData* d, const SensorSpec& spec, double* value) {
  switch (m->sensor_needstage[spec.id]) {
    case mjSTAGE_POS:
      EvaluatePosition(m, d, spec, value);
      break;
    case mjSTAGE_VEL:
      EvaluateVelocity(d, spec, value);
      break;
    default:
      EvaluateAcceleration(m, d, spec, value);
      break;
  }
}

}  // namespace

void EvaluateSensor(const mjModel* m, mjData* d, int sensor, double* value) {
  const SensorSpec spec = SpecOf(m, sensor);
  const SensorInput input = InputOf(spec.type);
  if (input == SensorInput::kNoFormula) {
    EvaluateWithoutFormula(m, d, spec, value);
  } else {
    Provide(m, d, input);
    EvaluateByFormula(ViewOf(m), ViewOf(d), spec, value);
  }
  Cutoff(ViewOf(m), sensor, value);
}

// Each stage of the forward pass ends with its sensors.
void SensorPos(const mjModel* m, mjData* d) { Stage(m, d, mjSTAGE_POS, nullptr); }
void SensorVel(const mjModel* m, mjData* d) { Stage(m, d, mjSTAGE_VEL, nullptr); }
void SensorAcc(const mjModel* m, mjData* d) {
  d->flg_rnepost = 0;
  Stage(m, d, mjSTAGE_ACC, nullptr);
}

void RemainingSensors(const mjModel* m, mjData* d, const bool* done) {
  d->flg_energypos = d->flg_energyvel = d->flg_subtreevel = d->flg_rnepost = 0;
  for (const int stage : {mjSTAGE_POS, mjSTAGE_VEL, mjSTAGE_ACC}) Stage(m, d, stage, done);
}

// Rows of limits stand behind equalities and friction (docs/how/constraint.md).
int LimitRow(const mjData* d, int type, int id) {
  const int begin = d->ne + d->nf, end = begin + d->nl;
  for (int row = begin; row < end; ++row) {
    if (d->efc_type[row] == type && d->efc_id[row] == id) return row;
  }
  return -1;
}

double LimitNumber(const mjData* d, int type, int id, const double* of_rows) {
  const int row = LimitRow(d, type, id);
  return row < 0 ? 0 : of_rows[row];
}

}  // namespace sinew::inline sensor
