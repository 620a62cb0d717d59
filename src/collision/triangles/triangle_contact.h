// Contacts of meshes that collide by their triangles (docs/how/triangles.md), in the signature of mjCOLLISIONFUNC.
#ifndef SINEW_COLLISION_TRIANGLES_TRIANGLE_CONTACT_H_
#define SINEW_COLLISION_TRIANGLES_TRIANGLE_CONTACT_H_

#include <mujoco/mujoco.h>

#include "collision/pairs.h"
#include "model/kinds/triangle_meshes.h"

namespace sinew::inline collision {

// Whether contacts of two geoms are found by CollideTriangles. A function that the program has put into the table goes
// before.
inline bool IsOfTriangles(const TriangleMeshes& meshes, PairKind kind, int g1, int g2) {
  return kind != PairKind::kCustom && meshes.HavePair(g1, g2);
}
int CollideTriangles(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_TRIANGLES_TRIANGLE_CONTACT_H_
