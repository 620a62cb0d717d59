// Semi-implicit Euler. Joint damping is implicit, since explicit damping is unstable when the damping rate exceeds 2/h:
//
//   (M + h B) a = M qacc = qfrc_smooth + qfrc_constraint,    B the diagonal of damping slopes
#ifndef SINEW_INTEGRATE_EULER_KERNEL_H_
#define SINEW_INTEGRATE_EULER_KERNEL_H_

#include "integrate/velocity_derivative/implicit_kernel.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

// The acceleration (nv) that velocities follow. With `reuse_factors` those of an earlier step stand for the present
// ones. `momentum`: scratch for nv vectors.
template <class S>
void EulerAcceleration(const ModelView<S>& m, const DataView<S>& d, bool reuse_factors, Spatial<S>* momentum,
                       S* acceleration) {
  for (int i = 0; i < m.nv(); ++i) acceleration[i] = d.qfrc_smooth(i) + d.qfrc_constraint(i);
  if (!reuse_factors) FactorDampedInertia(m, d, momentum);
  for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
    SolveLDL(acceleration, d.qH_data(), d.qHDiagInv_data(), InertiaPattern(m.raw(), dofs.begin(), dofs.end()));
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_EULER_KERNEL_H_
