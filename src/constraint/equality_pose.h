// The poses that a connect or weld equality of one world compares (equality_kernel.h).
#ifndef SINEW_CONSTRAINT_EQUALITY_POSE_H_
#define SINEW_CONSTRAINT_EQUALITY_POSE_H_

#include <mujoco/mujoco.h>

#include <array>

#include "constraint/equality_kernel.h"

namespace sinew::inline constraint {

using EqualityPose = EqualityPoseOf<double>;

// The bodies that a connect or weld ties, directly or by their sites.
std::array<int, 2> EqualityBodies(const mjModel* m, int id);

// Between two bodies, or two sites.
EqualityPose ConnectPose(const mjModel* m, const mjData* d, int id);
EqualityPose WeldPose(const mjModel* m, const mjData* d, int id);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_EQUALITY_POSE_H_
