// The constraints of a pack: Newton's method or sweeps in lanes, other solvers on the worlds of the lanes.
#ifndef SINEW_BATCH_PACK_PACK_SOLVE_KERNEL_H_
#define SINEW_BATCH_PACK_PACK_SOLVE_KERNEL_H_

#include "batch/fallback/lane_worlds.h"
#include "batch/pack/pack_context_kernel.h"
#include "batch/pack/pack_worlds_kernel.h"
#include "batch/rows/lane_numbers_kernel.h"
#include "inertia/acceleration_kernel.h"
#include "model/kinds/integrator.h"
#include "solve/dual_kernel.h"
#include "solve/options.h"
#include "solve/pgs_kernel.h"
#include "solve/slot_newton_kernel.h"
#include "solve/slots.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// The metric of accelerations (inertia/inertia.h).
template <class S>
const S* MetricInLanes(const ModelView<S>& m, const DataView<S>& d) {
  return IsDiscrete(m.raw()) ? d.qLU_data() : d.M_data();
}

template <class S>
S SizeOfWhole(const ModelView<S>& m) {
  using Number = typename LaneTraits<S>::Lane;
  const mjModel& raw = *m.raw();
  const S dofs(static_cast<Number>(raw.nv > 1 ? raw.nv : 1));
  return S(1) / (m.stat_meaninertia() * dofs);
}

// Returns one over the trace of the inertia matrix, as a world alone takes it that has islands, or over the mean
// inertia times the dofs.
template <class S>
S SizeOf(const ModelView<S>& m, const DataView<S>& d) {
  const mjModel& raw = *m.raw();
  if (raw.opt.disableflags & mjDSBL_ISLAND) return SizeOfWhole(m);
  S trace(0);
  const S* M = MetricInLanes(m, d);
  for (int i = 0; i < m.nv(); ++i) trace += M[raw.M_rowadr[i] + raw.M_rownnz[i] - 1];
  return S(1) / trace;
}

// Points at the union of slots and at the pack's arrays; numbers stay where they are. Scratch is divided in the
// order of TakeSlotMemory.
template <class S>
void MakeProblem(const ModelView<S>& m, const DataView<S>& d, PackRows<S>& rows) {
  const LaneSlots& slots = *rows.slots;
  const mjModel& raw = *m.raw();
  SlotProblem<S>& p = rows.problem;
  p.nv = m.nv();
  p.count = slots.slot.count;
  p.directions = slots.directions;
  p.weights = slots.weights;
  p.cones = slots.cones;
  p.slot = slots.slot.data;
  p.lanes = slots.lanes.data;
  p.live = slots.live.data;
  p.open = slots.open.data;
  p.inertia = {m.nv(), raw.M_rownnz, raw.M_rowadr, raw.M_colind};
  p.pattern = slots.pattern;
  p.M = MetricInLanes(m, d);
  p.M_diaginv = IsDiscrete(m.raw()) ? d.qHDiagInv_data() : d.qLDiagInv_data();
  p.qfrc_smooth = d.qfrc_smooth_data();
  p.qacc_smooth = d.qacc_smooth_data();
  p.jacobian = reinterpret_cast<const S* const*>(slots.jacobian.data);
  p.aref = PacksOf<S>(slots.aref);
  p.D = PacksOf<S>(slots.D);
  p.scale = PacksOf<S>(slots.scale);
  p.bound = PacksOf<S>(slots.bound);
  p.size = SizeOf(m, d);
  p.present = *PacksOf<S>(slots.present) > S(0);
  p.qacc = d.qacc_data();
  p.qfrc_constraint = d.qfrc_constraint_data();
  S* next = PacksOf<S>(slots.scratch);
  const auto take = [&next](int count) {
    S* taken = next;
    next += count;
    return taken;
  };
  p.Ma = take(m.nv());
  TakeSlotMemory(p, take);
}

