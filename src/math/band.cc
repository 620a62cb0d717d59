#include "math/band.h"

#include <cmath>

#include "math/dense.h"
#include "math/vec3.h"

namespace sinew::inline math {
namespace {

// sum_{k < j} L_ik L_jk, over the columns that both rows have
double RowDot(const double* L, const BandShape& shape, int i, int j) {
  const int first = std::max(shape.First(i), shape.First(j));
  return first < j ? Dot(L + shape.Address(i, first), L + shape.Address(j, first), j - first) : 0;
}

}  // namespace

double FactorBand(double* A, const BandShape& shape, double add, double multiply) {
  double smallest = -1;
  for (int i = 0; i < shape.size; ++i) {
    double* row = A + shape.Address(i, 0);
    for (int j = shape.First(i); j < i; ++j) row[j] = (row[j] - RowDot(A, shape, i, j)) / A[shape.Diagonal(j)];
    const double pivot = row[i] + add + multiply * row[i] - RowDot(A, shape, i, i);
    if (pivot < kMinVal) return 0;
    smallest = smallest < 0 ? pivot : std::min(smallest, pivot);
    row[i] = std::sqrt(pivot);
  }
  return smallest;
}

void SolveBand(double* x, const double* L, const double* b, const BandShape& shape) {
  // L z = b
  for (int i = 0; i < shape.size; ++i) {
    const int first = shape.First(i);
    x[i] = (b[i] - Dot(L + shape.Address(i, first), x + first, i - first)) / L[shape.Diagonal(i)];
  }

  // L' x = z, by rows of L
  for (int i = shape.size - 1; i >= 0; --i) {
    const int first = shape.First(i);
    x[i] /= L[shape.Diagonal(i)];
    AddScaled(x + first, L + shape.Address(i, first), -x[i], i - first);
  }
}

void MulBand(double* y, const double* A, const double* x, const BandShape& shape, int count, bool symmetric) {
  for (int v = 0; v < count; ++v, x += shape.size, y += shape.size) {
    for (int i = 0; i < shape.size; ++i) {
      const int first = shape.First(i);
      if (first > i) {  // a band of no width
        y[i] = 0;
        continue;
      }
      const double* row = A + shape.Address(i, first);
      y[i] = Dot(row, x + first, i - first + 1);
      if (symmetric) AddScaled(y + first, row, x[i], i - first);
    }
  }
}

void BandToDense(double* dense, const double* A, const BandShape& shape, bool symmetric) {
  const ptrdiff_t n = shape.size;
  std::fill_n(dense, n * n, 0.0);
  for (int i = 0; i < n; ++i) {
    for (int j = shape.First(i); j <= i; ++j) {
      dense[i * n + j] = A[shape.Address(i, j)];
      if (symmetric) dense[j * n + i] = A[shape.Address(i, j)];
    }
  }
}

void DenseToBand(double* A, const double* dense, const BandShape& shape) {
  const ptrdiff_t n = shape.size;
  for (int i = 0; i < n; ++i) {
    for (int j = shape.First(i); j <= i; ++j) A[shape.Address(i, j)] = dense[i * n + j];
  }
}

}  // namespace sinew::inline math
