#include "solve/qcqp.h"

#include <cmath>

#include "math/dense.h"

namespace sinew::inline solve {
namespace {

// Solutions of (mu A mu + lambda 1) y = b: by the inverse of two and three directions, by a Cholesky factor of more.
template <int n>
class ShiftedMatrix {
 public:
  ShiftedMatrix(const double* A, const double* mu, double singular) : singular_(singular) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) scaled_[i][j] = mu[i] * A[i * n + j] * mu[j];
    }
  }

  // False where the matrix is singular.
  bool Shift(double lambda) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) inner_[i][j] = scaled_[i][j] + (i == j ? lambda : 0);
    }
    if constexpr (n == 2) return InvertTwo();
    if constexpr (n == 3) return InvertThree();
    return Factor();
  }

  void Solve(double* y, const double* b) const {
    if constexpr (kInverts) return Multiply(y, b);
    for (int i = 0; i < n; ++i) y[i] = b[i];
    SolveByFactor(y);
  }

  // y' (mu A mu + lambda 1)^-1 y
  double InverseForm(const double* y) const {
    if constexpr (!kInverts) {
      double w[n];
      Solve(w, y);
      return Dot(y, w, n);
    }
    double diagonal = 0, others = 0;
    for (int i = 0; i < n; ++i) {
      diagonal += inner_[i][i] * y[i] * y[i];
      for (int j = i + 1; j < n; ++j) others += inner_[i][j] * y[i] * y[j];
    }
    return diagonal + 2 * others;
  }

 private:
  static constexpr bool kInverts = n == 2 || n == 3;

  bool InvertTwo() {
    const double a = inner_[0][0], b = inner_[1][1], c = inner_[0][1];
    const double determinant = a * b - c * c;
    if (determinant <= singular_) return false;
    const double inverse = 1 / determinant;
    inner_[0][0] = b * inverse;
    inner_[1][1] = a * inverse;
    inner_[0][1] = inner_[1][0] = -c * inverse;
    return true;
  }

  bool InvertThree() {
    const double a = inner_[0][0], b = inner_[1][1], c = inner_[2][2];
    const double d = inner_[0][1], e = inner_[0][2], f = inner_[1][2];
    const double first = b * c - f * f, second = e * f - d * c, third = d * f - e * b;
    const double determinant = a * first + d * second + e * third;
    if (determinant <= singular_) return false;
    const double inverse = 1 / determinant;
    inner_[0][0] = first * inverse;
    inner_[1][1] = (a * c - e * e) * inverse;
    inner_[2][2] = (a * b - d * d) * inverse;
    inner_[0][1] = inner_[1][0] = second * inverse;
    inner_[0][2] = inner_[2][0] = third * inverse;
    inner_[1][2] = inner_[2][1] = (d * e - f * a) * inverse;
    return true;
  }

  // Replaces the lower part by its Cholesky factor; false where the matrix is singular.
  bool Factor() {
    for (int j = 0; j < n; ++j) {
      const double pivot = inner_[j][j] - Dot(inner_[j], inner_[j], j);
      if (pivot <= singular_) return false;
      inner_[j][j] = std::sqrt(pivot);
      const double inverse = 1 / inner_[j][j];
      for (int i = j + 1; i < n; ++i) inner_[i][j] = (inner_[i][j] - Dot(inner_[i], inner_[j], j)) * inverse;
    }
    return true;
  }

  void Multiply(double* y, const double* b) const {
    for (int i = 0; i < n; ++i) {
      y[i] = 0;
      for (int j = 0; j < n; ++j) y[i] += inner_[i][j] * b[j];
    }
  }

  void SolveByFactor(double* y) const {
    for (int i = 0; i < n; ++i) y[i] = (y[i] - Dot(inner_[i], y, i)) / inner_[i][i];
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) y[i] -= inner_[k][i] * y[k];
      y[i] /= inner_[i][i];
    }
  }

  double singular_;
  double scaled_[n][n];  // mu A mu
  double inner_[n][n];   // inverse or factor
};

}  // namespace

// With y = x / mu the bound is a ball: (mu A mu + lambda 1) y = -mu b, and lambda >= 0 is the root of |y|^2 = r^2,
// found by Newton's method from zero.
template <int n>
bool SolveQCQP(double* x, const double* A, const double* b, const double* mu, double r, const QcqpLimits& limits) {
  ShiftedMatrix<n> matrix(A, mu, limits.singular);
  double lambda = 0, y[n] = {}, target[n];
  for (int i = 0; i < n; ++i) target[i] = -mu[i] * b[i];
  for (int iteration = 0; iteration < limits.iterations; ++iteration) {
    // a singular matrix has no useful solution
    if (!matrix.Shift(lambda)) {
      for (int i = 0; i < n; ++i) x[i] = 0;
      return false;
    }

    // violation of the bound
    matrix.Solve(y, target);
    const double violation = Dot(y, y, n) - r * r;
    if (violation < limits.violation) break;

    // Newton step on lambda: d|y|^2/dlambda = -2 y' (mu A mu + lambda)^-1 y
    const double step = violation / (2 * matrix.InverseForm(y));
    if (step < limits.step) break;
    lambda += step;
  }
  for (int i = 0; i < n; ++i) x[i] = mu[i] * y[i];
  return lambda != 0;
}

template bool SolveQCQP<1>(double*, const double*, const double*, const double*, double, const QcqpLimits&);
template bool SolveQCQP<2>(double*, const double*, const double*, const double*, double, const QcqpLimits&);
template bool SolveQCQP<3>(double*, const double*, const double*, const double*, double, const QcqpLimits&);
template bool SolveQCQP<4>(double*, const double*, const double*, const double*, double, const QcqpLimits&);
template bool SolveQCQP<5>(double*, const double*, const double*, const double*, double, const QcqpLimits&);

}  // namespace sinew::inline solve
