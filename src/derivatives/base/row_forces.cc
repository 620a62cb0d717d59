#include "derivatives/base/row_forces.h"

#include "constraint/jacobian_product.h"
#include "constraint/update.h"
#include "derivatives/base/columns.h"
#include "derivatives/base/smoothed_rows.h"

namespace sinew::inline derivatives {

void EvaluateLaw(const RowSet& rows, double scale, const double* residual, double* force, double* weight, int* state) {
  if (scale > 0) return EvaluateSmoothedRows(rows, scale, residual, force, weight, state);
  EvaluateRows(rows, residual, force, state, /*cone_hessian=*/true);
  for (int i = 0; i < rows.nefc; ++i) weight[i] = state[i] == mjCNSTRSTATE_QUADRATIC ? rows.D[i] : 0;
}

RowLaw<double> LawOfRow(const mjData* d, int row) {
  const double* KBIP = d->efc_KBIP + 4 * row;
  const bool friction = d->efc_type[row] == mjCNSTR_FRICTION_DOF || d->efc_type[row] == mjCNSTR_FRICTION_TENDON;
  if (friction) return LawOfFriction<double>(KBIP[1]);
  return LawOfRow<double>({KBIP[2], KBIP[3], KBIP[0], KBIP[1], 0}, d->efc_pos[row] - d->efc_margin[row]);
}

RowForces::RowForces(const mjModel* m, mjData* d, const double* a, const Smoothing& smoothing)
    : residual(Size(d->nefc)), force(Size(d->nefc)), weight(Size(d->nefc)), state(Size(d->nefc)) {
  MulJacVec(m, d, residual.data(), a);
  for (int i = 0; i < d->nefc; ++i) residual[Size(i)] -= d->efc_aref[i];
  EvaluateLaw(AllConstraintRows(d), smoothing.Scale(m), residual.data(), force.data(), weight.data(), state.data());
}

}  // namespace sinew::inline derivatives
