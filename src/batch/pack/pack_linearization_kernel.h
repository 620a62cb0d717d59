// A and B of the steps of a pack, by the kernels that one world runs
// (derivatives/small_systems/slot_linearization_kernel.h): columns of the residual and their solution in lanes. How
// actuators answer, and how contacts move with their geoms, is found in the lanes' worlds.
#ifndef SINEW_BATCH_PACK_PACK_LINEARIZATION_KERNEL_H_
#define SINEW_BATCH_PACK_PACK_LINEARIZATION_KERNEL_H_

#include "batch/fallback/lane_gradients.h"
#include "batch/pack/pack_worlds_kernel.h"
#include "batch/rows/joint_rows_kernel.h"
#include "batch/rows/own_contacts_kernel.h"
#include "derivatives/small_systems/slot_linearization_kernel.h"
#include "simd/lane_bits.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// Provides the numbers of a pack for the columns. Lanes in which a contact has no derivative are marked as failed.
template <class S>
class PackSource {
 public:
  PackSource(const PackWorlds<S>& w, const SlotProblem<S>& p, const LaneSlots* slots, WorkMemory& memory)
      : w_(w),
        p_(p),
        slots_(slots),
        actuators_(memory.Alloc<S>(ActuatorNumbers::kCount * w.m().nu())),
        sides_(memory.Alloc<S>(kSidesNumbers)) {}

  // Actuators of all worlds, which then have what their activations depend on, too.
  void FindActuators() {
    const mjModel& m = *w_.m().raw();
    if (m.nu == 0) return;
    const DataView<S>& d = w_.d();
    w_.ShowToWorlds(d.ctrl_data(), m.nu, &mjData::ctrl);
    w_.ShowToWorlds(d.act_data(), m.na, &mjData::act);
    w_.ShowToWorlds(d.act_dot_data(), m.na, &mjData::act_dot);
    w_.ShowToWorlds(d.actuator_length_data(), m.nu, &mjData::actuator_length);
    w_.ShowToWorlds(d.actuator_velocity_data(), m.nu, &mjData::actuator_velocity);
    w_.ShowToWorlds(d.actuator_force_data(), m.nu, &mjData::actuator_force);
    for (int lane = 0; lane < w_.kWidth; ++lane) {
      FindActuatorSlopes(w_.worlds(), lane, reinterpret_cast<double*>(actuators_));
    }
  }
  unsigned failed() const { return failed_; }

  ActuatorSlopes<S> Actuator(int i) const {
    const S *x = actuators_ + ActuatorNumbers::kCount * i, *g = x + ActuatorNumbers::kOfSlope, *of_g = g + 1;
    const auto row_force = [](S f, const S* slopes) {
      return RowForce<S>{f, slopes[ActuatorNumbers::kLength], slopes[ActuatorNumbers::kVelocity]};
    };
    return {row_force(w_.d().actuator_force(i), x), x[ActuatorNumbers::kControl],
            x + ActuatorNumbers::kActivation,       row_force(*g, of_g),
            of_g[ActuatorNumbers::kControl],        of_g + ActuatorNumbers::kActivation};
  }

  template <class Visit>
  void ForRows(const Visit& visit) const {
    const ModelView<S>& m = w_.m();
    for (const LaneJointRow& place : slots_->rows) {
      const JointRow<S> row(m, w_.d(), place.type, place.id, place.side);
      const RowTerms<S> terms = row.Terms(m, slots_->own.rows);
      const RowLaw<S> law = row.is_friction ? LawOfFriction(terms.B) : LawOfRow(terms, row.distance - row.margin);
      visit(place.slot, law, row.is_ball ? place.id : -1);
    }
  }

  int contacts() const { return slots_->contacts.count; }
  const SlotContact<S>* Contact(int k) {
    const LaneContact& place = slots_->contacts[k];
    const double adhesion = AdhesionOf(w_.m().raw(), surfaces_, *place.parameters);
    const unsigned pushing = adhesion > 0 ? ~0u : LaneBits(Acts(p_, place.slot));
    const unsigned acting = pushing & p_.lanes[place.slot];
    if (acting == 0) return nullptr;
    SetPlace(place);
    contact_.adhesion = adhesion;
    contact_.held = {};
    if (const S* anchor = AnchorNumbers<S>(place))
      contact_.held = AnchorLaw<S>::Of(LoadAnchor(anchor), LoadSpring(anchor));
    contact_.surface = SurfaceTwistsOf(surfaces_, w_.d(), place.parameters->geom, contact_.point);
    SetSides(place, acting);
    return &contact_;
  }

