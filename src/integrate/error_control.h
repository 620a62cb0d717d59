// Steps of bounded error: explicit Runge-Kutta methods with an estimate of their error, and the size of the next step.
//
//   state y = (q, u, z): coordinates, velocities, activations;   rates f(y, t) = (N(q) u, du/dt, dz/dt)
//
// After M. A. Sherman, A. Seth, S. L. Delp: Simbody, Procedia IUTAM 2, 2011; the methods and the control of steps are
// in docs/how/error-control.md.
#ifndef SINEW_INTEGRATE_ERROR_CONTROL_H_
#define SINEW_INTEGRATE_ERROR_CONTROL_H_

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "model/storage/error_control.h"
#include "simd/functions.h"

namespace sinew::inline integrate {

struct ErrorControlSettings {
  int method;
  double accuracy;
  bool max_norm;  // the largest entry, else the root of the mean square
  double min_step, max_step;
};

// The outcome of an attempted step: the size of the next step, and whether this one is accepted.
struct StepChoice {
  double next;
  bool accept;
};

// h: the step, error: its norm, order: of the error; `cut`: an end time made the step shorter than wanted.
inline StepChoice ChooseStep(const ErrorControlSettings& settings, double h, double error, int order, bool cut) {
  constexpr double kSafety = 0.9, kGrow = 5, kShrink = 0.1, kLeastGrowth = 1.2, kLeastShrink = 0.9;
  double next = kShrink * h;
  if (std::isfinite(error)) {
    next = error == 0 ? kGrow * h : kSafety * h * Pow(settings.accuracy / error, 1.0 / order);
    if (next > h && (cut || next < kLeastGrowth * h)) next = h;
    if (next < h) next = error <= settings.accuracy ? h : std::min(next, kLeastShrink * h);
    next = std::clamp(next, kShrink * h, kGrow * h);
  }
  next = std::min(std::max(next, settings.min_step), settings.max_step);
  // a step at its upper bound stands when its error does
  return {next, next >= h || (std::isfinite(error) && error <= settings.accuracy)};
}

// Dense output: states at times within a call of Run, ascending; rows as long as the state.
struct DenseOutput {
  const double* times;
  int count;
  double* states;
  int done = 0;
};

// Scratch of an attempt: vectors as long as the state.
struct StepScratch {
  static constexpr int kVectors = 8;
  double *start, *rates[5], *stage, *error;
};

// A system has size(), Begin(h) before an attempt, the rates of a state: Rates(y, t, f), which may leave numbers that
// are not finite; SemiExplicit(y, t, h), a step of velocities, then of coordinates with the new ones; Normalize(y);
// Norm(start, error, max_norm).
template <class System>
class ErrorControlled {
 public:
  ErrorControlled(System& system, const ErrorControlSettings& settings, const StepScratch& scratch)
      : system_(system), settings_(settings), s_(scratch), n_(system.size()) {}

  // Moves y from time t to `end`. On entry rates[0] of the scratch are those of y. Steps that shrink below `floor` are
  // taken as they are while finite; else the state stays, and false comes back. `dense` may be null; it does not change
  // the steps.
  bool Run(double* y, double t, double end, double floor, ErrorControlState* control, DenseOutput* dense = nullptr) {
    double h =
        control->step > 0 ? std::min(control->step, settings_.max_step) : 0.1 * std::min(end - t, settings_.max_step);
    bool has_rates = true;
    while (t < end) {
      const double left = end - t;
      const bool cut = left < 0.95 * h, last = left <= 1.001 * h;
      const double step = last ? left : h;
      system_.Begin(step);
      if (!has_rates) system_.Rates(y, t, s_.rates[0]);
      std::copy_n(y, n_, s_.start);
      const double error = Attempt(y, t, step);
      const StepChoice choice = ChooseStep(settings_, cut ? step : h, error, Order(), cut);
      if (choice.accept || step <= floor) {
        if (!(error <= settings_.accuracy)) system_.Forced(s_.start, s_.error);
        if (!std::isfinite(error)) {
          std::copy_n(s_.start, n_, y);
          control->step = h;
          return false;
        }
        const double begin = t;
        t = last ? end : t + step;
        has_rates = false;
        system_.Normalize(y);
        if (dense) Interpolate(y, begin, t, dense);
        control->accepted += 1;
        control->forced += error > settings_.accuracy;
        // a step that was cut gives no evidence about longer ones, unless it was too long itself
        if (!cut || choice.next < step) h = std::max(choice.next, floor);
      } else {
        std::copy_n(s_.start, n_, y);
        control->rejected += 1;
        h = std::max(choice.next, floor);
        has_rates = true;  // those of the start are still there
      }
    }
    control->step = h;
    return true;
  }

