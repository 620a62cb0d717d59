#include "constraint/reference.h"

#include "constraint/anchors.h"
#include "constraint/contact_rows.h"
#include "constraint/equality_pose.h"
#include "constraint/impedance_kernel.h"
#include "constraint/row_velocity.h"
#include "constraint/surface_kernel.h"
#include "model/kinds/surface.h"
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

// Adds the bias of adhesion to the references of the rows that pull along a contact's normal.
void AddAdhesionBias(const mjModel* m, mjData* d, const mjContact& contact, double adhesion) {
  const bool pyramidal = IsPyramidal(m, contact);
  const int first = contact.efc_address, rows = RowCountOf(m, contact);
  for (int row = first; row < first + (pyramidal ? rows : 1); ++row) {
    d->efc_aref[row] += AdhesionReference(d->efc_R[row], adhesion, rows, pyramidal);
  }
}

void AddAdhesionBiases(const mjModel* m, mjData* d) {
  const Surfaces surfaces = FindSurfaces(m);
  if (d->nefc == 0 || !HasAdhesion(m, surfaces)) return;
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact& contact = d->contact[i];
    const double adhesion = contact.efc_address >= 0 ? AdhesionOf(m, surfaces, contact) : 0;
    if (adhesion > 0) AddAdhesionBias(m, d, contact, adhesion);
  }
}

}  // namespace

void ReferenceConstraint(const mjModel* m, mjData* d) {
  RowVelocities(m, d, d->efc_vel);
  for (int row = 0; row < d->nefc; ++row) {
    const double* KBIP = d->efc_KBIP + 4 * row;
    const double K = KBIP[0], B = KBIP[1], impedance = KBIP[2];
    d->efc_aref[row] = ReferenceOfRow(K, B, impedance, d->efc_vel[row], d->efc_pos[row] - d->efc_margin[row]);
  }
  for (int row = 0; row < d->ne;) row += SubtractBias(m, d, row);
  AddAdhesionBiases(m, d);
  AddAnchorReference(m, d);
}

}  // namespace sinew::inline constraint
