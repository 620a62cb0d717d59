// Small dense systems of linear equations.
#ifndef SINEW_MATH_ELIMINATION_H_
#define SINEW_MATH_ELIMINATION_H_

#include <cmath>
#include <utility>

namespace sinew::inline math {

// Solves A X = B by Gaussian elimination with row exchanges, in place: A is n x n, B and X are n x `sides`, all row by
// row. Returns false, with both spoilt, where no pivot is larger than `least`.
inline bool SolveByElimination(int n, double* A, int sides, double* B, double least) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::fabs(A[i * n + k]) > std::fabs(A[pivot * n + k])) pivot = i;
    }
    if (!(std::fabs(A[pivot * n + k]) > least)) return false;
    for (int c = 0; c < n; ++c) std::swap(A[k * n + c], A[pivot * n + c]);
    for (int s = 0; s < sides; ++s) std::swap(B[k * sides + s], B[pivot * sides + s]);
    for (int i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] / A[k * n + k];
      for (int c = k; c < n; ++c) A[i * n + c] -= factor * A[k * n + c];
      for (int s = 0; s < sides; ++s) B[i * sides + s] -= factor * B[k * sides + s];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int s = 0; s < sides; ++s) {
      for (int c = k + 1; c < n; ++c) B[k * sides + s] -= A[k * n + c] * B[c * sides + s];
      B[k * sides + s] /= A[k * n + k];
    }
  }
  return true;
}

}  // namespace sinew::inline math

#endif  // SINEW_MATH_ELIMINATION_H_