 private:
  int Order() const { return settings_.method == kMerson ? 4 : settings_.method == kRungeKutta3 ? 3 : 2; }

  // y = start + h sum of weights times rates
  void Combine(double* y, double h, const double (&weights)[5]) const {
    for (int i = 0; i < n_; ++i) {
      double sum = 0;
      for (int k = 0; k < 5; ++k) {
        if (weights[k] != 0) sum += weights[k] * s_.rates[k][i];
      }
      y[i] = s_.start[i] + h * sum;
    }
  }
  void Stage(int k, double t, double h, const double (&weights)[5]) {
    Combine(s_.stage, h, weights);
    system_.Rates(s_.stage, t, s_.rates[k]);
  }

  // States between the start of an accepted step and its end y, by cubic Hermite polynomials (E. Hairer, S. P. Norsett,
  // G. Wanner 1993, II.6.7): their error is of order 4, as that of the best of the methods.
  //   Y(s) = (1 - s) y0 + s y1 + s (s - 1) ((1 - 2 s) (y1 - y0) + (s - 1) h f0 + s h f1)
  void Interpolate(const double* y, double begin, double t, DenseOutput* dense) {
    if (dense->done == dense->count || dense->times[dense->done] > t) return;
    const double h = t - begin;
    const double *y0 = s_.start, *f0 = s_.rates[0];
    double* f1 = s_.rates[1];
    system_.Rates(y, t, f1);
    for (; dense->done < dense->count && dense->times[dense->done] <= t; ++dense->done) {
      const double s = std::clamp((dense->times[dense->done] - begin) / h, 0.0, 1.0);
      double* state = dense->states + static_cast<size_t>(dense->done) * static_cast<size_t>(n_);
      for (int i = 0; i < n_; ++i) {
        const double bend = (1 - 2 * s) * (y[i] - y0[i]) + h * ((s - 1) * f0[i] + s * f1[i]);
        state[i] = (1 - s) * y0[i] + s * y[i] + s * (s - 1) * bend;
      }
      system_.Normalize(state);
    }
  }

  // Moves y over a step; returns the norm of the error.
  double Attempt(double* y, double t, double h) {
    if (settings_.method == kMerson) {
      Merson(y, t, h);
    } else if (settings_.method == kRungeKutta3) {
      RungeKutta3(y, t, h);
    } else {
      Euler2(y, t, h);
    }
    return system_.Norm(s_.start, s_.error, settings_.max_norm);
  }

  // R. H. Merson 1957: order 4 with an error estimate of order 4.
  void Merson(double* y, double t, double h) {
    Stage(1, t + h / 3, h, {1.0 / 3, 0, 0, 0, 0});
    Stage(2, t + h / 3, h, {1.0 / 6, 1.0 / 6, 0, 0, 0});
    Stage(3, t + h / 2, h, {1.0 / 8, 0, 3.0 / 8, 0, 0});
    Stage(4, t + h, h, {0.5, 0, -1.5, 2, 0});
    Combine(y, h, {1.0 / 6, 0, 0, 2.0 / 3, 1.0 / 6});
    for (int i = 0; i < n_; ++i) s_.error[i] = 0.2 * (y[i] - s_.stage[i]);
  }

  void RungeKutta3(double* y, double t, double h) {
    Stage(1, t + h / 2, h, {0.5, 0, 0, 0, 0});
    Combine(y, h, {0, 1, 0, 0, 0});
    std::copy_n(y, n_, s_.error);
    Stage(2, t + h, h, {-1, 2, 0, 0, 0});
    Combine(y, h, {1.0 / 6, 2.0 / 3, 1.0 / 6, 0, 0});
    for (int i = 0; i < n_; ++i) s_.error[i] = y[i] - s_.error[i];
  }

  // Two half steps of semi-explicit Euler, compared with a whole one.
  void Euler2(double* y, double t, double h) {
    std::copy_n(s_.start, n_, s_.stage);
    system_.SemiExplicit(s_.stage, s_.rates[0], h);
    system_.SemiExplicit(y, s_.rates[0], h / 2);
    system_.Rates(y, t + h / 2, s_.rates[1]);
    system_.SemiExplicit(y, s_.rates[1], h / 2);
    for (int i = 0; i < n_; ++i) s_.error[i] = y[i] - s_.stage[i];
  }

  System& system_;
  const ErrorControlSettings settings_;
  const StepScratch s_;
  const int n_;
};

}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_ERROR_CONTROL_H_
