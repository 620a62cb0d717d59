// Broad phase: the pairs of bodies that may touch.
#ifndef SINEW_COLLISION_BROAD_BROADPHASE_H_
#define SINEW_COLLISION_BROAD_BROADPHASE_H_

#include <mujoco/mujoco.h>

#include <cstdint>

#include "collision/stack_list.h"

namespace sinew::inline collision {

// Appends the signatures (collision/broad/filter.h) of all pairs of bodies that pass the filters and whose bounds
// overlap, ascending and without duplicates. Scratch is taken from the frame of the list; the pairs are of no use when
// it reports that it is full.
void BroadPhase(const mjModel* m, mjData* d, StackFrame& frame, StackList<uint32_t>& pairs);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_BROAD_BROADPHASE_H_
