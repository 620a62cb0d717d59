#include "constraint/contact_force.h"

#include "force/compliant_contact.h"
#include "math/dense.h"
#include "model/kinds/contact_exclude.h"
#include "model/kinds/surface.h"
#include "simd/pack.h"

namespace sinew::inline constraint {

// The edges of direction k are n + mu_k t_k and n - mu_k t_k: with shares a of the normal force and b = f_k / mu_k,
// their forces are (a + b)/2 and (a - b)/2. A tangential force outside the pyramid is held to its boundary.
void EncodePyramid(double* pyramid, const double* force, const double* friction, int dim) {
  if (dim < 2) return;
  const double share = force[0] / (dim - 1);
  for (int k = 0; k < dim - 1; ++k) {
    const double b = Min(share, force[k + 1] / friction[k]);
    pyramid[2 * k] = 0.5 * (share + b);
    pyramid[2 * k + 1] = 0.5 * (share - b);
  }
}

void DecodePyramid(double* force, const double* pyramid, const double* friction, int dim) {
  if (dim < 1) return;
  force[0] = 0;
  if (dim == 1) force[0] = pyramid[0];
  for (int k = 0; k < dim - 1; ++k) {
    force[0] += pyramid[2 * k] + pyramid[2 * k + 1];
    force[k + 1] = friction[k] * (pyramid[2 * k] - pyramid[2 * k + 1]);
  }
}

void ContactForce(const mjModel* m, const mjData* d, int id, double result[6]) {
  Zero(result, 6);
  if (id < 0 || id >= d->ncon) return;
  const mjContact& contact = d->contact[id];
  if (contact.exclude == contact_exclude::kCompliant) return CompliantContactForce(m, d, contact, result);
  const bool pyramidal = contact.dim > 1 && m->opt.cone == mjCONE_PYRAMIDAL;
  const int first = contact.efc_address, count = pyramidal ? 2 * (contact.dim - 1) : contact.dim;
  if (first < 0 || first + count > d->nefc) return;
  if (pyramidal) {
    DecodePyramid(result, d->efc_force + first, contact.friction, contact.dim);
  } else {
    Copy(result, d->efc_force + first, contact.dim);
  }
  if (const Surfaces surfaces = FindSurfaces(m)) result[0] -= AdhesionOf(m, surfaces, contact);
}

}  // namespace sinew::inline constraint
