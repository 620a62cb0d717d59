// Factorization A = L'D L in the pattern of a kinematic tree (ldl_kernel.h): lower rows with ascending columns,
// diagonal last, where the row of each ancestor of a dof is the beginning of the dof's row.
#ifndef SINEW_INERTIA_LDL_H_
#define SINEW_INERTIA_LDL_H_

#include <mujoco/mujoco.h>

namespace sinew::inline inertia {

// Factorizes in place: L below the diagonal, D on it, 1/D in diaginv (n).
void FactorLDL(mjtNum* mat, int n, mjtNum* diaginv, const int* rownnz, const int* rowadr, const int* colind);

// x <- A^-1 x for `nvec` vectors, rows of n.
void SolveLDL(mjtNum* x, const mjtNum* ld, const mjtNum* diaginv, int nvec, int n, const int* rownnz, const int* rowadr,
              const int* colind);

}  // namespace sinew::inline inertia

#endif  // SINEW_INERTIA_LDL_H_
