// Sensors of a pack: those with a formula in lanes (sensor/sensor_kernel.h), with the velocities of subtrees, the
// accelerations of bodies and the forces between them that they ask for. Forces of contacts are those of the union's
// slots, so that no rows are made for them. Touch sensors read these forces, too; others are left to the worlds.
#ifndef SINEW_BATCH_PACK_PACK_SENSORS_KERNEL_H_
#define SINEW_BATCH_PACK_PACK_SENSORS_KERNEL_H_

#include "batch/fallback/lane_worlds.h"
#include "batch/pack/pack_worlds_kernel.h"
#include "batch/rows/lane_numbers_kernel.h"
#include "batch/rows/own_contacts_kernel.h"
#include "constraint/body_forces_kernel.h"
#include "kinematics/tendon_kernel.h"
#include "kinematics/velocity_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "sensor/sensor.h"
#include "sensor/sensor_kernel.h"
#include "simd/flatten.h"
#include "simd/lane_bits.h"
#include "solve/slot_newton_kernel.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// Sensors that run in lanes now, and what they need.
struct SensorPlan {
  bool* in_lanes;  // of each sensor
  bool subtree_velocities, accelerations, forces, touches;
  bool any_alone;
  bool rows_alone;  // some of those that do not run in lanes may read rows of constraints
};

// `forces_in_lanes`: whether all forces of constraints between bodies are known to the slots.
inline SensorPlan PlanSensors(const mjModel& m, bool forces_in_lanes, bool* in_lanes) {
  SensorPlan plan = {in_lanes, false, false, false, false, false, false};
  // The forces of spatial tendons on bodies are computed by the worlds alone.
  const bool all_forces_in_lanes = forces_in_lanes && !HasSpatialTendons(ModelView<double>(&m));
  for (int i = 0; i < m.nsensor; ++i) {
    const int type = m.sensor_type[i];
    const SensorInput input = InputOf(type);
    in_lanes[i] = input == SensorInput::kBodyForces ? all_forces_in_lanes : input != SensorInput::kNoFormula;
    if (type == mjSENS_TOUCH) in_lanes[i] = forces_in_lanes;
    if (!in_lanes[i]) {
      const bool is_limit = type == mjSENS_JOINTLIMITPOS || type == mjSENS_JOINTLIMITVEL ||
                            type == mjSENS_TENDONLIMITPOS || type == mjSENS_TENDONLIMITVEL;
      plan.any_alone = true;
      plan.rows_alone |= is_limit || m.sensor_needstage[i] == mjSTAGE_ACC;
      continue;
    }
    plan.subtree_velocities |= input == SensorInput::kSubtreeVelocities;
    plan.accelerations |= input == SensorInput::kBodyAccelerations;
    plan.forces |= input == SensorInput::kBodyForces;
    plan.touches |= type == mjSENS_TOUCH;
  }
  return plan;
}

// Force and torque (6) of a contact in its frame, as ContactForce gives them; zero where a lane does not have it.
// A row that does not act has force zero, and not minus zero.
template <class S>
void SlotContactForce(const SlotProblem<S>& p, const LaneContact& contact, MaskOf<S> present, S* local) {
  const Slot& slot = p.slot[contact.slot];
  const S* force = p.force + slot.first;
  MaskOf<S> acts = present;
  if (slot.kind == SlotKind::kElliptic) {
    const ConeZones<S> zone = ConeOf(p, slot, p.residual + slot.first).zone;
    acts = acts & (zone.bottom | zone.middle);
  }
  if (slot.kind == SlotKind::kOneSided) acts = acts & (force[0] != S(0));
  for (int k = 0; k < 6; ++k) local[k] = S(0);
  for (int k = 0; k < slot.dim; ++k) {
    const bool is_tangent_of_pyramid = slot.kind == SlotKind::kPyramid && k > 0;
    S scale(1);
    if (is_tangent_of_pyramid) {
      scale = ContactNumbers<S>(contact, /*has_own_laws=*/false).friction(k - 1);
    }
    local[k] = Select(acts, scale * force[k], S(0));
  }
}

