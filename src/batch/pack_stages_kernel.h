// A pack of worlds, as the stages of the step see it (step/step_kernel.h).
//
// Smooth dynamics, contacts and sensors with a formula, rows, the solution of constraints by Newton's method or by
// sweeps, and integration run in lanes. Other contacts, solvers with their rows, and sensors run one world at a time on
// the worlds of the lanes (batch/lane_worlds.h), from poses and velocities that are copied there. The stages below that
// do nothing belong to what LanePack refuses (batch/lane_pack.h): a model or a setting in which one of them would have
// something to do does not come here.
#ifndef SINEW_BATCH_PACK_STAGES_KERNEL_H_
#define SINEW_BATCH_PACK_STAGES_KERNEL_H_

#include "batch/contact_slots_kernel.h"
#include "batch/joint_rows_kernel.h"
#include "batch/lane_numbers_kernel.h"
#include "batch/lane_ops.h"
#include "batch/lane_worlds.h"
#include "batch/pack_contacts_kernel.h"
#include "batch/pack_sensors_kernel.h"
#include "derivative/implicit_kernel.h"
#include "derivative/smooth_kernel.h"
#include "force/actuation_kernel.h"
#include "force/compliant_contact.h"
#include "force/passive_kernel.h"
#include "inertia/acceleration_kernel.h"
#include "inertia/composite_kernel.h"
#include "inertia/deep_tree_kernel.h"
#include "inertia/rne_kernel.h"
#include "integrate/advance_kernel.h"
#include "integrate/euler_kernel.h"
#include "integrate/integrate.h"
#include "integrate/midpoint_kernel.h"
#include "kinematics/actuator_link_kernel.h"
#include "kinematics/camlight_kernel.h"
#include "kinematics/com_kernel.h"
#include "kinematics/pose_kernel.h"
#include "kinematics/tendon.h"
#include "kinematics/tendon_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "kinematics/velocity_kernel.h"
#include "sensor/sensor.h"
#include "simd/flatten.h"
#include "solve/pgs_kernel.h"
#include "solve/slot_newton_kernel.h"
#include "step/runge_kutta_kernel.h"
#include "step/step_kernel.h"

