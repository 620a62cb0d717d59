#include "math/matrix.h"

#include <cstddef>

#include "math/dense.h"

namespace sinew {
namespace {

// Rows start at row * stride, a product that may exceed an int.
const double* Row(const double* A, int row, int stride) { return A + static_cast<ptrdiff_t>(row) * stride; }
double* Row(double* A, int row, int stride) { return A + static_cast<ptrdiff_t>(row) * stride; }

}  // namespace

void MulMatVec(double* y, const double* A, const double* x, int nr, int nc) {
  for (int i = 0; i < nr; ++i) y[i] = Dot(Row(A, i, nc), x, nc);
}

void MulMatTVec(double* y, const double* A, const double* x, int nr, int nc) {
  Zero(y, nc);
  for (int i = 0; i < nr; ++i) AddScaled(y, Row(A, i, nc), x[i], nc);
}

double MulVecMatVec(const double* x, const double* A, const double* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * Dot(Row(A, i, n), y, n);
  return sum;
}

void Transpose(double* B, const double* A, int nr, int nc) {
  for (int j = 0; j < nc; ++j) {
    for (int i = 0; i < nr; ++i) Row(B, j, nr)[i] = Row(A, i, nc)[j];
  }
}

void Symmetrize(double* B, const double* A, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double mean = 0.5 * (Row(A, i, n)[j] + Row(A, j, n)[i]);
      Row(B, i, n)[j] = mean;
      Row(B, j, n)[i] = mean;
    }
  }
}

void SetIdentity(double* A, int n) {
  for (int i = 0; i < n; ++i) {
    Zero(Row(A, i, n), n);
    Row(A, i, n)[i] = 1;
  }
}

void MulMatMat(double* C, const double* A, const double* B, int nr, int n, int nc) {
  for (int i = 0; i < nr; ++i) MulMatTVec(Row(C, i, nc), B, Row(A, i, n), n, nc);
}

void MulMatMatT(double* C, const double* A, const double* B, int nr, int n, int nc) {
  for (int i = 0; i < nr; ++i) MulMatVec(Row(C, i, nc), B, Row(A, i, n), nc, n);
}

void MulMatTMat(double* C, const double* A, const double* B, int n, int nr, int nc) {
  for (int i = 0; i < nr; ++i) Zero(Row(C, i, nc), nc);
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < nr; ++i) AddScaled(Row(C, i, nc), Row(B, k, nc), Row(A, k, nr)[i], nc);
  }
}

void SquareTransposed(double* C, const double* A, const double* d, int nr, int nc) {
  // lower triangle, a row of A at a time
  for (int i = 0; i < nc; ++i) Zero(Row(C, i, nc), i + 1);
  for (int k = 0; k < nr; ++k) {
    const double* row = Row(A, k, nc);
    for (int i = 0; i < nc; ++i) AddScaled(Row(C, i, nc), row, d ? d[k] * row[i] : row[i], i + 1);
  }

  // upper triangle
  for (int i = 0; i < nc; ++i) {
    for (int j = 0; j < i; ++j) Row(C, j, nc)[i] = Row(C, i, nc)[j];
  }
}

}  // namespace sinew
