// Contacts that worlds keep after a call, which have another number in each world and at each step.
#include <algorithm>

#include "batch/front/worlds.h"
#include "constraint/contact_force.h"
#include "model/kinds/contact_law.h"

namespace sinew::inline batch {

// Forces of compliant contacts follow from velocities, which packs have to bring into the worlds of their lanes.
void Worlds::KeepContacts(bool keep) {
  const Busy busy(this);
  if (keep == keeps_contacts()) return;
  contacts_.clear();
  if (!keep) return;
  contacts_.resize(static_cast<size_t>(count_));
  if (!FindContactLaws(model_.get())) return;
  for (const char* name : {"cvel", "subtree_com"}) AddTo(output_arrays_, *FindDataField(*model_, name).array);
}

// The stages of positions and velocities find contacts anew, whose forces nobody has computed. A call of no step and no
// stage leaves the data of whichever world ran last.
Worlds::ContactPart Worlds::ContactsAfter(int steps, int stage) {
  if (stage == mjSTAGE_POS || stage == mjSTAGE_VEL) return ContactPart::kPlaces;
  return steps > 0 || stage == mjSTAGE_ACC ? ContactPart::kForces : ContactPart::kOld;
}

void Worlds::CopyContacts(const mjModel& m, int world, const mjData& d, ContactPart part) {
  if (part == ContactPart::kOld) return;
  std::vector<KeptContact>& kept = contacts_[static_cast<size_t>(world)];
  kept.assign(static_cast<size_t>(d.ncon), {});
  for (int i = 0; i < d.ncon; ++i) {
    const mjContact& from = d.contact[i];
    KeptContact& to = kept[static_cast<size_t>(i)];
    to.dim = from.dim;
    to.dist = from.dist;
    std::copy_n(from.geom, 2, to.geom);
    std::copy_n(from.flex, 2, to.flex);
    std::copy_n(from.pos, 3, to.pos);
    std::copy_n(from.frame, 9, to.frame);
    std::copy_n(from.friction, 5, to.friction);
    if (part == ContactPart::kForces) ContactForce(&m, &d, i, to.force);
  }
}

void Worlds::ForEachContacts(const Selection& worlds, const VisitContacts& visit) {
  const Busy busy(this);
  CheckSelection(worlds);
  if (!keeps_contacts()) throw Error("contacts are not kept", "ask for them before the call whose contacts are wanted");
  for (int place = 0; place < CountOf(worlds); ++place) {
    visit(place, contacts_[static_cast<size_t>(worlds.WorldAt(place))]);
  }
}

}  // namespace sinew::inline batch