// Adds the slots and iterations of this solution to the sums of which the occupancy follows.
template <class S>
void NoteUse(PackRows<S>& rows) {
  constexpr int kWidth = LaneTraits<S>::kWidth;
  PackUse& use = rows.use;
  double iterations = 0, most = 0;
  for (int lane = 0; lane < kWidth; ++lane) {
    const double of_lane = static_cast<double>(rows.iterations[lane]);
    iterations += of_lane;
    if (of_lane > most) most = of_lane;
  }
  use.slots += rows.slots->of_lanes;
  use.slots_of_packs += kWidth * rows.slots->slot.count;
  use.iterations += iterations;
  use.iterations_of_packs += kWidth * most;
}

// Newton's method in lanes. A lane without rows keeps the smooth acceleration.
template <class S>
void SolveInSlots(const ModelView<S>& m, const DataView<S>& d, PackRows<S>& rows) {
  for (int i = 0; i < m.nv(); ++i) d.qfrc_constraint(i) = S(0);
  rows.iterations = S(0);
  if (!rows.slots || rows.slots->slot.empty()) {
    for (int i = 0; i < m.nv(); ++i) d.qacc(i) = d.qacc_smooth(i);
    return;
  }
  const mjModel& raw = *m.raw();
  MakeProblem(m, d, rows);
  const SlotProblem<S>& p = rows.problem;
  NoRecord<S> record;
  // These lanes start from the smooth acceleration: those without rows, and those where the warm start costs more.
  MaskOf<S> smooth = !p.present;
  Residual(p, p.qacc_smooth, p.smooth_residual);
  if (raw.opt.disableflags & mjDSBL_WARMSTART) {
    smooth = S(0) < S(1);
    for (int i = 0; i < m.nv(); ++i) p.qacc[i] = d.qacc_smooth(i);
  } else {
    for (int i = 0; i < m.nv(); ++i) p.qacc[i] = d.qacc_warmstart(i);
    smooth = smooth | !(ExcessCostOfWarmStart(p, record) <= S(0));
  }
  StartSmooth(p, smooth);
  const SolverOptions options = {raw.opt.iterations, raw.opt.ls_iterations, raw.opt.tolerance, raw.opt.ls_tolerance};
  rows.iterations = MinimizeSlots(p, options, record);
  NoteUse(rows);
}

// Sweeps over rows whose forces, residuals and matrix are there. Returns the number of each lane.
template <class S>
S Sweep(const ModelView<S>& m, const LaneRows& rows) {
  const BoundedRows<S> problem = {rows.count,
                                  PacksOf<S>(rows.A),
                                  PacksOf<S>(rows.diagonal),
                                  PacksOf<S>(rows.inverse),
                                  PacksOf<S>(rows.low),
                                  PacksOf<S>(rows.high),
                                  PacksOf<S>(rows.weight),
                                  PacksOf<S>(rows.force),
                                  PacksOf<S>(rows.residual)};
  const mjOption& option = m.raw()->opt;
  return MinimizeBoundedRows(problem, option.iterations, Uniform<S>(option.tolerance),
                             *PacksOf<S>(rows.present) > S(0));
}

