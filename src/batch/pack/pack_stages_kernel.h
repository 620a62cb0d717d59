// A pack of worlds, as the stages of the step see it (step/step_kernel.h).
//
// Smooth dynamics, contacts and sensors with a formula, rows, the solution of constraints by Newton's method or by
// sweeps, and integration run in lanes. Other contacts, solvers with their rows, and sensors run one world at a time on
// the worlds of the lanes (pack_fallback_kernel.h), from poses and velocities that are copied there
// (pack_worlds_kernel.h). The stages below that do nothing belong to what LanePack refuses (batch/pack/lane_pack.h): a
// model or a setting in which one of them would have something to do does not come here.
#ifndef SINEW_BATCH_PACK_PACK_STAGES_KERNEL_H_
#define SINEW_BATCH_PACK_PACK_STAGES_KERNEL_H_

#include "batch/fallback/lane_worlds.h"
#include "batch/pack/pack_contacts_kernel.h"
#include "batch/pack/pack_context_kernel.h"
#include "batch/pack/pack_fallback_kernel.h"
#include "batch/pack/pack_implicit_kernel.h"
#include "batch/pack/pack_sensors_kernel.h"
#include "batch/pack/pack_solve_kernel.h"
#include "batch/pack/pack_worlds_kernel.h"
#include "batch/rows/contact_slots_kernel.h"
#include "batch/rows/joint_rows_kernel.h"
#include "batch/rows/lane_numbers_kernel.h"
#include "force/actuation_kernel.h"
#include "force/passive_kernel.h"
#include "inertia/acceleration_kernel.h"
#include "inertia/composite_kernel.h"
#include "inertia/deep_tree_kernel.h"
#include "inertia/rne_kernel.h"
#include "integrate/advance_kernel.h"
#include "integrate/euler_kernel.h"
#include "integrate/integrate.h"
#include "integrate/velocity_derivative/metric_kernel.h"
#include "kinematics/actuator_link_kernel.h"
#include "kinematics/camlight_kernel.h"
#include "kinematics/com_kernel.h"
#include "kinematics/pose_kernel.h"
#include "kinematics/tendon_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "kinematics/velocity_kernel.h"
#include "simd/flatten.h"
#include "step/runge_kutta_kernel.h"
#include "step/step_kernel.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

template <class S>
class PackStages {
 public:
  using Scalar = S;
  using Scratch = PackScratch<S>;

  PackStages(const ModelView<S>& m, const DataView<S>& d, const PackContext<S>& context)
      : m_(m),
        d_(d),
        context_(context),
        worlds_(context.worlds),
        rows_(context.rows),
        copies_(m, d, *worlds_, *rows_) {}

  // Timers would cost more than short stages, and lanes share them anyway.
  struct NoTimer {};
  NoTimer Time(mjtTimer) const { return {}; }
  Scratch OpenScratch() const { return Scratch(context_.scratch); }
  // Scratch that stages leave alone.
  Scratch OpenLastingScratch() const { return Scratch(context_.scratch + Scratch::StageBytes(*m_.raw())); }
  int nq() const { return m_.nq(); }
  int nv() const { return m_.nv(); }
  int na() const { return m_.na(); }
  S timestep() const { return m_.opt_timestep(); }
  S& time() const { return d_.time(); }
  S* qpos() const { return d_.qpos_data(); }
  S* qvel() const { return d_.qvel_data(); }
  S* act() const { return d_.act_data(); }
  const S* act_dot() const { return d_.act_dot_data(); }
  const S* qacc() const { return d_.qacc_data(); }

  // positions
  void ForgetPotentialEnergy() const {}
  SINEW_STAGE void Kinematics() const {
    rows_->slots = nullptr;
    rows_->contacts_found = rows_->worlds_are_shown = rows_->geoms_are_shown = rows_->geoms_are_whole = false;
    const bool* read = worlds_->GeomsThatStepsRead();
    auto* half = OpenScratch().template Alloc<HalfAngle<S>>(m_.njnt());
    sinew::Kinematics(m_, d_, half, [read](int geom) { return read[geom]; });
  }
  SINEW_STAGE void ComPos() const { sinew::ComPos(m_, d_); }
  void CamLight() const { sinew::CamLight(m_, d_); }
  void Flex() const {}
  SINEW_STAGE void Tendon() const { HasSpatialTendons(m_) ? SpatialTendons(copies_) : FixedTendons(m_, d_); }
  void WakeByTendons() const {}
  SINEW_STAGE void MakeM() const { sinew::MakeM(m_, d_); }
  SINEW_STAGE void FactorMadeM() const { sinew::FactorMadeM(m_, d_, OpenScratch().template Alloc<Spatial<S>>(nv())); }
  // Contacts and rows are found later, in ReferenceConstraint, since scalar code needs velocities too and copies to
  // worlds are dear.
  void CollisionAndWake() const {}
  void MakeConstraint() const {}
  void Island() const {}
  SINEW_STAGE void Transmission() const { FixedPatternTransmissions(m_, d_); }
  void ProjectConstraint() const {}
  void SensorPos() const {}
  void ForwardEnergyPos() const {}

