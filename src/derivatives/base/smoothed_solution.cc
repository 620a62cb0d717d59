#include "derivatives/base/smoothed_solution.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "constraint/jacobian_product.h"
#include "core/error.h"
#include "core/stack.h"
#include "derivatives/base/columns.h"
#include "derivatives/base/smoothed_rows.h"
#include "math/dense.h"
#include "solve/hessian.h"

namespace sinew::inline derivatives {
namespace {

// Newton's method on the mean of the cost, which is smooth and strongly convex: with a line search on its slope, it
// converges from everywhere, and quadratically in the end.
class SmoothedNewton {
 public:
  SmoothedNewton(const mjModel* m, mjData* d, double scale, StackFrame& frame)
      : m_(m),
        d_(d),
        scale_(scale),
        problem_(WholeProblem(m, d, frame)),
        rows_(problem_.rows),
        residual_(Size(rows_.nefc)),
        gradient_(Size(m->nv)),
        step_(Size(m->nv)),
        moved_(Size(rows_.nefc)),
        out_{std::vector<double>(Size(rows_.nefc)), std::vector<int>(Size(rows_.nefc))} {
    problem_.rows.D = out_.weight.data();
  }

  RowWeights Run(StackFrame& frame) {
    Hessian hessian(problem_, d_, frame);
    if (frame.full()) throw Error("the stack is too small for derivatives", "raise memory in <size>");
    constexpr int kIterations = 100;
    // of the gain of a step, relative as solvers measure it; the next step would gain about its square
    constexpr double kConverged = 1e-12;
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      Evaluate();
      hessian.Assemble(out_.state.data());
      hessian.Solve(step_.data(), gradient_.data());
      const double gain = 0.5 * problem_.scale * Dot(gradient_.data(), step_.data(), problem_.nv);
      for (double& x : step_) x = -x;
      const bool converged = gain < kConverged;
      Move(converged ? 1 : LengthOfStep());
      if (!converged) continue;
      Evaluate();
      return std::move(out_);
    }
    throw Error("the smoothed dynamics have no solution that Newton's method finds", "smooth over a larger width");
  }

 private:
  // Forces at qacc, and the gradient M a - qfrc_smooth - J' f.
  void Evaluate() {
    ConstraintResidual(problem_, problem_.qacc, residual_.data());
    EvaluateSmoothedRows(rows_, scale_, residual_.data(), problem_.force, out_.weight.data(), out_.state.data());
    MulJacTVec(m_, d_, problem_.qfrc_constraint, problem_.force);
    MulInertia(problem_, problem_.qacc, gradient_.data());
    for (int i = 0; i < problem_.nv; ++i) {
      gradient_[Size(i)] -= problem_.qfrc_smooth[i] + problem_.qfrc_constraint[i];
    }
  }

  void Move(double length) {
    for (int i = 0; i < problem_.nv; ++i) problem_.qacc[i] += length * step_[Size(i)];
  }

  // The slope of the cost along the step grows with the length: where it vanishes, up to a tenth, by doubling and
  // halving.
  double LengthOfStep() {
    constexpr int kTries = 60;
    constexpr double kSlack = 0.1;
    MulJacVec(m_, d_, moved_.data(), step_.data());
    const double at_start = Dot(gradient_.data(), step_.data(), problem_.nv);
    const double curvature = InertiaAlongStep(), constant = at_start + ForceAlongStep(0);
    double low = 0, high = 0, length = 1;
    for (int i = 0; i < kTries; ++i) {
      const double slope = constant + length * curvature - ForceAlongStep(length);
      if (std::abs(slope) <= kSlack * std::abs(at_start)) break;
      (slope > 0 ? high : low) = length;
      length = high > 0 ? 0.5 * (low + high) : 2 * length;
    }
    return length;
  }
  double InertiaAlongStep() {
    std::vector<double> product(step_.size());
    MulInertia(problem_, step_.data(), product.data());
    return Dot(product.data(), step_.data(), problem_.nv);
  }
  // J' f . step
  double ForceAlongStep(double length) {
    std::vector<double> x(residual_), force(x.size()), weight(x.size());
    std::vector<int> state(x.size());
    for (size_t i = 0; i < x.size(); ++i) x[i] += length * moved_[i];
    EvaluateSmoothedRows(rows_, scale_, x.data(), force.data(), weight.data(), state.data());
    return Dot(force.data(), moved_.data(), rows_.nefc);
  }

  const mjModel* m_;
  mjData* d_;
  double scale_;
  Problem problem_;
  const RowSet rows_;  // with the solver's D
  std::vector<double> residual_, gradient_, step_, moved_;
  RowWeights out_;
};

}  // namespace

Smoothing SmoothingOver(double width) {
  if (!(width >= 0) || !std::isfinite(width)) {
    throw Error("the width of smoothing is " + std::to_string(width), "give a velocity, or 0 for none");
  }
  return {width};
}

RowWeights SolveSmoothed(const mjModel* m, mjData* d, const Smoothing& smoothing) {
  if (d->nefc == 0) return {};
  StackFrame frame(d, WhenFull::kReport);
  SmoothedNewton newton(m, d, smoothing.Scale(m), frame);
  return newton.Run(frame);
}

}  // namespace sinew::inline derivatives
