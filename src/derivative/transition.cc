// Finite differences of a step.
#include "core/error.h"
#include "core/stack.h"
#include "derivative/finite_difference.h"
#include "integrate/integrate.h"
#include "math/dense.h"
#include "step/forward.h"

namespace sinew {
namespace {

// What a step begins with.
struct Start {
  double time;
  double *qpos, *qvel, *act, *ctrl, *warmstart, *plugin_state;
};

// What it leads to.
struct Outcome {
  double *qpos, *qvel, *act, *sensordata;
};

class Differences {
 public:
  Differences(const mjModel* m, mjData* d, double eps, bool centered, const TransitionMatrices& result,
              StackFrame& frame)
      : m_(m), d_(d), eps_(eps), centered_(centered), result_(result) {
    nq_ = static_cast<int>(m->nq);
    nv_ = static_cast<int>(m->nv);
    na_ = static_cast<int>(m->na);
    nu_ = static_cast<int>(m->nu);
    start_ = {d->time,
              frame.Doubles(nq_),
              frame.Doubles(nv_),
              frame.Doubles(na_),
              frame.Doubles(nu_),
              frame.Doubles(nv_),
              frame.Doubles(m->npluginstate)};
    for (Outcome* outcome : {&nominal_, &above_, &below_}) {
      *outcome = {frame.Doubles(nq_), frame.Doubles(nv_), frame.Doubles(na_), frame.Doubles(m->nsensordata)};
    }
    difference_ = frame.Doubles(StateSize());
    velocity_ = frame.Doubles(nv_);
    Save();
  }

  // Columns of all matrices. The unperturbed step comes first: later ones use its positions, velocities and factors.
  void Run() {
    Step(mjSTAGE_NONE, nominal_);
    if (result_.B || result_.D) {
      for (int i = 0; i < nu_; ++i) ControlColumn(i);
    }
    if (!result_.A && !result_.C) return;
    for (int i = 0; i < na_; ++i) {
      StateColumn(2 * nv_ + i, mjSTAGE_VEL, [&](double step) { d_->act[i] += step; });
    }
    for (int i = 0; i < nv_; ++i) {
      StateColumn(nv_ + i, mjSTAGE_POS, [&](double step) { d_->qvel[i] += step; });
    }
    for (int i = 0; i < nv_; ++i) {
      StateColumn(i, mjSTAGE_NONE, [&](double step) {
        Zero(velocity_, nv_);
        velocity_[i] = 1;
        IntegratePos(m_, d_->qpos, velocity_, step);
      });
    }
  }

 private:
  int StateSize() const { return 2 * nv_ + na_; }

  void Save() {
    Copy(start_.qpos, d_->qpos, nq_);
    Copy(start_.qvel, d_->qvel, nv_);
    Copy(start_.act, d_->act, na_);
    Copy(start_.ctrl, d_->ctrl, nu_);
    Copy(start_.warmstart, d_->qacc_warmstart, nv_);
    Copy(start_.plugin_state, d_->plugin_state, static_cast<int>(m_->npluginstate));
  }

  void Restore() {
    d_->time = start_.time;
    Copy(d_->qpos, start_.qpos, nq_);
    Copy(d_->qvel, start_.qvel, nv_);
    Copy(d_->act, start_.act, na_);
    Copy(d_->ctrl, start_.ctrl, nu_);
    if (!(m_->opt.disableflags & mjDSBL_WARMSTART)) Copy(d_->qacc_warmstart, start_.warmstart, nv_);
    Copy(d_->plugin_state, start_.plugin_state, static_cast<int>(m_->npluginstate));
  }

  // A step from the present state, after which the start is restored. The factors of Euler's method depend on positions
  // (and weakly on velocities), those of the implicit integrators on velocities too.
  void Step(int skip_stage, const Outcome& outcome) {
    ForwardSkip(m_, d_, skip_stage, /*skip_sensors=*/!result_.C && !result_.D);
    if (m_->opt.integrator == mjINT_EULER) {
      Euler(m_, d_, /*reuse_factors=*/skip_stage >= mjSTAGE_POS);
    } else {
      Implicit(m_, d_, /*reuse_factors=*/skip_stage >= mjSTAGE_VEL);
    }
    Copy(outcome.qpos, d_->qpos, nq_);
    Copy(outcome.qvel, d_->qvel, nv_);
    Copy(outcome.act, d_->act, na_);
    Copy(outcome.sensordata, d_->sensordata, static_cast<int>(m_->nsensordata));
    Restore();
  }

  template <class Perturb>
  void StateColumn(int column, int skip_stage, Perturb perturb) {
    perturb(eps_);
    Step(skip_stage, above_);
    if (centered_) {
      perturb(-eps_);
      Step(skip_stage, below_);
    }
    const Outcome& below = centered_ ? below_ : nominal_;
    StoreColumn(above_, below, centered_ ? 2 * eps_ : eps_, result_.A, result_.C, StateSize(), column);
  }

  bool IsAllowed(int actuator, double control) const {
    const mjtNum* range = m_->actuator_ctrlrange + 2 * actuator;
    return !m_->actuator_ctrllimited[actuator] || (control >= range[0] && control <= range[1]);
  }

  // A control at its limit is moved inwards; one outside of its range has no effect.
  void ControlColumn(int i) {
    const double control = d_->ctrl[i];
    const bool inside = IsAllowed(i, control), up = inside && IsAllowed(i, control + eps_);
    const bool down = (centered_ || !up) && inside && IsAllowed(i, control - eps_);
    if (up) {
      d_->ctrl[i] = control + eps_;
      Step(mjSTAGE_VEL, above_);
    }
    if (down) {
      d_->ctrl[i] = control - eps_;
      Step(mjSTAGE_VEL, below_);
    }
    const double width = up && down ? 2 * eps_ : eps_;
    StoreColumn(up ? above_ : nominal_, down ? below_ : nominal_, width, result_.B, result_.D, nu_, i);
  }

  // (above - below) / width as a column of matrices with `columns` columns: of the next state, and of sensors.
  void StoreColumn(const Outcome& above, const Outcome& below, double width, double* of_state, double* of_sensors,
                   int columns, int column) {
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

  const mjModel* m_;
  mjData* d_;
  double eps_;
  bool centered_;
  TransitionMatrices result_;
  int nq_, nv_, na_, nu_;
  Start start_;
  Outcome nominal_, above_, below_;
  double *difference_, *velocity_;  // scratch
};

}  // namespace

void DifferentiateTransition(const mjModel* m, mjData* d, double eps, bool centered, const TransitionMatrices& result) {
  if (m->opt.integrator == mjINT_RK4) {
    throw Error("finite differences of a step are not supported by RK4", "choose another integrator");
  }
  if (m->nhistory > 0) throw Error("finite differences do not support histories", "remove delays and intervals");
  StackFrame frame(d);
  Differences(m, d, eps, centered, result, frame).Run();
}

}  // namespace sinew
