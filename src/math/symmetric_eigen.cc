#include "math/symmetric_eigen.h"

#include <cmath>

#include "math/matrix.h"

namespace sinew::inline math {
namespace {

// Zeroes A(p, q) by a rotation in that plane: A <- J' A J, V <- V J. Of A, only columns are
// read.
void Rotate(double* A, double* V, int n, int p, int q) {
  const double off_diagonal = A[p * n + q];
  const double theta = (A[q * n + q] - A[p * n + p]) / (2 * off_diagonal);
  const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  const auto turn = [c, s](double& x, double& y) {
    const double old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  for (int k = 0; k < n; ++k) {
    if (k == p || k == q) continue;
    turn(A[k * n + p], A[k * n + q]);
    A[p * n + k] = A[k * n + p];
    A[q * n + k] = A[k * n + q];
  }
  A[p * n + p] -= t * off_diagonal;
  A[q * n + q] += t * off_diagonal;
  A[p * n + q] = A[q * n + p] = 0;
  for (int k = 0; k < n; ++k) turn(V[k * n + p], V[k * n + q]);
}

// The sum of the squares above the diagonal.
double OffDiagonal(const double* A, int n) {
  double sum = 0;
  for (int p = 0; p < n; ++p) {
    for (int q = p + 1; q < n; ++q) sum += A[p * n + q] * A[p * n + q];
  }
  return sum;
}

}  // namespace

void SymmetricEigen(double* A, double* V, int n) {
  constexpr int kMaxSweeps = 100;        // convergence is quadratic: about ten do
  constexpr double kDone = 1e-24;        // of the sum of squares
  constexpr double kNegligible = 1e-15;  // of an element
  SetIdentity(V, n);
  for (int sweep = 0; sweep < kMaxSweeps && !(OffDiagonal(A, n) < kDone); ++sweep) {
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        if (std::fabs(A[p * n + q]) > kNegligible) Rotate(A, V, n, p, q);
      }
    }
  }
}

}  // namespace sinew::inline math
