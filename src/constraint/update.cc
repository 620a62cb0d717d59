#include "constraint/update.h"

#include "constraint/jacobian_product.h"

namespace sinew::inline constraint {

RowSet AllConstraintRows(mjData* d) {
  return {d->nefc, d->ne, d->nf, d->efc_type, d->efc_id, d->efc_D, d->efc_R, d->efc_frictionloss, d->contact};
}

void ConstraintUpdate(const mjModel* m, mjData* d, const double* jar, double* cost, bool cone_hessian) {
  double total = 0;
  if (d->nefc > 0) {
    total = EvaluateRows(AllConstraintRows(d), jar, d->efc_force, d->efc_state, cone_hessian);
    MulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
  }
  if (cost) *cost = total;
}

}  // namespace sinew::inline constraint
