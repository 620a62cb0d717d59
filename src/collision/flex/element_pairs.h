// Elements of one flex with each other, or with those of another flex.
#ifndef SINEW_COLLISION_FLEX_ELEMENT_PAIRS_H_
#define SINEW_COLLISION_FLEX_ELEMENT_PAIRS_H_

#include <mujoco/mujoco.h>

#include "collision/flex/flex_contact.h"

namespace sinew::inline collision {

// Whether a flex uses its tree for contacts with itself.
bool SearchesTree(const mjModel* m, int flex);

// Appends the contacts between elements of two flexes that have no body in common; without a midphase, those deep
// inside of solids take part. The frame outlives the list of contacts; it reports that it is full where pairs had to be
// left out.
void CollideElementPairs(const mjModel* m, mjData* d, int flex1, int flex2, double margin, FlexContactList& contacts,
                         StackFrame& frame);

// The same of the active layers of one flex, each pair once. Which element is a contact's first side is that of
// MuJoCo 3.8.0: without a midphase that with the lower number, of those of a tree that with the lower leaf, and else
// that which begins earlier along the longest axis of the flex.
void CollideElementsOfFlex(const mjModel* m, mjData* d, int flex, FlexContactList& contacts, StackFrame& frame);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FLEX_ELEMENT_PAIRS_H_
