// The classic Runge-Kutta method of order 4. With X = (qpos, qvel, act), F(X, t) = (qvel, qacc, act_dot):
//
//   F_1 = F(X, t)      F_2 = F(X + h/2 F_1, t + h/2)      F_3 = F(X + h/2 F_2, t + h/2)      F_4 = F(X + h F_3, t + h)
//   X' = X + h/6 (F_1 + 2 F_2 + 2 F_3 + F_4)
//
// F_1 is there: the forward dynamics of the present state. Sums of positions follow the velocity on the manifold.
#include "core/error.h"
#include "core/stack.h"
#include "integrate/integrate.h"
#include "math/dense.h"
#include "step/forward.h"
#include "step/integrators.h"

namespace sinew {
namespace {

constexpr int kStages = 4;
constexpr double kNode[kStages] = {0, 0.5, 0.5, 1};  // t and X of a stage, in units of h
constexpr double kWeight[kStages] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

// A state, and its rates: as many numbers as velocities, twice, and activations.
struct State {
  double *qpos, *qvel, *act;
};
struct Rates {
  double *qvel, *qacc, *act_dot;
};

class Stages {
 public:
  Stages(const mjModel* m, mjData* d, StackFrame& frame)
      : m_(m), d_(d), nq_(static_cast<int>(m->nq)), nv_(static_cast<int>(m->nv)), na_(static_cast<int>(m->na)) {
    start_ = {frame.Doubles(nq_), frame.Doubles(nv_), frame.Doubles(na_)};
    start_time_ = d->time;
    Copy(start_.qpos, d->qpos, nq_);
    Copy(start_.qvel, d->qvel, nv_);
    Copy(start_.act, d->act, na_);
    for (Rates& rates : rates_) rates = {frame.Doubles(nv_), frame.Doubles(nv_), frame.Doubles(na_)};
    mean_ = {frame.Doubles(nv_), frame.Doubles(nv_), frame.Doubles(na_)};
  }

  // The rates of the state in mjData become those of a stage.
  void Record(int stage) {
    Copy(rates_[stage].qvel, d_->qvel, nv_);
    Copy(rates_[stage].qacc, d_->qacc, nv_);
    Copy(rates_[stage].act_dot, d_->act_dot, na_);
  }

  // Moves the world to the state of a stage: from the start along the rates of the stage before.
  void MoveTo(int stage) {
    const double step = kNode[stage] * m_->opt.timestep;
    const Rates& rates = rates_[stage - 1];
    Restore();
    d_->time = start_time_ + step;
    IntegratePos(m_, d_->qpos, rates.qvel, step);
    AddScaled(d_->qvel, rates.qacc, step, nv_);
    AddScaled(d_->act, rates.act_dot, step, na_);
  }

  // Back to the start, and over the whole step at the mean of all rates.
  void Finish() {
    Restore();
    d_->time = start_time_;
    WeightedMean(mean_.qvel, &Rates::qvel, nv_);
    WeightedMean(mean_.qacc, &Rates::qacc, nv_);
    WeightedMean(mean_.act_dot, &Rates::act_dot, na_);
    Advance(m_, d_, mean_.act_dot, mean_.qacc, mean_.qvel);
  }

 private:
  void Restore() {
    Copy(d_->qpos, start_.qpos, nq_);
    Copy(d_->qvel, start_.qvel, nv_);
    Copy(d_->act, start_.act, na_);
  }

  void WeightedMean(double* mean, double* Rates::*component, int n) const {
    Zero(mean, n);
    for (int s = 0; s < kStages; ++s) AddScaled(mean, rates_[s].*component, kWeight[s], n);
  }

  const mjModel* m_;
  mjData* d_;
  int nq_, nv_, na_;
  double start_time_;
  State start_;
  Rates rates_[kStages], mean_;
};

}  // namespace

void RungeKutta(const mjModel* m, mjData* d, int N) {
  if (N != kStages) throw Error("Runge-Kutta of order " + std::to_string(N) + " is not provided", "use order 4");
  StackFrame frame(d);
  Stages stages(m, d, frame);
  stages.Record(0);
  for (int stage = 1; stage < kStages; ++stage) {
    stages.MoveTo(stage);
    ForwardSkip(m, d, mjSTAGE_NONE, /*skip_sensors=*/true);
    stages.Record(stage);
  }
  stages.Finish();
}

}  // namespace sinew
