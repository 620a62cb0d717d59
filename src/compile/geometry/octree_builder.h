// Octrees that sample the signed distance of a closed mesh (docs/how/sdf.md).
#ifndef SINEW_COMPILE_GEOMETRY_OCTREE_BUILDER_H_
#define SINEW_COMPILE_GEOMETRY_OCTREE_BUILDER_H_

#include <vector>

#include "compile/geometry/box_tree.h"

namespace sinew::inline compile {

// A cube of space, in the frame of the mesh, with the signed distance at its corners [m]. Octant and corner c are on
// the positive side of x, y, z where bits 0, 1, 2 of c are set. The eight children follow each other.
struct OctreeCell {
  int depth;
  int child = -1;  // the first one; -1 at a leaf
  Box box;
  double distance[8];
};

// The tree of a mesh of points and triangles; `face_tree` is the tree of boxes over the latter.
std::vector<OctreeCell> BuildOctree(const std::vector<Vec3<double>>& points, const std::vector<int>& faces,
                                    const BoxTree& face_tree);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_GEOMETRY_OCTREE_BUILDER_H_