// The dual matrix and sweeps in lanes, from the rows of the worlds. False where memory is short: nothing is done.
template <class S>
bool SolveDual(const PackWorlds<S>& w) {
  using Number = typename LaneTraits<S>::Lane;
  const DataView<S>& d = w.d();
  const mjModel& raw = *w.m().raw();
  const int nv = w.m().nv();
  w.ShowToWorlds(d.qacc_smooth_data(), raw.nv, &mjData::qacc_smooth);
  w.ShowToWorlds(d.qacc_warmstart_data(), raw.nv, &mjData::qacc_warmstart);
  const LaneRows* rows = w.worlds().GatherRows(kIsSingle<S>);
  if (!rows) return false;
  const DualRows<S> dual = {rows->count,
                            nv,
                            PacksOf<S>(rows->J),
                            PacksOf<S>(rows->R),
                            PacksOf<S>(rows->b),
                            PacksOf<S>(rows->columns),
                            PacksOf<S>(rows->in_fours),
                            PacksOf<S>(rows->whole_fours),
                            PacksOf<S>(rows->island),
                            rows->islands,
                            PacksOf<S>(rows->A),
                            PacksOf<S>(rows->diagonal),
                            PacksOf<S>(rows->inverse),
                            PacksOf<S>(rows->force),
                            PacksOf<S>(rows->residual)};
  const RowPattern pattern = InertiaPattern(&raw);
  MakeDualMatrix(dual, pattern, d.qLD_data(), d.qLDiagInv_data());
  MakeDualResidual(dual);
  StartDual(dual);
  const S sweeps = Sweep(w.m(), *rows);
  const MaskOf<S> present = *PacksOf<S>(rows->present) > S(0);
  w.worlds().PushRows(NumbersOf(dual.force), NumbersOf(&sweeps));

  w.rows().iterations = sweeps;
  S* qacc = d.qacc_data();
  for (int i = 0; i < nv; ++i) {
    for (int lane = 0; lane < w.kWidth; ++lane) {
      d.qfrc_constraint_data()[i].Set(lane, static_cast<Number>(w.World(lane)->qfrc_constraint[i]));
    }
    qacc[i] = d.qfrc_constraint(i);
  }
  SolveLDL(qacc, d.qLD_data(), d.qLDiagInv_data(), pattern);
  for (int i = 0; i < nv; ++i) qacc[i] = Select(present, qacc[i] + d.qacc_smooth(i), d.qacc_smooth(i));
  return true;
}

// On the worlds, but for the sweeps of projected Gauss-Seidel, and mostly their matrix.
template <class S>
void SolveInWorlds(const PackWorlds<S>& w) {
  using Number = typename LaneTraits<S>::Lane;
  if (!w.rows().keep_forces && w.worlds().IsDualInLanes() && SolveDual(w)) return;
  if (SolverOfLanes(*w.m().raw()) == LaneSolver::kSweeps) {
    w.ShowInertia();
    w.worlds().FinishRows();
  }
  const ModelView<S>& m = w.m();
  const DataView<S>& d = w.d();
  const mjModel& raw = *m.raw();
  w.ShowToWorlds(d.qfrc_smooth_data(), raw.nv, &mjData::qfrc_smooth);
  w.ShowToWorlds(d.qacc_smooth_data(), raw.nv, &mjData::qacc_smooth);
  w.ShowToWorlds(d.qacc_warmstart_data(), raw.nv, &mjData::qacc_warmstart);
  if (const LaneRows* sweeping = w.worlds().SolveUpToSweeps()) {
    const LaneSpan<double> of_rows[] = {sweeping->A,     sweeping->diagonal, sweeping->inverse,
                                        sweeping->low,   sweeping->high,     sweeping->weight,
                                        sweeping->force, sweeping->residual, sweeping->present};
    for (const LaneSpan<double>& numbers : of_rows) TakeNumbers<S>(numbers);
    const S sweeps = Sweep(m, *sweeping);
    w.worlds().FinishSweeps(NumbersOf<S>(PacksOf<S>(sweeping->force)), NumbersOf(&sweeps));
  }
  for (int lane = 0; lane < w.kWidth; ++lane) {
    const mjData* world = w.World(lane);
    w.rows().iterations.Set(lane, static_cast<Number>(world->solver_niter[0]));
    for (int i = 0; i < m.nv(); ++i) {
      d.qacc_data()[i].Set(lane, static_cast<Number>(world->qacc[i]));
      d.qfrc_constraint_data()[i].Set(lane, static_cast<Number>(world->qfrc_constraint[i]));
    }
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PACK_PACK_SOLVE_KERNEL_H_
