// The step and its stages, as programs may call them one by one. Each stage reads what those before it have written
// (docs/how/step.md).
#include "step/step.h"

#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/stack.h"
#include "sensor/energy.h"
#include "sensor/sensor.h"
#include "step/forward.h"
#include "step/step_kernel.h"
#include "step/world.h"

using sinew::capi::Guard;

// A stack that the program has filled is an error before the step, because its stages throw nothing.
void mj_step(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_step);
  Guard("mj_step", [&] {
    sinew::RequireStack(d);
    sinew::StepStages(sinew::World(m, d), m->opt.integrator);
  });
}
// Between the halves a program may set controls that depend on positions and velocities.
void mj_step1(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_step1);
  Guard("mj_step1", [&] {
    sinew::RequireStack(d);
    sinew::Step1(m, d);
  });
}
// The second half takes forces that the first one has not seen, and integrates.
void mj_step2(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_step2);
  Guard("mj_step2", [&] {
    sinew::RequireStack(d);
    sinew::Step2(m, d);
  });
}
// Runs the stages of a step without integration: positions, velocities, actuation, accelerations, constraints,
// sensors.
void mj_forward(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_forward);
  Guard("mj_forward", [&] {
    sinew::RequireStack(d);
    sinew::Forward(m, d);
  });
}
// Stages whose inputs have not changed since the last call may be skipped (mjtStage).
void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  SINEW_CHECK(mj_forwardSkip);
  Guard("mj_forwardSkip", [&] {
    sinew::RequireStack(d);
    sinew::ForwardSkip(m, d, skipstage, skipsensor != 0);
  });
}

// Single stages need the results of the stages before them for the present state.
void mj_fwdKinematics(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_fwdKinematics);
  Guard("mj_fwdKinematics", [&] { sinew::FwdKinematics(m, d); });
}
void mj_fwdPosition(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_fwdPosition);
  Guard("mj_fwdPosition", [&] { sinew::FwdPosition(m, d); });
}
void mj_fwdVelocity(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_fwdVelocity);
  Guard("mj_fwdVelocity", [&] { sinew::FwdVelocity(m, d); });
}
void mj_fwdActuation(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_fwdActuation);
  Guard("mj_fwdActuation", [&] { sinew::FwdActuation(m, d); });
}
void mj_fwdAcceleration(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_fwdAcceleration);
  Guard("mj_fwdAcceleration", [&] { sinew::FwdAcceleration(m, d); });
}
void mj_fwdConstraint(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_fwdConstraint);
  Guard("mj_fwdConstraint", [&] { sinew::FwdConstraint(m, d); });
}

// Numbers that are bad count a warning and reset the world, unless the flag autoreset is off.
void mj_checkPos(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_checkPos);
  Guard("mj_checkPos", [&] { sinew::CheckPos(m, d); });
}
void mj_checkVel(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_checkVel);
  Guard("mj_checkVel", [&] { sinew::CheckVel(m, d); });
}
void mj_checkAcc(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_checkAcc);
  Guard("mj_checkAcc", [&] { sinew::CheckAcc(m, d); });
}

// Sensors are computed stage by stage, each as soon as what it measures is known.
void mj_sensorPos(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_sensorPos);
  Guard("mj_sensorPos", [&] { sinew::SensorPos(m, d); });
}
void mj_sensorVel(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_sensorVel);
  Guard("mj_sensorVel", [&] { sinew::SensorVel(m, d); });
}
void mj_sensorAcc(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_sensorAcc);
  Guard("mj_sensorAcc", [&] { sinew::SensorAcc(m, d); });
}
// Energies are in joules; the sum is conserved up to damping, actuation, contacts and the error of the integrator.
void mj_energyPos(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_energyPos);
  Guard("mj_energyPos", [&] { sinew::EnergyPos(m, d); });
}
void mj_energyVel(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_energyVel);
  Guard("mj_energyVel", [&] { sinew::EnergyVel(m, d); });
}
