#include "derivatives/finite_difference/step_difference.h"

#include "derivatives/finite_difference/copies.h"
#include "integrate/integrate.h"
#include "math/dense.h"
#include "step/forward.h"
#include "step/integrators.h"

namespace sinew::inline derivatives {

StartState::StartState(const mjModel* m, const mjData* d, StackFrame& frame) : time_(d->time) {
  qpos_ = CopyOf(d->qpos, m->nq, frame);
  qvel_ = CopyOf(d->qvel, m->nv, frame);
  act_ = CopyOf(d->act, m->na, frame);
  ctrl_ = CopyOf(d->ctrl, m->nu, frame);
  warmstart_ = CopyOf(d->qacc_warmstart, m->nv, frame);
  history_ = CopyOf(d->history, m->nhistory, frame);
  plugin_state_ = CopyOf(d->plugin_state, m->npluginstate, frame);
}

void StartState::Restore(const mjModel* m, mjData* d) const {
  d->time = time_;
  Copy(d->qpos, qpos_, static_cast<int>(m->nq));
  Copy(d->qvel, qvel_, static_cast<int>(m->nv));
  Copy(d->act, act_, static_cast<int>(m->na));
  Copy(d->ctrl, ctrl_, static_cast<int>(m->nu));
  if (!(m->opt.disableflags & mjDSBL_WARMSTART)) Copy(d->qacc_warmstart, warmstart_, static_cast<int>(m->nv));
  Copy(d->history, history_, static_cast<int>(m->nhistory));
  Copy(d->plugin_state, plugin_state_, static_cast<int>(m->npluginstate));
}

ControlMoves MovesOfControl(const mjModel* m, const mjData* d, int actuator, double eps, bool centered) {
  const mjtNum* range = m->actuator_ctrlrange + 2 * actuator;
  const auto allowed = [&](double control) {
    return !m->actuator_ctrllimited[actuator] || (control >= range[0] && control <= range[1]);
  };
  const double control = d->ctrl[actuator];
  const bool inside = allowed(control), up = inside && allowed(control + eps);
  return {up, (centered || !up) && inside && allowed(control - eps)};
}

StepDifferences::StepDifferences(const mjModel* m, mjData* d, double eps, bool centered,
                                 const TransitionMatrices& result, StackFrame& frame)
    : m_(m),
      d_(d),
      eps_(eps),
      centered_(centered),
      result_(result),
      nv_(static_cast<int>(m->nv)),
      na_(static_cast<int>(m->na)),
      nu_(static_cast<int>(m->nu)),
      start_(m, d, frame) {
  for (Outcome* outcome : {&nominal_, &above_, &below_}) {
    *outcome = {frame.Doubles(m->nq), frame.Doubles(nv_), frame.Doubles(na_), frame.Doubles(m->nsensordata)};
  }
  difference_ = frame.Doubles(StateSize());
  velocity_ = frame.Doubles(nv_);
}

// The unperturbed step comes first: later ones use its positions, velocities and factors. So positions come last.
void StepDifferences::Run() {
  Step(mjSTAGE_NONE, nominal_);
  if (result_.B || result_.D) {
    for (int i = 0; i < nu_; ++i) ControlColumn(i);
  }
  if (!result_.A && !result_.C) return;
  for (int column = StateSize() - 1; column >= 0; --column) StateColumn(column);
}

void StepDifferences::Run(const int* column, int count) {
  if (count == 0) return;
  for (int i = 0; i < count; ++i) {
    Step(mjSTAGE_NONE, nominal_);
    StateColumn(column[i]);
  }
}

// A step from the present state, after which the start is restored. The factors of Euler's method depend on positions
// (and weakly on velocities), those of the implicit integrators on velocities too.
void StepDifferences::Step(int skip_stage, const Outcome& outcome) {
  ForwardSkip(m_, d_, skip_stage, /*skip_sensors=*/!result_.C && !result_.D);
  if (m_->opt.integrator == mjINT_EULER) {
    Euler(m_, d_, /*reuse_factors=*/skip_stage >= mjSTAGE_POS);
  } else {
    Implicit(m_, d_, /*reuse_factors=*/skip_stage >= mjSTAGE_VEL);
  }
  Copy(outcome.qpos, d_->qpos, static_cast<int>(m_->nq));
  Copy(outcome.qvel, d_->qvel, nv_);
  Copy(outcome.act, d_->act, na_);
  Copy(outcome.sensordata, d_->sensordata, static_cast<int>(m_->nsensordata));
  start_.Restore(m_, d_);
}

void StepDifferences::Perturb(int column, double step) {
  if (column >= 2 * nv_) {
    d_->act[column - 2 * nv_] += step;
  } else if (column >= nv_) {
    d_->qvel[column - nv_] += step;
  } else {
    Zero(velocity_, nv_);
    velocity_[column] = 1;
    IntegratePos(m_, d_->qpos, velocity_, step);
  }
}

void StepDifferences::StateColumn(int column) {
  const int skip_stage = column >= 2 * nv_ ? mjSTAGE_VEL : column >= nv_ ? mjSTAGE_POS : mjSTAGE_NONE;
  Perturb(column, eps_);
  Step(skip_stage, above_);
  if (centered_) {
    Perturb(column, -eps_);
    Step(skip_stage, below_);
  }
  const Outcome& below = centered_ ? below_ : nominal_;
  StoreColumn(above_, below, centered_ ? 2 * eps_ : eps_, result_.A, result_.C, StateSize(), column);
}

void StepDifferences::ControlColumn(int i) {
  const double control = d_->ctrl[i];
  const ControlMoves moves = MovesOfControl(m_, d_, i, eps_, centered_);
  if (moves.up) {
    d_->ctrl[i] = control + eps_;
    Step(mjSTAGE_VEL, above_);
  }
  if (moves.down) {
    d_->ctrl[i] = control - eps_;
    Step(mjSTAGE_VEL, below_);
  }
  const double width = moves.up && moves.down ? 2 * eps_ : eps_;
  StoreColumn(moves.up ? above_ : nominal_, moves.down ? below_ : nominal_, width, result_.B, result_.D, nu_, i);
}

// (above - below) / width as a column of matrices with `columns` columns: of the next state, and of sensors.
void StepDifferences::StoreColumn(const Outcome& above, const Outcome& below, double width, double* of_state,
                                  double* of_sensors, int columns, int column) {
  const auto quotient = [&](double* result, const double* x, const double* y, int n) {
    for (int k = 0; k < n; ++k) result[k] = (x[k] - y[k]) / width;
  };
  if (of_state) {
    DifferentiatePos(m_, difference_, width, below.qpos, above.qpos);
    quotient(difference_ + nv_, above.qvel, below.qvel, nv_);
    quotient(difference_ + 2 * nv_, above.act, below.act, na_);
    for (int k = 0; k < StateSize(); ++k) of_state[k * columns + column] = difference_[k];
  }
  if (of_sensors) {
    for (int k = 0; k < m_->nsensordata; ++k) {
      of_sensors[k * columns + column] = (above.sensordata[k] - below.sensordata[k]) / width;
    }
  }
}

}  // namespace sinew::inline derivatives
