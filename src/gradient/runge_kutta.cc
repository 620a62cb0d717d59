// With X = (q, v, act) and its rates F = (v, a, act_dot),
//
//   X_i = X (+) c_i h F_(i-1),   X' = X (+) h sum w_i F_i
//   dX_i = T_i dX + c_i h V_i dF_(i-1),   dF_i = (dv_i, da(X_i) dX_i + da/du du, ...)
//
// where T and V are the identity but for the rotations of quaternions (derivative/rotation.h).
#include "gradient/runge_kutta.h"

#include <algorithm>

#include "derivative/rotation.h"
#include "force/activation_kernel.h"
#include "gradient/balance_derivative.h"
#include "integrate/integrate.h"
#include "integrate/position_kernel.h"
#include "model/state.h"
#include "step/runge_kutta_kernel.h"

namespace sinew {
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

class RungeKuttaChain {
 public:
  RungeKuttaChain(const mjModel* m, mjData* d)
      : m_(m), d_(d), sizes_(m), columns_(sizes_.all()), mean_(sizes_.state(), columns_) {
    for (int part : {mjSTATE_TIME, mjSTATE_QPOS, mjSTATE_QVEL, mjSTATE_ACT}) parts_ |= part;
    start_.resize(static_cast<size_t>(StateSize(*m, parts_)));
    GetState(*m, *d, start_.data(), parts_);
  }
  ~RungeKuttaChain() { SetState(*m_, d_, start_.data(), parts_); }
  RungeKuttaChain(const RungeKuttaChain&) = delete;
  RungeKuttaChain& operator=(const RungeKuttaChain&) = delete;

  void Run(const TransitionMatrices& result) {
    Map state = Identity(), rate(sizes_.state(), columns_);
    std::vector<double> before(static_cast<size_t>(sizes_.state()));
    std::vector<double> mean(before.size());
    for (int stage = 0; stage < kRungeKuttaStages; ++stage) {
      if (stage > 0) {
        const double step = kRungeKuttaNode[stage] * m_->opt.timestep;
        state = Moved(before.data(), rate, step);
        MoveTo(before.data(), step);
      }
      rate = RatesAt(state, before.data());
      mean_.AddScaled(kRungeKuttaWeight[stage], rate);
      for (size_t i = 0; i < mean.size(); ++i) mean[i] += kRungeKuttaWeight[stage] * before[i];
    }
    SetState(*m_, d_, start_.data(), parts_);
    Map end = Moved(mean.data(), mean_, m_->opt.timestep);
    EndActivations(mean.data() + 2 * sizes_.nv, end);
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

  // Puts the world to where a stage is evaluated.
  void MoveTo(const double* rates, double step) {
    SetState(*m_, d_, start_.data(), parts_);
    d_->time += step;
    IntegratePos(m_, d_->qpos, rates, step);
    for (int i = 0; i < sizes_.nv; ++i) d_->qvel[i] += step * rates[sizes_.nv + i];
    for (int i = 0; i < sizes_.na; ++i) d_->act[i] += step * rates[2 * sizes_.nv + i];
  }

  // Rates of the present state, and how they depend on the start.
  Map RatesAt(const Map& state, double* rates) {
    BalanceDerivative balance(m_, d_);
    balance.Solve();
    const int nv = sizes_.nv;
    std::copy_n(d_->qvel, nv, rates);
    std::copy_n(balance.point().a, nv, rates + nv);
    std::copy_n(d_->act_dot, sizes_.na, rates + 2 * nv);
    Map rate(sizes_.state(), columns_);
    for (int i = 0; i < nv; ++i) std::copy_n(state[nv + i], columns_, rate[i]);
    for (int x = 0; x < columns_; ++x) {
      const double* change = balance.columns().force[x];
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
    for (int u = 0; u < sizes_.nu; ++u) {
      if (m_->actuator_actnum[u] == 0) continue;
      const ActivationSlopes& slopes = balance.activations()[static_cast<size_t>(u)];
      const int row = 2 * nv + m_->actuator_actadr[u];
      for (int c = 0; c < columns_; ++c) rate[row][c] = slopes.rate_by_act * state[row][c];
      rate[row][sizes_.control() + u] += slopes.rate_by_control;
    }
    return rate;
  }

  // Activations end as at the end of a step of Euler's, at the mean rate: exact filters, ranges. Without actuation, and
  // of disabled actuators, they rest.
  void EndActivations(const double* mean_rate, Map& end) {
    const ModelView<double> m(m_);
    const DataView<double> d(d_);
    for (int u = 0; u < sizes_.nu; ++u) {
      if (m_->actuator_actnum[u] == 0) continue;
      const int adr = m_->actuator_actadr[u], row = 2 * sizes_.nv + adr;
      const ActivationEnd at = EndOfActivation(m, d, u, mean_rate[adr]);
      for (int c = 0; c < columns_; ++c) end[row][c] = at.is_held ? 0 : (c == row ? 1 : 0) + at.gain * mean_[row][c];
    }
  }

  const mjModel* m_;
  mjData* d_;
  const StateSizes sizes_;
  int columns_, parts_ = 0;
  Map mean_;
  std::vector<double> start_;
};

}  // namespace

void LinearizeRungeKutta(const mjModel* m, mjData* d, const TransitionMatrices& result) {
  RungeKuttaChain(m, d).Run(result);
}

}  // namespace sinew
