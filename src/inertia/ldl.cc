// Instantiates the factorization in the pattern of a tree for one world.
#include "inertia/ldl.h"

#include "inertia/ldl_kernel.h"

namespace sinew::inline inertia {

inline namespace SINEW_ISA {

SINEW_DISPATCH void FactorLDL(double* mat, double* diaginv, const RowPattern& pattern) {
  FactorLDL<double>(mat, diaginv, pattern);
}

}  // namespace SINEW_ISA

void FactorLDL(mjtNum* mat, int n, mjtNum* diaginv, const int* rownnz, const int* rowadr, const int* colind) {
  FactorLDL(mat, diaginv, RowPattern{n, rownnz, rowadr, colind});
}

void SolveLDL(mjtNum* x, const mjtNum* ld, const mjtNum* diaginv, int nvec, int n, const int* rownnz, const int* rowadr,
              const int* colind) {
  for (int v = 0; v < nvec; ++v) SolveLDL<mjtNum>(x + v * n, ld, diaginv, RowPattern{n, rownnz, rowadr, colind});
}

}  // namespace sinew::inline inertia
