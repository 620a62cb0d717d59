// The functions of ldl_block_kernel.h for one world, compiled for several instruction sets.
#ifndef SINEW_INERTIA_LDL_BLOCK_H_
#define SINEW_INERTIA_LDL_BLOCK_H_

#include "inertia/ldl_kernel.h"

namespace sinew::inline inertia {

void SolveLDLBlock(double* x, const double* ld, const double* diaginv, const RowPattern& pattern);
void MulSymmetricBlock(double* y, const double* mat, const double* x, const RowPattern& pattern);

}  // namespace sinew::inline inertia

#endif  // SINEW_INERTIA_LDL_BLOCK_H_
