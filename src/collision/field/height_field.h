// Height fields against sphere, capsule, ellipsoid, cylinder, box and mesh.
#ifndef SINEW_COLLISION_FIELD_HEIGHT_FIELD_H_
#define SINEW_COLLISION_FIELD_HEIGHT_FIELD_H_

#include <mujoco/mujoco.h>

#include "collision/geom.h"

namespace sinew {

// Collision function of these pairs.
int HeightFieldConvex(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

// The prism of a height field that is nearest to, or deepest in, the convex geom; false when none is nearer than
// `limit`.
bool NearestInHeightField(const mjModel* m, mjData* d, int g1, int g2, double limit, ContactPoint<double>& nearest);

}  // namespace sinew

#endif  // SINEW_COLLISION_FIELD_HEIGHT_FIELD_H_
