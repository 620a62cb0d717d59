// Contacts whose parameters differ between lanes: friction, impedance, reference and margin are mixed from both
// surfaces in each lane, by the formulas of a world alone (collision/contact_mix_kernel.h).
#ifndef SINEW_BATCH_ROWS_OWN_CONTACTS_KERNEL_H_
#define SINEW_BATCH_ROWS_OWN_CONTACTS_KERNEL_H_

#include "batch/fallback/lane_worlds.h"
#include "collision/contact_mix_kernel.h"
#include "constraint/row_terms_kernel.h"
#include "model/view/model_view.h"
#include "simd/flatten.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// Distance below which the contacts of a pair are detected, and by how much less they have rows (collision/item.h).
template <class S>
struct PairDistances {
  S margin, gap;

  PairDistances(const ModelView<S>& m, int geom1, int geom2, int explicit_pair)
      : margin(explicit_pair >= 0 ? m.pair_margin(explicit_pair) : m.geom_margin(geom1) + m.geom_margin(geom2)),
        gap(explicit_pair >= 0 ? m.pair_gap(explicit_pair) : m.geom_gap(geom1) + m.geom_gap(geom2)) {}
};

template <class S>
S MarginOf(const ModelView<S>& m, const LanePairs& pairs, int pair) {
  if (!pairs.margin.empty()) return Uniform<S>(pairs.margin[pair]);
  return PairDistances<S>(m, pairs.geom1[pair], pairs.geom2[pair], pairs.explicit_pair[pair]).margin;
}

template <class S>
using MixedOfLanes = MixedNumbers<NumbersOfLanes<S>>;

template <class S>
MixedOfLanes<S> MixInLanes(const ModelView<S>& m, const LaneContact& contact) {
  const auto surface = [&m](int geom) {
    return SurfaceNumbers<NumbersOfLanes<S>, LaneRow<S>, Vec3<S>>{m.geom_condim(geom), m.geom_priority(geom),
                                                                  m.geom_solmix(geom), m.geom_friction(geom),
                                                                  m.geom_solref(geom), m.geom_solimp(geom)};
  };
  const int pair = contact.explicit_pair;
  if (pair < 0) return MixedOfLanes<S>::Mix(surface(contact.parameters->geom[0]), surface(contact.parameters->geom[1]));
  return MixedOfLanes<S>::OfRows(m.pair_dim(pair), m.pair_friction(pair), m.pair_solref(pair),
                                 m.pair_solreffriction(pair), m.pair_solimp(pair));
}

// The parameters that all lanes share, in each.
template <class S>
void CopyShared(const mjContact& from, S* own) {
  const auto copy = [own](int first, int count, const mjtNum* numbers) {
    for (int i = 0; i < count; ++i) own[first + i] = Uniform<S>(numbers[i]);
  };
  copy(LaneContact::kFriction, 5, from.friction);
  copy(LaneContact::kMargin, 1, &from.includemargin);
  copy(LaneContact::kSolref, mjNREF, from.solref);
  copy(LaneContact::kSolrefFriction, mjNREF, from.solreffriction);
  copy(LaneContact::kSolimp, mjNIMP, from.solimp);
}

template <class S>
void MixOwn(const ModelView<S>& m, const LaneContact& contact, S* own) {
  const MixedOfLanes<S> mixed = MixInLanes(m, contact);
  const FrictionNumbers<S>& f = mixed.friction;
  const S five[] = {f.sliding1, f.sliding2, f.torsional, f.rolling1, f.rolling2};
  for (int i = 0; i < 5; ++i) own[LaneContact::kFriction + i] = five[i];
  for (int i = 0; i < mjNREF; ++i) {
    own[LaneContact::kSolref + i] = mixed.solref.x[i];
    own[LaneContact::kSolrefFriction + i] = mixed.solreffriction.x[i];
  }
  own[LaneContact::kSolimp] = mixed.d0;
  for (int i = 1; i < mjNIMP; ++i) own[LaneContact::kSolimp + i] = mixed.rest.x[i - 1];
  const auto [geom1, geom2] = contact.parameters->geom;
  const PairDistances<S> distances(m, geom1, geom2, contact.explicit_pair);
  own[LaneContact::kMargin] = distances.margin - distances.gap;
}

// Writes `own` of all contacts, where there is room for it: where lanes have parameters of their own.
template <class S>
SINEW_STAGE void FillOwnContacts(const ModelView<S>& m, const LaneSlots& slots) {
  const bool overridden = m.opt_enableflags() & mjENBL_OVERRIDE;
  const bool pyramidal = m.raw()->opt.cone == mjCONE_PYRAMIDAL;
  for (const LaneContact& contact : slots.contacts) {
    if (!contact.own) return;
    S* own = reinterpret_cast<S*>(contact.own);
    overridden ? CopyShared(*contact.parameters, own) : MixOwn(m, contact, own);
    const S linear = m.body_invweight0(contact.body[0])[0] + m.body_invweight0(contact.body[1])[0];
    own[LaneContact::kWeight] =
        pyramidal && contact.parameters->dim > 1 ? WeightOfEdge(linear, own[LaneContact::kFriction], linear) : linear;
  }
}

// Friction and weight of a contact, and the terms of its rows at a distance.
template <class S>
class ContactNumbers {
 public:
  ContactNumbers(const LaneContact& contact, bool has_own_laws)
      : parameters_(*contact.parameters),
        weight_(contact.weight),
        own_(reinterpret_cast<const S*>(contact.own)),
        laws_(has_own_laws ? own_ : nullptr) {}

  S weight() const { return own_ ? own_[LaneContact::kWeight] : Uniform<S>(weight_); }
  S friction(int k) const { return own_ ? own_[LaneContact::kFriction + k] : Uniform<S>(parameters_.friction[k]); }
  // From here to the surface, a contact has rows.
  S margin() const { return laws_ ? laws_[LaneContact::kMargin] : Uniform<S>(parameters_.includemargin); }
  RowTerms<S> Terms(const ModelView<S>& m, bool is_elliptic, S distance) const {
    if (laws_) {
      return OwnTerms<S>(m, laws_ + LaneContact::kSolref, is_elliptic ? laws_ + LaneContact::kSolrefFriction : nullptr,
                         laws_ + LaneContact::kSolimp, distance, margin());
    }
    return SharedTerms<S>(m.raw(), parameters_.solref, is_elliptic ? parameters_.solreffriction : nullptr,
                          parameters_.solimp, distance, margin());
  }

 private:
  const mjContact& parameters_;
  double weight_;
  const S *own_, *laws_;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_ROWS_OWN_CONTACTS_KERNEL_H_
