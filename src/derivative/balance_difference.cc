#include "derivative/balance_difference.h"

#include <algorithm>
#include <vector>

#include "core/parallel.h"
#include "core/stack.h"
#include "derivative/actuator_columns.h"
#include "derivative/balance.h"
#include "derivative/step_difference.h"
#include "derivative/step_linearization.h"
#include "derivative/tree_coupling.h"
#include "integrate/midpoint_kernel.h"
#include "math/dense.h"
#include "model/awake.h"
#include "model/data.h"
#include "step/forward.h"

namespace sinew {
namespace {

// ---- when the step follows from the balance

bool UsesMidpointRule(const mjModel* m) {
  if (m->opt.integrator == mjINT_EULER || (m->opt.enableflags & mjENBL_INVDISCRETE)) return false;
  for (int joint = 0; joint < m->njnt; ++joint) {
    if (IsLoneFreeBody(ModelView<double>(m), joint)) return true;
  }
  return false;
}

bool FollowsFromBalance(const mjModel* m, const TransitionMatrices& result) {
  const bool primal = m->opt.solver == mjSOL_NEWTON || m->opt.solver == mjSOL_CG;
  const bool callbacks = mjcb_control || mjcb_passive || mjcb_act_dyn || mjcb_act_gain || mjcb_act_bias;
  return !result.C && !result.D && primal && m->opt.noslip_iterations == 0 && !callbacks && m->nplugin == 0 &&
         !SleepEnabled(m) && !UsesMidpointRule(m);
}

// ---- positions and velocities

enum class Quantity { kPosition, kVelocity };

// A world that is perturbed, with its balance on both sides.
struct Probe {
  mjData* d;
  Balance above, below;
  int group, place;  // what is perturbed: in each tree of the group, the dof at this place
  bool usable;       // contacts and rows stayed those of the unperturbed world
};

class MotionColumns {
 public:
  // The world has gone through the unperturbed forward dynamics, and `copies` are worlds like it, one for each thread
  // that takes part. Without any, the world itself is perturbed.
  MotionColumns(const mjModel* m, mjData* d, const std::vector<DataPtr>& copies, double eps, bool centered,
                const StepLinearization& step, double* A, StackFrame& frame)
      : m_(m),
        d_(d),
        eps_(eps),
        centered_(centered),
        step_(step),
        A_(A),
        coupling_(m, d, frame),
        constraints_(d, frame),
        probes_(std::max(1, static_cast<int>(copies.size()))) {
    probe_ = frame.Alloc<Probe>(probes_);
    for (int i = 0; i < probes_; ++i) {
      mjData* world = copies.empty() ? d : copies[static_cast<size_t>(i)].get();
      probe_[i] = {world, MakeBalance(m, frame), MakeBalance(m, frame), 0, 0, true};
    }
    nominal_ = MakeBalance(m, frame);
    const bool with_step = HasIntegratorMatrix(m);
    UpdateForces(m, d, with_step, nominal_);
    EvaluateBalance(m, d, step.nominal(), with_step, nominal_);
    change_ = MakeBalance(m, frame);
    for (Accelerations* at : {&first_, &second_, &moved_}) *at = {frame.Doubles(m->nv), frame.Doubles(m->nv)};
    failed_ = frame.Ints(2 * m->nv);
  }

  // Velocities come first, since they need the positions of the unperturbed world.
  void Run() {
    for (Quantity quantity : {Quantity::kVelocity, Quantity::kPosition}) {
      quantity_ = quantity;
      const int longest = m_->ntree > 0 ? *std::max_element(m_->tree_dofnum, m_->tree_dofnum + m_->ntree) : 0;
      int pending = 0;
      for (int group = 0; group < coupling_.groups(); ++group) {
        for (int place = 0; place < longest; ++place) {
          if (!HasDof(group, place)) continue;
          probe_[pending].group = group;
          probe_[pending].place = place;
          if (++pending == probes_) Finish(pending);
        }
      }
      Finish(pending);
    }
  }

  // Columns for which contacts or rows came or went.
  const int* failed() const { return failed_; }
  int failures() const { return failures_; }

