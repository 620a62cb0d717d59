// The implicit integrators of a pack. `w`: its stages (pack_stages_kernel.h).
#ifndef SINEW_BATCH_PACK_IMPLICIT_KERNEL_H_
#define SINEW_BATCH_PACK_IMPLICIT_KERNEL_H_

#include "batch/pack_alone_kernel.h"
#include "batch/pack_worlds_kernel.h"
#include "derivative/implicit_kernel.h"
#include "derivative/smooth_kernel.h"
#include "integrate/advance_kernel.h"
#include "integrate/midpoint_kernel.h"
#include "step/step_kernel.h"

namespace sinew {
inline namespace SINEW_ISA {

// Bodies that float freely follow the midpoint rule (step/integrators.cc).
template <class W, class S, class Scratch>
void AdvanceFreeBodies(const W& w, const ModelView<S>& m, const DataView<S>& d, Scratch& scratch, const S* qacc) {
  const mjModel& raw = *m.raw();
  S *mean = scratch.template Alloc<S>(m.nv()), *old = scratch.template Alloc<S>(m.nv());
  S *next = scratch.template Alloc<S>(m.nv()), *force = scratch.template Alloc<S>(m.nv());
  bool* chosen = scratch.template Alloc<bool>(m.nv());
  bool any = false;
  for (int i = 0; i < m.nv(); ++i) {
    force[i] = d.qfrc_smooth(i) + d.qfrc_constraint(i) + d.qfrc_bias(i);
    chosen[i] = false;
  }
  for (int joint = 0; joint < m.njnt() && !(raw.opt.enableflags & mjENBL_INVDISCRETE); ++joint) {
    if (!IsLoneFreeBody(m, joint)) continue;
    any = true;
    for (int i = MidpointFreeBody(m, d, joint, force, next); i < raw.jnt_dofadr[joint] + 6; ++i) chosen[i] = true;
  }
  if (!any) return AdvanceStages(w, w.act_dot(), qacc, static_cast<const S*>(nullptr));
  // Positions of chosen bodies move with the mean of old and new velocity, all others with the new one.
  const S h = m.opt_timestep();
  for (int i = 0; i < m.nv(); ++i) {
    old[i] = d.qvel(i);
    mean[i] = chosen[i] ? S(0.5) * (old[i] + next[i]) : old[i] + h * qacc[i];
  }
  AdvanceStages(w, w.act_dot(), qacc, static_cast<const S*>(mean));
  for (int i = 0; i < m.nv(); ++i) {
    if (!chosen[i]) continue;
    d.qvel(i) = next[i];
    d.qacc(i) = (next[i] - old[i]) / h;
  }
}

// Solves (M - h dF/dv) a = F with the derivative of bias forces (implicit, by LU) or without it and symmetric
// (implicitfast, by LDL').
template <class W, class S>
void ImplicitStages(const W& w, const PackWorlds<S>& worlds, bool with_bias) {
  const ModelView<S>& m = worlds.m();
  const DataView<S>& d = worlds.d();
  const mjModel& raw = *m.raw();
  auto scratch = w.OpenScratch();
  S* acceleration = scratch.template Alloc<S>(m.nv());
  for (int i = 0; i < m.nv(); ++i) acceleration[i] = d.qfrc_smooth(i) + d.qfrc_constraint(i);
  {
    auto own = scratch;
    SmoothForceDerivative(m, d, /*symmetric=*/!with_bias, own.template Alloc<Spatial<S>>(m.nv()), d.qDeriv_data());
    AddCompliantDerivative(worlds, /*symmetric=*/!with_bias);
    if (with_bias) {
      SubtractBiasDerivative(
          m, d,
          BiasDerivativeScratch<S>{own.template Alloc<SpatialMatrix<S>>(m.nbody()),
                                   own.template Alloc<Spatial<S>>(m.nv()), own.template Alloc<Spatial<S>>(m.nv())},
          d.qDeriv_data());
    }
  }
  if (with_bias) {
    FactorImplicitLU(m, d);
    SolveLU(DofPattern(&raw), d.qLU_data(), acceleration);
  } else {
    FactorImplicitLDL(m, d);
    for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
      SolveLDL(acceleration, d.qH_data(), d.qHDiagInv_data(), InertiaPattern(&raw, dofs.begin(), dofs.end()));
    }
  }
  AdvanceFreeBodies(w, m, d, scratch, acceleration);
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_BATCH_PACK_IMPLICIT_KERNEL_H_
