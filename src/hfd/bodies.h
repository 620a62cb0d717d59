// The tree of bodies, and the state at the start.
#ifndef SINEW_HFD_BODIES_H_
#define SINEW_HFD_BODIES_H_

#include "hfd/entries.h"

namespace sinew::hfd {

// Records of the bodies and joints of a model.
void CollectBodies(Context& context, Entries& model);

// Bodies with their joints, contact geometry and what is shown.
void BuildTree(Context& context);

// The keyframe `default` with the coordinates at the start.
void AddStartKey(Context& context);

}  // namespace sinew::hfd

#endif  // SINEW_HFD_BODIES_H_
