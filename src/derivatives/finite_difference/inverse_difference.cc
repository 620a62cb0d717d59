// Finite differences of inverse dynamics: every row is an evaluation of forces with one dof moved.
#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/stack.h"
#include "derivatives/base/residual.h"
#include "derivatives/difference_transition.h"
#include "derivatives/finite_difference/copies.h"
#include "derivatives/finite_difference/perturbed_worlds.h"
#include "derivatives/finite_difference/tree_coupling.h"
#include "force/actuation.h"
#include "math/dense.h"
#include "model/kinds/integrator.h"
#include "model/state/awake.h"
#include "step/inverse.h"
#include "step/partial_stages.h"

namespace sinew::inline derivatives {
namespace {

// The options of inverse dynamics, and its evaluation.
class Evaluation {
 public:
  Evaluation(const mjModel* m, bool subtract_actuators, const InverseMatrices& result)
      : m_(m), subtract_actuators_(subtract_actuators), sensors_(result.DsDq || result.DsDv || result.DsDa) {}

  // Whether copies of the world can be evaluated on several threads.
  bool Parallel() const { return !HasUserForces(m_) && !(sensors_ && mjcb_sensor) && !SleepEnabled(m_); }

  // Whether a perturbation changes only trees that a force joins with its own. Sensors may see all trees; with
  // invdiscrete it changes the neighbours of their neighbours too, whose acceleration changes.
  bool Local() const { return !HasUserForces(m_) && !SleepEnabled(m_) && !sensors_ && !Discrete(); }

  // Leaves the force, less that of actuators if wanted, in qfrc_inverse.
  void Run(mjData* d) const {
    InverseSkip(m_, d, mjSTAGE_NONE, !sensors_);
    SubtractActuators(d, /*moved=*/true);
  }

  // The same after a quantity was moved: what that cannot change is not computed again.
  void RunMoved(mjData* d, Quantity moved) const {
    int skip_stage = moved == Quantity::kAcceleration ? mjSTAGE_VEL : mjSTAGE_POS;
    if (moved == Quantity::kPosition) {
      if (Local()) {
        PositionsOfForces(m_, d);
      } else {
        skip_stage = mjSTAGE_NONE;
      }
    }
    InverseSkip(m_, d, skip_stage, !sensors_);
    SubtractActuators(d, moved != Quantity::kAcceleration);
  }

  // Makes qfrc_inverse of an evaluated world what inverse dynamics says.
  void AddActuators(mjData* d) const {
    if (subtract_actuators_) Add(d->qfrc_inverse, d->qfrc_inverse, d->qfrc_actuator, static_cast<int>(m_->nv));
  }

 private:
  void SubtractActuators(mjData* d, bool moved) const {
    if (!subtract_actuators_) return;
    if (moved) Actuation(m_, d);
    for (int i = 0; i < m_->nv; ++i) d->qfrc_inverse[i] -= d->qfrc_actuator[i];
  }

  bool Discrete() const { return IsDiscrete(m_) || (m_->opt.enableflags & mjENBL_INVDISCRETE) != 0; }

  const mjModel* m_;
  const bool subtract_actuators_, sensors_;
};

class InverseDifferences {
 public:
  // The world has gone through the evaluation, and `copies` are worlds like it.
  InverseDifferences(const mjModel* m, mjData* d, const std::vector<DataPtr>& copies, const Evaluation& evaluation,
                     double eps, const InverseMatrices& result, StackFrame& frame)
      : m_(m),
        evaluation_(evaluation),
        eps_(eps),
        result_(result),
        coupling_(m, d, frame, evaluation.Local() ? Coupling::kForces : Coupling::kAll),
        constraints_(d, frame),
        worlds_(m, d, copies, coupling_, frame) {
    force_ = CopyOf(d->qfrc_inverse, m->nv, frame);
    sensordata_ = CopyOf(d->sensordata, m->nsensordata, frame);
    qM_ = CopyOf(d->qM, m->nM, frame);
  }

