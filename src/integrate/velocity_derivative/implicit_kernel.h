// The matrices that implicit integrators factor: inertia M, less the time step h times the velocity derivative of
// forces.
#ifndef SINEW_INTEGRATE_VELOCITY_DERIVATIVE_IMPLICIT_KERNEL_H_
#define SINEW_INTEGRATE_VELOCITY_DERIVATIVE_IMPLICIT_KERNEL_H_

#include "force/polynomial_kernel.h"
#include "inertia/acceleration_kernel.h"
#include "inertia/deep_tree_kernel.h"
#include "integrate/velocity_derivative/sparsity_kernel.h"
#include "math/sparse_lu.h"
#include "model/view/data_view.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

// qLU = U L factors of M - h qDeriv. Entries without a place in M belong to dofs that M does not couple.
template <class S>
void FactorImplicitLU(const ModelView<S>& m, const DataView<S>& d) {
  const S h = m.opt_timestep();
  for (int k = 0; k < m.nD(); ++k) {
    const int entry = m.mapM2D(k);
    d.qLU(k) = (entry >= 0 ? d.M(entry) : S(0)) - h * d.qDeriv(k);
  }
  FactorLU(DofPattern(m.raw()), d.qLU_data());
}

// qH, qHDiagInv = L' D L factors of the part of M - h qDeriv that has the pattern of M.
template <class S>
void FactorImplicitLDL(const ModelView<S>& m, const DataView<S>& d) {
  const S h = m.opt_timestep();
  for (int k = 0; k < m.nC(); ++k) d.qH(k) = d.M(k) - h * d.qDeriv(m.mapD2M(k));
  for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
    FactorLDL(d.qH_data(), d.qHDiagInv_data(), InertiaPattern(m.raw(), dofs.begin(), dofs.end()));
  }
}

// qH, qHDiagInv = L' D L factors of M + h B, B the diagonal of joint damping. `momentum`: scratch for nv vectors.
template <class S>
void FactorDampedInertia(const ModelView<S>& m, const DataView<S>& d, Spatial<S>* momentum) {
  const S h = m.opt_timestep();
  const auto damping = [&](int i) { return h * DamperSlope(DofDamping(m, i), d.qvel(i)); };
  if (IsDeep(m.raw()) && !HasTendonArmature(m)) {
    return FactorDeepTree(m, d, damping, momentum, d.qH_data(), d.qHDiagInv_data());
  }
  for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
    const RowPattern pattern = InertiaPattern(m.raw(), dofs.begin(), dofs.end());
    for (int k = pattern.FirstEntry(); k < pattern.EndOfEntries(); ++k) d.qH(k) = d.M(k);
    for (int i = dofs.begin(); i < dofs.end(); ++i) d.qH(pattern.Diagonal(i)) += damping(i);
    FactorLDL(d.qH_data(), d.qHDiagInv_data(), pattern);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_VELOCITY_DERIVATIVE_IMPLICIT_KERNEL_H_
