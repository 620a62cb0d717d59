// Products with the constraint Jacobian, compressed or dense.
#ifndef SINEW_CONSTRAINT_JACOBIAN_PRODUCT_H_
#define SINEW_CONSTRAINT_JACOBIAN_PRODUCT_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// Whether constraint Jacobians are compressed: asked for, or left to the engine in a model with 60 dofs or more.
inline bool IsSparse(const mjModel* m) {
  return m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= 60);
}

// Rows of a Jacobian: those of mjData, or of an island.
struct JacobianRows {
  int nrow, ncol;
  const double* J;    // dense: nrow x ncol
  const int* rownnz;  // null when dense
  const int* rowadr;
  const int* rowsuper;
  const int* colind;
};
JacobianRows AllRows(const mjModel* m, const mjData* d);

void MulJacobian(const JacobianRows& rows, const double* vec, double* res);            // res (nrow) = J vec
void MulJacobianTransposed(const JacobianRows& rows, const double* vec, double* res);  // res (ncol) = J' vec

// The same for all rows of mjData.
void MulJacVec(const mjModel* m, const mjData* d, double* res, const double* vec);
void MulJacTVec(const mjModel* m, const mjData* d, double* res, const double* vec);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_JACOBIAN_PRODUCT_H_
