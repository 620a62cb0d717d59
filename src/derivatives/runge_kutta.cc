// With X = (q, v, act) and its rates F = (v, a, act_dot),
//
//   X_i = X (+) c_i h F_(i-1),   X' = X (+) h sum w_i F_i
//   dX_i = T_i dX + c_i h V_i dF_(i-1),   dF_i = (dv_i, da(X_i) dX_i + da/du du, ...)
//
// where T and V are the identity but for the rotations of quaternions (derivatives/base/rotation.h).
#include "derivatives/runge_kutta.h"

#include <algorithm>

#include "derivatives/base/rotation.h"
#include "derivatives/make_residual_derivative.h"
#include "derivatives/parameters.h"
#include "derivatives/terms/forward_at_solution.h"
#include "force/activation_kernel.h"
#include "integrate/integrate.h"
#include "integrate/position_kernel.h"
#include "model/state/state.h"
#include "step/runge_kutta_kernel.h"

namespace sinew::inline derivatives {
namespace {

// Rows for a state or its rates, columns for (q, v, act, u) at the start.
class Map {
 public:
  Map(int rows, int columns) : columns_(columns), entries_(static_cast<size_t>(rows) * static_cast<size_t>(columns)) {}
  double* operator[](int row) { return entries_.data() + static_cast<size_t>(row) * static_cast<size_t>(columns_); }
  const double* operator[](int row) const {
    return entries_.data() + static_cast<size_t>(row) * static_cast<size_t>(columns_);
  }
  void AddScaled(double scale, const Map& other) {
    for (size_t k = 0; k < entries_.size(); ++k) entries_[k] += scale * other.entries_[k];
  }

 private:
  int columns_;
  std::vector<double> entries_;
};

// The state at the start of a step, from which the world moves to its stages; it is there again in the end.
class StageStart {
 public:
  StageStart(const mjModel* m, mjData* d) : m_(m), d_(d), sizes_(m) {
    for (int part : {mjSTATE_TIME, mjSTATE_QPOS, mjSTATE_QVEL, mjSTATE_ACT}) parts_ |= part;
    start_.resize(static_cast<size_t>(StateSize(*m, parts_)));
    GetState(*m, *d, start_.data(), parts_);
  }
  ~StageStart() { Return(); }
  StageStart(const StageStart&) = delete;
  StageStart& operator=(const StageStart&) = delete;

  void Return() const { SetState(*m_, d_, start_.data(), parts_); }

  // Puts the world to where a stage is evaluated.
  void MoveTo(const double* rates, double step) const {
    Return();
    d_->time += step;
    IntegratePos(m_, d_->qpos, rates, step);
    for (int i = 0; i < sizes_.nv; ++i) d_->qvel[i] += step * rates[sizes_.nv + i];
    for (int i = 0; i < sizes_.na; ++i) d_->act[i] += step * rates[2 * sizes_.nv + i];
  }

  // Rates of the present state, whose forward dynamics are there with the accelerations a.
  void Rates(const double* a, double* rates) const {
    std::copy_n(d_->qvel, sizes_.nv, rates);
    std::copy_n(a, sizes_.nv, rates + sizes_.nv);
    std::copy_n(d_->act_dot, sizes_.na, rates + 2 * sizes_.nv);
  }

 private:
  const mjModel* m_;
  mjData* d_;
  const StateSizes sizes_;
  int parts_ = 0;
  std::vector<double> start_;
};

class RungeKuttaChain {
 public:
  RungeKuttaChain(const mjModel* m, mjData* d, const Smoothing& smoothing)
      : m_(m),
        d_(d),
        smoothing_(smoothing),
        sizes_(m),
        columns_(sizes_.all()),
        start_(m, d),
        mean_(sizes_.state(), columns_) {}

