// Midphase: from pairs of bodies to pairs of items that may touch.
#ifndef SINEW_COLLISION_BROAD_MIDPHASE_H_
#define SINEW_COLLISION_BROAD_MIDPHASE_H_

#include <mujoco/mujoco.h>

#include <cstdint>

#include "collision/item.h"
#include "collision/stack_list.h"

namespace sinew::inline collision {

// Appends the pairs of items of one world in the order of their contacts: pairs of bodies by signature, explicit pairs
// merged among them before the bodies' own, and within a pair of bodies by item. The frame is for the list and for
// scratch; the pairs are of no use when it reports that it is full.
void MidPhase(const mjModel* m, mjData* d, StackFrame& frame, StackList<uint32_t>& body_pairs,
              StackList<ItemPair>& item_pairs);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_BROAD_MIDPHASE_H_
