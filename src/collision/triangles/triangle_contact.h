// Contacts of meshes that collide by their triangles (docs/how/triangles.md), in the signature of mjCOLLISIONFUNC.
#ifndef SINEW_COLLISION_TRIANGLES_TRIANGLE_CONTACT_H_
#define SINEW_COLLISION_TRIANGLES_TRIANGLE_CONTACT_H_

#include <mujoco/mujoco.h>

#include "collision/geom.h"
#include "collision/stack_list.h"

namespace sinew::inline collision {

// Of two geoms whose pair is one of triangles (model/kinds/triangle_meshes.h).
int CollideTriangles(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_TRIANGLES_TRIANGLE_CONTACT_H_
