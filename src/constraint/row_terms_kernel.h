// Stiffness, damping and impedance of a row by its solref, solimp and distance: from numbers of all lanes, or of each.
#ifndef SINEW_CONSTRAINT_ROW_TERMS_KERNEL_H_
#define SINEW_CONSTRAINT_ROW_TERMS_KERNEL_H_

#include "constraint/impedance.h"
#include "model/view/model_view.h"
#include "simd/flatten.h"

namespace sinew::inline constraint {
inline namespace SINEW_ISA {

// Impedance and its slope by the distance; stiffness and damping, and damping of the tangents of an elliptic contact.
template <class S>
struct RowTerms {
  S impedance, slope, K, B, tangent_B;
};

// `solreffriction`: as in GainsOf.
template <class S>
RowTerms<S> SharedTerms(const mjModel* m, const double* solref, const double* solreffriction, const double* solimp,
                        S distance, S margin) {
  const ImpedanceAt<S> at = EvaluateImpedance<S>(solimp, distance, margin);
  const ReferenceGains gains = GainsOf(m, solref, solreffriction, at.dwidth);
  return {at.value, at.slope, Uniform<S>(gains.K), Uniform<S>(gains.B), Uniform<S>(gains.tangent_B)};
}
template <class S>
SINEW_STAGE RowTerms<S> OwnTerms(const ModelView<S>& m, const S* solref, const S* solreffriction, const S* solimp,
                                 S distance, S margin) {
  const S least = m.opt_disableflags() & mjDSBL_REFSAFE ? S(0) : S(2) * m.opt_timestep();
  const ImpedanceAt<S, S> at = EvaluateImpedance<S>(solimp, distance, margin);
  const ReferenceGainsOf<S> gains = GainsOfReference(least, solref, solreffriction, at.dwidth);
  return {at.value, at.slope, gains.K, gains.B, gains.tangent_B};
}

// Of a row without tangents, by its rows of a ModelView.
template <class S>
RowTerms<S> OwnTerms(const ModelView<S>& m, const LaneRow<S>& solref, const LaneRow<S>& solimp, S distance, S margin) {
  S own_ref[mjNREF], own_imp[mjNIMP];
  for (int i = 0; i < mjNREF; ++i) own_ref[i] = solref[i];
  for (int i = 0; i < mjNIMP; ++i) own_imp[i] = solimp[i];
  return OwnTerms<S>(m, own_ref, nullptr, own_imp, distance, margin);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_ROW_TERMS_KERNEL_H_
