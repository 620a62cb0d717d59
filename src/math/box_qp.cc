#include "math/box_qp.h"

#include <algorithm>
#include <cmath>

#include "math/cholesky.h"
#include "math/dense.h"
#include "math/matrix.h"
#include "math/vec3.h"

namespace sinew::inline math {
namespace {

constexpr int kMaxIterations = 100;
constexpr double kGradientSquared = 1e-16;  // of the free part, at the solution
constexpr double kBacktrack = 0.5;
constexpr double kSmallestStep = 1e-22;
constexpr double kArmijo = 0.1;      // least decrease, as a part of what the slope promises
constexpr double kRounding = 1e-12;  // of the objective: a smaller decrease may be lost in it, when numbers are large

class Solver {
 public:
  Solver(const BoxQP& problem, double* x, double* factor) : p_(problem), x_(x), factor_(factor) {
    double* scratch = factor + static_cast<ptrdiff_t>(p_.n) * p_.n;
    for (double** array : {&gradient_, &search_, &candidate_, &reduced_, &row_}) {
      *array = scratch;
      scratch += p_.n;
    }
    free_ = reinterpret_cast<int*>(scratch);
    was_free_ = reinterpret_cast<bool*>(scratch + p_.n);
  }

  int Run() {
    std::fill_n(was_free_, p_.n, false);
    for (int i = 0; i < p_.n; ++i) x_[i] = Clamped(i, x_[i]);
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
      const double value = Evaluate(x_, gradient_);
      if (FindFree() && FactorCholesky(factor_, nfree_, kMinVal) < nfree_) return -1;
      if (FreeGradientSquared() < kGradientSquared) return nfree_;
      FindSearchDirection();
      const double slope = Dot(search_, gradient_, p_.n);
      if (!Advance(value, slope)) return -slope <= kRounding * std::fabs(value) ? nfree_ : -1;
    }
    return -1;
  }

  const int* free() const { return free_; }

 private:
  double Clamped(int i, double value) const {
    if (p_.upper) value = Min(value, p_.upper[i]);
    return p_.lower ? Max(value, p_.lower[i]) : value;
  }

  double Lower(ptrdiff_t i, ptrdiff_t j) const { return p_.H[i * p_.n + j]; }

  // A row of H, from the lower triangle.
  const double* Row(int i) const {
    for (int j = 0; j < p_.n; ++j) row_[j] = j <= i ? Lower(i, j) : Lower(j, i);
    return row_;
  }

  // The objective; its gradient H x + g.
  double Evaluate(const double* x, double* gradient) const {
    for (int i = 0; i < p_.n; ++i) gradient[i] = Dot(Row(i), x, p_.n);
    const double quadratic = 0.5 * Dot(x, gradient, p_.n);
    Add(gradient, gradient, p_.g, p_.n);
    return quadratic + Dot(x, p_.g, p_.n);
  }

  // A bound holds a dimension if x is there and the gradient points inwards.
  bool IsFree(int i) const {
    const bool at_lower = p_.lower && x_[i] == p_.lower[i] && gradient_[i] > 0;
    const bool at_upper = p_.upper && x_[i] == p_.upper[i] && gradient_[i] < 0;
    return !at_lower && !at_upper;
  }

  // Lists the free dimensions; when they have changed, copies their part of H to the factor and returns true.
  bool FindFree() {
    bool changed = false;
    nfree_ = 0;
    for (int i = 0; i < p_.n; ++i) {
      const bool is_free = IsFree(i);
      changed |= is_free != was_free_[i];
      was_free_[i] = is_free;
      if (is_free) free_[nfree_++] = i;
    }
    if (!changed) return false;
    for (int r = 0; r < nfree_; ++r) {
      const double* row = p_.H + static_cast<ptrdiff_t>(free_[r]) * p_.n;
      for (int c = 0; c < nfree_; ++c) factor_[static_cast<ptrdiff_t>(r) * nfree_ + c] = row[free_[c]];
    }
    return true;
  }

  double FreeGradientSquared() {
    for (int k = 0; k < nfree_; ++k) reduced_[k] = gradient_[free_[k]];
    return Dot(reduced_, reduced_, nfree_);
  }

  // Newton step in the free dimensions, zero in others.
  void FindSearchDirection() {
    SolveCholesky(reduced_, factor_, reduced_, nfree_);
    Zero(search_, p_.n);
    for (int k = 0; k < nfree_; ++k) search_[free_[k]] = -reduced_[k];
  }

  // Backtracks from the full step until the objective falls enough; false if it never does.
  bool Advance(double value, double slope) {
    for (double step = 1; step >= kSmallestStep; step *= kBacktrack) {
      for (int i = 0; i < p_.n; ++i) candidate_[i] = Clamped(i, x_[i] + step * search_[i]);
      if (value - Evaluate(candidate_, gradient_) >= -kArmijo * step * slope) {
        Copy(x_, candidate_, p_.n);
        return true;
      }
    }
    return false;
  }

  const BoxQP& p_;
  double *x_, *factor_;
  double *gradient_, *search_, *candidate_, *reduced_, *row_;
  int* free_;
  bool* was_free_;
  int nfree_ = 0;
};

}  // namespace

int SolveBoxQP(const BoxQP& problem, double* x, double* factor, int* free) {
  Solver solver(problem, x, factor);
  const int nfree = solver.Run();
  if (free) std::copy_n(solver.free(), std::max(nfree, 0), free);
  return nfree;
}

}  // namespace sinew::inline math