// cfrc_ext, cacc and cfrc_int, from the forces of the slots; `slots`: null where no lane has any.
template <class S>
SINEW_STAGE void ForcesOfBodies(const ModelView<S>& m, const DataView<S>& d, const LaneSlots* slots,
                                const SlotProblem<S>& p) {
  ApplyExternal(m, d);
  for (int i = 0; slots && i < slots->contacts.count; ++i) {
    const LaneContact& contact = slots->contacts[i];
    const S* geometry = reinterpret_cast<const S*>(contact.geometry);
    const MaskOf<S> present = geometry[LaneContact::kPresent] > S(0);
    S local[6];
    SlotContactForce(p, contact, present, local);
    AddContactForce(m, d, contact.body[0], contact.body[1], LoadMat3(geometry + LaneContact::kFrame),
                    LoadVec3(geometry + LaneContact::kPoint), local, present);
  }
  for (int i = 0; slots && i < slots->rows.count; ++i) {
    const LaneJointRow& row = slots->rows[i];
    const int type = row.type == mjCNSTR_EQUALITY ? m.raw()->eq_type[row.id] : mjEQ_JOINT;
    if (type != mjEQ_CONNECT && type != mjEQ_WELD) continue;
    AddEqualityForce<S>(m, d, row.id, p.force + p.slot[row.slot].first, MaskOfBits<S>(row.lanes));
  }
  AddPassiveWrenches(m, d);
  BodyAccelerations(m, d);
  JointForces(m, d);
}

// Writes sensordata of the sensors of the plan but those of touch.
template <class S>
SINEW_STAGE void SensorsByFormula(const ModelView<S>& m, const DataView<S>& d, const SensorPlan& plan) {
  for (int i = 0; i < static_cast<int>(m.raw()->nsensor); ++i) {
    const SensorSpec spec = SpecOf(m.raw(), i);
    if (!plan.in_lanes[i] || spec.type == mjSENS_TOUCH) continue;
    S* value = d.sensordata_data() + m.raw()->sensor_adr[i];
    EvaluateByFormula(m, d, spec, value);
    Cutoff(m, i, value);
  }
}

// Sums of normal forces over contacts, lane by lane (sensor/touch.cc).
template <class S>
void TouchesOfLanes(const ModelView<S>& m, const DataView<S>& d, LaneWorlds& worlds, const LaneSlots* slots,
                    const SlotProblem<S>& p) {
  using Number = typename LaneTraits<S>::Lane;
  const S* force = slots && !slots->slot.empty() ? p.force : nullptr;
  worlds.EvaluateTouches({NumbersOf(d.site_xpos_data()), NumbersOf(d.site_xmat_data()), NumbersOf(force)});
  for (int i = 0; i < static_cast<int>(m.raw()->nsensor); ++i) {
    if (m.raw()->sensor_type[i] != mjSENS_TOUCH) continue;
    const int address = m.raw()->sensor_adr[i];
    S* value = d.sensordata_data() + address;
    for (int lane = 0; lane < LaneTraits<S>::kWidth; ++lane) {
      value->Set(lane, static_cast<Number>(worlds.World(lane)->sensordata[address]));
    }
    Cutoff(m, i, value);
  }
}

// Sensors that are left to the worlds of the lanes.
template <class S>
void SensorsOfWorlds(const PackWorlds<S>& w, const SensorPlan& plan) {
  using Number = typename LaneTraits<S>::Lane;
  const mjModel& m = *w.m().raw();
  w.ShowForSensors();
  if (plan.rows_alone) w.ShowForces();
  for (int lane = 0; lane < w.kWidth; ++lane) {
    mjData* world = w.World(lane);
    if constexpr (!kIsSingle<S>) world->time = w.d().time()[lane];
    RemainingSensors(&w.Model(lane), world, plan.in_lanes);
    for (int i = 0; i < m.nsensor; ++i) {
      if (plan.in_lanes[i]) continue;
      for (int k = m.sensor_adr[i]; k < m.sensor_adr[i] + m.sensor_dim[i]; ++k) {
        w.d().sensordata_data()[k].Set(lane, static_cast<Number>(world->sensordata[k]));
      }
    }
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PACK_PACK_SENSORS_KERNEL_H_