  // velocities
  void ForgetKineticEnergy() const {}
  void FlexVelocity() const {}
  void TendonVelocity() const { sinew::TendonVelocity(m_, d_); }
  void ActuatorVelocity() const { sinew::ActuatorVelocity(m_, d_); }
  SINEW_STAGE void ComVel() const { sinew::ComVel(m_, d_); }
  SINEW_STAGE void Passive() const { sinew::Passive(m_, d_); }
  // Contacts and rows are found here, where velocities are known as well.
  SINEW_STAGE void ReferenceConstraint() const {
    if (!MayHaveRows(*m_.raw())) return;
    const bool in_slots = SolverOfLanes(*m_.raw()) == LaneSolver::kSlots;
    if (const LanePairs* pairs = worlds_->StaticPairs()) {
      FindNearPairs(m_, d_, *pairs, worlds_->MayTellApart());
      rows_->contacts_found = FindContacts(*pairs);
    }
    const bool rows_in_lanes = worlds_->AreRowsInLanes();
    if (rows_in_lanes) FindJointRows(m_, d_, *worlds_);
    if (!rows_->contacts_found || !rows_in_lanes) copies_.ShowForRows();
    if (SolverOfLanes(*m_.raw()) == LaneSolver::kAlone) copies_.ShowInertia();
    worlds_->FindRows(rows_->contacts_found);
    AddForcesOfContacts(copies_);
    if (!in_slots) return;
    rows_->slots = worlds_->MergeRows();
    if (!rows_->slots) return;
    TakeSlotNumbers<S>(*rows_->slots, /*with_contacts=*/!rows_->contacts_found);
    if (worlds_->HaveAnchors()) {
      PlaceHeldContacts(d_, *rows_->slots);
      worlds_->TakeAnchors(kIsSingle<S>);
    }
    FillJointRows(m_, d_, *rows_->slots);
    FillContactSlots(m_, d_, *rows_->slots);
  }
  // Whether lanes have found all contacts.
  SINEW_STAGE bool FindContacts(const LanePairs& pairs) const {
    if (!worlds_->BeginContacts(kIsSingle<S>)) return false;
    if (worlds_->IsAnyPairAlone()) {
      copies_.ShowGeoms(pairs.alone.data, pairs.alone.count);
      worlds_->CollideAlone();
    }
    CollideInLanes(m_, d_, *worlds_, pairs);
    return worlds_->EndContacts();
  }
  SINEW_STAGE void BiasForce() const {
    Scratch scratch = OpenScratch();
    auto* first = scratch.template Alloc<Spatial<S>>(m_.nbody());
    auto* second = scratch.template Alloc<Spatial<S>>(m_.nbody());
    Rne(m_, d_, /*with_acc=*/false, d_.qfrc_bias_data(), first, second);
  }
  SINEW_STAGE void TendonBias() const {
    if (DoSpatialTendonsHaveArmature(m_)) BiasOfTendons(copies_);
  }
  void SensorVel() const {}
  void ForwardEnergyVel() const {}

