#include "step/step.h"

#include "constraint/arena_fields.h"
#include "core/timer.h"
#include "integrate/integrate.h"
#include "model/data.h"
#include "model/error_control.h"
#include "sensor/sensor.h"
#include "step/forward.h"
#include "step/inverse.h"

namespace sinew {
namespace {

void IntegrateBy(const mjModel* m, mjData* d, int integrator) {
  switch (integrator) {
    case mjINT_EULER:
      return Euler(m, d);
    case mjINT_RK4:
      return RungeKutta(m, d, 4);
    case kMerson:
    case kRungeKutta3:
    case kEuler2:
      return AdaptiveSteps(m, d);
    default:
      return Implicit(m, d);
  }
}

// Where the memory of the integrator does not fit beside contacts and rows, these make room: their forces are known.
// Integrators take what they need before anything moves.
void Integrate(const mjModel* m, mjData* d, int integrator) {
  try {
    IntegrateBy(m, d, integrator);
  } catch (const StackOverflow&) {
    if (d->parena == 0) throw;
    GiveUpRows(d);
    ClearArena(d);
    IntegrateBy(m, d, integrator);
  }
}

}  // namespace

void Step(const mjModel* m, mjData* d) {
  StageTimer timer(d, mjTIMER_STEP);
  CheckPos(m, d);
  CheckVel(m, d);
  Forward(m, d);
  CheckAcc(m, d);
  if (m->opt.enableflags & mjENBL_FWDINV) CompareFwdInv(m, d);
  Integrate(m, d, m->opt.integrator);
}

void Step1(const mjModel* m, mjData* d) {
  StageTimer timer(d, mjTIMER_STEP);
  CheckPos(m, d);
  CheckVel(m, d);
  PositionStage(m, d, /*skip_sensors=*/false);
  VelocityStage(m, d, /*skip_sensors=*/false);
  if (mjcb_control) mjcb_control(m, d);
}

void Step2(const mjModel* m, mjData* d) {
  StageTimer timer(d, mjTIMER_STEP);
  FwdActuation(m, d);
  FwdAcceleration(m, d);
  FwdConstraint(m, d);
  SensorAcc(m, d);
  CheckAcc(m, d);
  if (m->opt.enableflags & mjENBL_FWDINV) CompareFwdInv(m, d);
  // methods of several stages need forward dynamics of their own
  const bool stages = m->opt.integrator == mjINT_RK4 || IsErrorControlled(m->opt.integrator);
  Integrate(m, d, stages ? mjINT_EULER : m->opt.integrator);

  // the two halves count as one call
  --d->timer[mjTIMER_STEP].number;
}

}  // namespace sinew
