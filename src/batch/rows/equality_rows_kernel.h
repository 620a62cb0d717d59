// Rows of equalities in lanes (constraint/equality_bodies.cc, equality_scalar.cc): Jacobian, reference and
// regularization of each that is active in some lane. Which dofs move its objects is the same in all lanes; where these
// are, and whether the equality is active, differs.
#ifndef SINEW_BATCH_ROWS_EQUALITY_ROWS_KERNEL_H_
#define SINEW_BATCH_ROWS_EQUALITY_ROWS_KERNEL_H_

#include "batch/fallback/lane_worlds.h"
#include "batch/rows/row_sums_kernel.h"
#include "constraint/equality_kernel.h"
#include "constraint/row_terms_kernel.h"
#include "constraint/side.h"
#include "constraint/tendon_row_kernel.h"
#include "math/interleaved.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/flatten.h"
#include "simd/lane_bits.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// The rows of one equality, which are written to its own numbers.
template <class S>
class EqualityRows {
 public:
  EqualityRows(const ModelView<S>& m, const DataView<S>& d, const JointCouplings& couplings, const LaneEquality& place,
               bool compressed, bool own_laws, int id)
      : m_(m),
        d_(d),
        couplings_(couplings),
        place_(place),
        compressed_(compressed),
        own_laws_(own_laws),
        id_(id),
        J_(PacksOf<S>(place.numbers)),
        aref_(J_ + place.dim * place.dof.count),
        D_(aref_ + place.dim) {}

  // Returns the lanes of `active` that have rows: a world alone drops dense ones that do not move. Numbers of the
  // others become zero.
  unsigned Fill(unsigned active) const {
    switch (m_.raw()->eq_type[id_]) {
      case mjEQ_CONNECT:
        FillPose<3>(ConnectPose(m_, d_, id_));
        break;
      case mjEQ_WELD:
        FillPose<6>(WeldPose(m_, d_, id_));
        break;
      case mjEQ_JOINT:
        FillJoint();
        break;
      default:
        FillTendon();
        break;
    }
    const int entries = place_.dim * place_.dof.count;
    MaskOf<S> moves = compressed_ ? S(0) < S(1) : S(1) < S(0);
    for (int i = 0; i < entries; ++i) moves = moves | (J_[i] != S(0));
    const MaskOf<S> present = MaskOfBits<S>(active) & moves;
    for (int i = 0; i < entries + 2 * place_.dim; ++i) J_[i] = Select(present, J_[i], S(0));
    return LaneBits(present);
  }

 private:
  // Reference and regularization of all rows. `bias`: Jdot v, or null.
  template <int kRows>
  void Finish(const S (&residual)[kRows], const S (&weight)[kRows], const S (&velocity)[kRows], const S* bias,
              S distance) const {
    const mjModel* m = m_.raw();
    const RowTerms<S> terms = own_laws_ ? OwnTerms<S>(m_, m_.eq_solref(id_), m_.eq_solimp(id_), distance, S(0))
                                        : SharedTerms<S>(m, m->eq_solref + mjNREF * id_, nullptr,
                                                         m->eq_solimp + mjNIMP * id_, distance, S(0));
    for (int r = 0; r < kRows; ++r) {
      aref_[r] = ReferenceOfRow(terms.K, terms.B, terms.impedance, velocity[r], residual[r]);
      if (bias) aref_[r] -= bias[r];
      D_[r] = S(1) / RegularizationOfRow(terms.impedance, weight[r]);
    }
  }

  // ---- connect and weld

  template <int kRows>
  void FillPose(const EqualityPoseOf<S>& pose) const {
    S velocity[kRows], residual[kRows], weight[kRows], bias[kRows];
    FillPoseJacobian<kRows>(pose, velocity);
    PoseResiduals(pose, kRows, residual);
    PoseBias(m_, d_, pose, kRows, bias);
    const RowOf<S> first = m_.body_invweight0(pose.body[0]), second = m_.body_invweight0(pose.body[1]);
    for (int k = 0; k < kRows; ++k) {
      const int turns = k >= 3;
      weight[k] = first[turns] + second[turns];
    }
    Finish<kRows>(residual, weight, velocity, bias, Sqrt(InterleavedDot(residual, residual, kRows)));
  }

  template <int kRows>
  void FillPoseJacobian(const EqualityPoseOf<S>& pose, S (&velocity)[kRows]) const {
    Spatial<S> wrench[2][kRows], on_both[kRows];
    PoseWrenches<kRows>(m_, d_, pose, wrench);
    for (int r = 0; r < kRows; ++r) on_both[r] = wrench[0][r] + wrench[1][r];
    RowSums<kRows, S> sums(m_.nv(), place_.dof.count, compressed_);
    for (int c = 0; c < place_.dof.count; ++c) {
      const int dof = place_.dof[c], side = place_.side[c];
      const Spatial<S>& motion = d_.cdof(dof);
      const auto& of_side = side == kBothBodies ? on_both : wrench[side - 1];
      S row[kRows];
      Unroll<0, kRows>([&](auto r) {
        row[r] = of_side[r][0] * motion[0];
        Unroll<1, 6>([&](auto k) { row[r] += of_side[r][k] * motion[k]; });
        J_[r * place_.dof.count + c] = row[r];
      });
      sums.Add(dof, row, d_.qvel(dof));
    }
    for (int r = 0; r < kRows; ++r) velocity[r] = sums.Total(r);
  }

