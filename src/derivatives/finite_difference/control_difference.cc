#include "derivatives/finite_difference/control_difference.h"

#include <algorithm>

#include "derivatives/finite_difference/step_difference.h"
#include "force/activation_kernel.h"
#include "math/dense.h"
#include "step/forward.h"

namespace sinew::inline derivatives {
namespace {

// Limits that actuators share: of joints and tendons.
bool ShareLimits(const mjModel* m) {
  const auto any = [](const mjtByte* flag, mjtSize n) { return std::find(flag, flag + n, 1) != flag + n; };
  return any(m->jnt_actfrclimited, m->njnt) || any(m->tendon_actfrclimited, m->ntendon);
}

// One input of every actuator that has it: the control, or the k-th activation.
struct Inputs {
  double* value;        // ctrl or act
  const int* adr;       // nu: where the actuator's input stands there, -1 for none
  ControlMoves* moves;  // nu: how it may be perturbed
  double* matrix;       // with a column for each input
  int columns, first;   // their number, and that of input 0
};

class ActuatorColumns {
 public:
  ActuatorColumns(const mjModel* m, mjData* d, double eps, const StepLinearization& step, const Inputs& inputs,
                  StackFrame& frame)
      : m_(m), d_(d), eps_(eps), step_(step), inputs_(inputs) {
    nominal_ = MakeOutput(frame);
    above_ = MakeOutput(frame);
    below_ = MakeOutput(frame);
    force_ = frame.Doubles(m->nv);
    change_ = {frame.Doubles(m->nv), frame.Doubles(m->nv)};
    Evaluate(nominal_);
  }

  void Run() {
    const int nu = static_cast<int>(m_->nu), together = ShareLimits(m_) ? 1 : nu;
    for (int begin = 0; begin < nu; begin += together) Run(begin, begin + together);
  }

 private:
  // Output of the actuators.
  struct Output {
    double *force, *qfrc, *act;  // nu, nv, na: of each actuator, all together, activations at the end of the step
  };
  Output MakeOutput(StackFrame& frame) const {
    return {frame.Doubles(m_->nu), frame.Doubles(m_->nv), frame.Doubles(m_->na)};
  }
  void Evaluate(const Output& output) {
    FwdActuation(m_, d_);
    Copy(output.force, d_->actuator_force, static_cast<int>(m_->nu));
    Copy(output.qfrc, d_->qfrc_actuator, static_cast<int>(m_->nv));
    Copy(output.act, d_->act, static_cast<int>(m_->na));
    NextActivations<double>(m_, d_, d_->act_dot, output.act);
  }

  // Perturbs the inputs of actuators [begin, end) in the wanted direction, as far as they may.
  void Evaluate(int begin, int end, bool ControlMoves::*direction, double step, const Output& output) {
    const auto move = [&](double by) {
      for (int i = begin; i < end; ++i) {
        if (inputs_.moves[i].*direction) inputs_.value[inputs_.adr[i]] += by;
      }
    };
    StackFrame frame(d_);
    double* kept = frame.Doubles(end - begin);
    for (int i = begin; i < end; ++i) kept[i - begin] = inputs_.adr[i] < 0 ? 0 : inputs_.value[inputs_.adr[i]];
    move(step);
    Evaluate(output);
    for (int i = begin; i < end; ++i) {
      if (inputs_.adr[i] >= 0) inputs_.value[inputs_.adr[i]] = kept[i - begin];
    }
  }

  void Run(int begin, int end) {
    const auto any = [&](bool ControlMoves::*direction) {
      return std::any_of(inputs_.moves + begin, inputs_.moves + end, [=](auto& moves) { return moves.*direction; });
    };
    if (any(&ControlMoves::up)) Evaluate(begin, end, &ControlMoves::up, eps_, above_);
    if (any(&ControlMoves::down)) Evaluate(begin, end, &ControlMoves::down, -eps_, below_);
    for (int i = begin; i < end; ++i) {
      if (inputs_.moves[i].up || inputs_.moves[i].down) Store(i, /*alone=*/end - begin == 1);
    }
  }

  void Store(int i, bool alone) {
    const bool up = inputs_.moves[i].up, down = inputs_.moves[i].down;
    const Output &above = up ? above_ : nominal_, &below = down ? below_ : nominal_;

    // change of the residual: less the change of the actuator's force
    const int nv = static_cast<int>(m_->nv), adr = d_->moment_rowadr[i];
    Zero(force_, nv);
    for (int k = 0; alone && k < nv; ++k) force_[k] = below.qfrc[k] - above.qfrc[k];
    for (int k = adr; !alone && k < adr + d_->moment_rownnz[i]; ++k) {
      force_[d_->moment_colind[k]] += d_->actuator_moment[k] * (below.force[i] - above.force[i]);
    }
    const Perturbation perturbation = {down ? -eps_ : 0, up ? eps_ : 0, -1, -1};
    const int column = inputs_.first + inputs_.adr[i];
    step_.Solve(force_, nullptr, change_);
    step_.StoreColumn(perturbation, change_.b, inputs_.matrix, inputs_.columns, column);

    // the actuator's own activations
    const double width = perturbation.above - perturbation.below;
    const int first = m_->actuator_actadr[i], end = first + m_->actuator_actnum[i];
    for (int k = first; k < end; ++k) {
      inputs_.matrix[(2 * m_->nv + k) * inputs_.columns + column] = (above.act[k] - below.act[k]) / width;
    }
  }

  const mjModel* m_;
  mjData* d_;
  const double eps_;
  const StepLinearization& step_;
  const Inputs inputs_;
  Output nominal_, above_, below_;
  double* force_;         // change of the residual
  Accelerations change_;  // and of what follows
};

}  // namespace

void ControlDifferences(const mjModel* m, mjData* d, double eps, bool centered, const StepLinearization& step,
                        double* B) {
  const int nu = static_cast<int>(m->nu);
  if (nu == 0) return;
  StackFrame frame(d);
  int* adr = frame.Ints(nu);
  ControlMoves* moves = frame.Alloc<ControlMoves>(nu);
  for (int i = 0; i < nu; ++i) {
    adr[i] = i;
    moves[i] = MovesOfControl(m, d, i, eps, centered);
  }
  ActuatorColumns(m, d, eps, step, {d->ctrl, adr, moves, B, nu, 0}, frame).Run();
}

void ActivationDifferences(const mjModel* m, mjData* d, double eps, bool centered, const StepLinearization& step,
                           double* A) {
  const int nu = static_cast<int>(m->nu), nv = static_cast<int>(m->nv), na = static_cast<int>(m->na);
  if (na == 0) return;
  StackFrame frame(d);
  int* adr = frame.Ints(nu);
  ControlMoves* moves = frame.Alloc<ControlMoves>(nu);
  const int most = *std::max_element(m->actuator_actnum, m->actuator_actnum + nu);
  for (int k = 0; k < most; ++k) {
    for (int i = 0; i < nu; ++i) {
      const bool has = k < m->actuator_actnum[i];
      adr[i] = has ? m->actuator_actadr[i] + k : -1;
      moves[i] = {has, has && centered};
    }
    ActuatorColumns(m, d, eps, step, {d->act, adr, moves, A, 2 * nv + na, 2 * nv}, frame).Run();
  }
}

}  // namespace sinew::inline derivatives
