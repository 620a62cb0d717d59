// Gradients of rollouts beside central differences of a scalar of their states.
#ifndef SINEW_TESTS_UNIT_DERIVATIVES_ROLLOUT_SCALAR_H_
#define SINEW_TESTS_UNIT_DERIVATIVES_ROLLOUT_SCALAR_H_

#include <functional>

#include "derivatives/rollout.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {

// A rollout and a scalar of its states: the sum of weights times states.
class Scalar {
 public:
  Scalar(const World& w, int steps) : m_(w.m.get()), d_(w.d.get()), steps_(steps) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    size_ = static_cast<size_t>(m_->nq + m_->nv + m_->na);
    weights.resize(size_ * static_cast<size_t>(steps));
    for (double& x : weights) x = uniform(random);
    controls.resize(static_cast<size_t>(m_->nu * steps));
    for (double& x : controls) x = 0.3 + 0.2 * uniform(random);
    start_ = StateOf(w);
  }

  double Value() {
    mj_setState(m_, d_, start_.data(), mjSTATE_INTEGRATION);
    change();
    double sum = 0;
    const double* weight = weights.data();
    for (int t = 0; t < steps_; ++t) {
      std::copy_n(controls.data() + t * m_->nu, m_->nu, d_->ctrl);
      mj_step(m_, d_);
      for (int i = 0; i < m_->nq; ++i) sum += *weight++ * d_->qpos[i];
      for (int i = 0; i < m_->nv; ++i) sum += *weight++ * d_->qvel[i];
      for (int i = 0; i < m_->na; ++i) sum += *weight++ * d_->act[i];
    }
    mj_setState(m_, d_, start_.data(), mjSTATE_INTEGRATION);
    change = [] {};
    return sum;
  }

  // Of the value, when `change(x)` is made before the rollout; extrapolated to the fourth order.
  double Slope(const std::function<void(double)>& make, double eps) {
    const auto central = [&](double e) {
      change = [&] { make(e); };
      const double above = Value();
      change = [&] { make(-e); };
      return (above - Value()) / (2 * e);
    };
    const double one = central(eps);
    return (4 * central(eps / 2) - one) / 3;
  }
  // Of the value by a number of the model or of the controls.
  double SlopeBy(double& x, double eps) {
    const double kept = x;
    const double slope = Slope([&](double e) { x = kept + e; }, eps);
    x = kept;
    return slope;
  }

  Rollout rollout() const { return {steps_, controls.data(), weights.data()}; }

  std::vector<double> weights, controls;
  std::function<void()> change = [] {};

 private:
  const mjModel* m_;
  mjData* d_;
  int steps_;
  size_t size_;
  Numbers start_;
};

inline void ExpectRelative(double expected, double actual, double scale, const std::string& what) {
  // rounding of the rollout / eps, and third derivatives times eps^2
  constexpr double kTolerance = 1e-5;
  EXPECT_NEAR(expected, actual, kTolerance * std::max(scale, std::abs(expected))) << what;
}

struct Gradients {
  Numbers start, controls;
};

inline Gradients GradientsOf(World& w, const Scalar& scalar, const sinewParameterGradients& parameters = {}) {
  Gradients g = {Numbers(static_cast<size_t>(w.m->nq + w.m->nv + w.m->na)), Numbers(scalar.controls.size())};
  DifferentiateRollout(w.m.get(), w.d.get(), scalar.rollout(), g.start.data(), g.controls.data(), parameters);
  return g;
}

inline void ExpectGradientsOfDifferences(World& w, int steps, const std::string& what) {
  Scalar scalar(w, steps);
  const Numbers before = StateOf(w);
  const Gradients g = GradientsOf(w, scalar);
  EXPECT_EQ(before, StateOf(w));
  constexpr double kEps = 1e-5;
  double scale = 0;
  for (double x : g.start) scale = std::max(scale, std::abs(x));
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  for (int i = 0; i < m->nv; ++i) {
    ExpectRelative(scalar.Slope([&](double e) { d->qvel[i] += e; }, kEps), g.start[static_cast<size_t>(m->nq + i)],
                   scale, what + " qvel " + std::to_string(i));
    // along a turn of the dof, by_qpos . dq/dx
    Numbers direction(static_cast<size_t>(m->nv)), above(d->qpos, d->qpos + m->nq), below = above;
    direction[static_cast<size_t>(i)] = 1;
    mj_integratePos(m, above.data(), direction.data(), 1e-6);
    mj_integratePos(m, below.data(), direction.data(), -1e-6);
    double slope = 0;
    for (size_t k = 0; k < above.size(); ++k) slope += g.start[k] * (above[k] - below[k]) / 2e-6;
    ExpectRelative(scalar.Slope([&](double e) { mj_integratePos(m, d->qpos, direction.data(), e); }, kEps), slope,
                   scale, what + " dof " + std::to_string(i));
  }
  for (int i = 0; i < m->na; ++i) {
    ExpectRelative(scalar.Slope([&](double e) { d->act[i] += e; }, kEps),
                   g.start[static_cast<size_t>(m->nq + m->nv + i)], scale, what + " act");
  }
  for (size_t k = 0; k < scalar.controls.size(); k += 7) {
    ExpectRelative(scalar.SlopeBy(scalar.controls[k], kEps), g.controls[k], scale, what + " control");
  }
}

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_DERIVATIVES_ROLLOUT_SCALAR_H_
