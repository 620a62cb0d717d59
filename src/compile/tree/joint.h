// Joints of the draft.
#ifndef SINEW_COMPILE_TREE_JOINT_H_
#define SINEW_COMPILE_TREE_JOINT_H_

#include "compile/draft.h"
#include "model/view/joint_type.h"

namespace sinew::inline compile {

// A joint in the body frame; `frame` is the pose of the frames around it.
JointDraft DraftJoint(Joint& joint, const Pose& frame);

// Checks which joints may be combined in one body.
void CheckJoints(const BodyDraft& body);

// Free bodies stand in the world; once static bodies are fused, since that is where their children go.
void CheckFreeJoints(const Draft& draft);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_TREE_JOINT_H_
