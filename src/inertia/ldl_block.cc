#include "inertia/ldl_block.h"

#include "inertia/ldl_block_kernel.h"

namespace sinew::inline inertia {

SINEW_DISPATCH void SolveLDLBlock(double* x, const double* ld, const double* diaginv, const RowPattern& pattern) {
  SolveLDLBlock<double>(x, ld, diaginv, pattern);
}

SINEW_DISPATCH void MulSymmetricBlock(double* y, const double* mat, const double* x, const RowPattern& pattern) {
  MulSymmetricBlock<double>(y, mat, x, pattern);
}

}  // namespace sinew::inline inertia
