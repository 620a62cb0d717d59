// Contacts of a mesh by its triangles with a sphere, capsule, ellipsoid or cylinder.
#ifndef SINEW_COLLISION_TRIANGLES_ROUND_PAIR_H_
#define SINEW_COLLISION_TRIANGLES_ROUND_PAIR_H_

#include <mujoco/mujoco.h>

#include "collision/geom.h"
#include "collision/stack_list.h"

namespace sinew::inline collision {

// Appends what touches, in the world frame: normals lead from the mesh to the other geom.
void FindRoundContacts(const mjModel* m, mjData* d, int mesh, int other, double margin,
                       StackList<ContactPoint<double>>& points);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_TRIANGLES_ROUND_PAIR_H_
