// The implicit integrators of a pack. `w`: its stages (pack_stages_kernel.h).
#ifndef SINEW_BATCH_PACK_PACK_IMPLICIT_KERNEL_H_
#define SINEW_BATCH_PACK_PACK_IMPLICIT_KERNEL_H_

#include "batch/pack/pack_fallback_kernel.h"
#include "batch/pack/pack_worlds_kernel.h"
#include "integrate/advance_kernel.h"
#include "integrate/held_rows_kernel.h"
#include "integrate/midpoint_kernel.h"
#include "integrate/velocity_derivative/implicit_kernel.h"
#include "integrate/velocity_derivative/smooth_kernel.h"
#include "model/kinds/integrator.h"
#include "step/step_kernel.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// Bodies that float freely follow the midpoint rule (step/integrators.cc).
template <class W, class S, class Scratch>
void AdvanceFreeBodies(const W& w, const ModelView<S>& m, const DataView<S>& d, Scratch& scratch, const S* qacc) {
  const mjModel& raw = *m.raw();
  S *mean = scratch.template Alloc<S>(m.nv()), *old = scratch.template Alloc<S>(m.nv());
  S *next = scratch.template Alloc<S>(m.nv()), *force = scratch.template Alloc<S>(m.nv());
  // Of chosen dofs, the lanes in which they follow the rule. Scratch is not aligned behind numbers of one byte.
  auto* follows = scratch.template Alloc<MaskOf<S>>(m.nv());
  bool* chosen = scratch.template Alloc<bool>(m.nv());
  bool any = false;
  for (int i = 0; i < m.nv(); ++i) {
    force[i] = d.qfrc_smooth(i) + d.qfrc_constraint(i) + d.qfrc_bias(i);
    chosen[i] = false;
  }
  for (int joint = 0; joint < m.njnt() && !(raw.opt.enableflags & mjENBL_INVDISCRETE); ++joint) {
    if (!IsFreeAssembly(m, joint)) continue;
    any = true;
    const MaskOf<S> free = IsDiscrete(&raw) ? IsFreeOfMetric(m, d, joint) : S(0) == S(0);
    for (int i = MidpointFreeBody(m, d, joint, force, next); i < raw.jnt_dofadr[joint] + 6; ++i) {
      chosen[i] = true;
      follows[i] = free;
    }
  }
  if (!any) return AdvanceStages(w, w.act_dot(), qacc, static_cast<const S*>(nullptr));
  // Positions of chosen bodies move with the mean of old and new velocity, all others with the new one.
  const S h = m.opt_timestep();
  for (int i = 0; i < m.nv(); ++i) {
    old[i] = d.qvel(i);
    mean[i] = old[i] + h * qacc[i];
    if (!chosen[i]) continue;
    next[i] = Select(follows[i], next[i], mean[i]);
    mean[i] = Select(follows[i], S(0.5) * (old[i] + next[i]), mean[i]);
  }
  AdvanceStages(w, w.act_dot(), qacc, static_cast<const S*>(mean));
  for (int i = 0; i < m.nv(); ++i) {
    if (!chosen[i]) continue;
    d.qvel(i) = next[i];
    d.qacc(i) = Select(follows[i], (next[i] - old[i]) / h, d.qacc(i));
  }
}

// Equalities of the union of slots are held (integrate/held_rows_kernel.h).
template <class S, class Scratch, class Solve>
void HoldEqualitiesOfLanes(const PackWorlds<S>& worlds, Scratch scratch, const Solve& solve, S* acceleration) {
  const mjModel& raw = *worlds.m().raw();
  const PackRows<S>& pack = worlds.rows();
  if (!HoldsRows(&raw) || !pack.slots) return;
  const SlotProblem<S>& p = pack.problem;
  const auto for_held = [&](const auto& visit) {
    for (const LaneJointRow& row : pack.slots->rows) {
      if (row.type == mjCNSTR_EQUALITY && IsHeld(&raw, row.id)) visit(row.slot);
    }
  };
  int count = 0;
  for_held([&](int s) { count += p.slot[s].dim; });
  if (count == 0) return;
  const int nv = worlds.m().nv();
  const HeldRows<S> rows = AllocateHeldRows<S>(count, nv, [&](int n) { return scratch.template Alloc<S>(n); });
  for (int k = 0; k < count * nv; ++k) rows.J[k] = S(0);
  int next = 0;
  for_held([&](int s) {
    const Slot& slot = p.slot[s];
    for (int k = 0; k < slot.dim; ++k, ++next) {
      for (int c = 0; c < slot.ncol; ++c) rows.J[next * nv + slot.col[c]] = p.jacobian[s][k * slot.ncol + c];
      rows.D[next] = p.D[slot.first + k];
    }
  });
  HoldRows(rows, worlds.d().qacc_data(), solve, acceleration);
}

// With `discrete` the acceleration is that of the step.
template <class W, class S>
void DiscreteStages(const W& w, const PackWorlds<S>& worlds) {
  auto scratch = w.OpenScratch();
  S* acceleration = scratch.template Alloc<S>(worlds.m().nv());
  for (int i = 0; i < worlds.m().nv(); ++i) acceleration[i] = worlds.d().qacc(i);
  AdvanceFreeBodies(w, worlds.m(), worlds.d(), scratch, acceleration);
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
    const auto solve = [&](S* x) { SolveLU(DofPattern(&raw), d.qLU_data(), x); };
    solve(acceleration);
    HoldEqualitiesOfLanes(worlds, scratch, solve, acceleration);
  } else {
    FactorImplicitLDL(m, d);
    const auto solve = [&](S* x) {
      for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
        SolveLDL(x, d.qH_data(), d.qHDiagInv_data(), InertiaPattern(&raw, dofs.begin(), dofs.end()));
      }
    };
    solve(acceleration);
    HoldEqualitiesOfLanes(worlds, scratch, solve, acceleration);
  }
  AdvanceFreeBodies(w, m, d, scratch, acceleration);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PACK_PACK_IMPLICIT_KERNEL_H_
