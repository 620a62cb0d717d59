// The part of bushings in derivatives of forces by velocity, and in the metric.
#ifndef SINEW_INTEGRATE_VELOCITY_DERIVATIVE_BUSHING_DERIVATIVE_KERNEL_H_
#define SINEW_INTEGRATE_VELOCITY_DERIVATIVE_BUSHING_DERIVATIVE_KERNEL_H_

#include "force/bushing_kernel.h"
#include "integrate/velocity_derivative/sparsity_kernel.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

// Q -= J' (D + h K) J on the D pattern. It has no place for products of dofs of two branches, and what each branch has
// alone would resist motions of both bodies together: bushings that join branches stay out, and are explicit.
template <class S>
void AddBushingDerivative(const ModelView<S>& m, const DataView<S>& d, S h, S* Q) {
  const SquarePattern pattern = DofPattern(m.raw());
  const bool elastic = Any(h != S(0)) && !(m.opt_disableflags() & mjDSBL_SPRING);
  const bool viscous = !(m.opt_disableflags() & mjDSBL_DAMPER);
  ForBushings(m, d, [&](const BushingAt<S>& bushing) {
    if (bushing.JoinsBranches()) return;
    bushing.ForColumns([&](int i, const BushingVector<S>& column) {
      BushingVector<S> load = {};
      if (viscous) load = bushing.Viscous(column);
      if (elastic) {
        const BushingVector<S> more = bushing.Elastic(column);
        for (int k = 0; k < kBushingAxes; ++k) load[k] += h * more[k];
      }
      bushing.ForColumns([&](int j, const BushingVector<S>& other) {
        for (int k = pattern.rowadr[i]; k < pattern.rowadr[i] + pattern.rownnz[i]; ++k) {
          if (pattern.colind[k] != j) continue;
          for (int axis = 0; axis < kBushingAxes; ++axis) Q[k] -= load[axis] * other[axis];
        }
      });
    });
  });
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_VELOCITY_DERIVATIVE_BUSHING_DERIVATIVE_KERNEL_H_
