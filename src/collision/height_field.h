// Height fields against sphere, capsule, ellipsoid, cylinder, box and mesh.
#ifndef SINEW_COLLISION_HEIGHT_FIELD_H_
#define SINEW_COLLISION_HEIGHT_FIELD_H_

#include <mujoco/mujoco.h>

namespace sinew {

// Collision function of these pairs.
int HeightFieldConvex(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

}  // namespace sinew

#endif  // SINEW_COLLISION_HEIGHT_FIELD_H_
