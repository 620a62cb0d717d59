// The whole step in the documents' order and names; every line is a stage with a file of its own.
#include "step/forward.h"

#include "collision/collision.h"
#include "constraint/arena_fields.h"
#include "constraint/island.h"
#include "constraint/make_constraint.h"
#include "constraint/project.h"
#include "constraint/reference.h"
#include "core/timer.h"
#include "force/actuation.h"
#include "force/passive.h"
#include "inertia/inertia.h"
#include "inertia/rne.h"
#include "kinematics/flex.h"
#include "kinematics/kinematics.h"
#include "kinematics/tendon.h"
#include "kinematics/transmission.h"
#include "kinematics/velocity.h"
#include "model/data.h"
#include "sensor/energy.h"
#include "sensor/sensor.h"
#include "solve/solve.h"
#include "step/sleep.h"

namespace sinew {
namespace {

void RunStages(const mjModel* m, mjData* d, int skip_stage, bool skip_sensors, Constraints constraints) {
  if (skip_stage < mjSTAGE_POS) PositionStage(m, d, skip_sensors, constraints);
  if (skip_stage < mjSTAGE_VEL) VelocityStage(m, d, skip_sensors);
  if (mjcb_control && !(m->opt.disableflags & mjDSBL_ACTUATION)) mjcb_control(m, d);
  FwdActuation(m, d);
  FwdAcceleration(m, d);
  FwdConstraint(m, d);
  if (!skip_sensors) SensorAcc(m, d);
}

// Trees that contacts wake have pairs of their own.
void CollisionAndWake(const mjModel* m, mjData* d) {
  Collision(m, d);
  if (WakeByContacts(m, d)) Collision(m, d);
  WakeByEqualities(m, d);
}

void FindConstraints(const mjModel* m, mjData* d) {
  {
    StageTimer stage(d, mjTIMER_POS_COLLISION);
    CollisionAndWake(m, d);
  }
  StageTimer stage(d, mjTIMER_POS_MAKE);
  MakeConstraint(m, d);
  Island(m, d);
}

}  // namespace

void Forward(const mjModel* m, mjData* d) { ForwardSkip(m, d, mjSTAGE_NONE, false); }

void ForwardSkip(const mjModel* m, mjData* d, int skip_stage, bool skip_sensors) {
  StageTimer timer(d, mjTIMER_FORWARD);
  try {
    RunStages(m, d, skip_stage, skip_sensors, Constraints::kFind);
  } catch (const StackOverflow&) {
    if (d->parena == 0) throw;
    GiveUpRows(d);
    ClearArena(d);
    RunStages(m, d, skip_stage, skip_sensors, Constraints::kNone);
  }
}

void PositionStage(const mjModel* m, mjData* d, bool skip_sensors, Constraints constraints) {
  FwdPosition(m, d, constraints);
  if (!skip_sensors) SensorPos(m, d);
  ForwardEnergyPos(m, d);
}

void VelocityStage(const mjModel* m, mjData* d, bool skip_sensors) {
  FwdVelocity(m, d);
  if (!skip_sensors) SensorVel(m, d);
  ForwardEnergyVel(m, d);
}

void FwdKinematics(const mjModel* m, mjData* d) {
  KinematicsAndWake(m, d);
  ComPos(m, d);
  CamLight(m, d);
  Flex(m, d);
  Tendon(m, d);
}

void FwdPosition(const mjModel* m, mjData* d, Constraints constraints) {
  StageTimer timer(d, mjTIMER_POSITION);
  d->flg_energypos = 0;
  {
    StageTimer stage(d, mjTIMER_POS_KINEMATICS);
    FwdKinematics(m, d);
    WakeByTendons(m, d);
  }
  {
    StageTimer stage(d, mjTIMER_POS_INERTIA);
    MakeM(m, d);
    FactorMadeM(m, d);
  }
  if (constraints == Constraints::kFind) FindConstraints(m, d);
  Transmission(m, d);
  if (constraints == Constraints::kFind) {
    StageTimer stage(d, mjTIMER_POS_PROJECT);
    ProjectConstraint(m, d);
  }
}

void FwdVelocity(const mjModel* m, mjData* d) {
  StageTimer timer(d, mjTIMER_VELOCITY);
  d->flg_energyvel = d->flg_subtreevel = 0;
  FlexVelocity(m, d);
  TendonVelocity(m, d);
  ActuatorVelocity(m, d);
  ComVel(m, d);
  Passive(m, d);
  ReferenceConstraint(m, d);
  Rne(m, d, /*with_acc=*/false, d->qfrc_bias);
  TendonBias(m, d, d->qfrc_bias);
}

void FwdActuation(const mjModel* m, mjData* d) {
  StageTimer timer(d, mjTIMER_ACTUATION);
  Actuation(m, d);
}

void FwdAcceleration(const mjModel* m, mjData* d) { SmoothAcceleration(m, d); }

void FwdConstraint(const mjModel* m, mjData* d) {
  StageTimer timer(d, mjTIMER_CONSTRAINT);
  SolveConstraints(m, d);
}

}  // namespace sinew
