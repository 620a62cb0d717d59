// Friction loss and limits of dofs and fixed tendons in lanes: which of them each lane has, and their rows in the union
// (constraint/friction_loss.cc, limit.cc). Of such a row only the position and the velocity differ between lanes.
#ifndef SINEW_BATCH_JOINT_ROWS_KERNEL_H_
#define SINEW_BATCH_JOINT_ROWS_KERNEL_H_

#include "batch/contact_slots_kernel.h"
#include "batch/lane_worlds.h"
#include "constraint/impedance.h"
#include "model/data_view.h"
#include "model/model_view.h"
#include "simd/flatten.h"
#include "simd/lane_bits.h"
#include "solve/slots.h"

namespace sinew {
inline namespace SINEW_ISA {

// What a row of a joint or tendon has in all lanes, and its distance from the end of a range in each. Friction loss has
// no distance.
template <class S>
struct JointRow {
  bool is_tendon, is_friction;
  double sign = 1, loss = 0, margin = 0;  // sign: of the Jacobian, -1 at the upper end of a range
  const double *solref, *solimp;
  S weight, distance = S(0);

  JointRow(const ModelView<S>& m, const DataView<S>& d, int type, int id, int side)
      : is_tendon(type == mjCNSTR_FRICTION_TENDON || type == mjCNSTR_LIMIT_TENDON),
        is_friction(type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON) {
    const mjModel& model = *m.raw();
    if (is_friction) {
      loss = is_tendon ? model.tendon_frictionloss[id] : model.dof_frictionloss[id];
      weight = is_tendon ? m.tendon_invweight0(id) : m.dof_invweight0(id);
      solref = (is_tendon ? model.tendon_solref_fri : model.dof_solref) + mjNREF * id;
      solimp = (is_tendon ? model.tendon_solimp_fri : model.dof_solimp) + mjNIMP * id;
      return;
    }
    sign = side == 0 ? 1 : -1;
    margin = is_tendon ? model.tendon_margin[id] : model.jnt_margin[id];
    weight = is_tendon ? m.tendon_invweight0(id) : m.dof_invweight0(model.jnt_dofadr[id]);
    solref = (is_tendon ? model.tendon_solref_lim : model.jnt_solref) + mjNREF * id;
    solimp = (is_tendon ? model.tendon_solimp_lim : model.jnt_solimp) + mjNIMP * id;
    const S position = is_tendon ? d.ten_length(id) : d.qpos_data()[model.jnt_qposadr[id]];
    const double bound = (is_tendon ? model.tendon_range : model.jnt_range)[2 * id + side];
    distance = Number(sign) * (position - Number(bound));
  }
  MaskOf<S> Touches() const { return distance < Number(margin); }

  static S Number(double a) { return S(static_cast<typename LaneTraits<S>::Lane>(a)); }
};

// Both ends of a range, of the lanes that touch them.
template <class S>
void FindEnds(const ModelView<S>& m, const DataView<S>& d, LaneWorlds& worlds, int type, int id) {
  for (int side = 0; side < 2; ++side) {
    const MaskOf<S> touches = JointRow<S>(m, d, type, id, side).Touches();
    if (Any(touches)) AddJointRow(worlds, type, id, side, BitsOfLanes(touches));
  }
}

// Lists the rows that some lane has, in the order of rows.
template <class S>
SINEW_STAGE void FindJointRows(const ModelView<S>& m, const DataView<S>& d, LaneWorlds& worlds) {
  const mjModel& model = *m.raw();
  const unsigned all = (1u << LaneTraits<S>::kWidth) - 1;
  BeginJointRows(worlds);
  if (!(model.opt.disableflags & mjDSBL_FRICTIONLOSS)) {
    for (int dof = 0; dof < model.nv; ++dof) {
      if (model.dof_frictionloss[dof] != 0) AddJointRow(worlds, mjCNSTR_FRICTION_DOF, dof, 0, all);
    }
    for (int t = 0; t < model.ntendon; ++t) {
      if (model.tendon_frictionloss[t] > 0) AddJointRow(worlds, mjCNSTR_FRICTION_TENDON, t, 0, all);
    }
  }
  if (model.opt.disableflags & mjDSBL_LIMIT) return;
  for (int joint = 0; joint < model.njnt; ++joint) {
    const bool is_scalar = model.jnt_type[joint] == mjJNT_HINGE || model.jnt_type[joint] == mjJNT_SLIDE;
    if (model.jnt_limited[joint] && is_scalar) FindEnds(m, d, worlds, mjCNSTR_LIMIT_JOINT, joint);
  }
  for (int t = 0; t < model.ntendon; ++t) {
    if (model.tendon_limited[t]) FindEnds(m, d, worlds, mjCNSTR_LIMIT_TENDON, t);
  }
}

// Writes the Jacobian of a row to `J`, one number a column of the slot, and returns the velocity along it. A joint that
// a tendon names twice has two columns in ten_J and one in the row.
template <class S>
S FillJointJacobian(const ModelView<S>& m, const DataView<S>& d, const JointRow<S>& row, int id, const Slot& slot,
                    bool compressed, S* J) {
  const mjModel& model = *m.raw();
  const S sign = JointRow<S>::Number(row.sign);
  for (int c = 0; c < slot.ncol; ++c) J[c] = row.is_tendon ? S(0) : sign;
  if (row.is_tendon) {
    const int first = model.ten_J_rowadr[id], end = first + model.ten_J_rownnz[id];
    for (int i = first, c = 0; i < end; ++i) {
      while (slot.col[c] != model.ten_J_colind[i]) ++c;
      J[c] += sign * d.ten_J_data()[i];
    }
  }
  RowSums<1, S> sums(m.nv(), compressed);
  for (int c = 0; c < slot.ncol; ++c) {
    const S entry[1] = {J[c]};
    sums.Add(slot.col[c], entry, d.qvel(slot.col[c]));
  }
  return sums.Total(0);
}

// The rows of the union, zero in lanes that do not have them.
template <class S>
SINEW_STAGE void FillJointRows(const ModelView<S>& m, const DataView<S>& d, const LaneSlots& slots) {
  const auto packs = [](double* numbers) { return reinterpret_cast<S*>(numbers); };
  const auto number = [](double a) { return JointRow<S>::Number(a); };
  for (int i = 0; i < slots.rows; ++i) {
    const LaneJointRow& place = slots.row[i];
    const Slot& slot = slots.slot[place.slot];
    const JointRow<S> row(m, d, place.type, place.id, place.side);
    const MaskOf<S> present = row.is_friction ? S(0) < S(1) : row.Touches();
    S* J = packs(slots.jacobian[place.slot]);
    const S velocity = FillJointJacobian(m, d, row, place.id, slot, slots.compressed, J);

    const ImpedanceAt<S> impedance = EvaluateImpedance<S>(row.solimp, row.distance, row.margin);
    const ReferenceGains gains = GainsOf(m.raw(), row.solref, nullptr, impedance.dwidth);
    const S R = Max(number(kMinVal), (S(1) - impedance.value) / impedance.value * row.weight);
    const S aref = ReferenceOfRow(row.is_friction ? 0.0 : gains.K, gains.B, impedance.value, velocity,
                                  row.distance - number(row.margin));
    const auto write = [&](double* to, S x) { packs(to)[slot.first] = Select(present, x, S(0)); };
    for (int c = 0; c < slot.ncol; ++c) J[c] = Select(present, J[c], S(0));
    write(slots.aref, aref);
    write(slots.D, S(1) / R);
    if (!row.is_friction) continue;
    write(slots.scale, number(row.loss));
    write(slots.bound, R * number(row.loss));
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_BATCH_JOINT_ROWS_KERNEL_H_
