// When a geom meets a height field or a signed distance field in a step (docs/how/speculative.md).
#ifndef SINEW_COLLISION_SPECULATIVE_FIELD_IMPACT_H_
#define SINEW_COLLISION_SPECULATIVE_FIELD_IMPACT_H_

#include <mujoco/mujoco.h>

#include "collision/item.h"
#include "collision/speculative/advance.h"
#include "collision/stack_list.h"

namespace sinew::inline collision {

// Finds the first meeting of a convex geom with the surface of a height field that stands still; the shape is left
// there.
bool FindImpactOnField(const mjModel* m, mjData* d, int field, MovingShape& shape, double margin, Impact& out);

// Appends the meetings of points of each of two geoms, one of which has a signed distance field at least, with the
// other's surface. Normals lead from the first geom to the second; `dist` is the part of the step.
void FindPointImpacts(const mjModel* m, mjData* d, const ItemPair& pair, const GeomMotion& first,
                      const GeomMotion& second, StackList<ContactPoint<double>>& out);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_SPECULATIVE_FIELD_IMPACT_H_
