// Bounding volume trees of the model: over the geoms of bodies for the broad phase, over the faces of meshes for rays,
// over the elements of flexes for their contacts.
#ifndef SINEW_COMPILE_BVH_H_
#define SINEW_COMPILE_BVH_H_

#include <vector>

#include "compile/box_tree.h"
#include "compile/draft.h"

namespace sinew {

// The tree of each body over its geoms that collide, in the frame of its inertia. Geoms must have ids.
std::vector<BoxTree> BuildBodyTrees(const Draft& draft);

// The trees of bodies, then those of meshes, then those of flexes.
void WriteTrees(const std::vector<BoxTree>& body_trees, const Draft& draft, mjModel* m);

}  // namespace sinew

#endif  // SINEW_COMPILE_BVH_H_
