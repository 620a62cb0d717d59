#include "math/symmetric_eigen.h"

#include <cmath>

#include "math/matrix.h"

namespace sinew {
namespace {

// Zeroes A(p, q) by a rotation in that plane: A <- J' A J, V <- V J.
void Rotate(double* A, double* V, int n, int p, int q) {
  const double theta = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
  const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  const auto turn = [c, s](double& x, double& y) {
    const double old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  for (int k = 0; k < n; ++k) turn(A[k * n + p], A[k * n + q]);
  for (int k = 0; k < n; ++k) turn(A[p * n + k], A[q * n + k]);
  for (int k = 0; k < n; ++k) turn(V[k * n + p], V[k * n + q]);
}

}  // namespace

void SymmetricEigen(double* A, double* V, int n) {
  constexpr int kMaxSweeps = 50;         // convergence is quadratic: about ten do
  constexpr double kNegligible = 1e-14;  // of an off-diagonal element
  SetIdentity(V, n);
  bool done = false;
  for (int sweep = 0; sweep < kMaxSweeps && !done; ++sweep) {
    done = true;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        if (!(std::fabs(A[p * n + q]) > kNegligible)) continue;
        Rotate(A, V, n, p, q);
        done = false;
      }
    }
  }
}

}  // namespace sinew