namespace sinew {
inline namespace SINEW_ISA {

// Scratch memory of a pack, for one stage at a time, and behind it what a method of several stages keeps meanwhile.
template <class S>
class PackScratch {
 public:
  static size_t Bytes(const mjModel& m) {
    const int lasting = RungeKuttaNumbers(static_cast<int>(m.nq), static_cast<int>(m.nv), static_cast<int>(m.na));
    return StageBytes(m) + static_cast<size_t>(lasting) * sizeof(S);
  }
  // What the largest stage takes: derivatives of the bias force, with an acceleration and the midpoint rule's numbers.
  static size_t StageBytes(const mjModel& m) { return static_cast<size_t>(48 * m.nbody + 24 * m.nv) * sizeof(S); }

  explicit PackScratch(char* memory) : next_(memory) {}
  template <class T>
  T* Alloc(int count) {
    T* items = reinterpret_cast<T*>(next_);
    next_ += static_cast<size_t>(count) * sizeof(T);
    return items;
  }

 private:
  char* next_;
};

// Constraints of the present step.
template <class S>
struct PackRows {
  const LaneSlots* slots;  // null: no lane has any
  bool contacts_found;     // in lanes
  bool worlds_are_shown;   // what rows are made from
  bool geoms_are_shown;    // what contacts are found from
  bool keep_forces;        // in the lanes' worlds
  SlotProblem<S> problem;
  S iterations;
  PackUse use;
};

// What stages of a pack need beside model and data.
template <class S>
struct PackContext {
  char* scratch;
  LaneWorlds* worlds;
  PackRows<S>* rows;
  LaneStatus* status;                   // of each lane, or null
  void (*load)(void* store, int lane);  // a lane from its world
  void* store;
};

template <class S>
class PackStages {
 public:
  using Scalar = S;
  using Scratch = PackScratch<S>;

  PackStages(const ModelView<S>& m, const DataView<S>& d, const PackContext<S>& context)
      : m_(m), d_(d), context_(context), worlds_(context.worlds), rows_(context.rows) {}

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
    sinew::Kinematics(m_, d_, OpenScratch().template Alloc<HalfAngle<S>>(m_.njnt()));
  }
  SINEW_STAGE void ComPos() const { sinew::ComPos(m_, d_); }
  void CamLight() const { sinew::CamLight(m_, d_); }
  void Flex() const {}
  SINEW_STAGE void Tendon() const { HasSpatialTendons(m_) ? SpatialTendons() : FixedTendons(m_, d_); }
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
    rows_->slots = nullptr;
    rows_->contacts_found = rows_->worlds_are_shown = rows_->geoms_are_shown = false;
    if (!MayHaveRows(*m_.raw())) return;
    const bool in_slots = SolverOfLanes(*m_.raw()) == LaneSolver::kSlots;
    if (const LanePairs* pairs = StaticPairs(*worlds_)) {
      FindNearPairs(d_, *pairs);
      // worlds take whole contacts as doubles
      rows_->contacts_found = (in_slots || std::is_same_v<Number, double>)&&FindContacts(*pairs);
    }
    const bool rows_in_lanes = AreRowsInLanes(*worlds_);
    if (rows_in_lanes) FindJointRows(m_, d_, *worlds_);
    if (!rows_->contacts_found || !rows_in_lanes) ShowForRows();
    if (!in_slots) ShowInertia();
    FindRows(*worlds_, rows_->contacts_found);
    AddCompliantForces();
    if (!in_slots) return;
    rows_->slots = MergeRows(*worlds_);
    if (!rows_->slots) return;
    TakeSlotNumbers<S>(*rows_->slots, /*with_contacts=*/!rows_->contacts_found);
    FillJointRows(m_, d_, *rows_->slots);
    FillContactSlots(m_, d_, *rows_->slots);
  }
  // Whether lanes have found all contacts.
  SINEW_STAGE bool FindContacts(const LanePairs& pairs) const {
    if (!BeginContacts(*worlds_)) return false;
    if (IsAnyPairAlone(*worlds_)) {
      for (int i = 0; i < pairs.alone_count; ++i) ShowGeom(pairs.alone[i]);
      CollideAlone(*worlds_);
    }
    CollideInLanes(m_, d_, *worlds_, pairs);
    return EndContacts(*worlds_);
  }
  SINEW_STAGE void BiasForce() const {
    Scratch scratch = OpenScratch();
    auto* first = scratch.template Alloc<Spatial<S>>(m_.nbody());
    auto* second = scratch.template Alloc<Spatial<S>>(m_.nbody());
    Rne(m_, d_, /*with_acc=*/false, d_.qfrc_bias_data(), first, second);
  }
  SINEW_STAGE void TendonBias() const {
    if (DoSpatialTendonsHaveArmature()) BiasOfTendons();
  }
  void SensorVel() const {}
  void ForwardEnergyVel() const {}

