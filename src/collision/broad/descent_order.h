// How two trees of bounding boxes are descended at once, and in which order that comes to pairs of leaves.
#ifndef SINEW_COLLISION_BROAD_DESCENT_ORDER_H_
#define SINEW_COLLISION_BROAD_DESCENT_ORDER_H_

#include <mujoco/mujoco.h>

#include <cstdint>

#include "collision/broad/box_test.h"
#include "model/bvh.h"

namespace sinew {

// The number of the root of a body's tree, or of a flex, numbered behind the bodies.
inline int RootNode(const mjModel* m, int body) {
  return body < m->nbody ? m->body_bvhadr[body] : m->flex_bvhadr[body - m->nbody];
}

// Measures a node. MuJoCo 3.8.0 takes centre and half size for the corners of the box here.
inline double ExtentOfNode(const mjModel* m, const mjData* d, int node) {
  const double* box = NodeBox(m, d, node);
  const double x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
  return x * y + y * z + z * x;
}

// Whether the second of two nodes, not both leaves, is the one to descend into: unless it is the smaller one. This
// changes no contact, but it decides which nodes are marked for visualization, and in which order contacts are found.
inline bool DescendsIntoSecond(const mjModel* m, const mjData* d, int node1, int node2) {
  return IsBvhLeaf(m, node1) || (!IsBvhLeaf(m, node2) && ExtentOfNode(m, d, node2) >= ExtentOfNode(m, d, node1));
}

// Increases in the order in which MuJoCo 3.8.0 comes to pairs of leaves: of two children, to the second before the
// first. Nodes are numbered from their parents to their first, then to their second children.
uint64_t DescentOrder(const mjModel* m, const mjData* d, const int (&root)[2], const int (&leaf)[2]);

}  // namespace sinew

#endif  // SINEW_COLLISION_BROAD_DESCENT_ORDER_H_
