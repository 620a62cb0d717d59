// Rows of joints and tendons in lanes: friction loss and limits (constraint/friction_loss.cc, limit.cc). Which of them
// each lane has, and their numbers in the union. Those of equalities are listed and placed here, too
// (equality_rows_kernel.h).
#ifndef SINEW_BATCH_ROWS_JOINT_ROWS_KERNEL_H_
#define SINEW_BATCH_ROWS_JOINT_ROWS_KERNEL_H_

#include "batch/fallback/lane_worlds.h"
#include "batch/rows/equality_rows_kernel.h"
#include "batch/rows/row_sums_kernel.h"
#include "constraint/impedance.h"
#include "constraint/limit_kernel.h"
#include "constraint/row_terms_kernel.h"
#include "constraint/tendon_row_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/flatten.h"
#include "simd/lane_bits.h"
#include "solve/slots.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// The data of a row of a joint or tendon, and its distance from the end of a range in each lane. Friction loss has no
// distance.
template <class S>
struct JointRow {
  bool is_tendon, is_friction, is_ball;
  double sign = 1;  // of the Jacobian, -1 at the upper end of a range
  const double *solref, *solimp;
  LaneRow<S> own_solref, own_solimp;  // of the lanes
  S margin = S(0), weight, distance = S(0), loss = S(0);
  Vec3<S> of_ball;  // its Jacobian

  JointRow(const ModelView<S>& m, const DataView<S>& d, int type, int id, int side)
      : is_tendon(type == mjCNSTR_FRICTION_TENDON || type == mjCNSTR_LIMIT_TENDON),
        is_friction(type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON),
        is_ball(type == mjCNSTR_LIMIT_JOINT && m.raw()->jnt_type[id] == mjJNT_BALL),
        own_solref(is_friction ? (is_tendon ? m.tendon_solref_fri(id) : m.dof_solref(id))
                               : (is_tendon ? m.tendon_solref_lim(id) : m.jnt_solref(id))),
        own_solimp(is_friction ? (is_tendon ? m.tendon_solimp_fri(id) : m.dof_solimp(id))
                               : (is_tendon ? m.tendon_solimp_lim(id) : m.jnt_solimp(id))),
        of_ball(Zero3<S>()) {
    const mjModel& model = *m.raw();
    if (is_friction) {
      loss = is_tendon ? m.tendon_frictionloss(id) : m.dof_frictionloss(id);
      weight = is_tendon ? m.tendon_invweight0(id) : m.dof_invweight0(id);
      solref = (is_tendon ? model.tendon_solref_fri : model.dof_solref) + mjNREF * id;
      solimp = (is_tendon ? model.tendon_solimp_fri : model.dof_solimp) + mjNIMP * id;
      return;
    }
    sign = side == 0 ? 1 : -1;
    margin = is_tendon ? m.tendon_margin(id) : m.jnt_margin(id);
    weight = is_tendon ? m.tendon_invweight0(id) : m.dof_invweight0(model.jnt_dofadr[id]);
    solref = (is_tendon ? model.tendon_solref_lim : model.jnt_solref) + mjNREF * id;
    solimp = (is_tendon ? model.tendon_solimp_lim : model.jnt_solimp) + mjNIMP * id;
    if (is_ball) {
      const BallLimit<S> limit = LimitOfBall(m, d, id);
      of_ball = limit.jacobian;
      distance = limit.distance;
      return;
    }
    const S position = is_tendon ? d.ten_length(id) : d.qpos_data()[model.jnt_qposadr[id]];
    const RowOf<S> range = is_tendon ? m.tendon_range(id) : m.jnt_range(id);
    distance = Uniform<S>(sign) * (position - range[side]);
  }
  MaskOf<S> Touches() const { return distance < margin; }
  RowTerms<S> Terms(const ModelView<S>& m, bool own_laws) const {
    return own_laws ? OwnTerms(m, own_solref, own_solimp, distance, margin)
                    : SharedTerms(m.raw(), solref, nullptr, solimp, distance, margin);
  }
};

// Lanes in which a tendon moves with any dof. A world alone drops dense rows that do not.
template <class S>
MaskOf<S> Moves(const ModelView<S>& m, const DataView<S>& d, const LaneWorlds& worlds, int tendon) {
  const mjModel& model = *m.raw();
  const int first = model.ten_J_rowadr[tendon], end = first + model.ten_J_rownnz[tendon];
  MaskOf<S> moves = S(1) < S(0);
  if (worlds.AreRowsCompressed()) return first < end ? !moves : moves;
  for (int i = first; i < end;) {
    const int dof = model.ten_J_colind[i];
    S entry(0);
    for (; i < end && model.ten_J_colind[i] == dof; ++i) entry += d.ten_J_data()[i];
    moves = moves | (entry != S(0));
  }
  return moves;
}

