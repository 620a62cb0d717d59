// The step of a small system whose constraints are slots, as a linear map (docs/how/gradients.md), for one world and
// for lanes: the columns of the residual (slot_columns_kernel.h), and their solution with the factors of the Hessian
// and of Euler's matrix.
//
//   v' = v + h b,   X b = M a,   da = -H^-1 dr,   db = X^-1 (M da + ds)
#ifndef SINEW_DERIVATIVES_SMALL_SYSTEMS_SLOT_LINEARIZATION_KERNEL_H_
#define SINEW_DERIVATIVES_SMALL_SYSTEMS_SLOT_LINEARIZATION_KERNEL_H_

#include "derivatives/base/work_memory.h"
#include "derivatives/small_systems/slot_columns_kernel.h"
#include "inertia/ldl_block_kernel.h"
#include "integrate/euler_kernel.h"
#include "integrate/velocity_derivative/smooth_kernel.h"

namespace sinew::inline derivatives {
inline namespace SINEW_ISA {

// Memory of the computation: columns of (q, v, act, u), and scratch.
template <class S>
struct SlotWorkspace {
  int nv, columns;
  S *force, *step;  // blocks of columns
  S *block, *b, *rest, *scratch;
  ImplicitMemory<S> implicit;
  Spatial<S>* momentum;
  TreeDerivative<S> tree;
  PairMotionsOf<S> motions;
  typename PairColumnsOf<S>::Memory pair;

  SlotWorkspace(const mjModel* m, WorkMemory& memory)
      : nv(static_cast<int>(m->nv)), columns(2 * nv + static_cast<int>(m->na + m->nu)) {
    const auto numbers = [&](int n) { return memory.Alloc<S>(n); };
    const auto spatial = [&](mjtSize n) { return memory.Alloc<Spatial<S>>(n); };
    force = numbers(BlockedColumns<S>::Numbers(nv, columns));
    step = numbers(BlockedColumns<S>::Numbers(nv, columns));
    block = numbers(nv * kBlockColumnsOf<S>);
    b = numbers(nv);
    rest = numbers(nv);
    scratch = numbers(2 * nv);
    momentum = spatial(nv);
    auto* turn = memory.Alloc<TurnOperator<S>>(2 * m->nbody);
    for (TreeDerivative<S>* t : {&tree, &motions.accelerating, &motions.moving}) {
      *t = {spatial(m->nbody), spatial(m->nbody), spatial(m->nbody), turn,
            turn + m->nbody,   spatial(nv),       spatial(nv),       spatial(nv)};
    }
    implicit = {scratch, memory.Alloc<bool>(nv * nv)};
    pair = {memory.Alloc<PairDofOf<S>>(nv), memory.Alloc<int>(nv), memory.Alloc<int>(nv)};
  }
};

// Forces, weights and the factors of the Hessian at the acceleration of the problem. Returns the lanes that are at the
// minimum: a step of Newton's method would gain nothing.
template <class S>
MaskOf<S> FactorAtSolution(const ModelView<S>& m, const SlotProblem<S>& p) {
  constexpr double kLeastTolerance = 1e-8;
  const SlotList<S> slots(p, p.live);
  NoRecord<S> record;
  MulSymmetric(p.Ma, p.M, p.qacc, p.inertia);
  Residual(p, p.qacc, p.residual);
  FindIslands(p);
  EvaluatePoint(p, slots, record);
  bool has_cones = false;
  AddChangedSlots(p, slots, /*is_first=*/true);
  FactorHessian(p, slots, /*changed=*/true, has_cones);
  S gain(0);
  for (int i = 0; i < p.nv; ++i) p.direction[i] = p.gradient[i];
  SolveHessian(p, p.direction);
  for (int i = 0; i < p.nv; ++i) gain += p.gradient[i] * p.direction[i];
  const double tolerance = m.raw()->opt.tolerance;
  return S(0.5) * p.size * gain < Uniform<S>(tolerance > kLeastTolerance ? tolerance : kLeastTolerance);
}

// Adds the parts of the residual, one after the other. `Source` provides what differs between one world and lanes:
//   Actuator(i)        slopes of an actuator's force
//   ForRows(visit)     visit(slot, RowLaw, ball joint whose limit it is, or -1) for each slot that is no contact
//   contacts()         their number
//   Contact(k)         a SlotContact, or null where nothing acts
template <class S, class Source>
class SlotResidual {
 public:
  SlotResidual(const ModelView<S>& m, const DataView<S>& d, const SlotProblem<S>& p, const SlotWorkspace<S>& w,
               bool has_step, Source& source)
      : m_(m), d_(d), p_(p), w_(w), source_(source), has_step_(has_step), force_(w.force, w.nv), step_(w.step, w.nv) {}

  // It comes first: all columns are zero before.
  void AddSmooth() {
    const int numbers = BlockedColumns<S>::Numbers(w_.nv, w_.columns);
    for (int k = 0; k < numbers; ++k) w_.force[k] = S(0);
    for (int k = 0; k < numbers && has_step_; ++k) w_.step[k] = S(0);
    const BlockedColumns<S> of_velocity = force_.From(w_.nv);
    TreeDerivative<S> tree = w_.tree;
    if (HasGravityCompensation(m_.raw()) || !NothingApplied(m_, d_)) {
      for (int b = 0; b < m_.nbody(); ++b) tree.applied[b] = ZeroTurn<S>();
    } else {
      tree.applied = nullptr;
    }
    AddTrees(m_, d_, p_.qacc, /*applied=*/true, tree, force_, of_velocity);
    tree.applied = nullptr;
    if (has_step_) AddInertiaOfStep<S>(m_, d_, p_.qacc, w_.b, w_.scratch, tree, step_);
    if (PassiveDisabled(m_.raw())) return;
    AddJointSprings(m_, d_, force_);
    AddDofDamping<S>(m_, d_, has_step_ ? w_.b : nullptr, of_velocity, step_.From(w_.nv));
    const bool implicit = has_step_ && IsImplicit(m_.raw());
    AddLimitForces<S>(m_, d_, implicit ? w_.b : nullptr, force_, of_velocity, step_);
    AddTendons(m_, d_, force_, of_velocity, Implicit());
  }

  void AddActuators() {
    if (m_.opt_disableflags() & mjDSBL_ACTUATION) return;
    const int activations = 2 * w_.nv, controls = activations + m_.na();
    const auto share = [this](int dof, S x) { return Select(IsHeldByJoint(m_, d_, m_.dof_jntid(dof)), S(0), x); };
    const ImplicitPart<S, BlockedColumns<S>> implicit = Implicit();
    for (int i = 0; i < m_.nu(); ++i) {
      if (ActuatorDisabled(m_, i)) continue;
      const ActuatorSlopes<S> slopes = source_.Actuator(i);
      const ActuatorMoment<S> moment(m_, d_, i);
      const ScalarForceRow<S>& row = moment.row();
      AddScalarForce(row, slopes.along, moment.length(), d_.qvel_data(), share, force_, force_.From(w_.nv));
      row.Subtract(slopes.f_control, force_[controls + i], share);
      const int first = activations + m_.actuator_actadr(i), count = m_.actuator_actnum(i);
      for (int k = 0; k < count; ++k) row.Subtract(slopes.f_act[k], force_[first + k], share);
      if (!implicit.b) continue;
      const S h = m_.opt_timestep();
      const ImplicitRowOf<S> in_matrix = implicit.Of(row);
      AddImplicitScalarForce(row, in_matrix, slopes.slope, moment.length(), d_.qvel_data(), h, implicit.by_position,
                             implicit.by_velocity);
      in_matrix.Add(h * slopes.g_control, step_[controls + i]);
      for (int k = 0; k < count; ++k) in_matrix.Add(h * slopes.g_act[k], step_[first + k]);
    }
  }

  void AddConstraints() {
    if (p_.count == 0) return;
    const BlockedColumns<S> of_velocity = force_.From(w_.nv);
    source_.ForRows([&](int s, const RowLaw<S>& law, int ball) {
      S K[9];
      if (ball >= 0) TurnOfBall(m_, d_, ball, K);
      SubtractSlotRow<S>(d_, p_, s, law, ball >= 0 ? K : nullptr, force_, of_velocity);
    });
    if (source_.contacts() == 0) return;
    for (int i = 0; i < w_.nv; ++i) w_.rest[i] = S(0);
    PassPairMotions<S>(m_, d_, p_.qacc, w_.rest, w_.motions);
    PairColumnsOf<S> pair(m_, d_, w_.motions, w_.pair);
    for (int k = 0; k < source_.contacts(); ++k) {
      const SlotContact<S>* contact = source_.Contact(k);
      if (!contact) continue;
      pair.Begin(contact->body[0], contact->body[1], contact->point);
      const ContactResponse<S> response(LawOf(p_, *contact), contact->axes, pair, contact->surface);
      const KeepNothing nothing;
      SubtractContact(pair, response, contact->sides, force_, of_velocity, nothing);
    }
  }

 private:
  ImplicitPart<S, BlockedColumns<S>> Implicit() const {
    const bool has_slopes = has_step_ && m_.raw()->opt.integrator == mjINT_IMPLICITFAST;
    return {has_slopes ? w_.b : nullptr, w_.implicit, p_.inertia, step_, step_.From(w_.nv)};
  }

  const ModelView<S>& m_;
  const DataView<S>& d_;
  const SlotProblem<S>& p_;
  const SlotWorkspace<S>& w_;
  Source& source_;
  bool has_step_;
  BlockedColumns<S> force_, step_;
};

// From the columns of the residual to those of the acceleration b, in place: returns them.
template <class S>
BlockedColumns<S> SolveColumns(const ModelView<S>& m, const DataView<S>& d, const SlotProblem<S>& p,
                               const SlotWorkspace<S>& w, bool has_step) {
  const BlockedColumns<S> force(w.force, w.nv), step(w.step, w.nv);
  const int size = w.nv * kBlockColumnsOf<S>;
  for (int block = 0; block < BlockedColumns<S>::Blocks(w.columns); ++block) {
    S *x = force.Block(block), *y = step.Block(block);
    for (int k = 0; k < size; ++k) x[k] = -x[k];
    SolveLDLBlock<S>(x, p.factor, p.diaginv, HessianRows(p));
    if (!has_step) continue;
    MulSymmetricBlock<S>(w.block, p.M, x, p.inertia);
    for (int k = 0; k < size; ++k) y[k] += w.block[k];
    SolveLDLBlock<S>(y, d.qH_data(), d.qHDiagInv_data(), InertiaPattern(m.raw()));
  }
  return has_step ? step : force;
}

// The acceleration b that velocities follow, into the workspace; the factors of X are in qH.
template <class S>
void FindStep(const ModelView<S>& m, const DataView<S>& d, const SlotProblem<S>& p, const SlotWorkspace<S>& w,
              bool has_step) {
  for (int i = 0; i < w.nv; ++i) w.b[i] = p.qacc[i];
  if (!has_step) return;
  if (m.raw()->opt.integrator == mjINT_EULER) {
    return EulerAcceleration<S>(m, d, /*reuse_factors=*/false, w.momentum, w.b);
  }
  for (int i = 0; i < w.nv; ++i) w.b[i] = d.qfrc_smooth(i) + d.qfrc_constraint(i);
  SmoothForceDerivative<S>(m, d, /*symmetric=*/true, w.momentum, d.qDeriv_data());
  FactorImplicitLDL<S>(m, d);
  SolveLDL<S>(w.b, d.qH_data(), d.qHDiagInv_data(), InertiaPattern(m.raw()));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_SMALL_SYSTEMS_SLOT_LINEARIZATION_KERNEL_H_
