// Midphase: from pairs of bodies to pairs of geoms that may touch.
#ifndef SINEW_COLLISION_BROAD_MIDPHASE_H_
#define SINEW_COLLISION_BROAD_MIDPHASE_H_

#include <mujoco/mujoco.h>

#include <cstdint>

#include "collision/stack_list.h"

namespace sinew {

// Two geoms for the narrow phase, in the order of their types.
struct GeomPair {
  int geom1, geom2;
  int pair;       // explicit pair (<pair>), -1 without
  double margin;  // distance below which contacts are detected
};

// Appends the pairs of geoms of one world in the order of their contacts: body pairs by signature, explicit pairs
// merged among them before the bodies' own. Bodies with several geoms are compared by their hierarchies of boxes, and
// their geom pairs sorted by id. The frame is for the list and for scratch.
void MidPhase(const mjModel* m, mjData* d, StackFrame& frame, StackList<uint32_t>& body_pairs,
              StackList<GeomPair>& geom_pairs);

// The pair's geoms in the order of their types, with the margin that applies to them.
GeomPair MakeGeomPair(const mjModel* m, int geom1, int geom2, int pair);

}  // namespace sinew

#endif  // SINEW_COLLISION_BROAD_MIDPHASE_H_
