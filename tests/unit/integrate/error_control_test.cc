#include "integrate/error_control.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace sinew {
namespace {

ErrorControlSettings Settings(int method, double accuracy) { return {method, accuracy, false, 0, 1e9}; }

TEST(ErrorControlTest, ChoiceOfSteps) {
  const auto settings = Settings(kMerson, 1e-3);
  const auto expect = [&](double error, bool accept, double next) {
    const StepChoice choice = ChooseStep(settings, 0.01, error, 4, false);
    EXPECT_EQ(choice.accept, accept) << error;
    EXPECT_NEAR(choice.next, next, 5e-8) << error;  // given to six digits
  };
  expect(0, true, 0.05);
  expect(1e-4, true, 0.0160045);
  expect(5e-4, true, 0.01);
  expect(1.1e-3, false, 0.00878809);
  expect(2e-3, false, 0.00756807);
  expect(std::numeric_limits<double>::quiet_NaN(), false, 0.001);
}

// x'' = -x
struct Oscillator {
  int evaluations = 0;
  int size() const { return 2; }
  void Begin(double) const {}
  void Rates(const double* y, double, double* f) {
    ++evaluations;
    f[0] = y[1];
    f[1] = -y[0];
  }
  void SemiExplicit(double* y, const double* f, double h) const {
    y[1] += h * f[1];
    y[0] += h * y[1];
  }
  void Normalize(double*) const {}
  void Forced(const double*, const double*) const {}
  // blocks q and u of one entry each: absolute, and relative above one
  double Norm(const double* start, const double* error, bool) const {
    return std::max(std::fabs(error[0]), std::fabs(error[1]) * std::min(1.0, 1 / std::fabs(start[1])));
  }
};

struct Outcome {
  double accepted, attempted, x;
};

Outcome Swing(int method, double accuracy, double first_step) {
  std::vector<double> memory(2 * StepScratch::kVectors);
  double* v = memory.data();
  const StepScratch scratch = {v, {v + 2, v + 4, v + 6, v + 8, v + 10}, v + 12, v + 14};
  Oscillator system;
  double y[2] = {1, 0};
  system.Rates(y, 0, scratch.rates[0]);
  ErrorControlState state = {first_step, 0, 0, 0};
  ErrorControlled<Oscillator> integrator(system, Settings(method, accuracy), scratch);
  EXPECT_TRUE(integrator.Run(y, 0, 10, 1e-12, &state));
  return {state.accepted, state.accepted + state.rejected, y[0]};
}

// Numbers of Simbody 3.7.
TEST(ErrorControlTest, OscillatorStepByStep) {
  const struct {
    int method;
    double accuracy, accepted, attempted, x;
  } cases[] = {{kMerson, 1e-3, 13, 14, -0.8431189348},
               {kMerson, 1e-5, 33, 34, -0.8391492062},
               {kRungeKutta3, 1e-3, 62, 62, -0.8374531737},
               {kEuler2, 1e-3, 176, 177, -0.8312138452}};
  for (const auto& c : cases) {
    const Outcome outcome = Swing(c.method, c.accuracy, 0.1);
    EXPECT_EQ(outcome.accepted, c.accepted) << c.method;
    EXPECT_EQ(outcome.attempted, c.attempted) << c.method;
    EXPECT_NEAR(outcome.x, c.x, 1e-9) << c.method;  // ten decimals, and rounding over the steps
  }
}

// A step ends at the end time if that is within 0.95 and 1.001 of its length; one that is cut shorter does not count
// for the next.
TEST(ErrorControlTest, StepsMeetTheEnd) {
  struct Straight : Oscillator {
    void Rates(const double*, double, double* f) { f[0] = 1, f[1] = 0; }
  };
  const auto steps = [](double h, double* next) {
    std::vector<double> memory(2 * StepScratch::kVectors);
    double* v = memory.data();
    const StepScratch scratch = {v, {v + 2, v + 4, v + 6, v + 8, v + 10}, v + 12, v + 14};
    Straight system;
    double y[2] = {0, 0};
    system.Rates(y, 0, scratch.rates[0]);
    ErrorControlState state = {h, 0, 0, 0};
    ErrorControlled<Straight>(system, {kMerson, 1e-3, false, 0, h}, scratch).Run(y, 0, 1, 1e-12, &state);
    EXPECT_NEAR(y[0], 1, 1e-15);
    *next = state.step;
    return state.accepted;
  };
  double next;
  EXPECT_EQ(steps(1.04, &next), 1);
  EXPECT_EQ(steps(0.9995, &next), 1);
  EXPECT_EQ(steps(0.998, &next), 2);
  EXPECT_EQ(next, 0.998);
  EXPECT_EQ(steps(1.5, &next), 1);
  EXPECT_EQ(next, 1.5);
}

// Convergence orders: fixed steps by an accuracy that accepts everything, Richardson's ratio of errors.
TEST(ErrorControlTest, OrdersOfConvergence) {
  const auto error = [](int method, double h) {
    std::vector<double> memory(2 * StepScratch::kVectors);
    double* v = memory.data();
    const StepScratch scratch = {v, {v + 2, v + 4, v + 6, v + 8, v + 10}, v + 12, v + 14};
    Oscillator system;
    double y[2] = {1, 0};
    system.Rates(y, 0, scratch.rates[0]);
    ErrorControlState state = {h, 0, 0, 0};
    ErrorControlSettings settings = {method, 1e9, false, 0, h};
    ErrorControlled<Oscillator>(system, settings, scratch).Run(y, 0, 8, 1e-12, &state);
    return std::hypot(y[0] - std::cos(8), y[1] + std::sin(8));
  };
  for (const auto& [method, order] : {std::pair(kMerson, 4), std::pair(kRungeKutta3, 3), std::pair(kEuler2, 1)}) {
    const double measured = std::log2(error(method, 0.02) / error(method, 0.01));
    // Merson's is five for linear systems
    EXPECT_GT(measured, order - 0.1) << method;
    EXPECT_LT(measured, order + 1.1) << method;
  }
}

TEST(ErrorControlTest, StepsThatAreNotFiniteLeaveTheStateAlone) {
  struct Bad : Oscillator {
    void Rates(const double*, double, double* f) { f[0] = f[1] = std::numeric_limits<double>::quiet_NaN(); }
  } system;
  std::vector<double> memory(2 * StepScratch::kVectors);
  double* v = memory.data();
  const StepScratch scratch = {v, {v + 2, v + 4, v + 6, v + 8, v + 10}, v + 12, v + 14};
  double y[2] = {1, 0};
  ErrorControlState state = {0.1, 0, 0, 0};
  EXPECT_FALSE(ErrorControlled<Bad>(system, Settings(kMerson, 1e-3), scratch).Run(y, 0, 1, 1e-9, &state));
  EXPECT_EQ(y[0], 1);
}

}  // namespace
}  // namespace sinew
