// The constraint Jacobian in blocks: consecutive rows with the same columns (the edges of a friction pyramid, the rows
// of a weld) form one dense block of nrow x ncol values. Products gather a vector once per block and then run over
// contiguous memory, whether mjData keeps the Jacobian dense or sparse.
#ifndef SINEW_SOLVE_BLOCK_JACOBIAN_H_
#define SINEW_SOLVE_BLOCK_JACOBIAN_H_

#include "constraint/jacobian_product.h"
#include "core/stack.h"

namespace sinew::inline solve {

struct JacobianBlock {
  int row, nrow;        // rows [row, row + nrow)
  int ncol;             // nonzero columns
  const int* col;       // their indices, ascending
  const double* value;  // nrow x ncol, row-major
};

struct BlockJacobian {
  int nv, nefc, nblock;
  JacobianBlock* block;
  double* scratch;  // nv numbers
};

// Both are unusable when the frame is full. Compressed rows are referenced in place. Those that `rowsuper` counts
// together follow each other in memory.
BlockJacobian BlocksOfSparse(StackFrame& frame, const JacobianRows& J);

// Dense rows (nefc x nv) are compressed to the columns that a constraint uses; rows belong together when their type and
// id agree.
BlockJacobian BlocksOfDense(StackFrame& frame, int nv, int nefc, const int* type, const int* id, const double* J);

// res (nefc) = J v
void MulJ(const BlockJacobian& J, const double* v, double* res);

// res (nv) = J' f
void MulJTransposed(const BlockJacobian& J, const double* f, double* res);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_BLOCK_JACOBIAN_H_
