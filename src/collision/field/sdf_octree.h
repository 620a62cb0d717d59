// The signed distance that the octree of a mesh samples (docs/how/sdf.md), in the frame of the mesh.
#ifndef SINEW_COLLISION_FIELD_SDF_OCTREE_H_
#define SINEW_COLLISION_FIELD_SDF_OCTREE_H_

#include <mujoco/mujoco.h>

#include "math/vec3.h"

namespace sinew::inline collision {

inline bool HasOctree(const mjModel* m, int mesh) { return m->mesh_octnum[mesh] > 0; }

// In a leaf, the trilinear interpolation of its corners. Outside of the tree, the value at the nearest point of its box
// and the distance from the box.
double OctreeDistance(const mjModel* m, int mesh, const Vec3<double>& point);

// In a leaf, the derivative by coordinates that run from 0 to 1 across it: the gradient times the edges of the leaf.
// Outside, the gradient, by forward differences.
Vec3<double> OctreeGradient(const mjModel* m, int mesh, const Vec3<double>& point);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FIELD_SDF_OCTREE_H_