 private:
  void SetPlace(const LaneContact& place) {
    const ContactNumbers<S> numbers(place, slots_->own.contacts);
    const S* geometry = reinterpret_cast<const S*>(place.geometry);
    const S* frame = geometry + LaneContact::kFrame;
    contact_.slot = place.slot;
    for (int b = 0; b < 2; ++b) contact_.body[b] = place.body[b];
    contact_.point = LoadVec3(geometry + LaneContact::kPoint);
    contact_.axes = ContactAxes<S>::Load(frame);
    for (int k = 0; k < 5; ++k) contact_.friction[k] = numbers.friction(k);
    const S distance = geometry[LaneContact::kDistance];
    contact_.distance = distance - numbers.margin();
    contact_.terms = numbers.Terms(w_.m(), p_.slot[place.slot].kind == SlotKind::kElliptic, distance);
  }

  void SetSides(const LaneContact& place, unsigned acting) {
    for (int k = 0; k < kSidesNumbers; ++k) sides_[k] = S(0);
    w_.ShowGeoms(place.parameters->geom, 2);
    for (int lane = 0; lane < w_.kWidth; ++lane) {
      if ((acting >> lane & 1) == 0) continue;
      if (!DifferentiateContact(w_.worlds(), lane, place, reinterpret_cast<double*>(sides_))) failed_ |= 1u << lane;
    }
    const S* next = sides_;
    for (SideShiftsOf<S>& side : contact_.sides.side) {
      for (ContactShiftOf<S>& shift : side.by) {
        shift = {next[0], LoadVec3(next + 1), LoadVec3(next + 4)};
        next += kShiftNumbers;
      }
    }
  }

  const PackWorlds<S>& w_;
  const SlotProblem<S>& p_;
  const LaneSlots* slots_;
  S *actuators_, *sides_;
  Surfaces surfaces_ = FindSurfaces(w_.m().raw());
  SlotContact<S> contact_;
  unsigned failed_ = 0;
};

// The problem of a pack whose lanes have no rows.
template <class S>
SlotProblem<S> ProblemWithoutRows(const ModelView<S>& m, const DataView<S>& d, WorkMemory& memory) {
  const mjModel& raw = *m.raw();
  SlotProblem<S> p = {};
  p.nv = m.nv();
  p.inertia = {m.nv(), raw.M_rownnz, raw.M_rowadr, raw.M_colind};
  p.M = d.M_data();
  p.M_diaginv = d.qLDiagInv_data();
  p.qfrc_smooth = d.qfrc_smooth_data();
  p.qacc_smooth = d.qacc_smooth_data();
  p.size = SizeOf(m, d);
  p.present = S(1) < S(0);
  p.qacc = d.qacc_data();
  p.qfrc_constraint = d.qfrc_constraint_data();
  p.Ma = memory.Alloc<S>(m.nv());
  int* ints = memory.Alloc<int>(SlotPatternInts(m.nv()));
  int of_count[SlotPatternInts(kMaxSlotDofs)];  // where memory is counted, and there is none
  p.pattern = FindSlotPattern(p.nv, raw.dof_parentid, raw.M_rownnz, raw.M_rowadr, raw.M_colind, nullptr, 0,
                              ints ? ints : of_count);
  TakeSlotMemory(p, [&memory](int count) { return memory.Alloc<S>(count); });
  return p;
}

// ---- stages

template <class S>
SINEW_STAGE MaskOf<S> FactorPack(const PackWorlds<S>& w, const SlotProblem<S>& p) {
  return FactorAtSolution(w.m(), p);
}
template <class S>
SINEW_STAGE void FindStepOfPack(const PackWorlds<S>& w, const SlotProblem<S>& p, const SlotWorkspace<S>& work,
                                bool has_step) {
  FindStep(w.m(), w.d(), p, work, has_step);
}
template <class S>
SINEW_STAGE void AddSmoothOfPack(SlotResidual<S, PackSource<S>>& residual) {
  residual.AddSmooth();
}
template <class S>
SINEW_STAGE void AddActuatorsOfPack(SlotResidual<S, PackSource<S>>& residual) {
  residual.AddActuators();
}
template <class S>
SINEW_STAGE void AddConstraintsOfPack(SlotResidual<S, PackSource<S>>& residual) {
  residual.AddConstraints();
}
template <class S>
SINEW_STAGE BlockedColumns<S> SolvePack(const PackWorlds<S>& w, const SlotProblem<S>& p, const SlotWorkspace<S>& work,
                                        bool has_step) {
  return SolveColumns(w.m(), w.d(), p, work, has_step);
}

