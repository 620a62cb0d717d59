// The numbers that each type of joint has in qpos and qvel.
#ifndef SINEW_MODEL_VIEW_JOINT_TYPE_H_
#define SINEW_MODEL_VIEW_JOINT_TYPE_H_

#include <mujoco/mjmodel.h>

namespace sinew::inline model {

// `type` is an mjtJoint. A free joint has a position and a quaternion, a ball joint a quaternion; their velocities are
// vectors of the tangent space.
constexpr int PositionCount(int type) { return type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1; }
constexpr int DofCount(int type) { return type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1; }

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_VIEW_JOINT_TYPE_H_
