#include "gradient/row_forces.h"

#include "constraint/jacobian_product.h"
#include "constraint/update.h"
#include "gradient/columns.h"
#include "gradient/smoothed_rows.h"

namespace sinew {

void EvaluateLaw(const RowSet& rows, double scale, const double* residual, double* force, double* weight, int* state) {
  if (scale > 0) return EvaluateSmoothedRows(rows, scale, residual, force, weight, state);
  EvaluateRows(rows, residual, force, state, /*cone_hessian=*/true);
  for (int i = 0; i < rows.nefc; ++i) weight[i] = state[i] == mjCNSTRSTATE_QUADRATIC ? rows.D[i] : 0;
}

RowForces::RowForces(const mjModel* m, mjData* d, const double* a, const Smoothing& smoothing)
    : residual(Size(d->nefc)), force(Size(d->nefc)), weight(Size(d->nefc)), state(Size(d->nefc)) {
  MulJacVec(m, d, residual.data(), a);
  for (int i = 0; i < d->nefc; ++i) residual[Size(i)] -= d->efc_aref[i];
  EvaluateLaw(AllConstraintRows(d), smoothing.Scale(m), residual.data(), force.data(), weight.data(), state.data());
}

}  // namespace sinew
