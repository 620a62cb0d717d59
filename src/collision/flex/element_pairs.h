// Elements of one flex with each other, or with those of another flex.
#ifndef SINEW_COLLISION_FLEX_ELEMENT_PAIRS_H_
#define SINEW_COLLISION_FLEX_ELEMENT_PAIRS_H_

#include <mujoco/mujoco.h>

#include "collision/flex/flex_contact.h"

namespace sinew {

// Which elements take part: all, or without those deep inside of a solid.
enum class ElementChoice { kAll, kActive };

// Appends the contacts between elements that have no body in common; with flex1 == flex2, those of each pair once. The
// frame outlives the list of contacts; it reports that it is full where pairs had to be left out.
void CollideElementPairs(const mjModel* m, mjData* d, int flex1, int flex2, ElementChoice choice, double margin,
                         FlexContactList& contacts, StackFrame& frame);

}  // namespace sinew

#endif  // SINEW_COLLISION_FLEX_ELEMENT_PAIRS_H_
