// Solutions and products with matrices in the pattern of a tree (ldl_kernel.h), for blocks of columns
// (math/column_block.h).
#ifndef SINEW_INERTIA_LDL_BLOCK_H_
#define SINEW_INERTIA_LDL_BLOCK_H_

#include "inertia/ldl_kernel.h"

namespace sinew {

// x <- (L' D L)^-1 x, for the rows of the pattern.
void SolveLDLBlock(double* x, const double* ld, const double* diaginv, const RowPattern& pattern);

// y = A x, for the symmetric matrix of which these are the lower rows.
void MulSymmetricBlock(double* y, const double* mat, const double* x, const RowPattern& pattern);

}  // namespace sinew

#endif  // SINEW_INERTIA_LDL_BLOCK_H_