  // accelerations
  void Control() const {}
  SINEW_STAGE void Actuation() const { sinew::Actuation(m_, d_); }
  SINEW_STAGE void SmoothAcceleration() const { sinew::SmoothAcceleration(m_, d_); }
  SINEW_STAGE void SolveConstraints() const {
    if (SolverOfLanes(*m_.raw()) != LaneSolver::kSlots) return SolveInWorlds();
    SolveSlots();
    // Here, as integration moves the state that rows are made from.
    if (rows_->keep_forces) ShowForces();
  }
  // All stages of sensors: in lanes, and what is left on the worlds.
  SINEW_STAGE void SensorAcc() const {
    const mjModel& m = *m_.raw();
    if (m.nsensor == 0 || (m.opt.disableflags & mjDSBL_SENSOR)) return;
    const bool forces_in_lanes = AreForcesInLanes();
    const SensorPlan plan = PlanSensors(m, forces_in_lanes, SensorMarks(*worlds_));
    if (plan.subtree_velocities) SubtreeVel(m_, d_);
    if (plan.forces) {
      ForcesOfBodies(m_, d_, rows_->slots, rows_->problem);
    } else if (plan.accelerations) {
      BodyAccelerations(m_, d_);
    }
    SensorsByFormula(m_, d_, plan);
    if (plan.touches) TouchesOfLanes(m_, d_, *worlds_, rows_->slots, rows_->problem);
    if (plan.any_alone) SensorsOfWorlds(plan);
  }
  // Whether the slots know all forces between bodies.
  bool AreForcesInLanes() const {
    return SolverOfLanes(*m_.raw()) == LaneSolver::kSlots && (!rows_->slots || rows_->slots->in_lanes);
  }
  void SensorsOfWorlds(const SensorPlan& plan) const {
    const mjModel& m = *m_.raw();
    ShowForSensors();
    if (plan.rows_alone) ShowForces();
    for (int lane = 0; lane < kWidth; ++lane) {
      mjData* world = WorldOfLane(*worlds_, lane);
      if constexpr (!kIsSingle<S>) world->time = d_.time()[lane];
      RemainingSensors(&ModelOfLane(*worlds_, lane), world, plan.in_lanes);
      for (int i = 0; i < m.nsensor; ++i) {
        if (plan.in_lanes[i]) continue;
        for (int k = m.sensor_adr[i]; k < m.sensor_adr[i] + m.sensor_dim[i]; ++k) {
          d_.sensordata_data()[k].Set(lane, static_cast<Number>(world->sensordata[k]));
        }
      }
    }
  }
  // Writes contacts, rows and their forces into the lanes' worlds, where scalar code reads them.
  void ShowForces() const {
    const bool has_slots = rows_->slots && rows_->slots->count > 0;
    if (SolverOfLanes(*m_.raw()) != LaneSolver::kSlots || (!has_slots && !rows_->contacts_found)) return;
    ShowForRows();
    ShowGeoms();
    if (AreRowsInLanes(*worlds_)) ShowMotionAxes();
    WriteForces(*worlds_, NumbersOf<S>(has_slots ? rows_->problem.residual : nullptr));
  }