 private:
  // Calls body(tree, dof) for what a probe perturbs.
  template <class Body>
  void ForEachDof(int group, int place, const Body& body) const {
    for (int tree = 0; tree < m_->ntree; ++tree) {
      if (coupling_.GroupOf(tree) == group && place < m_->tree_dofnum[tree]) body(tree, m_->tree_dofadr[tree] + place);
    }
  }
  bool HasDof(int group, int place) const {
    bool any = false;
    ForEachDof(group, place, [&](int, int) { any = true; });
    return any;
  }

  // Evaluates the first `count` probes, in parallel when there are several, and writes their columns.
  void Finish(int& count) {
    if (count > 1) {
      PooledFor(*reinterpret_cast<mjThreadPool*>(d_->threadpool), count, &EvaluateProbe, this);
    } else if (count == 1) {
      EvaluateProbe(this, 0);
    }
    for (int i = 0; i < count; ++i) Store(probe_[i]);
    count = 0;
  }

  static void EvaluateProbe(void* self, int i) {
    const MotionColumns& columns = *static_cast<MotionColumns*>(self);
    Probe& probe = columns.probe_[i];
    probe.usable = columns.Evaluate(probe, columns.eps_, probe.above) &&
                   (!columns.centered_ || columns.Evaluate(probe, -columns.eps_, probe.below));
  }

  // The balance after a perturbation, which is undone. False when it has nothing to do with the unperturbed one.
  bool Evaluate(const Probe& probe, double step, const Balance& balance) const {
    mjData* d = probe.d;
    StackFrame frame(d);
    const bool position = quantity_ == Quantity::kPosition;
    const int size = static_cast<int>(position ? m_->nq : m_->nv);
    double *state = position ? d->qpos : d->qvel, *kept = frame.Doubles(size);
    Copy(kept, state, size);
    bool usable = true;
    try {
      ForEachDof(probe.group, probe.place, [&](int, int dof) {
        if (position) {
          MoveDof(m_, d->qpos, dof, step);
        } else {
          d->qvel[dof] += step;
        }
      });
      if (position) MovePositions(m_, d);
      FwdVelocity(m_, d);
      UpdateForces(m_, d, HasStepChange(), balance);
      EvaluateBalance(m_, d, step_.nominal(), HasStepChange(), balance);
      usable = constraints_.SameIn(d);
    } catch (const StackOverflow&) {
      usable = false;
    }
    Copy(state, kept, size);
    return usable;
  }

  // Euler's method keeps its matrix when velocities change.
  bool HasStepChange() const {
    return HasIntegratorMatrix(m_) && (quantity_ == Quantity::kPosition || m_->opt.integrator != mjINT_EULER);
  }

  void Store(const Probe& probe) {
    const int offset = quantity_ == Quantity::kPosition ? 0 : static_cast<int>(m_->nv);
    ForEachDof(probe.group, probe.place, [&](int tree, int dof) {
      if (probe.usable) {
        StoreColumn(probe, tree, dof, offset + dof);
      } else {
        failed_[failures_++] = offset + dof;
      }
    });
  }

  // change_: that of the balance from one to the other, as far as it is felt from `tree`.
  void TakeChange(int tree, const Balance& above, const Balance& below) {
    const bool steps = HasStepChange();
    for (int i = 0; i < m_->nv; ++i) {
      const bool felt = coupling_.Feels(m_->dof_treeid[i], tree);
      change_.force[i] = felt ? above.force[i] - below.force[i] : 0;
      if (steps) change_.step[i] = felt ? above.step[i] - below.step[i] : 0;
    }
  }

  // Adds to the change of the accelerations what the perturbed balance still lacks there: with the factors of the
  // unperturbed world, one iteration leaves an error of second order. Central differences cancel it, forward ones keep
  // it; after a change of velocities there is none, because M and J stay.
  void Refine(const Probe& probe, int tree) {
    for (int i = 0; i < m_->nv; ++i) {
      moved_.a[i] = step_.nominal().a[i] + first_.a[i];
      moved_.b[i] = step_.nominal().b[i] + first_.b[i];
    }
    EvaluateBalance(m_, probe.d, moved_, HasStepChange(), probe.below);
    TakeChange(tree, probe.below, nominal_);
    step_.Solve(change_.force, HasStepChange() ? change_.step : nullptr, second_);
    for (int i = 0; i < m_->nv; ++i) first_.b[i] += second_.b[i];
  }

