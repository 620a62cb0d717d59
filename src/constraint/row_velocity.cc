#include "constraint/row_velocity.h"

#include "constraint/contact_rows.h"
#include "constraint/jacobian_product.h"
#include "constraint/surface_kernel.h"

namespace sinew::inline constraint {
namespace {

void AddSurfaceVelocity(const mjModel* m, const mjData* d, const Surfaces& surfaces, const mjContact& contact,
                        double* velocity) {
  const DataView<double> data(const_cast<mjData*>(d));  // it is read only
  const SurfaceTwists<double> twists = SurfaceTwistsOf(surfaces, data, contact.geom, LoadVec3(contact.pos));
  if (!twists.move) return;
  AddSurfaceSpeeds(ContactAxes<double>::Load(contact.frame), twists.Relative(), contact.friction,
                   RowCountOf(m, contact), IsPyramidal(m, contact), velocity + contact.efc_address);
}

}  // namespace

void RowVelocities(const mjModel* m, const mjData* d, double* velocity) {
  MulJacVec(m, d, velocity, d->qvel);
  const Surfaces surfaces = FindSurfaces(m);
  if (!surfaces || d->nefc == 0) return;
  for (int i = 0; i < d->ncon; ++i) {
    if (d->contact[i].efc_address >= 0) AddSurfaceVelocity(m, d, surfaces, d->contact[i], velocity);
  }
}

}  // namespace sinew::inline constraint
