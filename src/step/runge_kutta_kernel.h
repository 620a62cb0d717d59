// The classic Runge-Kutta method of order 4, for a world and for packs (step_kernel.h). With X = (qpos, qvel, act),
// F(X, t) = (qvel, qacc, act_dot):
//
//   F_1 = F(X, t)      F_2 = F(X + h/2 F_1, t + h/2)      F_3 = F(X + h/2 F_2, t + h/2)      F_4 = F(X + h F_3, t + h)
//   X' = X + h/6 (F_1 + 2 F_2 + 2 F_3 + F_4)
//
// F_1 is there: the forward dynamics of the present state. Sums of positions follow the velocity on the manifold.
#ifndef SINEW_STEP_RUNGE_KUTTA_KERNEL_H_
#define SINEW_STEP_RUNGE_KUTTA_KERNEL_H_

#include "simd/pack.h"
#include "step/step_kernel.h"

namespace sinew::inline step {
inline namespace SINEW_ISA {

inline constexpr int kRungeKuttaStages = 4;
inline constexpr double kRungeKuttaNode[] = {0, 0.5, 0.5, 1};  // t and X of a stage, in units of h
inline constexpr double kRungeKuttaWeight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

// Part of a state, or of its rates, that is nq, nv or na numbers long.
template <class S>
struct StatePart {
  S* first;
  int count;

  void CopyFrom(const S* from) const {
    for (int i = 0; i < count; ++i) first[i] = from[i];
  }
  void CopyTo(S* to) const {
    for (int i = 0; i < count; ++i) to[i] = first[i];
  }
  // to += scale * this
  void AddTo(S* to, S scale) const {
    for (int i = 0; i < count; ++i) to[i] += first[i] * scale;
  }
};

// How many numbers of scratch memory the method takes: the state at the start, and the rates of each stage and their
// mean.
inline int RungeKuttaNumbers(int nq, int nv, int na) { return nq + nv + na + (kRungeKuttaStages + 1) * (2 * nv + na); }

template <StageRunner W>
class RungeKuttaMethod {
 public:
  using S = typename W::Scalar;

  RungeKuttaMethod(const W& w, typename W::Scratch& scratch) : w_(w), start_time_(w.time()) {
    const auto take = [&scratch](int count) { return StatePart<S>{scratch.template Alloc<S>(count), count}; };
    qpos_ = take(w.nq());
    qvel_ = take(w.nv());
    act_ = take(w.na());
    qpos_.CopyFrom(w.qpos());
    qvel_.CopyFrom(w.qvel());
    act_.CopyFrom(w.act());
    for (Rates& rates : rates_) rates = {take(w.nv()), take(w.nv()), take(w.na())};
    mean_ = {take(w.nv()), take(w.nv()), take(w.na())};
  }

  // The present rates become those of a stage.
  void Record(int stage) {
    rates_[stage].qvel.CopyFrom(w_.qvel());
    rates_[stage].qacc.CopyFrom(w_.qacc());
    rates_[stage].act_dot.CopyFrom(w_.act_dot());
  }

  // Moves to the state of a stage: from the start along the rates of the stage before.
  void MoveTo(int stage) {
    const S step = S(static_cast<Number>(kRungeKuttaNode[stage])) * w_.timestep();
    const Rates& rates = rates_[stage - 1];
    Restore();
    w_.time() = start_time_ + step;
    w_.IntegratePos(w_.qpos(), rates.qvel.first, step);
    rates.qacc.AddTo(w_.qvel(), step);
    rates.act_dot.AddTo(w_.act(), step);
  }

  // Back to the start, and over the whole step at the mean of all rates.
  void Finish() {
    Restore();
    w_.time() = start_time_;
    WeightedMean(&Rates::qvel);
    WeightedMean(&Rates::qacc);
    WeightedMean(&Rates::act_dot);
    AdvanceStages(w_, mean_.act_dot.first, mean_.qacc.first, mean_.qvel.first);
  }

 private:
  using Number = typename LaneTraits<S>::Lane;
  struct Rates {
    StatePart<S> qvel, qacc, act_dot;
  };

  void Restore() {
    qpos_.CopyTo(w_.qpos());
    qvel_.CopyTo(w_.qvel());
    act_.CopyTo(w_.act());
  }

  void WeightedMean(StatePart<S> Rates::*part) {
    const StatePart<S> mean = mean_.*part;
    for (int i = 0; i < mean.count; ++i) mean.first[i] = S(0);
    for (int s = 0; s < kRungeKuttaStages; ++s) {
      (rates_[s].*part).AddTo(mean.first, S(static_cast<Number>(kRungeKuttaWeight[s])));
    }
  }

  const W& w_;
  S start_time_;
  StatePart<S> qpos_, qvel_, act_;
  Rates rates_[kRungeKuttaStages], mean_;
};

// From the forward dynamics of a state to the next state.
template <StageRunner W>
void RungeKuttaStages(const W& w) {
  typename W::Scratch scratch = w.OpenLastingScratch();
  RungeKuttaMethod<W> method(w, scratch);
  method.Record(0);
  for (int stage = 1; stage < kRungeKuttaStages; ++stage) {
    method.MoveTo(stage);
    ForwardStages(w, mjSTAGE_NONE, /*skip_sensors=*/true);
    method.Record(stage);
  }
  method.Finish();
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline step

#endif  // SINEW_STEP_RUNGE_KUTTA_KERNEL_H_
