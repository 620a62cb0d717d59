#include "math/cholesky.h"

#include <cmath>
#include <cstddef>

#include "math/dense.h"
#include "math/vec3.h"

namespace sinew::inline math {
namespace {

const double* Row(const double* A, int row, int n) { return A + static_cast<ptrdiff_t>(row) * n; }
double* Row(double* A, int row, int n) { return A + static_cast<ptrdiff_t>(row) * n; }

}  // namespace

int FactorCholesky(double* A, int n, double min_pivot) {
  int rank = n;
  for (int j = 0; j < n; ++j) {
    // pivot
    double* Lj = Row(A, j, n);
    double pivot = Lj[j] - Dot(Lj, Lj, j);
    if (pivot < min_pivot) {
      pivot = min_pivot;
      --rank;
    }
    Lj[j] = std::sqrt(pivot);

    // column below it
    const double inverse = 1 / Lj[j];
    for (int i = j + 1; i < n; ++i) {
      double* Li = Row(A, i, n);
      Li[j] = (Li[j] - Dot(Li, Lj, j)) * inverse;
    }
  }
  return rank;
}

void SolveCholesky(double* x, const double* L, const double* b, int n) {
  // L z = b
  for (int i = 0; i < n; ++i) x[i] = (b[i] - Dot(Row(L, i, n), x, i)) / Row(L, i, n)[i];

  // L' x = z, by rows of L
  for (int i = n - 1; i >= 0; --i) {
    x[i] /= Row(L, i, n)[i];
    AddScaled(x, Row(L, i, n), -x[i], i);
  }
}

int UpdateCholesky(double* L, double* x, int n, bool plus) {
  // Golub & Van Loan, Matrix Computations, 4th ed., 6.5.4: (hyperbolic) rotations of (L, x), column by column
  const double sign = plus ? 1 : -1;
  int rank = n;
  for (int k = 0; k < n; ++k) {
    double& diagonal = Row(L, k, n)[k];
    double pivot = diagonal * diagonal + sign * x[k] * x[k];
    if (pivot < kMinVal) {
      pivot = kMinVal;
      --rank;
    }
    const double root = std::sqrt(pivot);
    const double c = root / diagonal, s = x[k] / diagonal;
    diagonal = root;
    for (int i = k + 1; i < n; ++i) {
      double& entry = Row(L, i, n)[k];
      entry = (entry + sign * s * x[i]) / c;
      x[i] = c * x[i] - s * entry;
    }
  }
  return rank;
}

}  // namespace sinew::inline math