  // Each needs the unperturbed stages before its own, so positions come last.
  void Run() {
    if (result_.DfDa || result_.DsDa) Rows(Quantity::kAcceleration, result_.DfDa, result_.DsDa, nullptr);
    if (result_.DfDv || result_.DsDv) Rows(Quantity::kVelocity, result_.DfDv, result_.DsDv, nullptr);
    if (result_.DfDq || result_.DsDq || result_.DmDq) {
      Rows(Quantity::kPosition, result_.DfDq, result_.DsDq, result_.DmDq);
    }
  }

 private:
  // Where contacts or rows came or went, trees may depend on each other that did not: then each tree is moved alone.
  void Rows(Quantity quantity, double* of_force, double* of_sensors, double* of_inertia) {
    const auto evaluate = [&](int world, const DofSet& set) {
      const MovedDofs moved(worlds_, world, set, quantity, eps_);
      evaluation_.RunMoved(worlds_[world], quantity);
      return !evaluation_.Local() || constraints_.SameIn(worlds_[world]);
    };
    const auto store = [&](int world, const DofSet& set, bool usable) {
      const mjData* d = worlds_[world];
      worlds_.ForEachDof(set, [&](int tree, int dof) {
        if (!usable) evaluate(world, {set.group, set.index, tree});
        if (of_sensors) StoreChanges(of_sensors + dof * m_->nsensordata, d->sensordata, sensordata_, m_->nsensordata);
        for (int other = 0; other < m_->ntree; ++other) {
          const bool depends = !usable || coupling_.DependsOn(other, tree);
          StorePart(of_force, dof, m_->nv, d->qfrc_inverse, force_, DofsOfTree(other), depends);
          StorePart(of_inertia, dof, m_->nM, d->qM, qM_, InertiaOfTree(other), depends);
        }
      });
    };
    worlds_.Run(evaluate, store);
  }

  // Where a tree has its dofs, and its elements of qM.
  struct Range {
    mjtSize begin, end;
  };
  Range DofsOfTree(int tree) const {
    const int first = m_->tree_dofadr[tree];
    return {first, first + m_->tree_dofnum[tree]};
  }
  Range InertiaOfTree(int tree) const {
    const Range dofs = DofsOfTree(tree);
    return {m_->dof_Madr[dofs.begin], dofs.end < m_->nv ? m_->dof_Madr[dofs.end] : m_->nM};
  }

  // The part of a matrix' row that belongs to one tree.
  void StorePart(double* matrix, int row, mjtSize columns, const double* values, const double* unperturbed,
                 const Range& range, bool depends) const {
    if (!matrix) return;
    double* part = matrix + row * columns + range.begin;
    const mjtSize size = range.end - range.begin;
    if (depends) {
      StoreChanges(part, values + range.begin, unperturbed + range.begin, size);
    } else {
      std::fill_n(part, size, 0.0);
    }
  }

  void StoreChanges(double* result, const double* values, const double* unperturbed, mjtSize n) const {
    for (mjtSize k = 0; k < n; ++k) result[k] = (values[k] - unperturbed[k]) / eps_;
  }

  const mjModel* m_;
  const Evaluation& evaluation_;
  const double eps_;
  const InverseMatrices result_;
  const TreeCoupling coupling_;
  const ConstraintList constraints_;
  const PerturbedWorlds worlds_;
  const double *force_, *sensordata_, *qM_;  // unperturbed
};

}  // namespace

void DifferenceInverse(const mjModel* m, mjData* d, double eps, bool subtract_actuators,
                       const InverseMatrices& result) {
  if (m->opt.integrator == mjINT_RK4) throw Error("inverse dynamics does not support RK4", "choose another integrator");
  if (m->opt.noslip_iterations > 0) {
    throw Error("inverse dynamics does not support the noslip solver", "set noslip_iterations to 0");
  }
  const Evaluation evaluation(m, subtract_actuators, result);
  evaluation.Run(d);
  const std::vector<DataPtr> copies = evaluation.Parallel() ? CopiesForThreads(m, d) : std::vector<DataPtr>();
  StackFrame frame(d);
  InverseDifferences(m, d, copies, evaluation, eps, result, frame).Run();
  evaluation.AddActuators(d);
}

}  // namespace sinew::inline derivatives
