#include "solve/block_jacobian.h"

#include <algorithm>

#include "math/columns.h"
#include "math/dense.h"
#include "math/sparse.h"
#include "simd/isa.h"

namespace sinew::inline solve {
namespace {

// Columns in which any of the rows has a nonzero; returns their number. Which ones these are is hard to predict, so
// that there is no branch on it. `sum`: scratch of nv numbers.
SINEW_DISPATCH int NonzeroColumns(const double* J, int nrow, int nv, double* sum, int* col) {
  int first = 0;
  for (; first + 4 <= nv; first += 4) {
    Four four = Abs(LoadFour(J + first));
    for (int r = 1; r < nrow; ++r) four += Abs(LoadFour(J + r * nv + first));
    StoreFour(four, sum + first);
  }
  for (; first < nv; ++first) {
    sum[first] = 0;
    for (int r = 0; r < nrow; ++r) sum[first] += Abs(J[r * nv + first]);
  }
  int ncol = 0;
  for (int j = 0; j < nv; ++j) {
    col[ncol] = j;
    ncol += sum[j] != 0;
  }
  return ncol;
}

}  // namespace

BlockJacobian BlocksOfSparse(StackFrame& frame, const JacobianRows& J) {
  BlockJacobian blocks{J.ncol, J.nrow, 0, frame.Alloc<JacobianBlock>(J.nrow), frame.Doubles(J.ncol)};
  if (frame.full()) return blocks;
  for (int row = 0; row < J.nrow;) {
    const int nrow = J.rowsuper[row] + 1;
    blocks.block[blocks.nblock++] = {row, nrow, J.rownnz[row], J.colind + J.rowadr[row], J.J + J.rowadr[row]};
    row += nrow;
  }
  return blocks;
}

BlockJacobian BlocksOfDense(StackFrame& frame, int nv, int nefc, const int* type, const int* id, const double* J) {
  BlockJacobian blocks{nv, nefc, 0, frame.Alloc<JacobianBlock>(nefc), frame.Doubles(nv)};
  int* col = frame.Ints(static_cast<ptrdiff_t>(nefc) * nv);
  double* value = frame.Doubles(static_cast<ptrdiff_t>(nefc) * nv);
  if (frame.full()) return blocks;
  for (int row = 0; row < nefc;) {
    // the rows of one constraint
    int nrow = 1;
    while (row + nrow < nefc && type[row + nrow] == type[row] && id[row + nrow] == id[row]) ++nrow;

    // compress them
    const double* source = J + static_cast<ptrdiff_t>(row) * nv;
    const int ncol = NonzeroColumns(source, nrow, nv, blocks.scratch, col);
    blocks.block[blocks.nblock++] = {row, nrow, ncol, col, value};
    for (int r = 0; r < nrow; ++r) {
      for (int c = 0; c < ncol; ++c) *value++ = source[r * nv + col[c]];
    }
    col += ncol;
    row += nrow;
  }
  return blocks;
}

SINEW_DISPATCH void MulJ(const BlockJacobian& J, const double* v, double* res) {
  for (int b = 0; b < J.nblock; ++b) {
    const JacobianBlock& block = J.block[b];
    if (block.nrow == 1) {
      res[block.row] = SparseDot(block.value, block.col, block.ncol, v);
      continue;
    }
    for (int c = 0; c < block.ncol; ++c) J.scratch[c] = v[block.col[c]];
    for (int r = 0; r < block.nrow; ++r) res[block.row + r] = Dot(block.value + r * block.ncol, J.scratch, block.ncol);
  }
}

SINEW_DISPATCH void MulJTransposed(const BlockJacobian& J, const double* f, double* res) {
  Zero(res, J.nv);
  for (int b = 0; b < J.nblock; ++b) {
    const JacobianBlock& block = J.block[b];
    const double* force = f + block.row;
    if (block.nrow == 1) {
      if (force[0] != 0) AddSparse(res, block.value, block.col, block.ncol, force[0]);
      continue;
    }
    if (std::all_of(force, force + block.nrow, [](double x) { return x == 0; })) continue;
    ForColumns<double>(block.ncol, [&](const auto& at) {
      auto sum = at.InAll(0);
      for (int r = 0; r < block.nrow; ++r) {
        if (force[r] != 0) sum += at.InAll(force[r]) * at.Load(block.value + r * block.ncol);
      }
      at.Store(sum, J.scratch);
    });
    for (int c = 0; c < block.ncol; ++c) res[block.col[c]] += J.scratch[c];
  }
}

}  // namespace sinew::inline solve