// The ends of a range, of the lanes that touch them. A ball joint has one.
template <class S>
void FindEnds(const ModelView<S>& m, const DataView<S>& d, LaneWorlds& worlds, int type, int id) {
  for (int side = 0; side < 2; ++side) {
    const JointRow<S> row(m, d, type, id, side);
    MaskOf<S> touches = row.Touches();
    if (row.is_tendon && Any(touches)) touches = touches & Moves(m, d, worlds, id);
    if (Any(touches)) worlds.AddJointRow(type, id, side, LaneBits(touches));
    if (row.is_ball) return;
  }
}

// Lists the rows that some lane has, in the order of rows.
template <class S>
SINEW_STAGE void FindJointRows(const ModelView<S>& m, const DataView<S>& d, LaneWorlds& worlds) {
  const mjModel& model = *m.raw();
  const unsigned all = (1u << LaneTraits<S>::kWidth) - 1;
  worlds.BeginJointRows();
  FindEqualityRows(m, d, worlds);
  if (!(model.opt.disableflags & mjDSBL_FRICTIONLOSS)) {
    for (int dof = 0; dof < model.nv; ++dof) {
      if (model.dof_frictionloss[dof] != 0) worlds.AddJointRow(mjCNSTR_FRICTION_DOF, dof, 0, all);
    }
    for (int t = 0; t < model.ntendon; ++t) {
      if (!(model.tendon_frictionloss[t] > 0)) continue;
      const unsigned lanes = LaneBits(Moves(m, d, worlds, t));
      if (lanes != 0) worlds.AddJointRow(mjCNSTR_FRICTION_TENDON, t, 0, lanes);
    }
  }
  if (model.opt.disableflags & mjDSBL_LIMIT) return;
  for (int joint = 0; joint < model.njnt; ++joint) {
    if (model.jnt_limited[joint] && model.jnt_type[joint] != mjJNT_FREE) {
      FindEnds(m, d, worlds, mjCNSTR_LIMIT_JOINT, joint);
    }
  }
  for (int t = 0; t < model.ntendon; ++t) {
    if (model.tendon_limited[t]) FindEnds(m, d, worlds, mjCNSTR_LIMIT_TENDON, t);
  }
}

// Writes the Jacobian of a row to `J`, one number a column of the slot, and returns the velocity along it.
template <class S>
S FillJointJacobian(const ModelView<S>& m, const DataView<S>& d, const JointRow<S>& row, int id, const Slot& slot,
                    bool compressed, S* J) {
  const S sign = Uniform<S>(row.sign);
  for (int c = 0; c < slot.ncol; ++c) J[c] = row.is_tendon ? S(0) : row.is_ball ? row.of_ball[c] : sign;
  if (row.is_tendon) {
    AddTendonJacobian(m.raw(), d.ten_J_data(), id, sign, slot.col, [J](int c) -> S& { return J[c]; });
  }
  RowSums<1, S> sums(m.nv(), slot.ncol, compressed);
  for (int c = 0; c < slot.ncol; ++c) {
    const S entry[1] = {J[c]};
    sums.Add(slot.col[c], entry, d.qvel(slot.col[c]));
  }
  return sums.Total(0);
}

// The rows of the union, zero in lanes that do not have them.
template <class S>
SINEW_STAGE void FillJointRows(const ModelView<S>& m, const DataView<S>& d, const LaneSlots& slots) {
  for (const LaneJointRow& place : slots.rows) {
    const Slot& slot = slots.slot[place.slot];
    if (place.type == mjCNSTR_EQUALITY) {
      PlaceEqualityRow<S>(slots.equality[place.id], slot, slots);
      continue;
    }
    const JointRow<S> row(m, d, place.type, place.id, place.side);
    const MaskOf<S> present = MaskOfBits<S>(place.lanes);
    S* J = reinterpret_cast<S*>(slots.jacobian[place.slot]);
    const S velocity = FillJointJacobian(m, d, row, place.id, slot, slots.compressed, J);

    const RowTerms<S> terms = row.Terms(m, slots.own.rows);
    const S R = RegularizationOfRow(terms.impedance, row.weight);
    const S aref =
        ReferenceOfRow(row.is_friction ? S(0) : terms.K, terms.B, terms.impedance, velocity, row.distance - row.margin);
    const auto write = [&](LaneSpan<double> to, S x) { PacksOf<S>(to)[slot.first] = Select(present, x, S(0)); };
    for (int c = 0; c < slot.ncol; ++c) J[c] = Select(present, J[c], S(0));
    write(slots.aref, aref);
    write(slots.D, S(1) / R);
    if (!row.is_friction) continue;
    write(slots.scale, row.loss);
    write(slots.bound, R * row.loss);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_ROWS_JOINT_ROWS_KERNEL_H_
