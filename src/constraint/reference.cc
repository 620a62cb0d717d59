#include "constraint/reference.h"

#include "constraint/equality_pose.h"
#include "constraint/impedance_kernel.h"
#include "constraint/jacobian_product.h"
#include "model/view/view_of.h"

namespace sinew::inline constraint {
namespace {

// Subtracts Jdot v from the reference of a connect or weld, whose rows start at `row`. Returns the number of its rows.
int SubtractBias(const mjModel* m, mjData* d, int row) {
  const int id = d->efc_id[row];
  const bool weld = m->eq_type[id] == mjEQ_WELD;
  if (!weld && m->eq_type[id] != mjEQ_CONNECT) return 1;
  const EqualityPose pose = weld ? WeldPose(m, d, id) : ConnectPose(m, d, id);
  const int rows = weld ? 6 : 3;
  double bias[6];
  PoseBias(ViewOf(m), ViewOf(d), pose, rows, bias);
  for (int k = 0; k < rows; ++k) d->efc_aref[row + k] -= bias[k];
  return rows;
}

}  // namespace

void ReferenceConstraint(const mjModel* m, mjData* d) {
  MulJacVec(m, d, d->efc_vel, d->qvel);
  for (int row = 0; row < d->nefc; ++row) {
    const double* KBIP = d->efc_KBIP + 4 * row;
    const double K = KBIP[0], B = KBIP[1], impedance = KBIP[2];
    d->efc_aref[row] = ReferenceOfRow(K, B, impedance, d->efc_vel[row], d->efc_pos[row] - d->efc_margin[row]);
  }
  for (int row = 0; row < d->ne;) row += SubtractBias(m, d, row);
}

}  // namespace sinew::inline constraint
