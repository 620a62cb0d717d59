// Binary trees of axis-aligned boxes.
#ifndef SINEW_COMPILE_GEOMETRY_BOX_TREE_H_
#define SINEW_COMPILE_GEOMETRY_BOX_TREE_H_

#include <span>
#include <vector>

#include "compile/tree/pose.h"
#include "compile/tree/shape.h"

namespace sinew::inline compile {

struct BoxNode {
  int depth;
  int child[2];  // within the tree; -1 at a leaf
  int object;    // id at a leaf, -1 inside
  Box box;
};

// Nodes in pre-order, left subtree first; empty without objects.
struct BoxTree {
  std::vector<BoxNode> nodes;
};

// An object of a tree: its box in the tree's frame, and the point by which it is sorted; not a number where the object
// has none.
struct BoxLeaf {
  int object;
  Box box;
  Vec3<double> center;
};

// The smallest box around points.
Box BoxAround(std::span<const Vec3<double>> points);

// The smallest box, with the axes of a frame, around a box that has this pose in it.
Box BoxAround(const Pose& pose, const Box& box);

BoxTree BuildTree(std::vector<BoxLeaf> leaves);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_GEOMETRY_BOX_TREE_H_
