#include "integrate/velocity_derivative/smooth.h"

#include "core/stack.h"
#include "force/compliant_contact.h"
#include "inertia/inertia.h"
#include "integrate/velocity_derivative/implicit_kernel.h"
#include "integrate/velocity_derivative/metric_kernel.h"
#include "integrate/velocity_derivative/smooth_kernel.h"

namespace sinew::inline integrate {

SINEW_DISPATCH void SmoothVelocityDerivative(const mjModel* m, mjData* d, bool with_bias) {
  StackFrame frame(d);
  const ModelView<double> model(m);
  const DataView<double> data(d);
  SmoothForceDerivative(model, data, /*symmetric=*/!with_bias, frame.Alloc<Spatial<double>>(m->nv), d->qDeriv);
  AddCompliantDerivative(m, d, /*symmetric=*/!with_bias, d->qDeriv);
  if (!with_bias) return;
  const BiasDerivativeScratch<double> scratch = {frame.Alloc<SpatialMatrix<double>>(m->nbody),
                                                 frame.Alloc<Spatial<double>>(m->nv),
                                                 frame.Alloc<Spatial<double>>(m->nv)};
  SubtractBiasDerivative(model, data, scratch, d->qDeriv);
}

SINEW_DISPATCH void MakeMetric(const mjModel* m, mjData* d, double* row_slope) {
  StackFrame frame(d);
  MakeMetric<double>(m, d, frame.Alloc<Spatial<double>>(m->nv), row_slope);
}

SINEW_DISPATCH void MetricAcceleration(const mjModel* m, mjData* d, double* row_slope) {
  StackFrame frame(d);
  MetricAcceleration<double>(m, d, frame.Alloc<Spatial<double>>(m->nv), row_slope);
}

void FactorImplicit(const mjModel* m, mjData* d) {
  const ModelView<double> model(m);
  const DataView<double> data(d);
  switch (m->opt.integrator) {
    case mjINT_IMPLICIT:
      SmoothVelocityDerivative(m, d, /*with_bias=*/true);
      FactorImplicitLU(model, data);
      break;
    case mjINT_IMPLICITFAST:
      SmoothVelocityDerivative(m, d, /*with_bias=*/false);
      FactorImplicitLDL(model, data);
      break;
    default: {
      StackFrame frame(d);
      FactorDampedInertia(model, data, frame.Alloc<Spatial<double>>(m->nv));
    }
  }
}

void SolveImplicit(const mjModel* m, const mjData* d, double* x) {
  if (m->opt.integrator == mjINT_IMPLICIT) return SolveLU(DofPattern(m), d->qLU, x);
  for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
    SolveLDL(x, d->qH, d->qHDiagInv, InertiaPattern(m, dofs.begin(), dofs.end()));
  }
}

void SolveImplicitTransposed(const mjModel* m, const mjData* d, double* x) {
  if (m->opt.integrator != mjINT_IMPLICIT) return SolveImplicit(m, d, x);
  SolveLUTransposed(DofPattern(m), d->qLU, x);
}

void UpdateImplicit(const mjModel* m, mjData* d) {
  const bool implicit = m->opt.integrator == mjINT_IMPLICIT;
  if (implicit || m->opt.integrator == mjINT_IMPLICITFAST) SmoothVelocityDerivative(m, d, /*with_bias=*/implicit);
}

void MulImplicit(const mjModel* m, const mjData* d, double* result, const double* vec) {
  const double h = m->opt.timestep;
  MulM(m, d, result, vec);

  // Euler: damping of joints
  if (m->opt.integrator == mjINT_EULER || m->opt.integrator == mjINT_RK4) {
    const ModelView<double> model(m);
    for (int i = 0; i < m->nv; ++i) result[i] += h * DamperSlope(DofDamping(model, i), d->qvel[i]) * vec[i];
    return;
  }

  // implicitfast: what has a place in M, as in its factor
  if (m->opt.integrator == mjINT_IMPLICITFAST) {
    for (int i = 0; i < m->nv; ++i) {
      const int begin = m->M_rowadr[i], diagonal = begin + m->M_rownnz[i] - 1;
      for (int k = begin; k <= diagonal; ++k) {
        const int j = m->M_colind[k];
        const double derivative = h * d->qDeriv[m->mapD2M[k]];
        result[i] -= derivative * vec[j];
        if (k < diagonal) result[j] -= derivative * vec[i];
      }
    }
    return;
  }

  // implicit: all derivatives
  for (int i = 0; i < m->nv; ++i) {
    const int begin = m->D_rowadr[i], end = begin + m->D_rownnz[i];
    for (int k = begin; k < end; ++k) result[i] -= h * d->qDeriv[k] * vec[m->D_colind[k]];
  }
}

}  // namespace sinew::inline integrate
