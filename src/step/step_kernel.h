// The step: its stages and their order, in the documents' names. Written once, for a world alone (step/world.h) and for
// a pack of worlds (batch/pack/pack_stages_kernel.h).
//
// W is what stages run on (StageRunner). It has a function for every stage, and each of them is declared in the header
// of its folder: w.SolveConstraints() is SolveConstraints of solve/solve.h.
#ifndef SINEW_STEP_STEP_KERNEL_H_
#define SINEW_STEP_STEP_KERNEL_H_

#include <mujoco/mujoco.h>

#include <concepts>

#include "simd/isa.h"

namespace sinew::inline step {
inline namespace SINEW_ISA {

// The object on which stages run: one world (step/world.h) or a pack of worlds (batch/pack/pack_stages_kernel.h). A
// step calls the functions in this order.
template <class W>
concept StageRunner = requires(const W& w, typename W::Scratch& scratch, typename W::Scalar* x, typename W::Scalar dt,
                               const typename W::Scalar* in, int integrator, bool reuse, mjtTimer timer) {
  // the state, scratch memory, timers
  { w.nq() } -> std::convertible_to<int>;
  { w.nv() } -> std::convertible_to<int>;
  { w.na() } -> std::convertible_to<int>;
  { w.timestep() } -> std::convertible_to<typename W::Scalar>;
  { w.time() } -> std::same_as<typename W::Scalar&>;
  { w.qpos() } -> std::same_as<typename W::Scalar*>;
  { w.qvel() } -> std::same_as<typename W::Scalar*>;
  { w.act() } -> std::same_as<typename W::Scalar*>;
  { w.act_dot() } -> std::same_as<const typename W::Scalar*>;
  { w.qacc() } -> std::same_as<const typename W::Scalar*>;
  w.Time(timer);
  w.OpenScratch();
  w.OpenLastingScratch();

  // positions
  w.ForgetPotentialEnergy(), w.Kinematics(), w.ComPos(), w.CamLight(), w.Flex(), w.Tendon(), w.WakeByTendons();
  w.MakeM(), w.FactorMadeM(), w.CollisionAndWake(), w.MakeConstraint(), w.Island(), w.Transmission();
  w.ProjectConstraint(), w.SensorPos(), w.ForwardEnergyPos();

  // velocities
  w.ForgetKineticEnergy(), w.FlexVelocity(), w.TendonVelocity(), w.ActuatorVelocity(), w.ComVel(), w.Passive();
  w.ReferenceConstraint(), w.BiasForce(), w.TendonBias(), w.SensorVel(), w.ForwardEnergyVel();

  // accelerations
  w.Control(), w.Actuation(), w.SmoothAcceleration(), w.SolveConstraints(), w.SensorAcc();

  // the end of the step
  { w.HasImplicitDamping() } -> std::same_as<bool>;
  w.EulerAcceleration(scratch, reuse, x);
  w.RecordHistories(), w.NextActivations(in), w.FallAsleep(), w.AdvanceMotion(in, in), w.IntegratePos(x, in, dt);
  w.AdvanceFibers(), w.AdvancePlugins(), w.KeepWarmstart();

  // the step
  w.CheckPos(), w.CheckVel(), w.CompareFwdInv(), w.Integrate(integrator);
  { w.CheckAcc() } -> std::same_as<bool>;
};

// ---- forward dynamics: from state and controls to acceleration

template <StageRunner W>
void KinematicStages(const W& w) {
  w.Kinematics();
  w.ComPos();
  w.CamLight();
  w.Flex();
  w.Tendon();
}

template <StageRunner W>
void PositionStages(const W& w) {
  [[maybe_unused]] const auto timer = w.Time(mjTIMER_POSITION);
  w.ForgetPotentialEnergy();
  {
    [[maybe_unused]] const auto stage = w.Time(mjTIMER_POS_KINEMATICS);
    KinematicStages(w);
    w.WakeByTendons();
  }
  {
    [[maybe_unused]] const auto stage = w.Time(mjTIMER_POS_INERTIA);
    w.MakeM();
    w.FactorMadeM();
  }
  {
    [[maybe_unused]] const auto stage = w.Time(mjTIMER_POS_COLLISION);
    w.CollisionAndWake();
  }
  {
    [[maybe_unused]] const auto stage = w.Time(mjTIMER_POS_MAKE);
    w.MakeConstraint();
    w.Island();
  }
  w.Transmission();
  [[maybe_unused]] const auto stage = w.Time(mjTIMER_POS_PROJECT);
  w.ProjectConstraint();
}

template <StageRunner W>
void VelocityStages(const W& w) {
  [[maybe_unused]] const auto timer = w.Time(mjTIMER_VELOCITY);
  w.ForgetKineticEnergy();
  w.FlexVelocity();
  w.TendonVelocity();
  w.ActuatorVelocity();
  w.ComVel();
  w.Passive();
  w.ReferenceConstraint();
  w.BiasForce();
  w.TendonBias();
}

template <StageRunner W>
void ActuationStage(const W& w) {
  [[maybe_unused]] const auto timer = w.Time(mjTIMER_ACTUATION);
  w.Actuation();
}

template <StageRunner W>
void ConstraintStage(const W& w) {
  [[maybe_unused]] const auto timer = w.Time(mjTIMER_CONSTRAINT);
  w.SolveConstraints();
}

// The position, or velocity, stage with its sensors and energy: the two halves that mj_step1 also runs.
template <StageRunner W>
void PositionHalf(const W& w, bool skip_sensors) {
  PositionStages(w);
  if (!skip_sensors) w.SensorPos();
  w.ForwardEnergyPos();
}

template <StageRunner W>
void VelocityHalf(const W& w, bool skip_sensors) {
  VelocityStages(w);
  if (!skip_sensors) w.SensorVel();
  w.ForwardEnergyVel();
}

// Computes accelerations from controls. mj_step2 runs it, and trees that have fallen asleep run it again.
template <StageRunner W>
void AccelerationHalf(const W& w, bool skip_sensors) {
  ActuationStage(w);
  w.SmoothAcceleration();
  ConstraintStage(w);
  if (!skip_sensors) w.SensorAcc();
}

// `skip_stage`: the stage up to which nothing has changed (mjtStage).
template <StageRunner W>
void ForwardStages(const W& w, int skip_stage, bool skip_sensors) {
  [[maybe_unused]] const auto timer = w.Time(mjTIMER_FORWARD);
  if (skip_stage < mjSTAGE_POS) PositionHalf(w, skip_sensors);
  if (skip_stage < mjSTAGE_VEL) VelocityHalf(w, skip_sensors);
  w.Control();
  AccelerationHalf(w, skip_sensors);
}

// ---- the end of the step

// The state moves along the rates that an integrator has chosen. Positions follow `qvel`; null stands for the new
// velocity.
template <StageRunner W>
void AdvanceStages(const W& w, const typename W::Scalar* act_dot, const typename W::Scalar* qacc,
                   const typename W::Scalar* qvel) {
  w.RecordHistories();
  w.NextActivations(act_dot);
  w.FallAsleep();
  w.AdvanceMotion(qacc, qvel);
  w.AdvanceFibers();
  w.AdvancePlugins();
  w.KeepWarmstart();
}

template <StageRunner W>
void EulerStages(const W& w, bool reuse_factors) {
  [[maybe_unused]] const auto timer = w.Time(mjTIMER_ADVANCE);
  if (!w.HasImplicitDamping()) return AdvanceStages(w, w.act_dot(), w.qacc(), nullptr);
  typename W::Scratch scratch = w.OpenScratch();
  auto* acceleration = scratch.template Alloc<typename W::Scalar>(w.nv());
  w.EulerAcceleration(scratch, reuse_factors, acceleration);
  AdvanceStages(w, w.act_dot(), acceleration, nullptr);
}

// ---- the step

// Called after forward dynamics. Without a valid acceleration, nothing is moved.
template <StageRunner W>
void FinishStep(const W& w, int integrator) {
  if (!w.CheckAcc()) return;
  w.CompareFwdInv();
  w.Integrate(integrator);
}

template <StageRunner W>
void StepStages(const W& w, int integrator) {
  [[maybe_unused]] const auto timer = w.Time(mjTIMER_STEP);
  w.CheckPos();
  w.CheckVel();
  ForwardStages(w, mjSTAGE_NONE, /*skip_sensors=*/false);
  FinishStep(w, integrator);
}

// The step in two halves, between which programs set controls.
template <StageRunner W>
void FirstHalf(const W& w) {
  [[maybe_unused]] const auto timer = w.Time(mjTIMER_STEP);
  w.CheckPos();
  w.CheckVel();
  PositionHalf(w, /*skip_sensors=*/false);
  VelocityHalf(w, /*skip_sensors=*/false);
  w.ControlOfFirstHalf();
}

template <StageRunner W>
void SecondHalf(const W& w, int integrator) {
  [[maybe_unused]] const auto timer = w.Time(mjTIMER_STEP);
  AccelerationHalf(w, /*skip_sensors=*/false);
  FinishStep(w, integrator);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline step

#endif  // SINEW_STEP_STEP_KERNEL_H_
