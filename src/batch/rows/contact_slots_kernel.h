// Rows of contacts in lanes: Jacobian, reference and regularization of the union's contact slots, from where the
// contacts of each lane are.
//
// Pairs of geoms are the same in all lanes, and with them the dofs that move the bodies: distance, point and frame
// differ, and friction and impedance where lanes have their own (own_contacts_kernel.h). The formulas are those of a
// world alone (constraint/wrench.h, impedance_kernel.h).
// Rows are made as a world alone has them, and become directions (solve/slots.h).
#ifndef SINEW_BATCH_ROWS_CONTACT_SLOTS_KERNEL_H_
#define SINEW_BATCH_ROWS_CONTACT_SLOTS_KERNEL_H_

#include "batch/fallback/lane_worlds.h"
#include "batch/rows/anchor_slots_kernel.h"
#include "batch/rows/own_contacts_kernel.h"
#include "batch/rows/row_sums_kernel.h"
#include "constraint/impedance.h"
#include "constraint/surface_kernel.h"
#include "constraint/wrench.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/flatten.h"
#include "simd/unroll.h"
#include "solve/slots.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// One contact of the union. kRows: of a world alone.
template <int kRows, bool kPyramidal, class S>
class ContactSlot {
 public:
  ContactSlot(const ModelView<S>& m, const DataView<S>& d, const LaneSlots& slots, const LaneContact& contact,
              const Surfaces& surfaces, bool has_own_laws)
      : m_(m),
        d_(d),
        contact_(contact),
        numbers_(contact, has_own_laws),
        parameters_(*contact.parameters),
        surfaces_(surfaces),
        slot_(slots.slot[contact.slot]),
        geometry_(reinterpret_cast<const S*>(contact.geometry)),
        compressed_(slots.compressed),
        present_(geometry_[LaneContact::kPresent] > S(0)),
        J_(reinterpret_cast<S*>(slots.jacobian[contact.slot])),
        aref_(PacksOf<S>(slots.aref) + slot_.first),
        D_(PacksOf<S>(slots.D) + slot_.first),
        scale_(PacksOf<S>(slots.scale) + slot_.first),
        bound_(PacksOf<S>(slots.bound) + slot_.first) {
    weight_ = numbers_.weight();
    Unroll<0, 5>([&](auto k) { friction_[k] = numbers_.friction(k); });
  }

  SINEW_STAGE void Fill() const {
    S velocity[kRows];
    FillJacobian(velocity);
    FillReference(velocity);
  }

 private:
  static constexpr int kDirections = kPyramidal ? kRows / 2 + 1 : kRows;

  // The normal is half the sum of a pair of edges, a tangent half their difference.
  void ToDirections(const S (&row)[kRows], S (&direction)[kDirections]) const {
    if constexpr (kPyramidal) {
      direction[0] = S(0.5) * (row[0] + row[1]);
      Unroll<1, kDirections>([&](auto k) { direction[k] = S(0.5) * (row[2 * k - 2] - row[2 * k - 1]); });
    } else {
      Unroll<0, kRows>([&](auto k) { direction[k] = row[k]; });
    }
  }

  // Also the velocity of each row. Lanes without the contact have a frame of zeros, and rows that are zero.
  void FillJacobian(S (&velocity)[kRows]) const {
    const S* frame = geometry_ + LaneContact::kFrame;
    const auto axes = ContactAxes<S>::Load(frame);
    const Vec3<S> point = LoadVec3(geometry_ + LaneContact::kPoint);
    const MaskOf<S> is_stuck = weight_ < Uniform<S>(kLeastWeight);
    const auto arm = [&](int side) { return point - d_.subtree_com(contact_.root[side]); };
    Spatial<S> wrench[2][kRows];
    Unroll<0, 2>([&](auto side) {
      ContactWrenches<kRows, kPyramidal>(axes, friction_, arm(side), side == 0 ? -1 : 1, wrench[side]);
    });
    RowSums<kRows, S> sums(m_.nv(), slot_.ncol, compressed_);
    for (int c = 0; c < slot_.ncol; ++c) {
      const int dof = slot_.col[c];
      const Spatial<S>& motion = d_.cdof(dof);
      const auto& of_side = wrench[contact_.is_second[c]];
      S row[kRows], direction[kDirections];
      Unroll<0, kRows>([&](auto r) {
        row[r] = of_side[r][0] * motion[0];
        Unroll<1, 6>([&](auto k) { row[r] += of_side[r][k] * motion[k]; });
      });
      if (Any(is_stuck)) {
        const S reach = ReachOfArm(point, arm(contact_.is_second[c]));
        Unroll<0, kRows>(
            [&](auto r) { row[r] = Select(is_stuck, WithoutRounding(row[r], of_side[r], motion, reach), row[r]); });
      }
      sums.Add(dof, row, d_.qvel(dof));
      ToDirections(row, direction);
      Unroll<0, kDirections>([&](auto k) { J_[k * slot_.ncol + c] = direction[k]; });
    }
    for (int r = 0; r < kRows; ++r) velocity[r] = sums.Total(r);
    if (!surfaces_) return;
    const SurfaceTwists<S> twists = SurfaceTwistsOf(surfaces_, d_, parameters_.geom, point);
    if (twists.move) AddSurfaceSpeeds(axes, twists.Relative(), friction_, kRows, kPyramidal, velocity);
  }

