// Contacts that stick (docs/how/surfaces.md): which they are, and the force that draws their surfaces together.
//
// A contact with adhesion may pull. Its rows push with a force f >= 0 as those of others do, a constant force draws
// both surfaces together, and the reference of its normal is biased such that the sum, f - adhesion, obeys the law of
// a contact without adhesion (constraint/surface_kernel.h).
#ifndef SINEW_FORCE_ADHESION_H_
#define SINEW_FORCE_ADHESION_H_

#include <mujoco/mujoco.h>

namespace sinew::inline force {

// Gives contacts with adhesion that are in the gap a part in constraints: they pull along the normal alone.
void ActivateAdhesiveContacts(const mjModel* m, mjData* d);

// Whether a contact sticks that takes part in constraints.
bool HasAdhesiveContact(const mjModel* m, const mjData* d);

// Adds the constant forces to qfrc_passive. Contacts have rows, unless lanes make them (`rows_in_lanes`).
void AddAdhesion(const mjModel* m, mjData* d, bool rows_in_lanes);

}  // namespace sinew::inline force

#endif  // SINEW_FORCE_ADHESION_H_
