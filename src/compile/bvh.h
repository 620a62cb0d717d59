// Bounding volume trees of bodies: binary trees of axis-aligned boxes over geoms, for the broad phase.
#ifndef SINEW_COMPILE_BVH_H_
#define SINEW_COMPILE_BVH_H_

#include <vector>

#include "compile/draft.h"

namespace sinew {

struct BoxNode {
  int depth;
  int child[2];  // within the tree; -1 at a leaf
  int object;    // id at a leaf, -1 inside
  Box box;
};

// Nodes in pre-order, left subtree first; empty for a body without geoms that collide.
struct BodyTree {
  std::vector<BoxNode> nodes;
};

// An object of a tree: its box in the tree's frame, and the point by which it is sorted.
struct BoxLeaf {
  int object;
  Vec3<double> lower, upper, center;
};

BodyTree BuildTree(std::vector<BoxLeaf> leaves);

// The tree of each body, in the frame of its inertia. Geoms must have ids.
std::vector<BodyTree> BuildBodyTrees(const Draft& draft);

void WriteBodyTrees(const std::vector<BodyTree>& trees, mjModel* m);

}  // namespace sinew

#endif  // SINEW_COMPILE_BVH_H_