  void StoreColumn(const Probe& probe, int tree, int dof, int column) {
    const Balance& below = centered_ ? probe.below : nominal_;
    const int columns = 2 * static_cast<int>(m_->nv) + static_cast<int>(m_->na);
    const bool position = quantity_ == Quantity::kPosition;
    TakeChange(tree, probe.above, below);
    step_.Solve(change_.force, HasStepChange() ? change_.step : nullptr, first_);
    if (!centered_ && position) Refine(probe, tree);
    const Perturbation perturbation = {centered_ ? -eps_ : 0, eps_, position ? dof : -1, position ? -1 : dof};
    step_.StoreColumn(perturbation, first_.b, A_, columns, column);
    StoreActivations(probe.above, below, tree, perturbation.above - perturbation.below, column);
  }

  // Of the actuators that the perturbed tree moves.
  void StoreActivations(const Balance& above, const Balance& below, int tree, double width, int column) {
    const mjtSize first_row = 2 * m_->nv, columns = first_row + m_->na;
    for (int actuator = 0; actuator < m_->nu; ++actuator) {
      if (m_->actuator_actnum[actuator] == 0 || !coupling_.Drives(tree, actuator)) continue;
      const int first = m_->actuator_actadr[actuator], end = first + m_->actuator_actnum[actuator];
      for (int k = first; k < end; ++k) A_[(first_row + k) * columns + column] = (above.act[k] - below.act[k]) / width;
    }
  }

  const mjModel* m_;
  mjData* d_;
  const double eps_;
  const bool centered_;
  const StepLinearization& step_;
  double* A_;
  const TreeCoupling coupling_;
  const ConstraintList constraints_;
  const int probes_;
  Probe* probe_;
  Balance nominal_, change_;
  Accelerations first_, second_, moved_;  // changes of the accelerations; the accelerations after the first
  Quantity quantity_ = Quantity::kVelocity;
  int* failed_;
  int failures_ = 0;
};

// Worlds for the threads of the bound pool.
std::vector<DataPtr> CopiesForThreads(const mjModel* m, const mjData* d) {
  std::vector<DataPtr> copies;
  if (!d->threadpool || d->pstack != 0) return copies;
  const mjThreadPool& pool = *reinterpret_cast<const mjThreadPool*>(d->threadpool);
  const int threads = 1 + pool.nworker;
  for (int i = 0; i < threads; ++i) {
    copies.emplace_back(CopyData(nullptr, *m, *d));
    copies.back()->threadpool = 0;
  }
  return copies;
}

bool Differentiate(const mjModel* m, mjData* d, double eps, bool centered, const TransitionMatrices& result) {
  ForwardSkip(m, d, mjSTAGE_NONE, /*skip_sensors=*/true);
  const std::vector<DataPtr> copies = result.A ? CopiesForThreads(m, d) : std::vector<DataPtr>();
  StackFrame frame(d);
  const StepLinearization step(m, d, frame);
  if (!step.AtBalance()) return false;

  const mjtSize size = 2 * m->nv + m->na;
  if (result.B) {
    std::fill_n(result.B, size * m->nu, 0.0);
    ControlColumns(m, d, eps, centered, step, result.B);
  }
  if (!result.A) return true;
  std::fill_n(result.A, size * size, 0.0);
  ActivationColumns(m, d, eps, centered, step, result.A);
  MotionColumns columns(m, d, copies, eps, centered, step, result.A, frame);
  columns.Run();
  StepDifferences(m, d, eps, centered, {result.A, nullptr, nullptr, nullptr}, frame)
      .Run(columns.failed(), columns.failures());
  return true;
}

}  // namespace

bool DifferentiateBalance(const mjModel* m, mjData* d, double eps, bool centered, const TransitionMatrices& result) {
  if (!FollowsFromBalance(m, result)) return false;
  try {
    return Differentiate(m, d, eps, centered, result);
  } catch (const StackOverflow&) {
    return false;
  }
}

}  // namespace sinew
