#include "derivative/smooth.h"

#include "core/stack.h"
#include "derivative/implicit_kernel.h"
#include "derivative/smooth_kernel.h"

namespace sinew {

void SmoothVelocityDerivative(const mjModel* m, mjData* d, bool with_bias) {
  StackFrame frame(d);
  const ModelView<double> model(m);
  const DataView<double> data(d);
  SmoothForceDerivative(model, data, /*symmetric=*/!with_bias, frame.Alloc<Spatial<double>>(m->nv), d->qDeriv);
  if (!with_bias) return;
  const BiasDerivativeScratch<double> scratch = {frame.Alloc<SpatialMatrix<double>>(m->nbody),
                                                 frame.Alloc<Spatial<double>>(m->nv),
                                                 frame.Alloc<Spatial<double>>(m->nv)};
  SubtractBiasDerivative(model, data, scratch, d->qDeriv);
}

void SolveImplicitLU(const mjModel* m, mjData* d, double* x) {
  FactorImplicitLU<double>(ModelView<double>(m), DataView<double>(d));
  SolveLU(DofPattern(m), d->qLU, x);
}

void SolveImplicitLDL(const mjModel* m, mjData* d, double* x) {
  FactorImplicitLDL<double>(ModelView<double>(m), DataView<double>(d));
  SolveLDL(x, d->qH, d->qHDiagInv, InertiaPattern(m));
}

void SolveDampedInertia(const mjModel* m, mjData* d, double* x) {
  FactorDampedInertia<double>(ModelView<double>(m), DataView<double>(d));
  SolveLDL(x, d->qH, d->qHDiagInv, InertiaPattern(m));
}

}  // namespace sinew
