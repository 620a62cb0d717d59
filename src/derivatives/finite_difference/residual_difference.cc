#include "derivatives/finite_difference/residual_difference.h"

#include <algorithm>
#include <vector>

#include "core/stack.h"
#include "derivatives/base/residual.h"
#include "derivatives/base/step_linearization.h"
#include "derivatives/finite_difference/control_difference.h"
#include "derivatives/finite_difference/perturbed_worlds.h"
#include "derivatives/finite_difference/step_difference.h"
#include "derivatives/finite_difference/tree_coupling.h"
#include "integrate/held_rows_kernel.h"
#include "integrate/integrate.h"
#include "math/dense.h"
#include "model/state/awake.h"
#include "model/storage/data.h"
#include "step/forward.h"
#include "step/partial_stages.h"

namespace sinew::inline derivatives {

namespace {

// ---- when the step follows from the residual

bool FollowsFromResidual(const mjModel* m, const TransitionMatrices& result) {
  const bool primal = m->opt.solver == mjSOL_NEWTON || m->opt.solver == mjSOL_CG;
  return !result.C && !result.D && primal && m->opt.noslip_iterations == 0 && !HasUserForces(m) && !SleepEnabled(m) &&
         !UsesMidpointRule(m) && !HoldsRows(m);
}

// ---- positions and velocities

// The residual of a perturbed world, on both sides.
struct Sides {
  ResidualParts above, below;
};

class MotionColumns {
 public:
  // The world has gone through the unperturbed forward dynamics, and `copies` are worlds like it, one for each thread
  // that takes part. Without any, the world itself is perturbed. Unusable when the frame is full.
  MotionColumns(const mjModel* m, mjData* d, const std::vector<DataPtr>& copies, double eps, bool centered,
                const StepLinearization& step, double* A, StackFrame& frame)
      : m_(m),
        eps_(eps),
        centered_(centered),
        step_(step),
        A_(A),
        coupling_(m, d, frame),
        constraints_(d, frame),
        worlds_(m, d, copies, coupling_, frame) {
    sides_ = frame.Alloc<Sides>(worlds_.count());
    for (int i = 0; i < worlds_.count() && !frame.full(); ++i) {
      sides_[i] = {MakeResidual(m, frame), MakeResidual(m, frame)};
    }
    nominal_ = MakeResidual(m, frame);
    change_ = MakeResidual(m, frame);
    for (Accelerations* at : {&first_, &second_, &moved_}) *at = {frame.Doubles(m->nv), frame.Doubles(m->nv)};
    failed_ = frame.Ints(2 * m->nv);
    if (frame.full()) return;
    const bool with_step = HasStepMatrix(m);
    UpdateForces(m, d, with_step, nominal_);
    if (!EvaluateResidual(m, d, step.nominal(), with_step, nominal_)) frame.SetFull();
  }

  // Velocities come first, since they need the positions of the unperturbed world.
  void Run() {
    for (Quantity quantity : {Quantity::kVelocity, Quantity::kPosition}) {
      quantity_ = quantity;
      // contacts and rows have to stay those of the unperturbed world
      const auto evaluate = [this](int i, const DofSet& set) {
        return Evaluate(i, set, eps_, sides_[i].above) && (!centered_ || Evaluate(i, set, -eps_, sides_[i].below));
      };
      worlds_.Run(evaluate, [this](int i, const DofSet& set, bool usable) { Store(i, set, usable); });
    }
  }

  // Columns for which contacts or rows came or went.
  const int* failed() const { return failed_; }
  int failures() const { return failures_; }

 private:
  // The residual after a perturbation, which is undone. False when it has nothing to do with the unperturbed one.
  bool Evaluate(int world, const DofSet& set, double step, const ResidualParts& residual) const {
    mjData* d = worlds_[world];
    const MovedDofs moved(worlds_, world, set, quantity_, step);
    if (quantity_ == Quantity::kPosition) PositionsOfForces(m_, d);
    FwdVelocity(m_, d);
    UpdateForces(m_, d, HasStepChange(), residual);
    return EvaluateResidual(m_, d, step_.nominal(), HasStepChange(), residual) && constraints_.SameIn(d);
  }

  // Euler's method keeps its matrix when velocities change.
  bool HasStepChange() const {
    return HasStepMatrix(m_) && (quantity_ == Quantity::kPosition || m_->opt.integrator != mjINT_EULER);
  }

  void Store(int world, const DofSet& set, bool usable) {
    const int offset = quantity_ == Quantity::kPosition ? 0 : static_cast<int>(m_->nv);
    worlds_.ForEachDof(set, [&](int tree, int dof) {
      if (usable) {
        StoreColumn(world, tree, dof, offset + dof);
      } else {
        failed_[failures_++] = offset + dof;
      }
    });
  }