  // accelerations
  void Control() const {}
  SINEW_STAGE void Actuation() const { sinew::Actuation(m_, d_); }
  SINEW_STAGE void SmoothAcceleration() const {
    if (!IsDiscrete(m_.raw())) return sinew::SmoothAcceleration(m_, d_);
    auto scratch = OpenScratch();
    auto* columns = scratch.template Alloc<Spatial<S>>(nv());
    MetricAcceleration(m_, d_, columns, scratch.template Alloc<S>(m_.ntendon()));
  }
  SINEW_STAGE void SolveConstraints() const {
    if (SolverOfLanes(*m_.raw()) != LaneSolver::kSlots) return SolveInWorlds(copies_);
    SolveInSlots(m_, d_, *rows_);
    // Here, as integration moves the state that rows are made from. Anchors of rows that worlds have made move there.
    if (rows_->keep_forces || (worlds_->HaveAnchors() && !AreAnchorsInLanes())) copies_.ShowForces();
  }
  // All stages of sensors: in lanes, and what is left on the worlds.
  SINEW_STAGE void SensorAcc() const {
    const mjModel& m = *m_.raw();
    if (m.nsensor == 0 || (m.opt.disableflags & mjDSBL_SENSOR)) return;
    const SensorPlan plan = PlanSensors(m, AreForcesInLanes(), worlds_->SensorMarks());
    if (plan.subtree_velocities) SubtreeVel(m_, d_);
    if (plan.forces) {
      ForcesOfBodies(m_, d_, rows_->slots, rows_->problem);
    } else if (plan.accelerations) {
      BodyAccelerations(m_, d_);
    }
    SensorsByFormula(m_, d_, plan);
    if (plan.touches) TouchesOfLanes(m_, d_, *worlds_, rows_->slots, rows_->problem);
    if (plan.any_alone) SensorsOfWorlds(copies_, plan);
  }
  // Whether the slots have all forces between bodies.
  bool AreForcesInLanes() const {
    return SolverOfLanes(*m_.raw()) == LaneSolver::kSlots && (!rows_->slots || rows_->slots->in_lanes) &&
           !TouchesCompliantly(copies_) && !Sticks(copies_);
  }
  // the end of the step
  bool HasImplicitDamping() const { return sinew::HasImplicitDamping(m_.raw()); }
  void Integrate(int integrator) const {
    if (integrator == mjINT_EULER) return EulerStages(*this, /*reuse_factors=*/false);
    if (integrator == mjINT_RK4) return RungeKuttaStages(*this);
    if (integrator == kDiscrete) return DiscreteStages(*this, copies_);
    Implicit(/*with_bias=*/integrator == mjINT_IMPLICIT);
  }
  SINEW_STAGE void Implicit(bool with_bias) const { ImplicitStages(*this, copies_, with_bias); }
  SINEW_STAGE void EulerAcceleration(Scratch& scratch, bool reuse_factors, S* acceleration) const {
    auto* momentum = scratch.template Alloc<Spatial<S>>(nv());
    sinew::EulerAcceleration(m_, d_, reuse_factors, momentum, acceleration);
  }
  void RecordHistories() const {}
  SINEW_STAGE void NextActivations(const S* act_dot) const { sinew::NextActivations(m_, d_, act_dot, d_.act_data()); }
  void FallAsleep() const {}
  SINEW_STAGE void AdvanceMotion(const S* qacc, const S* qvel) const {
    sinew::AdvanceMotion(m_, d_, qacc, qvel, [](int) { return true; });
    if (worlds_->HaveAnchors()) MoveAnchors();
  }
  SINEW_STAGE void IntegratePos(S* qpos, const S* qvel, S dt) const { sinew::IntegratePos(m_, qpos, qvel, dt); }
  SINEW_STAGE void AdvanceFibers() const {
    if (HasFibers(m_.raw())) sinew::AdvanceFibers(m_, d_);
  }
  void AdvancePlugins() const {}
  void KeepWarmstart() const {
    for (int i = 0; i < nv(); ++i) d_.qacc_warmstart(i) = d_.qacc(i);
  }

  // the step. A lane with a bad value is reset, and the others go on.
  void CheckPos() const { Check(d_.qpos_data(), static_cast<int>(m_.raw()->nq), mjWARN_BADQPOS); }
  void CheckVel() const { Check(d_.qvel_data(), nv(), mjWARN_BADQVEL); }
  bool CheckAcc() const {
    // After a reset accelerations are computed again, for all lanes: the others get the same numbers once more.
    if (Check(d_.qacc_data(), nv(), mjWARN_BADQACC)) ForwardStages(*this, mjSTAGE_NONE, /*skip_sensors=*/false);
    return true;
  }
  void CompareFwdInv() const {}

 private:
  // ---- anchors

  // Where rows of contacts are made.
  bool AreAnchorsInLanes() const {
    return SolverOfLanes(*m_.raw()) == LaneSolver::kSlots &&
           (!rows_->slots || rows_->slots->in_lanes || rows_->contacts_found);
  }
  SINEW_STAGE void MoveAnchors() const {
    if (!AreAnchorsInLanes()) return MoveAnchorsOfWorlds(copies_);
    if (rows_->slots && !rows_->slots->slot.empty()) {
      auto* velocity =
          Scratch(context_.scratch + Scratch::BytesBeforeEnd(*m_.raw())).template Alloc<Spatial<S>>(m_.nbody());
      VelocitiesAtEnd(m_, d_, velocity);
      MoveHeldContacts(m_, d_, *rows_->slots, rows_->problem, velocity);
    }
    worlds_->KeepAnchors(kIsSingle<S>, /*any=*/rows_->slots != nullptr);
  }

  static constexpr int kWidth = LaneTraits<S>::kWidth;
  using Number = typename LaneTraits<S>::Lane;

  // ---- bad states

  // Resets lanes with a bad value (step/check.cc); whether there are any.
  bool Check(const S* x, int n, mjtWarning kind) const {
    const S limit(Number(1e10));
    MaskOf<S> good = S(0) < S(1);
    for (int i = 0; i < n; ++i) good = good & (x[i] >= -limit) & (x[i] <= limit);
    if (All(good)) return false;
    for (int lane = 0; lane < kWidth; ++lane) {
      if (good.Lane(lane)) continue;
      int index = 0;
      while (x[index][lane] >= -limit[lane] && x[index][lane] <= limit[lane]) ++index;
      if (LaneStatus* status = context_.status) {
        status[lane].warnings |= 1 << kind;
        status[lane].index[kind] = index;
      }
      if (m_.opt_disableflags() & mjDSBL_AUTORESET) continue;
      worlds_->Reset(lane, kind, index);
      context_.load(context_.store, lane);
    }
    return !(m_.opt_disableflags() & mjDSBL_AUTORESET);
  }

  const ModelView<S>& m_;
  const DataView<S>& d_;
  const PackContext<S>& context_;
  LaneWorlds* worlds_;
  PackRows<S>* rows_;
  PackWorlds<S> copies_;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PACK_PACK_STAGES_KERNEL_H_