  void FillReference(const S (&velocity)[kRows]) const {
    constexpr bool kElliptic = !kPyramidal && kRows > 1;
    const S distance = geometry_[LaneContact::kDistance];
    const RowTerms<S> terms = numbers_.Terms(m_, kElliptic, distance);
    const ContactRegularization<S> regularization(terms.impedance, weight_, friction_, m_.raw()->opt.impratio);
    S aref[kRows], direction[kDirections];
    Unroll<0, kRows>([&](auto r) {
      constexpr bool kTangent = kElliptic && r > 0;
      aref[r] = ReferenceOfRow(kTangent ? S(0) : terms.K, kTangent ? terms.tangent_B : terms.B, terms.impedance,
                               velocity[r], kTangent ? S(0) : distance - numbers_.margin());
    });
    const double adhesion = AdhesionOf(m_.raw(), surfaces_, parameters_);
    if (adhesion > 0) {
      const S regular = kPyramidal ? regularization.Edge() : regularization.Row(0);
      const S bias = AdhesionReference(regular, adhesion, kRows, kPyramidal);
      for (int r = 0; r < (kPyramidal ? kRows : 1); ++r) aref[r] += bias;
    }
    if (contact_.anchor) AddPullOfAnchor(terms.K, terms.impedance, regularization, aref);
    ToDirections(aref, direction);
    Unroll<0, kDirections>([&](auto k) {
      aref_[k] = InLanes(direction[k]);
      D_[k] = InLanes(S(1) / (kPyramidal ? regularization.Edge() : regularization.Row(k)));
    });
    if constexpr (kElliptic) {
      const S mu = regularization.mu();
      scale_[0] = InLanes(mu);
      Unroll<1, kDirections>([&](auto k) { scale_[k] = InLanes(friction_[k - 1]); });
      bound_[0] = InLanes(MiddleStiffness(D_[0], mu));
    }
  }

  // Its spring is kept for the end of the step.
  void AddPullOfAnchor(S K, S impedance, const ContactRegularization<S>& regularization, S (&aref)[kRows]) const {
    S* numbers = AnchorNumbers<S>(contact_);
    const S* frame = geometry_ + LaneContact::kFrame;
    const Hold<S> hold = {ContactAxes<S>::Load(frame), friction_, kDirections, kPyramidal};
    const auto spring = AnchorSpring<S>::Of(K, kPyramidal ? regularization.Edge() : regularization.Row(1), impedance);
    hold.AddPull(LoadAnchor(numbers), spring, aref);
    StoreSpring(spring, numbers);
  }

  // Zero where there is no contact.
  S InLanes(S x) const { return Select(present_, x, S(0)); }

  const ModelView<S>& m_;
  const DataView<S>& d_;
  const LaneContact& contact_;
  const ContactNumbers<S> numbers_;
  const mjContact& parameters_;
  const Surfaces& surfaces_;
  const Slot& slot_;
  const S* geometry_;
  bool compressed_;
  MaskOf<S> present_;
  S *J_, *aref_, *D_, *scale_, *bound_;
  S weight_, friction_[5];
};

// All contacts of the union.
template <class S>
void FillContactSlots(const ModelView<S>& m, const DataView<S>& d, const LaneSlots& slots) {
  const bool pyramidal = m.raw()->opt.cone == mjCONE_PYRAMIDAL;
  const Surfaces surfaces = FindSurfaces(m.raw());
  FillOwnContacts(m, slots);
  for (const LaneContact& contact : slots.contacts) {
    switch (contact.parameters->dim) {
      case 1:
        ContactSlot<1, false, S>(m, d, slots, contact, surfaces, slots.own.contacts).Fill();
        break;
      case 3:
        pyramidal ? ContactSlot<4, true, S>(m, d, slots, contact, surfaces, slots.own.contacts).Fill()
                  : ContactSlot<3, false, S>(m, d, slots, contact, surfaces, slots.own.contacts).Fill();
        break;
      case 4:
        pyramidal ? ContactSlot<6, true, S>(m, d, slots, contact, surfaces, slots.own.contacts).Fill()
                  : ContactSlot<4, false, S>(m, d, slots, contact, surfaces, slots.own.contacts).Fill();
        break;
      default:
        pyramidal ? ContactSlot<10, true, S>(m, d, slots, contact, surfaces, slots.own.contacts).Fill()
                  : ContactSlot<6, false, S>(m, d, slots, contact, surfaces, slots.own.contacts).Fill();
        break;
    }
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_ROWS_CONTACT_SLOTS_KERNEL_H_
