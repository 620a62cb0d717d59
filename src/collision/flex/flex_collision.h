// Contacts of flexes (README.md in this folder).
#ifndef SINEW_COLLISION_FLEX_FLEX_COLLISION_H_
#define SINEW_COLLISION_FLEX_FLEX_COLLISION_H_

#include <mujoco/mujoco.h>

#include "collision/flex/flex_contact.h"

namespace sinew::inline collision {

// Appends the contacts of all flexes with bodies, with each other and with themselves to those of the bodies, and
// merges them into the order of contacts: by the pair of bodies and flexes, lower one first, where flexes follow the
// bodies; contacts of a flex with itself come last.
void CollideFlexes(const mjModel* m, mjData* d);

// The contacts of a flex with itself: of neighbouring elements, which keep it from turning inside out, and of others.
void CollideFlexWithItself(const mjModel* m, mjData* d, int flex, FlexContactList& contacts, StackFrame& frame);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FLEX_FLEX_COLLISION_H_