// Numbers that a step can begin with (derivatives/base/good_state.h), and end with.
template <class S>
SINEW_STAGE MaskOf<S> HasGoodNumbers(const ModelView<S>& m, const DataView<S>& d) {
  using Number = typename LaneTraits<S>::Lane;
  const mjModel& raw = *m.raw();
  const S limit(Number(1e10));
  MaskOf<S> good = S(0) < S(1);
  const auto check = [&](const S* x, mjtSize n) {
    for (mjtSize i = 0; i < n; ++i) good = good & (Abs(x[i]) <= limit);
  };
  check(d.qpos_data(), raw.nq);
  check(d.qvel_data(), raw.nv);
  check(d.act_data(), raw.na);
  check(d.ctrl_data(), raw.nu);
  check(d.qfrc_applied_data(), raw.nv);
  check(d.xfrc_applied_data(), 6 * raw.nbody);
  check(d.qacc_data(), raw.nv);
  return good;
}

template <class S>
SINEW_STAGE MaskOf<S> AreFinite(const BlockedColumns<S>& columns, int count, int nv) {
  const S most(static_cast<typename LaneTraits<S>::Lane>(1e300));
  MaskOf<S> finite = S(0) < S(1);
  for (int c = 0; c < count; ++c) {
    const auto column = columns[c];
    for (int i = 0; i < nv; ++i) finite = finite & (Abs(column[i]) <= most);
  }
  return finite;
}

// Rows of velocities, h db, into the matrices of the lanes that are done.
template <class S>
SINEW_STAGE void StoreVelocityRows(const PackWorlds<S>& w, const BlockedColumns<S>& columns, int count,
                                   mjtNum* LaneTransition::*matrix, const LaneTransition* of_lanes) {
  const S h = w.m().opt_timestep();
  const int nv = w.m().nv();
  for (int i = 0; i < nv; ++i) {
    mjtNum* row[LaneTraits<S>::kWidth];
    for (int lane = 0; lane < w.kWidth; ++lane) {
      const LaneTransition& to = of_lanes[lane];
      row[lane] = (to.is_done ? to.*matrix : to.unwanted) + (nv + i) * count;
    }
    for (int c = 0; c < count; ++c) {
      const S scaled = h * columns[c][i];
      Unroll<0, LaneTraits<S>::kWidth>([&](auto lane) { row[lane][c] = scaled[lane]; });
    }
  }
}

// The memory of LinearizePack, counted where `memory` does.
template <class S>
struct PackLinearizationMemory {
  SlotProblem<S> without_rows;
  SlotWorkspace<S> work;
  PackSource<S> source;

  PackLinearizationMemory(const PackWorlds<S>& w, const SlotProblem<S>& p, const LaneSlots* slots, WorkMemory& memory)
      : without_rows(ProblemWithoutRows(w.m(), w.d(), memory)),
        work(w.m().raw(), memory),
        source(w, slots ? p : without_rows, slots, memory) {}
};

// After the forward dynamics of the pack. Of the lanes that `possible` has a bit for, the matrices of those that can be
// are written, up to what CompleteTransition adds (derivatives/small_systems/slot_linearization.h).
template <class S>
void LinearizePack(const PackWorlds<S>& w, bool has_step, unsigned possible, char* block, LaneTransition* of_lanes) {
  const LaneSlots* slots = w.rows().slots && !w.rows().slots->slot.empty() ? w.rows().slots : nullptr;
  unsigned done = slots && !slots->in_lanes ? 0 : possible;
  for (int lane = 0; lane < w.kWidth; ++lane) of_lanes[lane].is_done = false;
  WorkMemory memory(block);
  PackLinearizationMemory<S> of(w, w.rows().problem, slots, memory);
  const SlotProblem<S>& p = slots ? w.rows().problem : of.without_rows;
  if (done != 0) done &= LaneBits(HasGoodNumbers(w.m(), w.d()) & FactorPack(w, p));
  if (done == 0) return;
  FindStepOfPack(w, p, of.work, has_step);
  w.ShowToWorlds(w.d().qvel_data(), w.m().raw()->nv, &mjData::qvel);
  of.source.FindActuators();
  SlotResidual<S, PackSource<S>> residual(w.m(), w.d(), p, of.work, has_step, of.source);
  AddSmoothOfPack(residual);
  AddActuatorsOfPack(residual);
  AddConstraintsOfPack(residual);
  const BlockedColumns<S> columns = SolvePack(w, p, of.work, has_step);
  done &= ~of.source.failed() & LaneBits(AreFinite(columns, of.work.columns, of.work.nv));
  for (int lane = 0; lane < w.kWidth; ++lane) {
    of_lanes[lane].is_done = (done >> lane & 1) != 0;
    for (int i = 0; i < of.work.nv; ++i) of_lanes[lane].b[i] = of.work.b[i][lane];
  }
  const int nu = w.m().nu(), state = of.work.columns - nu;
  StoreVelocityRows(w, columns, state, &LaneTransition::A, of_lanes);
  StoreVelocityRows(w, columns.From(state), nu, &LaneTransition::B, of_lanes);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PACK_PACK_LINEARIZATION_KERNEL_H_