  // the end of the step
  bool HasImplicitDamping() const { return sinew::HasImplicitDamping(m_.raw()); }
  void Integrate(int integrator) const {
    if (integrator == mjINT_EULER) return EulerStages(*this, /*reuse_factors=*/false);
    if (integrator == mjINT_RK4) return RungeKuttaStages(*this);
    ImplicitStages(integrator == mjINT_IMPLICIT);
  }
  SINEW_STAGE void EulerAcceleration(Scratch& scratch, bool reuse_factors, S* acceleration) const {
    auto* momentum = scratch.template Alloc<Spatial<S>>(nv());
    sinew::EulerAcceleration(m_, d_, reuse_factors, momentum, acceleration);
  }
  void RecordHistories() const {}
  SINEW_STAGE void NextActivations(const S* act_dot) const { sinew::NextActivations(m_, d_, act_dot, d_.act_data()); }
  void FallAsleep() const {}
  SINEW_STAGE void AdvanceMotion(const S* qacc, const S* qvel) const {
    sinew::AdvanceMotion(m_, d_, qacc, qvel, [](int) { return true; });
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
  static constexpr int kWidth = LaneTraits<S>::kWidth;
  using Number = typename LaneTraits<S>::Lane;

  // ---- worlds of the lanes

  // Copies an array of the pack into the worlds of its lanes. Several numbers are read before any is written: the
  // compiler cannot know that worlds and lanes do not overlap.
  void ShowToWorlds(const S* from, mjtSize count, mjtNum* mjData::*field) const {
    mjtNum* to[kWidth];
    for (int lane = 0; lane < kWidth; ++lane) to[lane] = WorldOfLane(*worlds_, lane)->*field;
    for (mjtSize i = 0; i < count; ++i) {
      const S numbers = from[i];
      Unroll<0, kWidth>([&](auto lane) { to[lane][i] = numbers[lane]; });
    }
  }

  // Copies numbers of one world into its lane.
  void ReadFromWorld(int lane, const mjtNum* from, mjtSize count, S* to) const {
    for (mjtSize i = 0; i < count; ++i) to[i].Set(lane, static_cast<Number>(from[i]));
  }

  // What collision detection and the rows of constraints read.
  void ShowForRows() const {
    const mjModel& m = *m_.raw();
    if (rows_->worlds_are_shown) return;
    rows_->worlds_are_shown = true;
    ShowToWorlds(d_.qpos_data(), m.nq, &mjData::qpos);
    ShowToWorlds(d_.qvel_data(), m.nv, &mjData::qvel);
    if (!rows_->contacts_found) ShowGeoms();
    const bool contacts_are_made = rows_->contacts_found && SolverOfLanes(m) == LaneSolver::kSlots;
    if (m.neq > 0 || !contacts_are_made) ShowMotionAxes();
    ShowToWorlds(d_.ten_length_data(), m.ntendon, &mjData::ten_length);
    ShowToWorlds(d_.ten_J_data(), m.nJten, &mjData::ten_J);
    if (m.neq == 0) return;
    ShowBodies();
    ShowToWorlds(d_.cdof_dot_data(), 6 * m.nv, &mjData::cdof_dot);
  }
  void ShowGeom(int geom) const {
    const auto show = [&](const S* from, mjtNum* mjData::*field, int first, int count) {
      for (int i = first; i < first + count; ++i) {
        for (int lane = 0; lane < kWidth; ++lane) (WorldOfLane(*worlds_, lane)->*field)[i] = from[i][lane];
      }
    };
    show(d_.geom_xpos_data(), &mjData::geom_xpos, 3 * geom, 3);
    show(d_.geom_xmat_data(), &mjData::geom_xmat, 9 * geom, 9);
  }
  void ShowGeoms() const {
    const mjModel& m = *m_.raw();
    if (rows_->geoms_are_shown) return;
    rows_->geoms_are_shown = true;
    ShowToWorlds(d_.geom_xpos_data(), 3 * m.ngeom, &mjData::geom_xpos);
    ShowToWorlds(d_.geom_xmat_data(), 9 * m.ngeom, &mjData::geom_xmat);
    if (StaticPairs(*worlds_)) return;  // otherwise there are trees of boxes
    ShowToWorlds(d_.xipos_data(), 3 * m.nbody, &mjData::xipos);
    ShowToWorlds(d_.ximat_data(), 9 * m.nbody, &mjData::ximat);
  }
  void ShowMotionAxes() const {
    const mjModel& m = *m_.raw();
    ShowToWorlds(d_.subtree_com_data(), 3 * m.nbody, &mjData::subtree_com);
    ShowToWorlds(d_.cdof_data(), 6 * m.nv, &mjData::cdof);
  }
  void ShowBodies() const {
    const mjModel& m = *m_.raw();
    ShowToWorlds(d_.xpos_data(), 3 * m.nbody, &mjData::xpos);
    ShowToWorlds(d_.xquat_data(), 4 * m.nbody, &mjData::xquat);
    ShowToWorlds(d_.xmat_data(), 9 * m.nbody, &mjData::xmat);
    ShowToWorlds(d_.site_xpos_data(), 3 * m.nsite, &mjData::site_xpos);
    ShowToWorlds(d_.site_xmat_data(), 9 * m.nsite, &mjData::site_xmat);
    ShowToWorlds(d_.cvel_data(), 6 * m.nbody, &mjData::cvel);
  }

  // What rows read where a world alone solves them.
  void ShowInertia() const {
    const mjModel& m = *m_.raw();
    ShowToWorlds(d_.M_data(), m.nC, &mjData::M);
    ShowToWorlds(d_.qLD_data(), m.nC, &mjData::qLD);
    ShowToWorlds(d_.qLDiagInv_data(), m.nv, &mjData::qLDiagInv);
  }

  // What sensors read beside that; flexes, plugins and callbacks do not come here.
  void ShowForSensors() const {
    const mjModel& m = *m_.raw();
    ShowForRows();
    ShowGeoms();
    ShowMotionAxes();
    ShowBodies();
    ShowToWorlds(d_.xipos_data(), 3 * m.nbody, &mjData::xipos);
    ShowToWorlds(d_.ximat_data(), 9 * m.nbody, &mjData::ximat);
    ShowToWorlds(d_.cam_xpos_data(), 3 * m.ncam, &mjData::cam_xpos);
    ShowToWorlds(d_.cam_xmat_data(), 9 * m.ncam, &mjData::cam_xmat);
    ShowToWorlds(d_.cinert_data(), 10 * m.nbody, &mjData::cinert);
    ShowToWorlds(d_.cdof_dot_data(), 6 * m.nv, &mjData::cdof_dot);
    ShowToWorlds(d_.M_data(), m.nC, &mjData::M);
    ShowToWorlds(d_.qacc_data(), m.nv, &mjData::qacc);
    ShowToWorlds(d_.xfrc_applied_data(), 6 * m.nbody, &mjData::xfrc_applied);
    ShowToWorlds(d_.ten_velocity_data(), m.ntendon, &mjData::ten_velocity);
    ShowToWorlds(d_.actuator_length_data(), m.nu, &mjData::actuator_length);
    ShowToWorlds(d_.actuator_velocity_data(), m.nu, &mjData::actuator_velocity);
    ShowToWorlds(d_.actuator_force_data(), m.nu, &mjData::actuator_force);
    ShowToWorlds(d_.qfrc_actuator_data(), m.nv, &mjData::qfrc_actuator);
    ShowToWorlds(d_.act_data(), m.na, &mjData::act);
    ShowToWorlds(d_.act_dot_data(), m.na, &mjData::act_dot);
  }

  // ---- tendons around geoms, and paths of all spatial ones: on the worlds

  void SpatialTendons() const {
    const mjModel& m = *m_.raw();
    bool any_wraps = false;
    for (int t = 0; t < m_.ntendon(); ++t) {
      if (IsFixedTendon(m_, t)) {
        FixedTendon(m_, d_, t);
      } else if (IsStraightTendon(m_, t)) {
        StraightTendon(m_, d_, t);
      } else {
        any_wraps = true;
      }
    }
    ShowToWorlds(d_.site_xpos_data(), 3 * m.nsite, &mjData::site_xpos);
    if (any_wraps) {
      ShowToWorlds(d_.geom_xpos_data(), 3 * m.ngeom, &mjData::geom_xpos);
      ShowToWorlds(d_.geom_xmat_data(), 9 * m.ngeom, &mjData::geom_xmat);
      ShowMotionAxes();
    }
    for (int lane = 0; lane < kWidth; ++lane) {
      mjData* world = WorldOfLane(*worlds_, lane);
      TendonPaths(&ModelOfLane(*worlds_, lane), world);
      if (!any_wraps) continue;
      for (int t = 0; t < m_.ntendon(); ++t) {
        if (IsFixedTendon(m_, t) || IsStraightTendon(m_, t)) continue;
        const int adr = m.ten_J_rowadr[t];
        ReadFromWorld(lane, world->ten_J + adr, m.ten_J_rownnz[t], d_.ten_J_data() + adr);
        ReadFromWorld(lane, world->ten_length + t, 1, d_.ten_length_data() + t);
      }
    }
  }

  bool DoSpatialTendonsHaveArmature() const {
    for (int t = 0; t < m_.ntendon(); ++t) {
      if (!IsFixedTendon(m_, t) && Any(TotalTendonArmature(m_, t) != S(0))) return true;
    }
    return false;
  }
  void BiasOfTendons() const {
    const mjModel& m = *m_.raw();
    ShowMotionAxes();
    ShowBodies();
    ShowToWorlds(d_.geom_xpos_data(), 3 * m.ngeom, &mjData::geom_xpos);
    ShowToWorlds(d_.geom_xmat_data(), 9 * m.ngeom, &mjData::geom_xmat);
    ShowToWorlds(d_.cdof_dot_data(), 6 * m.nv, &mjData::cdof_dot);
    ShowToWorlds(d_.qvel_data(), m.nv, &mjData::qvel);
    ShowToWorlds(d_.ten_J_data(), m.nJten, &mjData::ten_J);
    ShowToWorlds(d_.qfrc_bias_data(), m.nv, &mjData::qfrc_bias);
    for (int lane = 0; lane < kWidth; ++lane) {
      mjData* world = WorldOfLane(*worlds_, lane);
      sinew::TendonBias(&ModelOfLane(*worlds_, lane), world, world->qfrc_bias);
      ReadFromWorld(lane, world->qfrc_bias, m.nv, d_.qfrc_bias_data());
    }
  }

  // ---- compliant contacts: on the worlds, which know their contacts

  bool TouchesCompliantly() const {
    for (int lane = 0; lane < kWidth; ++lane) {
      if (HasCompliantContact(WorldOfLane(*worlds_, lane))) return true;
    }
    return false;
  }
  void AddCompliantForces() const {
    const mjModel& m = *m_.raw();
    if (!TouchesCompliantly()) return;
    ShowMotionAxes();
    ShowToWorlds(d_.cvel_data(), 6 * m.nbody, &mjData::cvel);
    ShowToWorlds(d_.qfrc_passive_data(), m.nv, &mjData::qfrc_passive);
    for (int lane = 0; lane < kWidth; ++lane) {
      mjData* world = WorldOfLane(*worlds_, lane);
      sinew::AddCompliantForces(&ModelOfLane(*worlds_, lane), world);
      ReadFromWorld(lane, world->qfrc_passive, m.nv, d_.qfrc_passive_data());
    }
  }
  // Follows AddCompliantForces of the same state.
  void AddCompliantDerivative(bool symmetric) const {
    const mjModel& m = *m_.raw();
    if (!TouchesCompliantly()) return;
    ShowToWorlds(d_.qDeriv_data(), m.nD, &mjData::qDeriv);
    for (int lane = 0; lane < kWidth; ++lane) {
      mjData* world = WorldOfLane(*worlds_, lane);
      sinew::AddCompliantDerivative(&ModelOfLane(*worlds_, lane), world, symmetric, world->qDeriv);
      ReadFromWorld(lane, world->qDeriv, m.nD, d_.qDeriv_data());
    }
  }

  // ---- constraints

  // Newton's method in lanes. A lane without rows keeps the smooth acceleration.
  void SolveSlots() const {
    for (int i = 0; i < nv(); ++i) d_.qfrc_constraint(i) = S(0);
    rows_->iterations = S(0);
    if (!rows_->slots || rows_->slots->count == 0) {
      for (int i = 0; i < nv(); ++i) d_.qacc(i) = d_.qacc_smooth(i);
      return;
    }
    const mjModel& m = *m_.raw();
    MakeProblem();
    const SlotProblem<S>& p = rows_->problem;
    NoRecord<S> record;
    // These lanes start from the smooth acceleration: those without rows, and those where the warm start costs more.
    MaskOf<S> smooth = !p.present;
    Residual(p, p.qacc_smooth, p.smooth_residual);
    if (m.opt.disableflags & mjDSBL_WARMSTART) {
      smooth = S(0) < S(1);
      for (int i = 0; i < nv(); ++i) p.qacc[i] = d_.qacc_smooth(i);
    } else {
      for (int i = 0; i < nv(); ++i) p.qacc[i] = d_.qacc_warmstart(i);
      smooth = smooth | !(Disadvantage(p, record) <= S(0));
    }
    StartSmooth(p, smooth);
    const SolverOptions options = {m.opt.iterations, m.opt.ls_iterations, m.opt.tolerance, m.opt.ls_tolerance};
    rows_->iterations = MinimizeSlots(p, options, record);
    NoteUse();
  }
  void NoteUse() const {
    PackUse& use = rows_->use;
    double iterations = 0, most = 0;
    for (int lane = 0; lane < kWidth; ++lane) {
      const double of_lane = static_cast<double>(rows_->iterations[lane]);
      iterations += of_lane;
      if (of_lane > most) most = of_lane;
    }
    use.slots += rows_->slots->of_lanes;
    use.slots_of_packs += kWidth * rows_->slots->count;
    use.iterations += iterations;
    use.iterations_of_packs += kWidth * most;
  }

  // On the worlds, but for the sweeps of projected Gauss-Seidel.
  void SolveInWorlds() const {
    const mjModel& m = *m_.raw();
    ShowToWorlds(d_.qfrc_smooth_data(), m.nv, &mjData::qfrc_smooth);
    ShowToWorlds(d_.qacc_smooth_data(), m.nv, &mjData::qacc_smooth);
    ShowToWorlds(d_.qacc_warmstart_data(), m.nv, &mjData::qacc_warmstart);
    if (const LaneRows* rows = SolveUpToSweeps(*worlds_)) {
      const auto packs = [rows](double* numbers) { return TakeNumbers<S>(numbers, rows->count); };
      const BoundedRows<S> problem = {rows->count,           TakeNumbers<S>(rows->A, rows->count * rows->count),
                                      packs(rows->diagonal), packs(rows->inverse),
                                      packs(rows->low),      packs(rows->high),
                                      packs(rows->force),    packs(rows->residual)};
      const S sweeps =
          MinimizeBoundedRows(problem, m.opt.iterations, SizeOfWhole(), S(static_cast<Number>(m.opt.tolerance)),
                              *TakeNumbers<S>(rows->present, 1) > S(0));
      FinishSweeps(*worlds_, NumbersOf(problem.force), NumbersOf(&sweeps));
    }
    for (int lane = 0; lane < kWidth; ++lane) {
      const mjData* world = WorldOfLane(*worlds_, lane);
      rows_->iterations.Set(lane, static_cast<Number>(world->solver_niter[0]));
      for (int i = 0; i < nv(); ++i) {
        d_.qacc_data()[i].Set(lane, static_cast<Number>(world->qacc[i]));
        d_.qfrc_constraint_data()[i].Set(lane, static_cast<Number>(world->qfrc_constraint[i]));
      }
    }
  }

  // Points at the union of slots and at the pack's arrays; numbers stay where they are. Scratch is divided in the
  // order that TakeSlotMemory asks for.
  void MakeProblem() const {
    const LaneSlots& slots = *rows_->slots;
    const mjModel& m = *m_.raw();
    SlotProblem<S>& p = rows_->problem;
    p.nv = nv();
    p.count = slots.count;
    p.directions = slots.directions;
    p.weights = slots.weights;
    p.cones = slots.cones;
    p.slot = slots.slot;
    p.lanes = slots.lanes;
    p.live = slots.live;
    p.open = slots.open;
    p.inertia = {nv(), m.M_rownnz, m.M_rowadr, m.M_colind};
    p.pattern = slots.pattern;
    p.M = d_.M_data();
    p.qfrc_smooth = d_.qfrc_smooth_data();
    p.qacc_smooth = d_.qacc_smooth_data();
    p.jacobian = reinterpret_cast<const S* const*>(slots.jacobian);
    p.aref = reinterpret_cast<const S*>(slots.aref);
    p.D = reinterpret_cast<const S*>(slots.D);
    p.scale = reinterpret_cast<const S*>(slots.scale);
    p.bound = reinterpret_cast<const S*>(slots.bound);
    p.size = Size();
    p.present = *reinterpret_cast<const S*>(slots.present) > S(0);
    p.qacc = d_.qacc_data();
    p.qfrc_constraint = d_.qfrc_constraint_data();
    S* next = reinterpret_cast<S*>(slots.scratch);
    const auto take = [&next](int count) {
      S* taken = next;
      next += count;
      return taken;
    };
    p.Ma = take(nv());
    TakeSlotMemory(p, take);
  }

  // Returns one over the trace of the inertia matrix, or over the mean inertia times the dofs. A world alone solves
  // islands, of which a model of one tree has one, and takes the trace there.
  S Size() const {
    const mjModel& m = *m_.raw();
    if (m.ntree != 1 || (m.opt.disableflags & mjDSBL_ISLAND)) return SizeOfWhole();
    S trace(0);
    for (int i = 0; i < nv(); ++i) trace += d_.M(m.M_rowadr[i] + m.M_rownnz[i] - 1);
    return S(1) / trace;
  }
  S SizeOfWhole() const {
    const mjModel& m = *m_.raw();
    const S dofs(static_cast<Number>(m.nv > 1 ? m.nv : 1));
    return S(1) / (m_.stat_meaninertia() * dofs);
  }

  // ---- integration

  // Solves (M - h dF/dv) a = F with the derivative of bias forces (implicit, by LU) or without it and symmetric
  // (implicitfast, by LDL').
  SINEW_STAGE void ImplicitStages(bool with_bias) const {
    const mjModel& m = *m_.raw();
    Scratch scratch = OpenScratch();
    S* acceleration = scratch.template Alloc<S>(nv());
    for (int i = 0; i < nv(); ++i) acceleration[i] = d_.qfrc_smooth(i) + d_.qfrc_constraint(i);
    {
      Scratch own = scratch;
      SmoothForceDerivative(m_, d_, /*symmetric=*/!with_bias, own.template Alloc<Spatial<S>>(nv()), d_.qDeriv_data());
      AddCompliantDerivative(/*symmetric=*/!with_bias);
      if (with_bias) {
        SubtractBiasDerivative(
            m_, d_,
            BiasDerivativeScratch<S>{own.template Alloc<SpatialMatrix<S>>(m_.nbody()),
                                     own.template Alloc<Spatial<S>>(nv()), own.template Alloc<Spatial<S>>(nv())},
            d_.qDeriv_data());
      }
    }
    if (with_bias) {
      FactorImplicitLU(m_, d_);
      SolveLU(DofPattern(&m), d_.qLU_data(), acceleration);
    } else {
      FactorImplicitLDL(m_, d_);
      for (IdRuns dofs = AwakeDofs(m_, d_); !dofs.Done(); dofs.Next()) {
        SolveLDL(acceleration, d_.qH_data(), d_.qHDiagInv_data(), InertiaPattern(&m, dofs.begin(), dofs.end()));
      }
    }
    AdvanceFreeBodies(scratch, acceleration);
  }

  // Bodies that float freely follow the midpoint rule (step/integrators.cc).
  void AdvanceFreeBodies(Scratch& scratch, const S* qacc) const {
    const mjModel& m = *m_.raw();
    S *mean = scratch.template Alloc<S>(nv()), *old = scratch.template Alloc<S>(nv());
    S *next = scratch.template Alloc<S>(nv()), *force = scratch.template Alloc<S>(nv());
    bool* chosen = scratch.template Alloc<bool>(nv());
    bool any = false;
    for (int i = 0; i < nv(); ++i) {
      force[i] = d_.qfrc_smooth(i) + d_.qfrc_constraint(i) + d_.qfrc_bias(i);
      chosen[i] = false;
    }
    for (int joint = 0; joint < m_.njnt() && !(m.opt.enableflags & mjENBL_INVDISCRETE); ++joint) {
      if (!IsLoneFreeBody(m_, joint)) continue;
      any = true;
      for (int i = MidpointFreeBody(m_, d_, joint, force, next); i < m.jnt_dofadr[joint] + 6; ++i) chosen[i] = true;
    }
    if (!any) return AdvanceStages(*this, act_dot(), qacc, static_cast<const S*>(nullptr));
    // Positions of chosen bodies move with the mean of old and new velocity, all others with the new one.
    const S h = m_.opt_timestep();
    for (int i = 0; i < nv(); ++i) {
      old[i] = d_.qvel(i);
      mean[i] = chosen[i] ? S(0.5) * (old[i] + next[i]) : old[i] + h * qacc[i];
    }
    AdvanceStages(*this, act_dot(), qacc, static_cast<const S*>(mean));
    for (int i = 0; i < nv(); ++i) {
      if (!chosen[i]) continue;
      d_.qvel(i) = next[i];
      d_.qacc(i) = (next[i] - old[i]) / h;
    }
  }

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
      ResetLane(*worlds_, lane, kind, index);
      context_.load(context_.store, lane);
    }
    return !(m_.opt_disableflags() & mjDSBL_AUTORESET);
  }

  const ModelView<S>& m_;
  const DataView<S>& d_;
  const PackContext<S>& context_;
  LaneWorlds* worlds_;
  PackRows<S>* rows_;
};

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_BATCH_PACK_STAGES_KERNEL_H_