  // change_: that of the residual from one to the other, as far as `tree` changes it.
  void TakeChange(int tree, const ResidualParts& above, const ResidualParts& below) {
    const bool steps = HasStepChange();
    for (int i = 0; i < m_->nv; ++i) {
      const bool depends = coupling_.DependsOn(m_->dof_treeid[i], tree);
      change_.force[i] = depends ? above.force[i] - below.force[i] : 0;
      if (steps) change_.step[i] = depends ? above.step[i] - below.step[i] : 0;
    }
  }

  // Adds to the change of the accelerations what the perturbed residual still lacks there: with the factors of the
  // unperturbed world, one iteration leaves an error of second order. Central differences cancel it, forward ones keep
  // it; after a change of velocities there is none, because M and J stay. Where the stack is too small, nothing is
  // added.
  void Refine(int world, int tree) {
    for (int i = 0; i < m_->nv; ++i) {
      moved_.a[i] = step_.nominal().a[i] + first_.a[i];
      moved_.b[i] = step_.nominal().b[i] + first_.b[i];
    }
    if (!EvaluateResidual(m_, worlds_[world], moved_, HasStepChange(), sides_[world].below)) return;
    TakeChange(tree, sides_[world].below, nominal_);
    step_.Solve(change_.force, HasStepChange() ? change_.step : nullptr, second_);
    for (int i = 0; i < m_->nv; ++i) first_.b[i] += second_.b[i];
  }

  void StoreColumn(int world, int tree, int dof, int column) {
    const ResidualParts &above = sides_[world].above, &below = centered_ ? sides_[world].below : nominal_;
    const int columns = 2 * static_cast<int>(m_->nv) + static_cast<int>(m_->na);
    const bool position = quantity_ == Quantity::kPosition;
    TakeChange(tree, above, below);
    step_.Solve(change_.force, HasStepChange() ? change_.step : nullptr, first_);
    if (!centered_ && position) Refine(world, tree);
    const Perturbation perturbation = {centered_ ? -eps_ : 0, eps_, position ? dof : -1, position ? -1 : dof};
    step_.StoreColumn(perturbation, first_.b, A_, columns, column);
    StoreActivations(above, below, tree, perturbation.above - perturbation.below, column);
  }

  // Only actuators that the perturbed tree moves have a change.
  void StoreActivations(const ResidualParts& above, const ResidualParts& below, int tree, double width, int column) {
    const mjtSize first_row = 2 * m_->nv, columns = first_row + m_->na;
    for (int actuator = 0; actuator < m_->nu; ++actuator) {
      if (m_->actuator_actnum[actuator] == 0 || !coupling_.Drives(tree, actuator)) continue;
      const int first = m_->actuator_actadr[actuator], end = first + m_->actuator_actnum[actuator];
      for (int k = first; k < end; ++k) A_[(first_row + k) * columns + column] = (above.act[k] - below.act[k]) / width;
    }
  }

  const mjModel* m_;
  const double eps_;
  const bool centered_;
  const StepLinearization& step_;
  double* A_;
  const TreeCoupling coupling_;
  const ConstraintList constraints_;
  const PerturbedWorlds worlds_;
  Sides* sides_;
  ResidualParts nominal_, change_;
  Accelerations first_, second_, moved_;  // changes of the accelerations; the accelerations after the first
  Quantity quantity_ = Quantity::kVelocity;
  int* failed_;
  int failures_ = 0;
};

bool Differentiate(const mjModel* m, mjData* d, double eps, bool centered, const TransitionMatrices& result) {
  ForwardSkip(m, d, mjSTAGE_NONE, /*skip_sensors=*/true);
  const std::vector<DataPtr> copies = result.A ? CopiesForThreads(m, d) : std::vector<DataPtr>();
  StackFrame frame(d, WhenFull::kReport);
  const StepLinearization step(m, d, frame);
  if (frame.full() || !step.AtSolution()) return false;

  const mjtSize size = 2 * m->nv + m->na;
  if (result.B) {
    std::fill_n(result.B, size * m->nu, 0.0);
    ControlDifferences(m, d, eps, centered, step, result.B);
  }
  if (!result.A) return true;
  std::fill_n(result.A, size * size, 0.0);
  ActivationDifferences(m, d, eps, centered, step, result.A);
  MotionColumns columns(m, d, copies, eps, centered, step, result.A, frame);
  if (frame.full()) return false;
  columns.Run();
  StackFrame rest(d);
  StepDifferences(m, d, eps, centered, {result.A, nullptr, nullptr, nullptr}, rest)
      .Run(columns.failed(), columns.failures());
  return true;
}

}  // namespace

bool DifferenceResidual(const mjModel* m, mjData* d, double eps, bool centered, const TransitionMatrices& result) {
  return FollowsFromResidual(m, result) && Differentiate(m, d, eps, centered, result);
}

}  // namespace sinew::inline derivatives
