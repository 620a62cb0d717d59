#include "math/matrix.h"

#include <cstddef>

#include "math/dense.h"

namespace sinew::inline math {
namespace {

// Rows start at row * stride, a product that may exceed an int.
const double* Row(const double* A, int row, int stride) { return A + static_cast<ptrdiff_t>(row) * stride; }
double* Row(double* A, int row, int stride) { return A + static_cast<ptrdiff_t>(row) * stride; }

// Calls four(k, rows) for rows k..k+3 of A, n x nc, and one(k, row) for the last n % 4.
template <class Four, class One>
void ForFourRows(const double* A, int n, int nc, const Four& four, const One& one) {
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    const double* const rows[4] = {Row(A, k, nc), Row(A, k + 1, nc), Row(A, k + 2, nc), Row(A, k + 3, nc)};
    four(k, rows);
  }
  for (; k < n; ++k) one(k, Row(A, k, nc));
}

// y_r = rows_r . x, each summed as Dot does: four rows load x once
void DotFour(double* y, const double* const rows[4], const double* x, int n) {
  FourSums sum[4];
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const Pack<double, 2> x01 = LoadTwo(x + i), x23 = LoadTwo(x + i + 2);
    for (int r = 0; r < 4; ++r) sum[r].Add(LoadTwo(rows[r] + i) * x01, LoadTwo(rows[r] + i + 2) * x23);
  }
  for (int r = 0; r < 4; ++r) {
    double tail = 0;
    for (int j = i; j < n; ++j) tail += rows[r][j] * x[j];
    y[r] = sum[r].Total() + tail;
  }
}

}  // namespace

void MulMatVec(double* y, const double* A, const double* x, int nr, int nc) {
  ForFourRows(
      A, nr, nc, [=](int i, const double* const rows[4]) { DotFour(y + i, rows, x, nc); },
      [=](int i, const double* row) { y[i] = Dot(row, x, nc); });
}

void MulMatTVec(double* y, const double* A, const double* x, int nr, int nc) {
  Zero(y, nc);
  ForFourRows(
      A, nr, nc, [=](int i, const double* const rows[4]) { AddFourScaled(y, rows, x + i, nc); },
      [=](int i, const double* row) { AddScaled(y, row, x[i], nc); });
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
  ForFourRows(
      B, n, nc,
      [=](int k, const double* const rows[4]) {
        for (int i = 0; i < nr; ++i) {
          const double s[4] = {Row(A, k, nr)[i], Row(A, k + 1, nr)[i], Row(A, k + 2, nr)[i], Row(A, k + 3, nr)[i]};
          AddFourScaled(Row(C, i, nc), rows, s, nc);
        }
      },
      [=](int k, const double* row) {
        for (int i = 0; i < nr; ++i) AddScaled(Row(C, i, nc), row, Row(A, k, nr)[i], nc);
      });
}

void SquareTransposed(double* C, const double* A, const double* d, int nr, int nc) {
  // lower triangle, some rows of A at a time
  for (int i = 0; i < nc; ++i) Zero(Row(C, i, nc), i + 1);
  const auto weight = [=](int k) { return d ? d[k] : 1; };
  ForFourRows(
      A, nr, nc,
      [=](int k, const double* const rows[4]) {
        for (int i = 0; i < nc; ++i) {
          double s[4];
          for (int r = 0; r < 4; ++r) s[r] = weight(k + r) * rows[r][i];
          AddFourScaled(Row(C, i, nc), rows, s, i + 1);
        }
      },
      [=](int k, const double* row) {
        for (int i = 0; i < nc; ++i) AddScaled(Row(C, i, nc), row, weight(k) * row[i], i + 1);
      });

  // upper triangle
  for (int i = 0; i < nc; ++i) {
    for (int j = 0; j < i; ++j) Row(C, j, nc)[i] = Row(C, i, nc)[j];
  }
}

}  // namespace sinew::inline math
