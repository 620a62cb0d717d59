// Acceleration without constraints.
//
//   in:  qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator, xfrc_applied, qLD, qLDiagInv
//   out: qfrc_smooth = passive - bias + applied + actuator + J' xfrc_applied,   qacc_smooth = M^-1 qfrc_smooth
#ifndef SINEW_INERTIA_ACCELERATION_KERNEL_H_
#define SINEW_INERTIA_ACCELERATION_KERNEL_H_

#include "inertia/ldl_kernel.h"
#include "kinematics/apply_kernel.h"
#include "model/state/awake_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline inertia {
inline namespace SINEW_ISA {

// M has this pattern, and so have all matrices that couple the same dofs.
inline RowPattern InertiaPattern(const mjModel* m) {
  return {static_cast<int>(m->nv), m->M_rownnz, m->M_rowadr, m->M_colind};
}

// The part that belongs to dofs [begin, end), which are those of whole trees.
inline RowPattern InertiaPattern(const mjModel* m, int begin, int end) {
  return {end, m->M_rownnz, m->M_rowadr, m->M_colind, begin};
}

// qLD and qLDiagInv: M = L'D L.
template <class S>
void FactorM(const ModelView<S>& m, const DataView<S>& d) {
  const S* __restrict from = d.M_data();
  S* __restrict to = d.qLD_data();
  for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
    const RowPattern pattern = InertiaPattern(m.raw(), dofs.begin(), dofs.end());
    for (int k = pattern.FirstEntry(); k < pattern.EndOfEntries(); ++k) to[k] = from[k];
    FactorLDL(d.qLD_data(), d.qLDiagInv_data(), pattern);
  }
}

template <class S>
void SmoothForce(const ModelView<S>& m, const DataView<S>& d) {
  for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
    for (int i = dofs.begin(); i < dofs.end(); ++i) {
      d.qfrc_smooth(i) = d.qfrc_passive(i) - d.qfrc_bias(i) + d.qfrc_applied(i) + d.qfrc_actuator(i);
    }
  }
  XfrcAccumulate(m, d, d.qfrc_smooth_data());
}

template <class S>
void SmoothAcceleration(const ModelView<S>& m, const DataView<S>& d) {
  SmoothForce(m, d);
  for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
    for (int i = dofs.begin(); i < dofs.end(); ++i) d.qacc_smooth(i) = d.qfrc_smooth(i);
    const RowPattern pattern = InertiaPattern(m.raw(), dofs.begin(), dofs.end());
    SolveLDL(d.qacc_smooth_data(), d.qLD_data(), d.qLDiagInv_data(), pattern);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline inertia

#endif  // SINEW_INERTIA_ACCELERATION_KERNEL_H_
