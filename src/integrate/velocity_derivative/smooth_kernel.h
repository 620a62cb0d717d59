// Derivative of all smooth forces with respect to velocity, on the D pattern:
//
//   Q = d (qfrc_actuator + qfrc_passive - qfrc_bias) / d qvel
//
// Not part of it: callbacks and plugins, and limits of the actuator forces of a joint or tendon.
#ifndef SINEW_INTEGRATE_VELOCITY_DERIVATIVE_SMOOTH_KERNEL_H_
#define SINEW_INTEGRATE_VELOCITY_DERIVATIVE_SMOOTH_KERNEL_H_

#include "force/passive_kernel.h"
#include "integrate/velocity_derivative/actuator_derivative_kernel.h"
#include "integrate/velocity_derivative/bias_derivative_kernel.h"
#include "integrate/velocity_derivative/bushing_derivative_kernel.h"
#include "integrate/velocity_derivative/fluid_derivative_kernel.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

// Adds the part of dampers along the edges of a flex.
template <class S>
void AddEdgeDamperDerivative(const ModelView<S>& m, const DataView<S>& d, int flex, const SquarePattern& pattern,
                             S* Q) {
  const S damping = m.flex_edgedamping(flex);
  if (!Any(damping != S(0))) return;
  for (int e = m.flex_edgeadr(flex); e < m.flex_edgeadr(flex) + m.flex_edgenum(flex); ++e) {
    const int adr = m.flexedge_J_rowadr(e);
    AddOuterProduct(pattern, d.flexedge_J_data() + adr, m.raw()->flexedge_J_colind + adr, m.flexedge_J_rownnz(e),
                    -damping, Q);
  }
}

// Adds the part of limit forces and ligaments.
template <class S>
void AddLawDamperDerivative(const ModelView<S>& m, const DataView<S>& d, const SquarePattern& pattern, S* Q) {
  const SpringLaws dampers(m.raw());
  ForJointLaws(m, d, dampers, [&](int joint, const SpringLawList& laws) {
    const int dof = m.jnt_dofadr(joint);
    Q[pattern.rowadr[dof] + pattern.diag[dof]] -= DamperOf<S>(laws, LawCoordinate(m, d, joint), d.qvel(dof)).slope;
  });
  ForTendonLaws(m, dampers, [&](int t, const SpringLawList& laws) {
    const int adr = m.ten_J_rowadr(t);
    AddOuterProduct<S>(pattern, d.ten_J_data() + adr, m.raw()->ten_J_colind + adr, m.ten_J_rownnz(t),
                       -DamperOf<S>(laws, d.ten_length(t), d.ten_velocity(t)).slope, Q);
  });
}

template <class S>
void AddDamperDerivative(const ModelView<S>& m, const DataView<S>& d, S* Q) {
  if (m.opt_disableflags() & mjDSBL_DAMPER) return;
  const SquarePattern pattern = DofPattern(m.raw());
  for (int i = 0; i < m.nv(); ++i) {
    const Polynomial<S> damping = DofDamping(m, i);
    if (!damping.IsZero()) Q[pattern.rowadr[i] + pattern.diag[i]] -= DamperSlope(damping, d.qvel(i));
  }
  for (int t = 0; t < m.ntendon(); ++t) {
    const Polynomial<S> damping = TendonDamping(m, t);
    if (damping.IsZero()) continue;
    const int adr = m.ten_J_rowadr(t);
    AddOuterProduct(pattern, d.ten_J_data() + adr, m.raw()->ten_J_colind + adr, m.ten_J_rownnz(t),
                    -DamperSlope(damping, d.ten_velocity(t)), Q);
  }
  AddLawDamperDerivative(m, d, pattern, Q);
  AddBushingDerivative(m, d, S(0), Q);
  for (int f = 0; f < m.nflex(); ++f) AddEdgeDamperDerivative(m, d, f, pattern, Q);
}

// Forces other than the bias, whose derivative is symmetric but for the ellipsoid model of fluid forces.
template <class S>
void SmoothForceDerivative(const ModelView<S>& m, const DataView<S>& d, bool symmetric, Spatial<S>* columns, S* Q) {
  for (int k = 0; k < m.nD(); ++k) Q[k] = S(0);
  AddActuatorDerivative(m, d, Q);
  if (PassiveDisabled(m.raw())) return;
  AddFluidDerivative(m, d, symmetric, columns, Q);
  AddDamperDerivative(m, d, Q);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_VELOCITY_DERIVATIVE_SMOOTH_KERNEL_H_
