// A world alone, as the stages of the step see it (step/step_kernel.h).
#ifndef SINEW_STEP_WORLD_H_
#define SINEW_STEP_WORLD_H_

#include <mujoco/mujoco.h>

#include "collision/collision.h"
#include "constraint/anchors.h"
#include "constraint/island.h"
#include "constraint/make_constraint.h"
#include "constraint/project.h"
#include "constraint/reference.h"
#include "core/stack.h"
#include "core/timer.h"
#include "force/actuation.h"
#include "force/passive.h"
#include "inertia/inertia.h"
#include "inertia/rne.h"
#include "integrate/integrate.h"
#include "kinematics/flex.h"
#include "kinematics/kinematics.h"
#include "kinematics/tendon.h"
#include "kinematics/transmission.h"
#include "kinematics/velocity.h"
#include "model/kinds/integrator.h"
#include "plugin/hooks.h"
#include "sensor/energy.h"
#include "sensor/sensor.h"
#include "solve/solve.h"
#include "step/advance.h"
#include "step/discrete.h"
#include "step/forward.h"
#include "step/integrators.h"
#include "step/inverse.h"
#include "step/sleep.h"

namespace sinew::inline step {

class World {
 public:
  using Scalar = double;
  using Scratch = StackFrame;

  World(const mjModel* m, mjData* d) : m_(m), d_(d) {}

  StageTimer Time(mjtTimer stage) const { return StageTimer(d_, stage); }
  StackFrame OpenScratch() const { return StackFrame(d_); }
  // Scratch that stages leave alone.
  StackFrame OpenLastingScratch() const { return StackFrame(d_); }
  int nq() const { return static_cast<int>(m_->nq); }
  int nv() const { return static_cast<int>(m_->nv); }
  int na() const { return static_cast<int>(m_->na); }
  double timestep() const { return m_->opt.timestep; }
  double& time() const { return d_->time; }
  double* qpos() const { return d_->qpos; }
  double* qvel() const { return d_->qvel; }
  double* act() const { return d_->act; }
  const double* act_dot() const { return d_->act_dot; }
  const double* qacc() const { return d_->qacc; }

  // positions
  void ForgetPotentialEnergy() const { d_->flg_energypos = 0; }
  void Kinematics() const { KinematicsAndWake(m_, d_); }
  void ComPos() const { sinew::ComPos(m_, d_); }
  void CamLight() const { sinew::CamLight(m_, d_); }
  void Flex() const { sinew::Flex(m_, d_); }
  void Tendon() const { sinew::Tendon(m_, d_); }
  void WakeByTendons() const { sinew::WakeByTendons(m_, d_); }
  void MakeM() const { sinew::MakeM(m_, d_); }
  void FactorMadeM() const { sinew::FactorMadeM(m_, d_); }
  // Collision detection runs again when contacts have woken trees, whose pairs it had left out.
  void CollisionAndWake() const {
    Collision(m_, d_);
    if (WakeByContacts(m_, d_)) Collision(m_, d_);
    WakeByEqualities(m_, d_);
  }
  void MakeConstraint() const { sinew::MakeConstraint(m_, d_); }
  void Island() const { sinew::Island(m_, d_); }
  void Transmission() const { sinew::Transmission(m_, d_); }
  // The metric of the integrator `discrete` is not known yet.
  void ProjectConstraint() const {
    if (!IsDiscrete(m_)) sinew::ProjectConstraint(m_, d_);
  }
  void SensorPos() const { sinew::SensorPos(m_, d_); }
  void ForwardEnergyPos() const { sinew::ForwardEnergyPos(m_, d_); }

  // velocities
  void ForgetKineticEnergy() const { d_->flg_energyvel = d_->flg_subtreevel = 0; }
  void FlexVelocity() const { sinew::FlexVelocity(m_, d_); }
  void TendonVelocity() const { sinew::TendonVelocity(m_, d_); }
  void ActuatorVelocity() const { sinew::ActuatorVelocity(m_, d_); }
  void ComVel() const { sinew::ComVel(m_, d_); }
  void Passive() const { sinew::Passive(m_, d_); }
  void ReferenceConstraint() const { sinew::ReferenceConstraint(m_, d_); }
  void BiasForce() const { Rne(m_, d_, /*with_acc=*/false, d_->qfrc_bias); }
  void TendonBias() const { sinew::TendonBias(m_, d_, d_->qfrc_bias); }
  void SensorVel() const { sinew::SensorVel(m_, d_); }
  void ForwardEnergyVel() const { sinew::ForwardEnergyVel(m_, d_); }

  // accelerations
  void Control() const {
    if (mjcb_control && !(m_->opt.disableflags & mjDSBL_ACTUATION)) mjcb_control(m_, d_);
  }
  // Programs that call mj_step1 are asked for controls whether these act or not.
  void ControlOfFirstHalf() const {
    if (mjcb_control) mjcb_control(m_, d_);
  }
  void Actuation() const { sinew::Actuation(m_, d_); }
  void SmoothAcceleration() const { IsDiscrete(m_) ? DiscreteAcceleration(m_, d_) : sinew::SmoothAcceleration(m_, d_); }
  void SolveConstraints() const { sinew::SolveConstraints(m_, d_); }
  void SensorAcc() const { sinew::SensorAcc(m_, d_); }

  // the end of the step
  bool HasImplicitDamping() const { return sinew::HasImplicitDamping(m_); }
  void EulerAcceleration(StackFrame&, bool reuse_factors, double* acceleration) const {
    sinew::EulerAcceleration(m_, d_, reuse_factors, acceleration);
  }
  void RecordHistories() const { sinew::RecordHistories(m_, d_); }
  void NextActivations(const double* act_dot) const { sinew::NextActivations(m_, d_, act_dot); }
  void FallAsleep() const { sinew::FallAsleep(m_, d_); }
  void AdvanceMotion(const double* qacc, const double* qvel) const {
    sinew::AdvanceMotion(m_, d_, qacc, qvel);
    MoveAnchors(m_, d_);
  }
  void IntegratePos(double* qpos, const double* qvel, double dt) const { sinew::IntegratePos(m_, qpos, qvel, dt); }
  void AdvanceFibers() const { sinew::AdvanceFibers(m_, d_); }
  void AdvancePlugins() const { sinew::AdvancePlugins(m_, d_); }
  void KeepWarmstart() const { sinew::KeepWarmstart(m_, d_); }

  // the step
  void CheckPos() const {
    WatchNumbers(m_, d_);
    sinew::CheckPos(m_, d_);
  }
  void CheckVel() const { sinew::CheckVel(m_, d_); }
  bool CheckAcc() const { return sinew::CheckAcc(m_, d_); }
  void CompareFwdInv() const {
    if (m_->opt.enableflags & mjENBL_FWDINV) sinew::CompareFwdInv(m_, d_);
  }
  void Integrate(int integrator) const { sinew::Integrate(m_, d_, integrator); }

 private:
  const mjModel* m_;
  mjData* d_;
};

}  // namespace sinew::inline step

#endif  // SINEW_STEP_WORLD_H_
