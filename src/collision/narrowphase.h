// Narrow phase: the contacts of a pair of geoms.
#ifndef SINEW_COLLISION_NARROWPHASE_H_
#define SINEW_COLLISION_NARROWPHASE_H_

#include <mujoco/mujoco.h>

#include "collision/item.h"
#include "collision/stack_list.h"

namespace sinew::inline collision {

// Appends the contacts of all pairs to those of mjData, with the functions of mjCOLLISIONFUNC. A pair for which the
// arena has no room is skipped, with a warning. `ends`: of each pair, how many contacts there are behind it; or null.
void NarrowPhase(const mjModel* m, mjData* d, StackList<ItemPair>& pairs, int* ends = nullptr);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_NARROWPHASE_H_