  // ---- joints and tendons

  // The row is there already.
  void FinishScalar(const ScalarEquality<S>& equality, S of_weight) const {
    RowSums<1, S> sums(m_.nv(), place_.dof.count, compressed_);
    for (int c = 0; c < place_.dof.count; ++c) {
      const S entry[1] = {J_[c]};
      sums.Add(place_.dof[c], entry, d_.qvel(place_.dof[c]));
    }
    const S residual[1] = {equality.residual}, weight[1] = {of_weight}, velocity[1] = {sums.Total(0)};
    Finish<1>(residual, weight, velocity, nullptr, equality.residual);
  }

  void FillJoint() const {
    const mjModel& m = *m_.raw();
    const int joint1 = m.eq_obj1id[id_], joint2 = m.eq_obj2id[id_], dof1 = m.jnt_dofadr[joint1];
    const ScalarEquality<S> equality = JointEquality(m_, couplings_, d_.qpos_data(), id_);
    for (int c = 0; c < place_.dof.count; ++c) J_[c] = place_.dof[c] == dof1 ? S(1) : equality.slope;
    S weight = m_.dof_invweight0(dof1);
    if (joint2 >= 0) weight += m_.dof_invweight0(m.jnt_dofadr[joint2]);
    FinishScalar(equality, weight);
  }

  S LengthOf(int tendon) const { return d_.ten_length(tendon) - m_.tendon_length0(tendon); }
  void FillTendon() const {
    const mjModel& m = *m_.raw();
    const int tendon1 = m.eq_obj1id[id_], tendon2 = m.eq_obj2id[id_];
    const bool has_second = tendon2 >= 0;
    const ScalarEquality<S> equality(m_.eq_data(id_), LengthOf(tendon1), has_second,
                                     has_second ? LengthOf(tendon2) : S(0));
    const auto add = [&](int tendon, S scale) {
      AddTendonJacobian(&m, d_.ten_J_data(), tendon, scale, place_.dof.data, [this](int c) -> S& { return J_[c]; });
    };
    for (int c = 0; c < place_.dof.count; ++c) J_[c] = S(0);
    add(tendon1, S(1));
    S weight = m_.tendon_invweight0(tendon1);
    if (has_second) {
      add(tendon2, equality.slope);
      weight += m_.tendon_invweight0(tendon2);
    }
    FinishScalar(equality, weight);
  }

  const ModelView<S>& m_;
  const DataView<S>& d_;
  const JointCouplings& couplings_;
  const LaneEquality& place_;
  bool compressed_, own_laws_;
  int id_;
  S *J_, *aref_, *D_;
};

// Makes the rows of all equalities, and lists those that some lane has.
template <class S>
SINEW_STAGE void FindEqualityRows(const ModelView<S>& m, const DataView<S>& d, LaneWorlds& worlds) {
  const mjModel& model = *m.raw();
  if (model.opt.disableflags & mjDSBL_EQUALITY) return;
  const LaneSpan<const LaneEquality> equalities = worlds.Equalities();
  const JointCouplings couplings(&model);
  for (int id = 0; id < model.neq; ++id) {
    if (equalities[id].dof.count == 0) continue;
    unsigned active = 0;
    for (int lane = 0; lane < LaneTraits<S>::kWidth; ++lane) {
      if (worlds.World(lane)->eq_active[id]) active |= 1u << lane;
    }
    if (active == 0) continue;
    const EqualityRows<S> rows(m, d, couplings, equalities[id], worlds.AreRowsCompressed(), worlds.Own().rows, id);
    const unsigned present = rows.Fill(active);
    if (present != 0) worlds.AddJointRow(mjCNSTR_EQUALITY, id, 0, present);
  }
}

// Numbers of directions to their place in the union; the Jacobian stays where it is.
template <class S>
void PlaceEqualityRow(const LaneEquality& equality, const Slot& slot, const LaneSlots& slots) {
  const S* numbers = PacksOf<S>(equality.numbers) + equality.dim * equality.dof.count;
  S *aref = PacksOf<S>(slots.aref) + slot.first, *D = PacksOf<S>(slots.D) + slot.first;
  for (int k = 0; k < equality.dim; ++k) {
    aref[k] = numbers[k];
    D[k] = numbers[equality.dim + k];
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_ROWS_EQUALITY_ROWS_KERNEL_H_
