// Where the parts of a body stand: frames around them resolved.
#ifndef SINEW_COMPILE_TREE_PLACEMENT_H_
#define SINEW_COMPILE_TREE_PLACEMENT_H_

#include "compile/tree/pose.h"
#include "spec/elements.h"

namespace sinew::inline compile {

// Pose of what stands in a frame (null: directly in the body), in the enclosing body's frame.
Pose InBody(const Frame* frame, const Pose& pose);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_TREE_PLACEMENT_H_
