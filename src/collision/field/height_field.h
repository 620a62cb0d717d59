// Height fields against sphere, capsule, ellipsoid, cylinder, box and mesh.
#ifndef SINEW_COLLISION_FIELD_HEIGHT_FIELD_H_
#define SINEW_COLLISION_FIELD_HEIGHT_FIELD_H_

#include <mujoco/mujoco.h>

#include "collision/convex/convex_shape.h"
#include "collision/geom.h"
#include "collision/stack_list.h"

namespace sinew::inline collision {

// Collision function of these pairs.
int HeightFieldConvex(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

// Appends the contacts of a height field with an element of a flex, one for each prism that it meets.
void HeightFieldElement(const mjModel* m, mjData* d, int geom, const ConvexShape& element, double margin,
                        StackList<ContactPoint<double>>& points);

// The prism of a height field that is nearest to, or deepest in, the convex geom; false when none is nearer than
// `limit`.
bool NearestInHeightField(const mjModel* m, mjData* d, int g1, int g2, double limit, ContactPoint<double>& nearest);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FIELD_HEIGHT_FIELD_H_
