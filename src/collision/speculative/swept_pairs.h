// Which pairs of geoms may come together in a step: the broad phase of speculative contacts.
#ifndef SINEW_COLLISION_SPECULATIVE_SWEPT_PAIRS_H_
#define SINEW_COLLISION_SPECULATIVE_SWEPT_PAIRS_H_

#include <mujoco/mujoco.h>

#include "collision/item.h"
#include "collision/speculative/motion.h"
#include "collision/stack_list.h"

namespace sinew::inline collision {

// Appends pairs of a fast geom with another one that may collide and whose boxes, swept along both motions, overlap: in
// ascending order of their geoms. The list is of no use when the frame is full.
void FindSweptPairs(const mjModel* m, mjData* d, const StepMotions& motions, StackFrame& frame,
                    StackList<ItemPair>& pairs);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_SPECULATIVE_SWEPT_PAIRS_H_