  void Run(const TransitionMatrices& result) {
    Map state = Identity(), rate(sizes_.state(), columns_);
    std::vector<double> before(static_cast<size_t>(sizes_.state()));
    std::vector<double> mean(before.size());
    for (int stage = 0; stage < kRungeKuttaStages; ++stage) {
      if (stage > 0) {
        const double step = kRungeKuttaNode[stage] * m_->opt.timestep;
        state = Moved(before.data(), rate, step);
        start_.MoveTo(before.data(), step);
      }
      rate = RatesAt(state, before.data());
      mean_.AddScaled(kRungeKuttaWeight[stage], rate);
      for (size_t i = 0; i < mean.size(); ++i) mean[i] += kRungeKuttaWeight[stage] * before[i];
    }
    const std::vector<ActivationRow> bristles = RowsOfBristles(m_, d_);
    start_.Return();
    Map end = Moved(mean.data(), mean_, m_->opt.timestep);
    EndActivations(mean.data() + 2 * sizes_.nv, bristles, state, end);
    for (int i = 0; i < sizes_.state(); ++i) {
      if (result.A) std::copy_n(end[i], sizes_.state(), result.A + static_cast<ptrdiff_t>(i) * sizes_.state());
      if (result.B) std::copy_n(end[i] + sizes_.state(), sizes_.nu, result.B + static_cast<ptrdiff_t>(i) * sizes_.nu);
    }
  }

 private:
  Map Identity() const {
    Map identity(sizes_.state(), columns_);
    for (int i = 0; i < sizes_.state(); ++i) identity[i][i] = 1;
    return identity;
  }

  // The state at the start, moved for a time along rates. Velocities and activations are the last rows.
  Map Moved(const double* rates, const Map& rate, double step) const {
    Map moved = Identity();
    ForEachCoordinate(
        ModelView<double>(m_), [](int, int) {},
        [&](int, int dof) {
          const Mat3<double> quat = DifferentiateQuatIntegrate(LoadVec3(rates + dof), step).quat;
          for (int k = 0; k < 3; ++k) {
            for (int l = 0; l < 3; ++l) moved[dof + k][dof + l] = quat(k, l);
          }
        });
    Map along = rate;
    ForEachCoordinate(
        ModelView<double>(m_), [](int, int) {},
        [&](int, int dof) {
          const Mat3<double> turn = DifferentiateQuatIntegrate(LoadVec3(rates + dof), step).velocity;
          for (int c = 0; c < columns_; ++c) {
            const Vec3<double> v = turn * Vec3<double>{rate[dof][c], rate[dof + 1][c], rate[dof + 2][c]};
            for (int k = 0; k < 3; ++k) along[dof + k][c] = v[k];
          }
        });
    moved.AddScaled(step, along);
    return moved;
  }

  // Rates of the present state, and how they depend on the start.
  Map RatesAt(const Map& state, double* rates) {
    const std::unique_ptr<ResidualDerivative> derivative = MakeResidualDerivative(m_, d_, smoothing_);
    ResidualDerivative& residual = *derivative;
    residual.Solve();
    const int nv = sizes_.nv;
    start_.Rates(residual.point().a, rates);
    Map rate(sizes_.state(), columns_);
    for (int i = 0; i < nv; ++i) std::copy_n(state[nv + i], columns_, rate[i]);
    for (int x = 0; x < columns_; ++x) {
      const double* change = residual.columns().force[x];
      for (int i = 0; i < nv; ++i) {
        if (change[i] == 0) continue;
        double* row = rate[nv + i];
        if (x >= sizes_.control()) {
          row[x] += change[i];
        } else {
          for (int c = 0; c < columns_; ++c) row[c] += change[i] * state[x][c];
        }
      }
    }
    for (int k = 0; k < sizes_.na; ++k) {
      double* row = rate[sizes_.activation() + k];
      for (const auto& [column, slope] : residual.activations()[Size(k)].slopes) {
        if (column >= sizes_.control()) {
          row[column] += slope;
        } else {
          for (int c = 0; c < columns_; ++c) row[c] += slope * state[column][c];
        }
      }
    }
    return rate;
  }

