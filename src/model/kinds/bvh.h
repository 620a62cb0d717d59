// Trees of bounding boxes: mjModel's bvh_* arrays. Nodes are numbered within their tree, parents before children.
#ifndef SINEW_MODEL_KINDS_BVH_H_
#define SINEW_MODEL_KINDS_BVH_H_

#include <mujoco/mujoco.h>

#include <cstddef>

namespace sinew::inline model {

// Whether a node, by its number in the model, has no children: it then holds the geom, face or element bvh_nodeid.
// Inner nodes may have kept the id of an earlier tree.
inline bool IsBvhLeaf(const mjModel* m, ptrdiff_t node) {
  return (m->bvh_child[2 * node] & m->bvh_child[2 * node + 1]) < 0;  // both are -1
}

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_BVH_H_
