#include "constraint/jacobian_product.h"

#include "math/dense.h"

namespace sinew::inline constraint {
namespace {

// A contact has three or four rows on the same columns, so that four at a time load indices and vector once.
constexpr int kGroup = 4;

// Each row is summed as SparseDot (math/sparse.h) does.
template <int kRows>
void DotRows(const double* J, int stride, const int* colind, int nnz, const double* vec, double* res) {
  FourSums sum[kRows];
  int c = 0;
  for (; c + 4 <= nnz; c += 4) {
    const double four[4] = {vec[colind[c]], vec[colind[c + 1]], vec[colind[c + 2]], vec[colind[c + 3]]};
    for (int r = 0; r < kRows; ++r) sum[r].Add(J + r * stride + c, four);
  }
  for (int r = 0; r < kRows; ++r) {
    double total = sum[r].Total();
    for (int k = c; k < nnz; ++k) total += J[r * stride + k] * vec[colind[k]];
    res[r] = total;
  }
}

// Dot (math/dense.h) of several dense rows with a vector, side by side: one alone would wait for its own additions.
template <int kRows>
void DenseDotRows(const double* J, int n, const double* vec, double* res) {
  FourSums sum[kRows];
  double tail[kRows] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int r = 0; r < kRows; ++r) sum[r].Add(J + r * n + i, vec + i);
  }
  for (; i < n; ++i) {
    for (int r = 0; r < kRows; ++r) tail[r] += J[r * n + i] * vec[i];
  }
  for (int r = 0; r < kRows; ++r) res[r] = sum[r].Total() + tail[r];
}

void MulDense(const JacobianRows& rows, const double* vec, double* res) {
  int row = 0;
  const double* J = rows.J;
  for (; row + kGroup <= rows.nrow; row += kGroup, J += kGroup * rows.ncol) {
    DenseDotRows<kGroup>(J, rows.ncol, vec, res + row);
  }
  for (; row < rows.nrow; ++row, J += rows.ncol) res[row] = Dot(J, vec, rows.ncol);
}

// In the order in which one row after the other would be added.
template <int kRows>
void AddRows(const double* J, int stride, const int* colind, int nnz, const double* scale, double* res) {
  for (int c = 0; c < nnz; ++c) {
    double sum = res[colind[c]];
    for (int r = 0; r < kRows; ++r) sum += J[r * stride + c] * scale[r];
    res[colind[c]] = sum;
  }
}

bool AllZero(const double* x, int n) {
  for (int i = 0; i < n; ++i) {
    if (x[i] != 0) return false;
  }
  return true;
}

// Calls body(row, count) for groups of rows on the same columns.
template <class Body>
void ForEachGroup(const JacobianRows& rows, const Body& body) {
  for (int row = 0; row < rows.nrow;) {
    const int same = rows.rowsuper[row] + 1;
    const int count = same < kGroup ? same : kGroup;
    body(row, count);
    row += count;
  }
}

}  // namespace

JacobianRows AllRows(const mjModel* m, const mjData* d) {
  const int nv = static_cast<int>(m->nv);
  if (!IsSparse(m)) return {d->nefc, nv, d->efc_J, nullptr, nullptr, nullptr, nullptr};
  return {d->nefc, nv, d->efc_J, d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_rowsuper, d->efc_J_colind};
}

SINEW_DISPATCH void MulJacobian(const JacobianRows& rows, const double* vec, double* res) {
  if (!rows.rownnz) return MulDense(rows, vec, res);
  ForEachGroup(rows, [&](int row, int count) {
    const double* J = rows.J + rows.rowadr[row];
    const int* colind = rows.colind + rows.rowadr[row];
    const int nnz = rows.rownnz[row];
    switch (count) {
      case 1:
        return DotRows<1>(J, nnz, colind, nnz, vec, res + row);
      case 2:
        return DotRows<2>(J, nnz, colind, nnz, vec, res + row);
      case 3:
        return DotRows<3>(J, nnz, colind, nnz, vec, res + row);
      default:
        return DotRows<4>(J, nnz, colind, nnz, vec, res + row);
    }
  });
}

void MulJacobianTransposed(const JacobianRows& rows, const double* vec, double* res) {
  Zero(res, rows.ncol);
  if (!rows.rownnz) {
    for (int row = 0; row < rows.nrow; ++row) {
      if (vec[row] != 0) AddScaled(res, rows.J + static_cast<ptrdiff_t>(row) * rows.ncol, vec[row], rows.ncol);
    }
    return;
  }
  ForEachGroup(rows, [&](int row, int count) {
    if (AllZero(vec + row, count)) return;
    const double* J = rows.J + rows.rowadr[row];
    const int* colind = rows.colind + rows.rowadr[row];
    const int nnz = rows.rownnz[row];
    switch (count) {
      case 1:
        return AddRows<1>(J, nnz, colind, nnz, vec + row, res);
      case 2:
        return AddRows<2>(J, nnz, colind, nnz, vec + row, res);
      case 3:
        return AddRows<3>(J, nnz, colind, nnz, vec + row, res);
      default:
        return AddRows<4>(J, nnz, colind, nnz, vec + row, res);
    }
  });
}

void MulJacVec(const mjModel* m, const mjData* d, double* res, const double* vec) {
  MulJacobian(AllRows(m, d), vec, res);
}

void MulJacTVec(const mjModel* m, const mjData* d, double* res, const double* vec) {
  MulJacobianTransposed(AllRows(m, d), vec, res);
}

}  // namespace sinew::inline constraint