  // Activations end as at the end of a step of Euler's, at the mean rate: exact filters, ranges, bristles with the
  // velocity of the last stage. Without actuation, and of disabled actuators, they rest.
  void EndActivations(const double* mean_rate, const std::vector<ActivationRow>& bristles, const Map& last_stage,
                      Map& end) {
    const ModelView<double> m(m_);
    const DataView<double> d(d_);
    for (int u = 0; u < sizes_.nu; ++u) {
      for (int k = 0; k < m_->actuator_actnum[u]; ++k) {
        const int adr = m_->actuator_actadr[u] + k, row = sizes_.activation() + adr;
        const ActivationEnd at = EndOfActivation(m, d, u, adr, mean_rate[adr]);
        for (int c = 0; c < columns_; ++c) {
          end[row][c] = (c == row ? at.by_start : 0) + at.by_rate * mean_[row][c];
        }
        if (at.by_velocity == 0) continue;
        for (const auto& [column, slope] : bristles[Size(u)].slopes) {
          for (int c = 0; c < columns_; ++c) end[row][c] += at.by_velocity * slope * last_stage[column][c];
        }
      }
    }
  }

  const mjModel* m_;
  mjData* d_;
  const Smoothing smoothing_;
  const StateSizes sizes_;
  int columns_;
  const StageStart start_;
  Map mean_;
};

// The chain backwards: with slopes l by a state and mu by rates,
//   X = X_0 (+) t F:    l_0 += T' l,  mu += t V' l
//   F_i = F(X_i, u):    l_i += (dF/dX)' mu, with one solution of the transposed residual
class RungeKuttaPullback {
 public:
  RungeKuttaPullback(const mjModel* m, mjData* d, const Smoothing& smoothing, const DelayedControls& delays,
                     const sinewParameterGradients* parameters)
      : m_(m), d_(d), smoothing_(smoothing), delays_(delays), parameters_(parameters), sizes_(m), start_(m, d) {}

  void Run(std::vector<double>& state, std::vector<double>& control) {
    const size_t size = Size(sizes_.state());
    const double h = m_->opt.timestep;
    std::vector<double> rates[kRungeKuttaStages], mean(size);
    for (int stage = 0; stage < kRungeKuttaStages; ++stage) {
      if (stage > 0) start_.MoveTo(rates[stage - 1].data(), kRungeKuttaNode[stage] * h);
      ForwardAtSolution(m_, d_, smoothing_);
      rates[stage].resize(size);
      start_.Rates(d_->qacc, rates[stage].data());
      for (size_t i = 0; i < size; ++i) mean[i] += kRungeKuttaWeight[stage] * rates[stage][i];
    }
    start_.Return();
    std::vector<double> by_start(size), by_mean(size), by_next(size), by_velocity(Size(sizes_.nu));
    PullMove(mean.data(), h, state, by_start, by_mean);
    PullEndOfActivations(mean.data(), state, by_start, by_mean, by_velocity);

    std::fill(control.begin(), control.end(), 0.0);
    for (int stage = kRungeKuttaStages - 1; stage >= 0; --stage) {
      const double step = kRungeKuttaNode[stage] * h;
      std::vector<double> by_rates = std::move(by_next), by_state(size);
      for (size_t i = 0; i < size; ++i) by_rates[i] += kRungeKuttaWeight[stage] * by_mean[i];
      if (stage > 0) {
        start_.MoveTo(rates[stage - 1].data(), step);
      } else {
        start_.Return();
      }
      PullRates(by_rates, by_state, control);
      if (stage == kRungeKuttaStages - 1) PullBristles(by_velocity, by_state);
      by_next.assign(size, 0.0);
      if (stage > 0) {
        PullMove(rates[stage - 1].data(), step, by_state, by_start, by_next);
      } else {
        for (size_t i = 0; i < size; ++i) by_start[i] += by_state[i];
      }
    }
    state = by_start;
  }

 private:
  // Of a move from the start along rates.
  void PullMove(const double* rates, double step, const std::vector<double>& by_end, std::vector<double>& by_start,
                std::vector<double>& by_rates) const {
    ForEachCoordinate(
        ModelView<double>(m_),
        [&](int, int dof) {
          by_start[Size(dof)] += by_end[Size(dof)];
          by_rates[Size(dof)] += step * by_end[Size(dof)];
        },
        [&](int, int dof) {
          const QuatIntegrateDerivatives turn = DifferentiateQuatIntegrate(LoadVec3(rates + dof), step);
          const Vec3<double> by = LoadVec3(by_end.data() + dof), by_quat = MulTransposed(turn.quat, by),
                             by_velocity = MulTransposed(turn.velocity, by);
          for (int k = 0; k < 3; ++k) {
            by_start[Size(dof + k)] += by_quat[k];
            by_rates[Size(dof + k)] += step * by_velocity[k];
          }
        });
    for (size_t i = Size(sizes_.nv); i < by_end.size(); ++i) {
      by_start[i] += by_end[i];
      by_rates[i] += step * by_end[i];
    }
  }

