#include "solve/qcqp.h"

#include <cmath>

namespace sinew {
namespace {

constexpr int kMaxDim = 5, kMaxIterations = 20;
constexpr double kTiny = 1e-10;  // of pivots, of the constraint violation and of a Newton step

// In-place Cholesky factor of the lower part; false when a pivot is tiny.
bool Factor(double A[kMaxDim][kMaxDim], int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double s = A[i][j];
      for (int k = 0; k < j; ++k) s -= A[i][k] * A[j][k];
      if (i == j) {
        if (s < kTiny) return false;
        A[i][i] = std::sqrt(s);
      } else {
        A[i][j] = s / A[j][j];
      }
    }
  }
  return true;
}

void Solve(const double L[kMaxDim][kMaxDim], double* x, int n) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= L[i][k] * x[k];
    x[i] /= L[i][i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= L[k][i] * x[k];
    x[i] /= L[i][i];
  }
}

}  // namespace

// With y = x / mu the bound is a ball: (mu A mu + lambda 1) y = -mu b, and lambda >= 0 is the root of |y|^2 = r^2,
// found by Newton's method from zero.
bool SolveQCQP(double* x, const double* A, const double* b, const double* mu, double r, int n) {
  double lambda = 0, y[kMaxDim], w[kMaxDim];
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    // factor; a singular matrix has no useful solution
    double L[kMaxDim][kMaxDim];
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) L[i][j] = mu[i] * A[i * n + j] * mu[j] + (i == j ? lambda : 0);
    }
    if (!Factor(L, n)) {
      for (int i = 0; i < n; ++i) x[i] = 0;
      return false;
    }

    // violation of the bound
    double violation = -r * r;
    for (int i = 0; i < n; ++i) y[i] = -mu[i] * b[i];
    Solve(L, y, n);
    for (int i = 0; i < n; ++i) violation += y[i] * y[i];
    if (violation < kTiny) break;

    // Newton step on lambda: d|y|^2/dlambda = -2 y' (mu A mu + lambda)^-1 y
    double slope = 0;
    for (int i = 0; i < n; ++i) w[i] = y[i];
    Solve(L, w, n);
    for (int i = 0; i < n; ++i) slope -= 2 * y[i] * w[i];
    const double step = -violation / slope;
    if (step < kTiny) break;
    lambda += step;
  }
  for (int i = 0; i < n; ++i) x[i] = mu[i] * y[i];
  return lambda != 0;
}

}  // namespace sinew
