#include "gradient/row_forces.h"

#include "constraint/cost.h"
#include "constraint/jacobian_product.h"
#include "constraint/update.h"

namespace sinew {

RowForces::RowForces(const mjModel* m, mjData* d, const double* a)
    : force(static_cast<size_t>(d->nefc)), state(static_cast<size_t>(d->nefc)) {
  std::vector<double> residual(static_cast<size_t>(d->nefc));
  MulJacVec(m, d, residual.data(), a);
  for (int i = 0; i < d->nefc; ++i) residual[static_cast<size_t>(i)] -= d->efc_aref[i];
  EvaluateRows(AllConstraintRows(d), residual.data(), force.data(), state.data(), /*cone_hessian=*/true);
}

}  // namespace sinew
