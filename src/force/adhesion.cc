#include "force/adhesion.h"

#include <algorithm>

#include "core/stack.h"
#include "kinematics/contact_carriers.h"
#include "model/kinds/contact_exclude.h"
#include "model/kinds/surface.h"
#include "model/state/awake.h"

namespace sinew::inline force {
namespace {

// Calls act(contact, adhesion) for contacts that stick and take part in constraints.
template <class Act>
void ForEachAdhesive(const mjModel* m, mjData* d, Act act) {
  const Surfaces surfaces = FindSurfaces(m);
  if (!HasAdhesion(m, surfaces)) return;
  for (int i = 0; i < d->ncon; ++i) {
    if (d->contact[i].exclude != contact_exclude::kActive) continue;
    const double adhesion = AdhesionOf(m, surfaces, d->contact[i]);
    if (adhesion > 0) act(d->contact[i], adhesion);
  }
}

// Pulls both sides of a contact along its normal.
class Puller {
 public:
  Puller(const mjModel* m, mjData* d) : m_(m), d_(d), frame_(d) {
    marked_ = frame_.Ints(m->nv);
    dofs_ = frame_.Ints(m->nv);
    std::fill_n(marked_, m->nv, 0);
  }

  void Pull(const mjContact& contact, double force) {
    StackFrame frame(d_);
    mjContact along_normal = contact;
    along_normal.dim = 1;
    const ContactCarriers carriers(m_, d_, along_normal, frame);
    const int count = carriers.Dofs(m_, marked_, dofs_);
    double* J = frame.Doubles(count);
    FillFrameJacobian(m_, d_, along_normal, carriers, dofs_, count, frame, J);
    for (int c = 0; c < count; ++c) {
      if (d_->tree_awake[m_->dof_treeid[dofs_[c]]]) d_->qfrc_passive[dofs_[c]] -= force * J[c];
    }
  }

 private:
  const mjModel* m_;
  mjData* d_;
  StackFrame frame_;
  int *marked_, *dofs_;
};

}  // namespace

void ActivateAdhesiveContacts(const mjModel* m, mjData* d) {
  const Surfaces surfaces = FindSurfaces(m);
  if (!HasAdhesion(m, surfaces)) return;
  for (int i = 0; i < d->ncon; ++i) {
    mjContact& contact = d->contact[i];
    if (contact.exclude != contact_exclude::kInGap || AdhesionOf(m, surfaces, contact) == 0) continue;
    contact.exclude = contact_exclude::kActive;
    contact.dim = 1;
  }
}

bool HasAdhesiveContact(const mjModel* m, const mjData* d) {
  bool any = false;
  ForEachAdhesive(m, const_cast<mjData*>(d), [&](const mjContact&, double) { any = true; });
  return any;
}

void AddAdhesion(const mjModel* m, mjData* d, bool rows_in_lanes) {
  if (!rows_in_lanes && d->nefc == 0) return;
  ForEachAdhesive(m, d, [&](const mjContact& contact, double adhesion) {
    if (rows_in_lanes || contact.efc_address >= 0) Puller(m, d).Pull(contact, adhesion);
  });
}

}  // namespace sinew::inline force
