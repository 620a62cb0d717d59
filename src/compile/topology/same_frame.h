// How frames on a body relate to the frame of the body and to that of its inertia (mjtSameFrame). Kinematics copies
// poses that are the same instead of composing them, so that what is written to a model at run time must be seen here.
#ifndef SINEW_COMPILE_TOPOLOGY_SAME_FRAME_H_
#define SINEW_COMPILE_TOPOLOGY_SAME_FRAME_H_

#include <mujoco/mujoco.h>

#include <string_view>

#include "compile/tree/pose.h"

namespace sinew::inline compile {

// The kind of a part's frame: the whole pose may be that of the body or of its inertia, or the rotation alone.
int FrameKind(const Pose& pose, const Pose& inertial);

// The kind of an inertial frame, for which coinciding origins alone do not count.
int InertialFrameKind(const Pose& frame);

// Gives frames of geoms, sites and inertias that are no longer of their kind the one that their numbers have. A body
// whose block of the inertia matrix is diagonal by its kind (body_simple) has no room for another: its centre of mass
// and its principal axes stay, which a warning says.
void UpdateFrameKinds(mjModel* m);

// Makes frames general for which the field of this name may have other values in each world.
void MakeFramesGeneral(mjModel* m, std::string_view field);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_TOPOLOGY_SAME_FRAME_H_
