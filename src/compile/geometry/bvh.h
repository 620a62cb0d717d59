// Bounding volume trees of the model: over the geoms of bodies for the broad phase, over the faces of meshes for rays,
// over the elements of flexes for their contacts.
#ifndef SINEW_COMPILE_GEOMETRY_BVH_H_
#define SINEW_COMPILE_GEOMETRY_BVH_H_

#include <vector>

#include "compile/draft.h"
#include "compile/geometry/box_tree.h"

namespace sinew::inline compile {

// Keeps which geom each node of the body's tree holds as a leaf. Called whenever another body was merged into this one:
// in models of MuJoCo 3.8.0, an inner node of the last tree has the geom that it held as a leaf of an earlier one.
void RememberLeaves(BodyDraft& body);

// The tree of each body over its geoms that collide, in the frame of its inertia. Geoms must have ids.
std::vector<BoxTree> BuildBodyTrees(const Draft& draft);

// The trees of bodies, then those of meshes, then those of flexes.
void WriteTrees(const std::vector<BoxTree>& body_trees, const Draft& draft, mjModel* m);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_GEOMETRY_BVH_H_
