// Bodies of a document: mass, inertia, and the tree that joints make of them.
#ifndef SINEW_OSIM_BODIES_H_
#define SINEW_OSIM_BODIES_H_

#include "osim/context.h"

namespace sinew::osim {

// Collects ground and the bodies of the BodySet.
void CollectBodies(Context& context, const XmlNode& model);

// Makes the tree of bodies and joints, and the pose of each body at the default values of the coordinates. Needs the
// joints (joints.h). A body without a joint moves freely.
void BuildTree(Context& context);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_BODIES_H_