  // Activations end in a way of their own: see RungeKuttaChain::EndActivations.
  void PullEndOfActivations(const double* mean, const std::vector<double>& by_end, std::vector<double>& by_start,
                            std::vector<double>& by_mean, std::vector<double>& by_velocity) const {
    for (int u = 0; u < sizes_.nu; ++u) {
      for (int k = 0; k < m_->actuator_actnum[u]; ++k) {
        const int adr = m_->actuator_actadr[u] + k, row = sizes_.activation() + adr;
        const ActivationEnd at = EndOfActivation(ModelView<double>(m_), DataView<double>(d_), u, adr, mean[row]);
        by_start[Size(row)] = at.by_start * by_end[Size(row)];
        by_mean[Size(row)] = at.by_rate * by_end[Size(row)];
        by_velocity[Size(u)] += at.by_velocity * by_end[Size(row)];
      }
    }
  }

  // Of the velocities of motors with bristles, at the last stage.
  void PullBristles(const std::vector<double>& by_velocity, std::vector<double>& by_state) const {
    const std::vector<ActivationRow> bristles = RowsOfBristles(m_, d_);
    for (size_t u = 0; u < bristles.size(); ++u) {
      for (const auto& [column, slope] : bristles[u].slopes) by_state[Size(column)] += by_velocity[u] * slope;
    }
  }

  // Of the rates of the present state, by the state and the controls.
  void PullRates(const std::vector<double>& by_rates, std::vector<double>& by_state, std::vector<double>& control) {
    const int nv = sizes_.nv;
    const std::unique_ptr<ResidualDerivative> derivative =
        MakeResidualDerivative(m_, d_, smoothing_, nullptr, ControlColumns::kActing);
    const ResidualDerivative& residual = *derivative;
    const ResidualDerivative::Slopes slopes = residual.TransposedSolution(by_rates.data() + nv);
    const auto add = [&](int column, double slope) {
      (column < sizes_.state() ? by_state[Size(column)] : control[Size(column - sizes_.state())]) += slope;
    };
    for (int i = 0; i < nv; ++i) by_state[Size(nv + i)] += by_rates[Size(i)];
    for (int c = 0; c < sizes_.all(); ++c) {
      const double* force = residual.columns().force[c];
      double sum = 0;
      for (int i = 0; i < nv; ++i) sum += slopes.force[Size(i)] * force[i];
      add(c, sum);
    }
    for (int k = 0; k < sizes_.na; ++k) {
      const double by = by_rates[Size(sizes_.activation() + k)];
      for (const auto& [column, slope] : residual.activations()[Size(k)].slopes) add(column, slope * by);
    }
    delays_.Take(d_, control);
    const double* a = residual.point().a;
    if (parameters_) AddParameterGradients(m_, d_, {a, a}, slopes, smoothing_, *parameters_);
  }

  const mjModel* m_;
  mjData* d_;
  const Smoothing smoothing_;
  const DelayedControls& delays_;
  const sinewParameterGradients* parameters_;
  const StateSizes sizes_;
  const StageStart start_;
};

}  // namespace

void LinearizeRungeKutta(const mjModel* m, mjData* d, const Smoothing& smoothing, const TransitionMatrices& result) {
  RungeKuttaChain(m, d, smoothing).Run(result);
}

void PullBackRungeKutta(const mjModel* m, mjData* d, const Smoothing& smoothing, const DelayedControls& delays,
                        const sinewParameterGradients* parameters, std::vector<double>& state,
                        std::vector<double>& control) {
  RungeKuttaPullback(m, d, smoothing, delays, parameters).Run(state, control);
}

}  // namespace sinew::inline derivatives
