#include "solve/block_jacobian.h"

#include "math/dense.h"

namespace sinew {
namespace {

// Columns in which any of the rows has a nonzero; returns their number.
int NonzeroColumns(const double* J, int nrow, int nv, int* col) {
  int ncol = 0;
  for (int j = 0; j < nv; ++j) {
    bool used = false;
    for (int r = 0; r < nrow; ++r) used |= J[r * nv + j] != 0;
    if (used) col[ncol++] = j;
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
    const int ncol = NonzeroColumns(source, nrow, nv, col);
    blocks.block[blocks.nblock++] = {row, nrow, ncol, col, value};
    for (int r = 0; r < nrow; ++r) {
      for (int c = 0; c < ncol; ++c) *value++ = source[r * nv + col[c]];
    }
    col += ncol;
    row += nrow;
  }
  return blocks;
}

void MulJ(const BlockJacobian& J, const double* v, double* res) {
  for (int b = 0; b < J.nblock; ++b) {
    const JacobianBlock& block = J.block[b];
    for (int c = 0; c < block.ncol; ++c) J.scratch[c] = v[block.col[c]];
    for (int r = 0; r < block.nrow; ++r) res[block.row + r] = Dot(block.value + r * block.ncol, J.scratch, block.ncol);
  }
}

void MulJTransposed(const BlockJacobian& J, const double* f, double* res) {
  Zero(res, J.nv);
  for (int b = 0; b < J.nblock; ++b) {
    const JacobianBlock& block = J.block[b];
    bool any = false;
    for (int r = 0; r < block.nrow; ++r) {
      const double force = f[block.row + r];
      if (force == 0) continue;
      if (!any) Zero(J.scratch, block.ncol);
      any = true;
      AddScaled(J.scratch, block.value + r * block.ncol, force, block.ncol);
    }
    if (!any) continue;
    for (int c = 0; c < block.ncol; ++c) res[block.col[c]] += J.scratch[c];
  }
}

}  // namespace sinew
